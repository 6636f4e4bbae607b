//! Keys: integers that say which group a row belongs to.

use crate::machine::code::{Code, Work};

/// An integer that numbers groups, from 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` numbers no groups",
    label = "expected an integer of up to 64 bits",
    note = "`group_by` takes other keys, and `Numbering` numbers them"
)]
pub trait Key: Copy + Send + Sync + 'static {
    /// The number of the group. A negative key gives a number that no group has.
    #[doc(hidden)]
    fn number(self) -> u64;

    /// The key, for messages.
    #[doc(hidden)]
    fn shown(self) -> i128;

    /// The keys themselves, if they are of the type in which groups are numbered.
    #[doc(hidden)]
    fn as_numbers(_keys: &[Self]) -> Option<&[u32]> {
        None
    }
}

macro_rules! keys {
    ($($int:ty $({ $($more:item)* })?),*) => {$(
        impl Key for $int {
            #[inline(always)]
            #[allow(clippy::cast_sign_loss, trivial_numeric_casts, reason = "negative keys become large")]
            fn number(self) -> u64 {
                self as u64
            }

            fn shown(self) -> i128 {
                self as i128
            }

            $($($more)*)?
        }
    )*};
}

keys! {
    u8, u16, u64, usize, i8, i16, i32, i64, isize,
    u32 {
        fn as_numbers(keys: &[u32]) -> Option<&[u32]> {
            Some(keys)
        }
    }
}

/// Finds the largest number among keys: one step for each, without a branch.
pub(super) struct Largest<'a, K> {
    pub(super) keys: &'a [K],
    pub(super) most: &'a mut u64,
}

impl<K: Key> Work for Largest<'_, K> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        *self.most = match K::as_numbers(self.keys) {
            // Half as wide.
            Some(keys) => keys.iter().fold(0, |most, &key| key.max(most)).into(),
            None => self.keys.iter().fold(0, |most, key| key.number().max(most)),
        };
    }
}

/// Writes keys, which are numbers of groups, behind other numbers.
pub(super) struct Narrow<'a, K> {
    pub(super) keys: &'a [K],
    pub(super) groups: &'a mut Vec<u32>,
}

impl<K: Key> Work for Narrow<'_, K> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        self.groups.extend(groups_of(self.keys));
    }
}

/// Finds whether there are at most `few` runs of equal keys.
pub(super) struct FewRuns<'a> {
    pub(super) groups: &'a [u32],
    pub(super) few: usize,
    pub(super) is_few: &'a mut bool,
}

impl Work for FewRuns<'_> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        /// This many keys are looked at before the number of runs is compared: if there are many runs, that is soon
        /// seen.
        const SOME: usize = 512;
        let mut changes = 0;
        let later = self.groups.get(1..).unwrap_or_default().chunks(SOME);
        let mut parts = self.groups.chunks(SOME).zip(later);
        *self.is_few = self.few > 0
            && parts.all(|(groups, later)| {
                changes += groups.iter().zip(later).map(|(a, b)| u32::from(a != b)).sum::<u32>();
                // There is one run more than changes.
                (changes as usize) < self.few
            });
    }
}

/// Keys that are numbers of groups, in the type of these.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "there are fewer groups than 2^32")]
pub(super) fn groups_of<K: Key>(keys: &[K]) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
    keys.iter().map(|key| key.number() as u32)
}
