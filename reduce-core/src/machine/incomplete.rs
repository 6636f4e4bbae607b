//! Incomplete steps: fewer elements than lanes, read as a whole step.
//!
//! Elements that are copied into a step are read from there in wider vectors than they were written in. The
//! read then waits until all of them are in the cache, which took a sixth of the time of a sum of 1000
//! elements. AVX-512 can load some elements of a vector alone. So can AVX2, if they have four or eight bytes.
//! The loads themselves stand with the other instructions of these levels.

#![allow(unsafe_code, reason = "vectors are loaded through pointers")]

use std::mem::MaybeUninit;

use crate::machine::bits::Bits;
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;

/// Copies some values into the first lanes of a step; all other lanes are zero.
pub(crate) fn stage<T: Bits>(level: Available, values: &[T], step: &mut [MaybeUninit<T>]) {
    level.run(Staged { values, step });
}

/// Values that are copied into a step.
struct Staged<'a, T> {
    values: &'a [T],
    step: &'a mut [MaybeUninit<T>],
}

impl<T: Bits> Work for Staged<'_, T> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Staged { values, step } = self;
        if code.stage(values, step) {
            return;
        }
        step.fill(MaybeUninit::new(T::default()));
        for (to, value) in step.iter_mut().zip(values) {
            *to = MaybeUninit::new(*value);
        }
    }
}

/// Vectors that can be loaded in part: some elements are loaded, and the others are zero.
#[allow(dead_code, reason = "not every architecture has a level with such vectors")]
pub(super) trait LoadsSome: Copy {
    type Vector;

    /// The smallest elements it loads, in bytes.
    const LEAST: usize;

    /// Loads the first `count` elements of a vector, of `size` bytes each.
    ///
    /// # Safety
    /// *pieces*: the first `count` elements can be read.
    unsafe fn load(self, from: *const u8, count: usize, size: usize) -> Self::Vector;
}

/// As [`stage`], by such vectors, if a step consists of them; says whether it does.
#[allow(dead_code, reason = "not every architecture has a level with such vectors")]
#[inline(always)]
pub(super) fn stage_by<V: LoadsSome, T: Bits>(
    vectors: V,
    values: &[T],
    step: &mut [MaybeUninit<T>],
) -> bool {
    let size = size_of::<T>();
    let per_vector = size_of::<V::Vector>() / size;
    if size < V::LEAST || !step.len().is_multiple_of(per_vector) {
        return false;
    }
    assert!(values.len() <= step.len(), "more values than lanes");
    for (number, part) in step.chunks_exact_mut(per_vector).enumerate() {
        let lane = number * per_vector;
        let count = values.len().saturating_sub(lane);
        let from = values.as_ptr().wrapping_add(lane).cast();
        // SAFETY: element `i` of the vector is value `lane + i`, and there are `count` from there on.
        let vector = unsafe { vectors.load(from, count, size) };
        // SAFETY: the part has as many bytes as the vector; bytes of values, or zeros, are
        // values of any element.
        unsafe { part.as_mut_ptr().cast::<V::Vector>().write_unaligned(vector) };
    }
    true
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;

    use half::f16;

    use super::stage;
    use crate::facts::level::Level;
    use crate::machine::bits::Bits;
    use crate::machine::level::Available;

    /// Stages elements in every number that fits.
    fn every<T: Bits, const L: usize>(level: Available, element: fn(u8) -> T) {
        let all: Vec<T> = (1..=u8::MAX).map(element).collect();
        for count in 0..=L {
            // At the end of the buffer: nothing lies behind them.
            let values = &all[all.len() - count..];
            let mut step = [const { MaybeUninit::uninit() }; L];
            stage(level, values, &mut step);
            // SAFETY: *written*: `stage` has written every lane, a zero where there is no value.
            let step: [T; L] = step.map(|value| unsafe { value.assume_init() });
            for (lane, &found) in step.iter().enumerate() {
                assert_eq!(found, values.get(lane).copied().unwrap_or_default(), "{count}");
            }
        }
    }

    #[test]
    fn values_come_to_their_lanes() {
        for level in Level::available() {
            let level = level.check().expect("available");
            every::<u8, 64>(level, |x| x);
            every::<bool, 64>(level, |x| x % 3 == 0);
            every::<f16, 64>(level, f16::from);
            every::<f32, 64>(level, f32::from);
            every::<f32, 16>(level, f32::from);
            every::<u32, 4>(level, u32::from);
            every::<f64, 32>(level, f64::from);
            every::<i64, 16>(level, i64::from);
        }
    }
}
