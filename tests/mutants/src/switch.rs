//! Which mutant is on. This file becomes the module `mutant` of `reduce-core`, in the copy that is tested.
//!
//! The environment's `REDUCE_MUTANT` has the number of a mutant, or `reached:` and a file, into which go the numbers of those
//! that are reached, four bytes each. It is read before `main`, and nothing is allocated later: tests count allocations.

#![allow(unsafe_code, reason = "a function that runs before `main`")]

use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// No mutant has this number.
const NONE: u32 = u32::MAX;

/// Whatever is reached is written down.
const REACHED: u32 = u32::MAX - 1;

/// No number of a mutant is as large.
const MOST: usize = 1 << 14;

static ON: AtomicU32 = AtomicU32::new(NONE);
static SEEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];
static FILE: OnceLock<File> = OnceLock::new();

/// Whether a mutant is on.
#[inline(always)]
pub fn is(number: u32) -> bool {
    let on = ON.load(Ordering::Relaxed);
    on == number || (on == REACHED && reached(number))
}

#[cold]
fn reached(number: u32) -> bool {
    if !SEEN[number as usize].swap(true, Ordering::Relaxed)
        && let Some(mut file) = FILE.get()
    {
        file.write_all(&number.to_le_bytes()).expect("the list of what is reached is written");
    }
    false
}

extern "C" fn read() {
    let Ok(text) = std::env::var("REDUCE_MUTANT") else { return };
    if let Some(path) = text.strip_prefix("reached:") {
        let file = File::options().create(true).append(true).open(path);
        let _ = FILE.set(file.expect("the list of what is reached is opened"));
        ON.store(REACHED, Ordering::Relaxed);
    } else {
        ON.store(text.parse().expect("the number of a mutant"), Ordering::Relaxed);
    }
}

/// What the system calls before `main`.
#[used]
// SAFETY: the section holds addresses of functions, which are called before `main`, and nothing else.
#[unsafe(link_section = ".init_array")]
static READ: extern "C" fn() = read;
