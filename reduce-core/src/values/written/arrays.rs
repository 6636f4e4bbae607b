//! Results that are arrays. All have the same length, and tensors of them have one more axis, the last.

use smallvec::SmallVec;

use super::{ResultPart, Written};
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::values::any::AnyTensor;
use crate::values::element::accumulator::Scalars;
use crate::values::element::{Element, Store};
use crate::values::tensor::Tensor;

/// Each element by itself.
impl<R: Copy, T: Element + Store<R>, const N: usize> Store<[R; N]> for [T; N] {
    #[inline(always)]
    fn store(result: [R; N]) -> Self {
        let mut stored = [T::default(); N];
        for place in 0..N {
            stored[place] = T::store(result[place]);
        }
        stored
    }

    #[inline(always)]
    fn clamped(result: [R; N]) -> Self {
        let mut stored = [T::default(); N];
        for place in 0..N {
            stored[place] = T::clamped(result[place]);
        }
        stored
    }
}

impl<T: Element, const N: usize> Written for [T; N] {
    type Tensors = Tensor<T>;
    type Buffers<'b> = &'b mut [T];

    fn tensors(results: Vec<Self>, shape: Shape) -> Result<Tensor<T>, Error> {
        let sizes = shape.dims().iter().copied();
        let shape = shape.subset(sizes.chain([N]));
        Ok(Tensor::from_parts(results.into_flattened(), shape))
    }

    fn write_into(
        count: usize,
        buffer: &mut [T],
        run: impl FnOnce(&mut [Self]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Self::check(count, &buffer)?;
        run(buffer.as_chunks_mut().0)
    }

    fn copy_into<R>(results: &[R], find: &dyn Fn(&R) -> Self, buffer: &mut [T]) {
        for (place, result) in buffer.as_chunks_mut().0.iter_mut().zip(results) {
            *place = find(result);
        }
    }

    fn check(count: usize, buffer: &&mut [T]) -> Result<(), Error> {
        T::check(count.saturating_mul(N), buffer)
    }

    fn dtypes() -> Vec<DType> {
        vec![T::DTYPE; N]
    }

    fn lay_out(at: usize, to: &mut SmallVec<[ResultPart; 1]>) {
        to.push(ResultPart { dtype: T::DTYPE, at, length: Some(N) });
    }

    fn any(tensor: Tensor<T>) -> Vec<AnyTensor> {
        vec![tensor.into()]
    }

    fn parts(self) -> Vec<f64> {
        self.map(T::to_f64).to_vec()
    }

    fn each_element(&mut self, to: &mut impl Scalars) {
        self.iter_mut().for_each(|element| to.scalar(element));
    }
}
