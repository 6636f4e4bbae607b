//! Shapes that are known in part, as a model's graph holds them.

use std::fmt;

use super::{Dims, MOST_AXES, Shape};

/// The size of one axis, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A size.
    Known(usize),
    /// A size that has a name, such as `batch`: equal wherever the name is.
    Named(String),
    /// A size nothing is known of.
    Unknown,
}

/// The shape of a tensor, as far as it is known: nothing, the rank, or the rank
/// and some sizes.
///
/// ```
/// use reduce_core::nodes::{Dim, PartialShape};
/// let images = PartialShape::new([Dim::Named("batch".into()), Dim::Known(3), Dim::Unknown]);
/// assert_eq!(images.rank(), Some(3));
/// assert_eq!(images.to_string(), "[batch, 3, ?]");
/// assert_eq!(PartialShape::unknown().rank(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PartialShape(Option<Vec<Dim>>);

impl PartialShape {
    /// A shape of known rank.
    pub fn new(dims: impl IntoIterator<Item = Dim>) -> Self {
        PartialShape(Some(dims.into_iter().collect()))
    }

    /// A shape with its rank known, and nothing else. It is [unknown](PartialShape::unknown) for a rank above a
    /// million, which no tensor has.
    pub fn of_rank(rank: usize) -> Self {
        PartialShape((rank <= MOST_AXES).then(|| vec![Dim::Unknown; rank]))
    }

    /// A shape that nothing is known about.
    pub fn unknown() -> Self {
        PartialShape(None)
    }

    /// The rank, if it is known.
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(Vec::len)
    }

    /// The sizes, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// The shape, if every size is known and their product fits.
    pub fn to_shape(&self) -> Option<Shape> {
        let size = |dim: &Dim| match dim {
            Dim::Known(size) => Some(*size),
            Dim::Named(_) | Dim::Unknown => None,
        };
        let sizes: Option<Dims<usize>> = self.dims()?.iter().map(size).collect();
        Shape::new(&sizes?).ok()
    }
}

impl From<&Shape> for PartialShape {
    fn from(shape: &Shape) -> Self {
        PartialShape::from(shape.dims())
    }
}

impl<const N: usize> From<[usize; N]> for PartialShape {
    fn from(sizes: [usize; N]) -> Self {
        PartialShape::from(&sizes[..])
    }
}

impl From<&[usize]> for PartialShape {
    fn from(sizes: &[usize]) -> Self {
        PartialShape::new(sizes.iter().map(|&size| Dim::Known(size)))
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(size) => write!(f, "{size}"),
            Dim::Named(name) => f.write_str(name),
            Dim::Unknown => f.write_str("?"),
        }
    }
}

impl fmt::Display for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.dims() else {
            return f.write_str("of unknown rank");
        };
        let dims: Vec<String> = dims.iter().map(Dim::to_string).collect();
        write!(f, "[{}]", dims.join(", "))
    }
}
