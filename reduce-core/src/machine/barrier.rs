//! Lines that the optimiser does not see across.

#![allow(unsafe_code, reason = "assembly without an instruction is unsafe as any")]

/// Sees to it that a value is in memory, and that the optimiser knows nothing of it.
#[inline(always)]
pub(crate) fn settle<T>(value: &mut T) {
    let _ = settled(std::ptr::from_mut(value));
}

/// The place itself, unknown to the optimiser, with all that was written there in memory. What is then read
/// there is loaded in vectors, however it was computed.
#[inline(always)]
pub(crate) fn settled<T>(place: *mut T) -> *mut T {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let mut same = place;
        // SAFETY: no instruction (the operand stands in a comment), so the register keeps its value, and memory is as
        // it was.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) same, options(nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64"))))]
    place
}

/// Keeps the loop around it from being vectorised; loops inside that loop still
/// are.
///
/// A kernel's loop over steps holds a loop over lanes. LLVM now and then
/// vectorises the outer one, with gathers: with a barrier in every step, sums of
/// i64 on AVX-512 went from 33 to 200 GB/s. It costs nothing: no instruction is
/// emitted, and since the assembly touches neither memory nor flags, values stay
/// in their registers.
#[inline(always)]
pub(crate) fn barrier() {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: no instruction, so nothing is read, written or clobbered.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// The number itself, unknown to the optimiser: what is computed from it is not moved out of the loop around
/// it.
#[inline(always)]
pub(crate) fn opaque(number: usize) -> usize {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let mut same = number;
        // SAFETY: no instruction (the operand stands in a comment), so the
        // register keeps its value and nothing else is touched.
        unsafe {
            std::arch::asm!(
                "/* {0} */",
                inout(reg) same,
                options(nomem, nostack, preserves_flags)
            );
        }
        same
    }
    #[cfg(not(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64"))))]
    number
}
