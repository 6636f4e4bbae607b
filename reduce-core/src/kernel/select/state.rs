//! What lanes of a selection hold between blocks.

use super::super::lanes::{Lanes, each};
use super::super::reader::Indexed;
use crate::accumulator::Accumulator;
use crate::level::Code;

/// The tag of a lane that has seen no element.
pub(super) const NONE: u64 = u64::MAX;

/// Per lane: the selected value, and a tag that says where it was found (along:
/// the number of the block; across: the number of the row).
#[allow(unreachable_pub, missing_debug_implementations, reason = "as `Fold`")]
#[repr(align(64))]
pub struct State<K: Accumulator, const L: usize> {
    pub(super) values: Lanes<K, L>,
    pub(super) tags: [u64; L],
}

impl<K: Accumulator, const L: usize> Clone for State<K, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Accumulator, const L: usize> Copy for State<K, L> {}

impl<K: Accumulator, const L: usize> State<K, L> {
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Indexed<K> {
        Indexed { value: K::get(&self.values, lane), index: self.tags[lane] }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, selected: Indexed<K>) {
        K::set(&mut self.values, lane, selected.value);
        self.tags[lane] = selected.index;
    }

    /// A copy of some lanes, which cannot overlap with others.
    #[inline(always)]
    pub(super) fn some<C: Code, const P: usize>(&self, first: usize) -> State<K, P> {
        let mut some = State { values: K::get(&self.values, first).splat(), tags: [NONE; P] };
        for lane in each::<P>(C::VECTORS) {
            K::set(&mut some.values, lane, K::get(&self.values, first + lane));
        }
        for lane in each::<P>(C::VECTORS) {
            some.tags[lane] = self.tags[first + lane];
        }
        some
    }

    /// Puts some lanes into the place of others.
    #[inline(always)]
    pub(super) fn replace<C: Code, const P: usize>(&mut self, first: usize, some: &State<K, P>) {
        for lane in each::<P>(C::VECTORS) {
            K::set(&mut self.values, first + lane, K::get(&some.values, lane));
        }
        for lane in each::<P>(C::VECTORS) {
            self.tags[first + lane] = some.tags[lane];
        }
    }
}
