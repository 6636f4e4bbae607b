//! Fetching values before they are read.
//!
//! The CPU looks ahead by itself, but only as far as a few hundred instructions: the more of them an element
//! takes, the fewer lines are under way. In columns, it does not foresee where the next lines are.

#![allow(unsafe_code, reason = "the instruction takes an address")]

use super::caches::LINE;

/// Asks for the cache lines of `bytes` bytes, `ahead` bytes after a place. This changes only the time that
/// reading them takes. Nothing need lie there.
#[inline(always)]
pub(crate) fn prefetch(place: *const u8, ahead: usize, bytes: usize) {
    for line in lines(place, ahead, bytes) {
        touch(line);
    }
}

/// The lines of `bytes` bytes, `ahead` bytes after a place.
#[inline(always)]
fn lines(place: *const u8, ahead: usize, bytes: usize) -> impl Iterator<Item = *const i8> {
    let start = place.cast::<i8>().wrapping_add(ahead);
    (0..bytes).step_by(LINE).map(move |line| start.wrapping_add(line))
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn touch(place: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the instruction reads nothing, so that any address will do.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline(always)]
fn touch(_place: *const i8) {}
