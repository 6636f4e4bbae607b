//! A stack overflow, reported with its input.
//!
//! libFuzzer's handler of a segmentation fault writes the input to a file. But it runs on the stack that has just
//! overflowed, unless there is another one and the signal was set up before to use it.

#![allow(unsafe_code, reason = "signals are the system's")]

use std::mem::zeroed;
use std::ptr::null_mut;

/// Bytes of the handler's stack.
const STACK: usize = 1 << 18;

/// Gives the handler of a stack overflow a stack. To be called before the first input.
///
/// # Panics
/// If the system refuses it.
pub fn prepare() {
    let memory = Box::leak(vec![0u8; STACK].into_boxed_slice());
    let stack =
        libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    // SAFETY: the memory is never freed, and nobody else has it.
    let has_stack = unsafe { libc::sigaltstack(&stack, null_mut()) };
    // SAFETY: all zeros are a `sigaction`, of the default action.
    let mut action: libc::sigaction = unsafe { zeroed() };
    action.sa_flags = libc::SA_ONSTACK;
    // SAFETY: the default action has no handler that could be wrong.
    let is_set = unsafe { libc::sigaction(libc::SIGSEGV, &action, null_mut()) };
    assert_eq!((has_stack, is_set), (0, 0), "the system gives the handler no stack");
}
