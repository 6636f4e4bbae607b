//! What a reduction writes for each result.

mod arrays;
mod each;

use std::fmt::Debug;
use std::mem::offset_of;

use smallvec::SmallVec;

pub use each::EachWritten;
pub(crate) use each::{MOST_RESULTS, ResultPlaces};

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::values::any::AnyTensor;
use crate::values::element::accumulator::Scalars;
use crate::values::element::{Element, Slot};
use crate::values::tensor::{Tensor, allocate, collect};
use crate::values::tuples::for_tuples;

/// A part of a result that is a tensor of its own: an element, or an array of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultPart {
    /// The type of its elements.
    pub(crate) dtype: DType,
    /// Where it lies in the result, in bytes.
    pub(crate) at: usize,
    /// How many elements it has, if it is an array.
    pub(crate) length: Option<usize>,
}

/// A result as it is stored: an element, an array of elements, or a tuple of up to eight results. A tuple has
/// one for each output of an operator, or for each operator of a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a reduction",
    label = "a result is an element of a tensor, an array of them, or a tuple of up to eight results"
)]
pub trait Written: Slot + PartialEq + Debug {
    /// All results: a tensor, or a tuple of tensors. Those of arrays have one more axis, the last,
    /// along which the elements of each array lie.
    type Tensors;

    /// Where all results go: a slice, or a tuple of slices. Those of arrays hold the elements of
    /// each array one behind the other.
    type Buffers<'b>;

    /// Results in tensors of a shape.
    #[doc(hidden)]
    fn tensors(results: Vec<Self>, shape: Shape) -> Result<Self::Tensors, Error>;

    /// Writes `count` results into buffers. `run` computes them, or fails and leaves them as they are.
    #[doc(hidden)]
    fn write_into(
        count: usize,
        buffers: Self::Buffers<'_>,
        run: impl FnOnce(&mut [Self]) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Copies results into buffers, each as `find` finds it in another one.
    #[doc(hidden)]
    fn copy_into<R>(results: &[R], find: &dyn Fn(&R) -> Self, buffers: Self::Buffers<'_>);

    /// Checks that buffers are of this length.
    #[doc(hidden)]
    fn check(count: usize, buffers: &Self::Buffers<'_>) -> Result<(), Error>;

    /// The type of each element.
    #[doc(hidden)]
    fn dtypes() -> Vec<DType>;

    /// Adds the parts of a result that is stored `at` bytes behind another, in the order of its tensors.
    #[doc(hidden)]
    fn lay_out(at: usize, to: &mut SmallVec<[ResultPart; 1]>);

    /// Tensors of any type.
    #[doc(hidden)]
    fn any(tensors: Self::Tensors) -> Vec<AnyTensor>;

    /// Each element, as far as an `f64` can hold it.
    #[doc(hidden)]
    fn parts(self) -> Vec<f64>;

    /// Hands over each element in turn, in the order of [`Written::dtypes`]; `to` may replace it. So results
    /// become plain words, and are made of these again.
    #[doc(hidden)]
    fn each_element(&mut self, to: &mut impl Scalars);
}

impl<T: Element> Written for T {
    type Tensors = Tensor<T>;
    type Buffers<'b> = &'b mut [T];

    fn tensors(results: Vec<T>, shape: Shape) -> Result<Tensor<T>, Error> {
        Ok(Tensor::from_parts(results, shape))
    }

    fn write_into(
        _count: usize,
        buffer: &mut [T],
        run: impl FnOnce(&mut [T]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        run(buffer)
    }

    fn copy_into<R>(results: &[R], find: &dyn Fn(&R) -> T, buffer: &mut [T]) {
        for (place, result) in buffer.iter_mut().zip(results) {
            *place = find(result);
        }
    }

    fn check(count: usize, buffer: &&mut [T]) -> Result<(), Error> {
        if buffer.len() == count {
            return Ok(());
        }
        let (expected, found) = (count, buffer.len());
        Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into())
    }

    fn dtypes() -> Vec<DType> {
        vec![T::DTYPE]
    }

    fn lay_out(at: usize, to: &mut SmallVec<[ResultPart; 1]>) {
        to.push(ResultPart { dtype: T::DTYPE, at, length: None });
    }

    fn any(tensor: Tensor<T>) -> Vec<AnyTensor> {
        vec![tensor.into()]
    }

    fn parts(self) -> Vec<f64> {
        vec![self.to_f64()]
    }

    fn each_element(&mut self, to: &mut impl Scalars) {
        to.scalar(self);
    }
}

macro_rules! tuples {
    ($(($first:ident . 0 $(, $name:ident . $index:tt)*))*) => {$(
        impl<$first: Written, $($name: Written),*> Written for ($first, $($name,)*) {
            type Tensors = ($first::Tensors, $($name::Tensors,)*);
            type Buffers<'b> = ($first::Buffers<'b>, $($name::Buffers<'b>,)*);

            fn tensors(results: Vec<Self>, shape: Shape) -> Result<Self::Tensors, Error> {
                Ok((
                    $first::tensors(
                        collect(results.iter().map(|result| result.0))?,
                        shape.clone(),
                    )?,
                    $($name::tensors(
                        collect(results.iter().map(|result| result.$index))?,
                        shape.clone(),
                    )?,)*
                ))
            }

            fn write_into(
                count: usize,
                buffers: Self::Buffers<'_>,
                run: impl FnOnce(&mut [Self]) -> Result<(), Error>,
            ) -> Result<(), Error> {
                Self::check(count, &buffers)?;
                let mut results = allocate(count)?;
                run(&mut results)?;
                Self::copy_into(&results, &|&result| result, buffers);
                Ok(())
            }

            fn copy_into<R>(
                results: &[R],
                find: &dyn Fn(&R) -> Self,
                buffers: Self::Buffers<'_>,
            ) {
                $first::copy_into(results, &|result| find(result).0, buffers.0);
                $($name::copy_into(results, &|result| find(result).$index, buffers.$index);)*
            }

            fn check(count: usize, buffers: &Self::Buffers<'_>) -> Result<(), Error> {
                $first::check(count, &buffers.0)?;
                $($name::check(count, &buffers.$index)?;)*
                Ok(())
            }

            fn dtypes() -> Vec<DType> {
                [$first::dtypes() $(, $name::dtypes())*].concat()
            }

            fn lay_out(at: usize, to: &mut SmallVec<[ResultPart; 1]>) {
                $first::lay_out(at + offset_of!(Self, 0), to);
                $($name::lay_out(at + offset_of!(Self, $index), to);)*
            }

            fn any(tensors: Self::Tensors) -> Vec<AnyTensor> {
                let mut all = $first::any(tensors.0);
                all.extend(std::iter::empty()$(.chain($name::any(tensors.$index)))*);
                all
            }

            fn parts(self) -> Vec<f64> {
                [self.0.parts() $(, self.$index.parts())*].concat()
            }

            fn each_element(&mut self, to: &mut impl Scalars) {
                self.0.each_element(to);
                $(self.$index.each_element(to);)*
            }
        }
    )*};
}

for_tuples!(tuples);
