//! What a reduction is given: a view, or several that are walked together.

use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::values::any::AnyView;
use crate::values::element::Element;
use crate::values::layout::{Layout, Strided};
use crate::values::stored::Stored;
use crate::values::view::View;

/// What says of itself where its elements lie: views, tuples of them, and layouts. Kernels read there without asking
/// again, so the trait is implemented for these alone.
pub trait Sealed {}

/// A view, or a tuple of two to four views that are walked together.
///
/// The views of a tuple are broadcast to one shape, as `NumPy` does. Sizes are compared from the last axis on:
/// they are equal, or one of them is 1. Missing axes count as 1.
///
/// ```
/// use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};
///
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Dot;
///
/// #[reduce_op(dtypes = [f32, f64])]
/// impl<A: Real> ReduceOp<(A, A)> for Dot {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, (x, y): (A, A)) -> A { x * y }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, _count: usize) -> A { sum }
/// }
///
/// let rows = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let weights = View::new(&[10.0f32, 1.0], &[2])?;
/// let sums = Reduction::new(Dot).axes([1]).run(&(rows, weights))?;
/// assert_eq!(sums.data(), [12.0, 34.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing to reduce",
    label = "expected a `View`, or a tuple of two to four",
    note = "a slice becomes a view by `View::new(&data, &[data.len()])?`"
)]
pub trait Input: Sealed + Sync {
    /// What is stored for each index.
    type Stored: Stored;

    /// The shape that is reduced.
    ///
    /// # Errors
    /// If several views do not broadcast to one shape.
    fn shape(&self) -> Result<Shape, Error>;

