//! Numbers as places in a list.

#![allow(unsafe_code, reason = "the compiler does not know that a number is in range")]

macro_rules! indices {
    ($($name:ident of $float:ident, up to $most:expr;)*) => {$(
        /// The whole part of a number as an index into a list of `count` entries. A number that is negative or
        /// NaN gives the first index, and one that is too large the last. No index is beyond a power of two up
        /// to which each is exact.
        ///
        /// It takes three instructions. A conversion by `as` asks for each kind of number by itself.
        #[inline(always)]
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "indices are exact, and not negative"
        )]
        pub(crate) fn $name(x: $float, count: usize) -> usize {
            let last = count.saturating_sub(1).min($most) as $float;
            let x = if x > 0.0 { x } else { 0.0 };
            let x = if x < last { x } else { last };
            // SAFETY: `x` is from 0 to `last` here, which an `isize` of 32 bits holds.
            let index = unsafe { x.to_int_unchecked::<isize>() as usize };
            // SAFETY: `index` is at most `last`, which is exact and less than `count`, if that is not 0.
            unsafe { std::hint::assert_unchecked(count == 0 || index < count) };
            index
        }
    )*};
}

indices! {
    index_f32 of f32, up to 1 << 24;
    index_f64 of f64, up to 1 << 30;
}

#[cfg(test)]
mod tests {
    use super::{index_f32, index_f64};

    #[test]
    fn every_number_is_an_index() {
        for (x, expected) in [(-1.0, 0), (-0.5, 0), (0.99, 0), (1.0, 1), (8.9, 8), (9.0, 9)] {
            assert_eq!(
                (index_f32(x, 10), index_f64(f64::from(x), 10)),
                (expected, expected),
                "{x}"
            );
        }
        for (x, expected) in [(f32::NAN, 0), (f32::NEG_INFINITY, 0), (f32::INFINITY, 9), (1e30, 9)]
        {
            assert_eq!(
                (index_f32(x, 10), index_f64(f64::from(x), 10)),
                (expected, expected),
                "{x}"
            );
        }
        assert_eq!((index_f32(1e30, usize::MAX), index_f64(1e30, usize::MAX)), (1 << 24, 1 << 30));
        assert_eq!((index_f32(1e30, 0), index_f64(1e30, 0)), (0, 0));
    }
}
