//! Keys: integers that say which group a row belongs to.

/// An integer that numbers groups, from 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` numbers no groups",
    label = "expected an integer of up to 64 bits",
    note = "number other keys first, say by a hash map from each key to its place"
)]
pub trait Key: Copy + Send + Sync + 'static {
    /// The group, or a number that none has.
    #[doc(hidden)]
    fn group(self) -> u32;

    /// The key, for messages.
    #[doc(hidden)]
    fn shown(self) -> i128;
}

/// A number that no group has.
pub(super) const NO_GROUP: u32 = u32::MAX;

macro_rules! keys {
    ($($int:ty),*) => {$(
        impl Key for $int {
            #[inline(always)]
            fn group(self) -> u32 {
                u32::try_from(self).unwrap_or(NO_GROUP)
            }

            fn shown(self) -> i128 {
                self as i128
            }
        }
    )*};
}

keys! { u8, u16, u32, u64, usize, i8, i16, i32, i64, isize }