    /// What `then` makes of the strides of all views, broadcast to the shape, and of the places of their
    /// first elements.
    #[doc(hidden)]
    fn strided<R>(&self, shape: &Shape, then: impl FnOnce(&[Strided<'_>]) -> R)
    -> Result<R, Error>;

    /// Views that are borrowed from these.
    #[doc(hidden)]
    type Views<'v>: Input<Stored = Self::Stored>
    where
        Self: 'v;

    /// All views, broadcast to the shape.
    #[doc(hidden)]
    fn views(&self, shape: &Shape) -> Result<Self::Views<'_>, Error>;

    /// The views, their types known at run time.
    #[doc(hidden)]
    fn any(&self) -> Vec<AnyView<'_>>;

    /// The buffers.
    #[doc(hidden)]
    fn data(&self) -> <Self::Stored as Stored>::Data<'_>;

    /// The elements of each view, broadcast to the shape, in row-major order. If they lie so, they stay where
    /// they are; else they are copied into lists.
    ///
    /// # Errors
    /// If there is no memory for a copy.
    #[doc(hidden)]
    fn in_order<'v>(
        &'v self,
        shape: &Shape,
        lists: &'v mut <Self::Stored as Stored>::Lists,
    ) -> Result<<Self::Stored as Stored>::Data<'v>, Error>;

    /// The layout of each view.
    #[doc(hidden)]
    fn layouts(&self) -> Vec<Layout>;

    /// The number of the first view that is not of the layout planned for.
    #[doc(hidden)]
    fn differs_from(&self, layouts: &[Layout]) -> Option<usize>;
}

/// Whether a view is of a layout. Its type is not asked for: it is that of the plan.
fn is_of<T: Element>(layout: &Layout, view: &View<'_, T>) -> bool {
    layout.offset == view.offset()
        && are_equal(&layout.shape, view.shape())
        && are_equal(&layout.strides, view.strides())
}

/// Checks that views are of the layouts that something was planned for.
///
/// # Errors
/// If one is not.
#[inline]
pub(crate) fn same_layout<I: Input>(input: &I, layouts: &[Layout]) -> Result<(), Error> {
    let Some(number) = input.differs_from(layouts) else { return Ok(()) };
    let described = |layout: &Layout| (layout.shape.to_vec(), layout.strides.to_vec());
    let planned = layouts.get(number).map(described).unwrap_or_default();
    let found = input.layouts().get(number).map(described).unwrap_or_default();
    Err(ErrorKind::OtherLayout { planned, found }.into())
}

/// Whether two slices are equal, compared one by one: for a few sizes, a call takes longer.
#[inline(always)]
fn are_equal<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

pub(super) fn strided<'v, T: Element>(view: &'v View<'_, T>) -> Strided<'v> {
    (view.strides(), view.offset())
}

impl<T: Element> Sealed for View<'_, T> {}

impl<T: Element> Input for View<'_, T> {
    type Stored = T;
    type Views<'v>
        = View<'v, T>
    where
        Self: 'v;

    fn shape(&self) -> Result<Shape, Error> {
        Ok(View::shape(self).clone())
    }

    fn strided<R>(
        &self,
        shape: &Shape,
        then: impl FnOnce(&[Strided<'_>]) -> R,
    ) -> Result<R, Error> {
        // It has another shape only if it is read beside other inputs.
        match are_equal(View::shape(self), shape) {
            true => Ok(then(&[strided(self)])),
            false => Ok(then(&[strided(&self.broadcast(shape)?)])),
        }
    }

    fn views(&self, shape: &Shape) -> Result<View<'_, T>, Error> {
        match are_equal(View::shape(self), shape) {
            true => Ok(self.clone()),
            false => self.broadcast(shape),
        }
    }

    fn any(&self) -> Vec<AnyView<'_>> {
        vec![self.clone().into()]
    }

    fn data(&self) -> &[T] {
        View::data(self)
    }

    fn in_order<'v>(&'v self, _shape: &Shape, list: &'v mut Vec<T>) -> Result<&'v [T], Error> {
        self.listed(list)
    }

    fn layouts(&self) -> Vec<Layout> {
        vec![Layout::from(self)]
    }

    fn differs_from(&self, layouts: &[Layout]) -> Option<usize> {
        match layouts {
            [layout] if is_of(layout, self) => None,
            _ => Some(0),
        }
    }
}

/// The shape that shapes broadcast to.
pub(crate) fn common(shapes: &[&Shape]) -> Result<Shape, Error> {
    let rank = shapes.iter().map(|shape| shape.rank()).max().unwrap_or(0);
    let mut dims: Dims<usize> = smallvec::smallvec![1; rank];
    for shape in shapes {
        for (dim, &size) in dims[rank - shape.rank()..].iter_mut().zip(shape.iter()) {
            match (*dim, size) {
                (1, _) => *dim = size,
                (_, 1) => {}
                (known, _) if known == size => {}
                _ => {
                    let shapes = shapes.iter().map(|shape| shape.to_vec()).collect();
                    return Err(ErrorKind::ShapesDiffer { shapes }.into());
                }
            }
        }
    }
    Shape::new(&dims)
}

macro_rules! several {
    ($(($($T:ident . $index:tt),+))*) => {$(
        impl<$($T: Element),+> Sealed for ($(View<'_, $T>,)+) {}

        impl<$($T: Element),+> Input for ($(View<'_, $T>,)+) {
            type Stored = ($($T,)+);
            type Views<'v>
                = ($(View<'v, $T>,)+)
            where
                Self: 'v;

            fn shape(&self) -> Result<Shape, Error> {
                common(&[$(self.$index.shape()),+])
            }

            fn strided<R>(
                &self,
                shape: &Shape,
                then: impl FnOnce(&[Strided<'_>]) -> R,
            ) -> Result<R, Error> {
                let views = ($(self.$index.broadcast(shape)?,)+);
                Ok(then(&[$(strided(&views.$index)),+]))
            }

            fn views(&self, shape: &Shape) -> Result<($(View<'_, $T>,)+), Error> {
                Ok(($(self.$index.broadcast(shape)?,)+))
            }

            fn any(&self) -> Vec<AnyView<'_>> {
                vec![$(self.$index.clone().into()),+]
            }

            fn data(&self) -> ($(&[$T],)+) {
                ($(self.$index.data(),)+)
            }

            fn in_order<'v>(
                &'v self,
                shape: &Shape,
                lists: &'v mut ($(Vec<$T>,)+),
            ) -> Result<($(&'v [$T],)+), Error> {
                Ok(($(self.$index.broadcast(shape)?.listed(&mut lists.$index)?,)+))
            }

            fn layouts(&self) -> Vec<Layout> {
                vec![$(Layout::from(&self.$index)),+]
            }

            fn differs_from(&self, layouts: &[Layout]) -> Option<usize> {
                let is_of = [$(layouts.get($index).is_some_and(|layout| {
                    is_of(layout, &self.$index)
                })),+];
                is_of.iter().position(|is_of| !is_of)
            }
        }
    )*};
}

several! {
    (A.0, B.1)
    (A.0, B.1, C.2)
    (A.0, B.1, C.2, D.3)
}
