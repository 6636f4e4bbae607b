//! Room for what is packed, staged, or waits to be merged.

#![allow(unsafe_code, reason = "bytes are read as elements")]

use std::mem::MaybeUninit;

use super::lent::{Lent, LentFor, Line, lent};
use crate::machine::LINE;
use crate::values::element::Element;

/// Room for packed elements from the beginning of a line on, which grows.
#[derive(Default)]
pub(crate) struct Room(Option<Lent>);

impl Room {
    pub(crate) const fn new() -> Self {
        Room(None)
    }

    /// Room for `bytes` bytes, which may hold anything.
    pub(crate) fn bytes(&mut self, bytes: usize) -> *mut u8 {
        let lines = bytes.div_ceil(LINE);
        let room = lent(&mut self.0, lines, LentFor::Elements);
        if room.len() < lines {
            room.resize(lines, Line([0; LINE]));
        }
        room.as_mut_ptr().cast()
    }

    /// Room for `count` elements, which may hold anything.
    pub(super) fn elements<T: Element>(&mut self, count: usize) -> &mut [T] {
        let first = self.bytes(count * size_of::<T>()).cast();
        // SAFETY: *room*: the lines of `count` elements are there, initialised and borrowed with `self`. *bytes*:
        // elements are read as numbers, `u8` to `u64`, which any bytes are.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }
}

/// Up to this many lines are on the stack, and need no allocation.
const STACK_LINES: usize = 48;

/// Room on the stack for what is not large. It is a variable of its own: as a part of another value it
/// would be filled with zeros, which takes as long as a small reduction.
pub(crate) type Lines = MaybeUninit<[Line; STACK_LINES]>;

/// Room that is not initialised, from the beginning of a line on: for states, and for steps of few lanes. What is
/// seldom needed is behind a pointer, since a value that is moved just after it was written has to be waited for.
pub(crate) struct Scratch<'a> {
    few: Option<&'a mut Lines>,
    many: Option<Lent>,
}

impl<'a> Scratch<'a> {
    /// Room that is on the stack if it is small.
    #[inline(always)]
    pub(crate) fn on(few: &'a mut Lines) -> Self {
        Scratch { few: Some(few), many: None }
    }

    /// Room that may be moved.
    pub(crate) fn new() -> Self {
        Scratch { few: None, many: None }
    }

    /// Room for `bytes` bytes. If there was less before, what it held is lost.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, bytes: usize) -> *mut u8 {
        let lines = bytes.div_ceil(LINE);
        match &mut self.few {
            Some(few) if lines <= STACK_LINES => few.as_mut_ptr().cast(),
            _ => self.more(lines),
        }
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self, lines: usize) -> *mut u8 {
        lent(&mut self.many, lines, LentFor::States).as_mut_ptr().cast()
    }
}
