//! Layouts of inputs: of views, or without any elements.

use smallvec::SmallVec;

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::values::input::{Input, Sealed, common};
use crate::values::layout::{Layout, Strided, broadcast};
use crate::values::stored::{INPUTS, Stored};

/// What says how inputs of storage type `T` lie in memory. A plan is made for it. It is a view, or a tuple of views. Before
/// there are any elements it is the [`Layout`] of an input, or a list of layouts of several.
///
/// ```
/// use reduce_core::planning::Layout;
/// use reduce_core::{DType, Planned, Reduction, View};
/// use reduce_specs::ReduceMean;
///
/// // Shapes are known, and no element is.
/// let layout = Layout::new(DType::F32, &[2, 3])?;
/// let rows = Reduction::new(ReduceMean).axes([1]).planned::<f32>(&layout)?;
/// let mut means = [0.0; 2];
/// rows.run_into(&View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?, &mut means)?;
/// assert_eq!(means, [2.0, 5.0]);
///
/// // A layout does not say a type that the compiler knows. A view does.
/// let sample = View::new(&[0.0f32; 6], &[2, 3])?;
/// let rows: Planned<ReduceMean, f32> = Reduction::new(ReduceMean).axes([1]).planned(&sample)?;
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how elements of `{T}` lie in memory",
    label = "expected a view, a tuple of views, a `Layout`, or a list of these",
    note = "a layout without elements is made by `Layout::new(DType::F32, &[2, 3])?`"
)]
pub trait HasLayouts<T: Stored>: Sealed {
    /// What `then` makes of the shape of all inputs, and of how each lies, broadcast to that shape.
    ///
    /// # Errors
    /// If inputs do not broadcast to one shape, or are of other types.
    #[doc(hidden)]
    fn lying<R>(&self, then: impl FnOnce(&Shape, &[Strided<'_>]) -> R) -> Result<R, Error>;

    /// The layout of each input.
    #[doc(hidden)]
    fn all_layouts(&self) -> Vec<Layout>;
}

impl<I: Input> HasLayouts<I::Stored> for I {
    fn lying<R>(&self, then: impl FnOnce(&Shape, &[Strided<'_>]) -> R) -> Result<R, Error> {
        let shape = self.shape()?;
        self.strided(&shape, |inputs| then(&shape, inputs))
    }

    fn all_layouts(&self) -> Vec<Layout> {
        self.layouts()
    }
}

impl Sealed for Layout {}

impl<T: Stored> HasLayouts<T> for Layout {
    fn lying<R>(&self, then: impl FnOnce(&Shape, &[Strided<'_>]) -> R) -> Result<R, Error> {
        HasLayouts::<T>::lying(std::slice::from_ref(self), then)
    }

    fn all_layouts(&self) -> Vec<Layout> {
        vec![self.clone()]
    }
}

impl<const N: usize> Sealed for [Layout; N] {}

impl<T: Stored, const N: usize> HasLayouts<T> for [Layout; N] {
    fn lying<R>(&self, then: impl FnOnce(&Shape, &[Strided<'_>]) -> R) -> Result<R, Error> {
        HasLayouts::<T>::lying(&self[..], then)
    }

    fn all_layouts(&self) -> Vec<Layout> {
        self.to_vec()
    }
}

impl Sealed for [Layout] {}

impl<T: Stored> HasLayouts<T> for [Layout] {
    fn lying<R>(&self, then: impl FnOnce(&Shape, &[Strided<'_>]) -> R) -> Result<R, Error> {
        check_types(T::DTYPES, self)?;
        let shape = common_shape(self.iter().map(Layout::shape))?;
        let broadcast = all_broadcast(self.iter().map(shape_and_strides), &shape)?;
        let inputs: SmallVec<[Strided<'_>; INPUTS]> = broadcast.iter().map(strided).collect();
        Ok(then(&shape, &inputs))
    }

    fn all_layouts(&self) -> Vec<Layout> {
        self.to_vec()
    }
}

/// Checks the types of inputs.
///
/// # Errors
/// If they are others, or there are more or fewer.
fn check_types(expected: &[DType], layouts: &[Layout]) -> Result<(), Error> {
    if layouts.len() != expected.len() {
        let (expected, found) = (expected.len(), layouts.len());
        return Err(ErrorKind::InputCount { expected, found }.into());
    }
    match expected.iter().zip(layouts).find(|(expected, layout)| layout.dtype != **expected) {
        None => Ok(()),
        Some((&expected, layout)) => {
            let (input, found) = ("data", layout.dtype);
            Err(ErrorKind::InputDType { input, expected, found }.into())
        }
    }
}

/// The shape of a layout, and how it lies.
pub(crate) fn shape_and_strides(layout: &Layout) -> (&Shape, Strided<'_>) {
    (&layout.shape, (&layout.strides, layout.offset))
}

/// The shape that inputs have together.
///
/// # Errors
/// If they do not broadcast to one.
pub(crate) fn common_shape<'a>(
    shapes: impl Iterator<Item = &'a Shape> + Clone,
) -> Result<Shape, Error> {
    let mut first = shapes.clone();
    match (first.next(), first.next()) {
        (Some(shape), None) => Ok(shape.clone()),
        _ => common(&shapes.collect::<SmallVec<[&Shape; INPUTS]>>()),
    }
}

/// Strides of inputs that are broadcast to one shape, and the places of their first elements.
pub(crate) type Broadcast = SmallVec<[(Dims<isize>, usize); INPUTS]>;

/// How inputs lie once each is broadcast to a shape.
///
/// # Errors
/// If one does not broadcast to it.
pub(crate) fn all_broadcast<'a>(
    inputs: impl Iterator<Item = (&'a Shape, Strided<'a>)>,
    shape: &Shape,
) -> Result<Broadcast, Error> {
    let lie = |(from, (strides, offset)): (&Shape, Strided<'_>)| {
        Ok((broadcast(from, strides, shape)?, offset))
    };
    inputs.map(lie).collect()
}

/// An input that was broadcast, as plans take it.
pub(crate) fn strided((strides, offset): &(Dims<isize>, usize)) -> Strided<'_> {
    (strides, *offset)
}
