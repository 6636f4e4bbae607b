//! The type that lanes compute on.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use half::{bf16, f16};

use super::Load;
use crate::machine::code::Code;
use crate::machine::float8::{f8e4m3fn, f8e5m2};
use crate::values::element::accumulator::Accumulator;

/// A storage type, and the type its values are widened to when lanes read them. The two are the same, unless
/// the CPU has instructions for the conversion that the compiler does not make of a loop over lanes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no storage type",
    label = "tensors hold f16, bf16, f32, f64, bool, i8 to i64 or u8 to u64"
)]
pub trait Widen: Copy {
    /// The wide type.
    type Wide: Accumulator + Default + PartialEq;

    /// The values of some lanes, widened exactly.
    #[doc(hidden)]
    fn widen<C: Code, const L: usize>(
        code: C,
        values: &[Self; L],
    ) -> <Self::Wide as Accumulator>::Lanes<L>;

    /// The values of a step, widened exactly. Lanes that have no element find any bytes there: of such lanes, the value may be
    /// any.
    ///
    /// # Safety
    /// *steps*: the step may be read as a whole.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn widen_step<C: Code, const L: usize>(
        code: C,
        step: *const Self,
    ) -> <Self::Wide as Accumulator>::Lanes<L> {
        // SAFETY: *steps*, which the caller keeps. *bytes*: any are values of a storage type, but for `bool`, which has a
        // function of its own.
        Self::widen(code, unsafe { &*step.cast::<[Self; L]>() })
    }

    /// The value in a lane of a step; any value, if the lane has no element.
    ///
    /// # Safety
    /// *steps*: the lane may be read.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn in_lane(lane: *const Self) -> Self {
        // SAFETY: *steps* and *bytes*, as for `widen_step`.
        unsafe { *lane }
    }
}

macro_rules! themselves {
    ($($type:ty),*) => {$(
        impl Widen for $type {
            type Wide = $type;

            #[inline(always)]
            fn widen<C: Code, const L: usize>(_code: C, values: &[$type; L]) -> [$type; L] {
                *values
            }
        }
    )*};
}

themselves!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);

impl Widen for bool {
    type Wide = bool;

    #[inline(always)]
    fn widen<C: Code, const L: usize>(_code: C, values: &[bool; L]) -> [bool; L] {
        *values
    }

    /// Each byte is a value by its lowest bit: others than 0 and 1 are no `bool`.
    #[inline(always)]
    unsafe fn widen_step<C: Code, const L: usize>(_code: C, step: *const bool) -> [bool; L] {
        // SAFETY: *steps*, which the caller keeps. *bytes*: any are numbers.
        let step = unsafe { &*step.cast::<[u8; L]>() };
        std::array::from_fn(|lane| step[lane] & 1 == 1)
    }

    #[inline(always)]
    unsafe fn in_lane(lane: *const bool) -> bool {
        // SAFETY: *steps*, which the caller keeps. *bytes*: any is a number.
        unsafe { *lane.cast::<u8>() & 1 == 1 }
    }
}

impl Widen for f16 {
    type Wide = f32;

    #[inline(always)]
    fn widen<C: Code, const L: usize>(code: C, values: &[f16; L]) -> [f32; L] {
        code.widen_f16(values)
    }
}

/// Types that are loaded one by one, in a loop that the compiler makes vectors of.
macro_rules! loaded {
    ($($type:ty),*) => {$(
        impl Widen for $type {
            type Wide = f32;

            #[inline(always)]
            fn widen<C: Code, const L: usize>(_code: C, values: &[$type; L]) -> [f32; L] {
                std::array::from_fn(|lane| values[lane].load())
            }
        }
    )*};
}

loaded!(bf16, f8e4m3fn, f8e5m2);

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::super::Load;
    use super::Widen;
    use crate::facts::level::Level;
    use crate::machine::code::{Code, Simple, Work};

    /// All 65536 patterns, `L` at a time.
    struct EveryPattern<T, const L: usize>(fn(u16) -> T);

    impl<T: Widen<Wide = f32> + Load<f32>, const L: usize> Work for EveryPattern<T, L> {
        #[inline(always)]
        fn run<C: Code>(self, code: C) {
            let mut patterns = 0..=u16::MAX;
            while !patterns.is_empty() {
                let values: [T; L] =
                    std::array::from_fn(|_| (self.0)(patterns.next().unwrap_or_default()));
                for (value, wide) in values.into_iter().zip(T::widen(code, &values)) {
                    let expected: f32 = value.load();
                    let same = wide.to_bits() == expected.to_bits();
                    assert!(same || wide.is_nan() && expected.is_nan(), "{value:?}");
                }
            }
        }
    }

    #[test]
    fn every_half_widens_in_any_number_of_lanes() {
        for level in Level::available() {
            let level = level.check().expect("available");
            level.run(EveryPattern::<f16, 64>(f16::from_bits));
            level.run(EveryPattern::<f16, 16>(f16::from_bits));
            level.run(EveryPattern::<f16, 4>(f16::from_bits));
            level.run(EveryPattern::<f16, 1>(f16::from_bits));
            level.run(EveryPattern::<bf16, 64>(bf16::from_bits));
            level.run(EveryPattern::<bf16, 4>(bf16::from_bits));
        }
    }

    #[test]
    fn bytes_that_are_no_bool_are_read_as_one() {
        let bytes: [u8; 8] = [0, 1, 2, 3, 0x3f, 0x80, 0xff, 1];
        // SAFETY: *steps*: the eight bytes of the array.
        let read = unsafe { bool::widen_step::<_, 8>(Simple, bytes.as_ptr().cast()) };
        assert_eq!(read.map(u8::from), [0, 1, 0, 1, 1, 0, 1, 1]);
        // What is in memory, too: `u8::from` may take the lowest bit.
        let by_table = |is_true: bool| [10, 11][usize::from(is_true)];
        assert_eq!(read.map(by_table), [10, 11, 10, 11, 11, 10, 11, 11]);
        // SAFETY: *steps*: each of the eight bytes.
        let one_by_one =
            bytes.each_ref().map(|byte| unsafe { bool::in_lane(std::ptr::from_ref(byte).cast()) });
        assert_eq!(one_by_one.map(by_table), [10, 11, 10, 11, 11, 10, 11, 11]);
    }
}
