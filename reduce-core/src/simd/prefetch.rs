//! Fetching values before they are read.

#![allow(unsafe_code, reason = "the instruction takes an address")]

/// Asks for the cache lines of `bytes` bytes from `data[at]` on, and of as many in
/// each of `rows` rows, `stride` values apart. Changes nothing but the time that
/// reading them takes; the addresses need not be valid.
///
/// For columns of a wide matrix: each row is another page, whose next lines the
/// CPU does not foresee while others are read.
#[inline(always)]
pub(crate) fn prefetch<T>(data: &[T], at: usize, stride: isize, rows: usize, bytes: usize) {
    const LINE: usize = 64;
    let mut place = data.as_ptr().wrapping_add(at).cast::<i8>();
    let stride = stride.wrapping_mul(size_of::<T>().cast_signed());
    for _ in 0..rows {
        for line in (0..bytes).step_by(LINE) {
            touch(place.wrapping_add(line));
        }
        place = place.wrapping_offset(stride);
    }
}

/// Asks for cache lines as many as these values fill, `ahead` bytes after them.
#[inline(always)]
pub(crate) fn prefetch_run<T>(values: &[T], ahead: usize) {
    let start = values.as_ptr().cast::<i8>().wrapping_add(ahead);
    for line in (0..size_of_val(values)).step_by(64) {
        touch(start.wrapping_add(line));
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn touch(place: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: prefetching reads nothing; any address will do.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline(always)]
fn touch(_place: *const i8) {}
