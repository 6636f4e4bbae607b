//! Incomplete steps: fewer elements than lanes, read as a whole step.
//!
//! Elements that are copied into a step are read from there in wider vectors than they were written in. The
//! read then waits until all of them are in the cache, which took a sixth of the time of a sum of 1000
//! elements. AVX-512 can load some elements of a vector alone. So can AVX2, if they have four or eight bytes.

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

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_cmpgt_epi32, _mm256_cmpgt_epi64, _mm256_maskload_epi32,
        _mm256_maskload_epi64, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi32,
        _mm256_setr_epi64x, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi16,
        _mm512_maskz_loadu_epi32, _mm512_maskz_loadu_epi64,
    };
    use std::mem::MaybeUninit;

    use crate::machine::bits::Bits;
    use crate::machine::level::{avx2, avx512};

    /// Vectors that can be loaded in part: some elements are loaded, and the others are zero.
    pub(crate) trait LoadsSome: Copy {
        type Vector;

        /// The smallest elements it loads, in bytes.
        const LEAST: usize;

        /// Loads the first `count` elements of a vector, of `size` bytes each.
        ///
        /// # Safety
        /// Those elements are there.
        unsafe fn load(self, from: *const u8, count: usize, size: usize) -> Self::Vector;
    }

    /// As [`super::stage`], by such vectors, if a step consists of them; says whether it does.
    #[inline(always)]
    pub(crate) fn stage<V: LoadsSome, T: Bits>(
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

    impl LoadsSome for avx512::Proof {
        type Vector = __m512i;

        const LEAST: usize = 1;

        #[inline(always)]
        unsafe fn load(self, from: *const u8, count: usize, size: usize) -> __m512i {
            // SAFETY: the proof is of AVX-512 F and BW; and as the caller says.
            unsafe { load_512(from, up_to(count), size) }
        }
    }

    impl LoadsSome for avx2::Proof {
        type Vector = __m256i;

        const LEAST: usize = 4;

        #[inline(always)]
        unsafe fn load(self, from: *const u8, count: usize, size: usize) -> __m256i {
            // SAFETY: the proof is of AVX2; and as the caller says.
            unsafe { load_256(from, count, size) }
        }
    }

    /// The lowest `bits` bits, or all.
    #[inline(always)]
    fn up_to(bits: usize) -> u64 {
        if bits < 64 { (1 << bits) - 1 } else { u64::MAX }
    }

    /// Loads those elements of a vector that have a bit in `some`, of `size` bytes each.
    ///
    /// # Safety
    /// They are there.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    #[expect(clippy::cast_possible_truncation, reason = "a vector has no more elements")]
    unsafe fn load_512(from: *const u8, some: u64, size: usize) -> __m512i {
        match size {
            // SAFETY: what has no bit is not accessed.
            1 => unsafe { _mm512_maskz_loadu_epi8(some, from.cast()) },
            // SAFETY: as above.
            2 => unsafe { _mm512_maskz_loadu_epi16(some as u32, from.cast()) },
            // SAFETY: as above.
            4 => unsafe { _mm512_maskz_loadu_epi32(some as u16, from.cast()) },
            // SAFETY: as above.
            _ => unsafe { _mm512_maskz_loadu_epi64(some as u8, from.cast()) },
        }
    }

    /// Loads the first `count` elements of a vector, of four or eight bytes each.
    ///
    /// # Safety
    /// They are there.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(clippy::cast_possible_wrap, reason = "a step has few lanes")]
    #[expect(clippy::cast_possible_truncation, reason = "a step has few lanes")]
    unsafe fn load_256(from: *const u8, count: usize, size: usize) -> __m256i {
        if size == 4 {
            let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), places);
            // SAFETY: what the mask leaves out is not accessed.
            return unsafe { _mm256_maskload_epi32(from.cast(), mask) };
        }
        let places = _mm256_setr_epi64x(0, 1, 2, 3);
        let mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), places);
        // SAFETY: as above.
        unsafe { _mm256_maskload_epi64(from.cast(), mask) }
    }
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
            // SAFETY: all lanes were written.
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
