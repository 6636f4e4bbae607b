//! Reductions whose results are arrays of a length that is a parameter.

use crate::facts::error::Error;
use crate::front::reduction::Reduction;
use crate::front::spec::{OpSpec, ReducesSlices};
use crate::kernel::AnyResults;
use crate::values::input::Input;
use crate::values::written::{EachWritten, Written};

/// The storage type of the results of an operator of slices over an input.
type OutputOf<Op, I> = <Op as ReducesSlices<<I as Input>::Stored>>::Output;

impl<Op: OpSpec> Reduction<Op> {
    /// The results of an operator of slices, [`ReduceSlice`](crate::bounds::ReduceSlice), over a view, or over a tuple of views
    /// that are walked together: a tensor of its own, or a tuple of tensors if there are several results. Each has one more axis
    /// than the result of an ordinary operator, the last, along which the elements of an array lie.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_gallery::Top;
    ///
    /// let rows = View::new(&[3i32, 9, 1, 9, 5, 7, 2, 4], &[2, 4])?;
    /// let (values, places) = Reduction::new(Top { k: 2, largest: true }).axes([1]).arrays(&rows)?;
    /// assert_eq!(values.shape().dims(), [2, 2]);
    /// assert_eq!((values.data(), places.data()), (&[9, 9, 7, 5][..], &[1, 3, 1, 0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run`], and if the parameter that says the length is below 1.
    pub fn arrays<I: Input>(
        &self,
        input: &I,
    ) -> Result<<OutputOf<Op, I> as Written>::Tensors, Error>
    where
        Op: ReducesSlices<I::Stored>,
    {
        let mut results = AnyResults::new();
        self.over_any(&input.any(), &mut results)?;
        let typed = <OutputOf<Op, I> as EachWritten>::typed(results.into_vec());
        Ok(typed.unwrap_or_else(|| unreachable!("tensors of the types of the row")))
    }
}
