//! States of groups: their columns, and whose they are.

use super::{Groups, Key};
use crate::facts::error::Error;
use crate::front::signature::Signature;
use crate::front::stream::Streams;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::stored::Stored;

/// What [`Groups`] have seen, as plain data that says whose it is: it can be stored, sent, and merged.
///
/// ```
/// use reduce_core::{Groups, View};
/// use reduce_specs::{ReduceMax, ReduceSum};
///
/// let mut sums = Groups::<_, f32>::new(ReduceSum, 2)?;
/// sums.update(&View::new(&[1.0f32, 2.0, 5.0], &[3])?, &[0, 1, 0])?;
/// let state = sums.state()?;
///
/// // Later, or elsewhere: entry `i` goes to group `mapping[i]`.
/// let mut all = Groups::<_, f32>::new(ReduceSum, 3)?;
/// all.merge_state(&state, &[2, 0])?;
/// assert_eq!(all.finish()?.data(), [2.0, 0.0, 6.0]);
///
/// let mut others = Groups::<_, f32>::new(ReduceMax, 3)?;
/// assert_eq!(others.merge_state(&state, &[2, 0]).unwrap_err().code(), "other-operator");
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// With the feature `serde` it can be serialised.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupsState {
    /// Whose accumulators they are.
    pub signature: Signature,
    /// The columns of [`Groups::columns`]: the numbers of elements, and each scalar of the accumulators.
    pub columns: Vec<AnyTensor>,
}

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Whose accumulators the groups keep.
    pub fn signature(&self) -> Signature {
        self.op.signature()
    }

    /// What the groups have seen, with one entry for each group.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn state(&self) -> Result<GroupsState, Error> {
        Ok(GroupsState { signature: self.signature(), columns: self.columns()? })
    }

    /// Takes what other groups have seen: entry `i` of their state goes behind what group `mapping[i]` has.
    ///
    /// # Errors
    /// If the state is that of another operator or of other parameters, and as [`Groups::merge_columns`]. Then the groups
    /// are as they were.
    pub fn merge_state<K: Key>(&mut self, state: &GroupsState, mapping: &[K]) -> Result<(), Error> {
        self.signature().check(&state.signature)?;
        let views: Vec<AnyView<'_>> = state.columns.iter().map(AnyTensor::view).collect();
        self.merge_columns(&views, mapping, None)
    }
}
