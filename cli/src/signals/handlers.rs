//! The handlers, and what they know.

#![allow(unsafe_code, reason = "the system calls the handlers, and they call the system")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::list::List;

/// The paths of the temporary files and folders there are. Paths are never given back: a handler may be
/// reading them.
static TEMPORARY: List<AtomicPtr<c_char>> = List::new();

/// For each mapped file, the address of its first byte, or 0, and the number of its bytes.
static MAPPED: List<[AtomicUsize; 2]> = List::new();

const SHORTENED: &[u8] =
    b"error: a file was shortened while it was read; let nobody write to it meanwhile\n";

/// The signals that end a program which does not ask for them. Not among them are SIGKILL, for which nobody can ask, and
/// SIGSEGV, for which Rust asks.
const ENDING: &[c_int] = &[
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGFPE,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGXCPU,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGSYS,
    #[cfg(target_os = "linux")]
    libc::SIGIO,
    #[cfg(target_os = "linux")]
    libc::SIGPWR,
    #[cfg(target_os = "linux")]
    libc::SIGSTKFLT,
];

/// A file or a folder that is removed if the program ends by a signal, until this is dropped.
#[derive(Debug)]
pub(crate) struct Doomed(&'static AtomicPtr<c_char>);

/// Bytes of a mapped file that may be shortened, until this is dropped.
#[derive(Debug)]
pub(crate) struct Watched(&'static [AtomicUsize; 2]);

/// Asks for the signals that end the program, but for those that whoever started it ignores. Has the system say
/// that a file may not grow, in place of the signal that would end the program.
pub(crate) fn watch() {
    let handler: extern "C" fn(c_int) = end;
    ENDING.iter().for_each(|&signal| set(signal, handler as libc::sighandler_t, 0));
    #[cfg(target_os = "linux")]
    for signal in libc::SIGRTMIN()..=libc::SIGRTMAX() {
        set(signal, handler as libc::sighandler_t, 0);
    }
    set(libc::SIGXFSZ, libc::SIG_IGN, 0);
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = cut;
    set(libc::SIGBUS, handler as libc::sighandler_t, libc::SA_SIGINFO | libc::SA_ONSTACK);
}

/// Sets the handler of a signal that is not ignored.
fn set(signal: c_int, handler: libc::sighandler_t, flags: c_int) {
    // SAFETY: numbers and pointers, for which zeros stand.
    let mut before: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    // SAFETY: numbers and pointers, for which zeros stand.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    // SAFETY: it only asks, and writes to what is there.
    let known = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut before) };
    if known != 0 || before.sa_sigaction == libc::SIG_IGN {
        return;
    }
    (action.sa_sigaction, action.sa_flags) = (handler, flags);
    // SAFETY: the handler takes what the flags say, and does only what a handler may.
    unsafe { libc::sigaction(signal, &raw const action, null_mut()) };
}

/// Has a file, or an empty folder, removed if the program ends by a signal. It need not be there yet.
pub(crate) fn remove_at_the_end(path: &Path) -> Doomed {
    // A path with a zero is of no file.
    let path = CString::new(path.as_os_str().as_bytes()).unwrap_or_default().into_raw();
    Doomed(TEMPORARY.claim(|place| {
        place.compare_exchange(null_mut(), path, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }))
}

impl Drop for Doomed {
    fn drop(&mut self) {
        self.0.store(null_mut(), Ordering::SeqCst);
    }
}

/// Has a sentence say that bytes are gone, if they are: of a file that was shortened while it is mapped.
pub(crate) fn mapped(bytes: &[u8]) -> Watched {
    let first = bytes.as_ptr().addr();
    Watched(MAPPED.claim(|[place, length]| {
        let is_free = place.compare_exchange(0, first, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if is_free {
            length.store(bytes.len(), Ordering::SeqCst);
        }
        is_free
    }))
}

impl Drop for Watched {
    fn drop(&mut self) {
        let [place, length] = self.0;
        length.store(0, Ordering::SeqCst);
        place.store(0, Ordering::SeqCst);
    }
}

/// Removes the temporary files, and then the folders that were made for them. A handler may call it.
fn remove() {
    for remove in [libc::unlink, libc::rmdir] {
        for place in TEMPORARY.entries() {
            let path = place.load(Ordering::SeqCst);
            if !path.is_null() {
                // SAFETY: a text that ends with a zero, which is never given back.
                unsafe { remove(path) };
            }
        }
    }
}

/// Lets the program end by a signal, as if it had not been asked for: whoever waits for the
/// program is told.
fn end_by(signal: c_int) {
    // SAFETY: a handler may call it, and the default is always one.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: a handler may call it. The signal comes when the handler is left.
    unsafe { libc::raise(signal) };
}

extern "C" fn end(signal: c_int) {
    remove();
    end_by(signal);
}

extern "C" fn cut(signal: c_int, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: the system's, of a signal that has an address.
    let info = unsafe { &*info };
    // SAFETY: the signal is one that has an address: no other has this handler.
    let place = unsafe { info.si_addr() }.addr();
    let is_within = |file: &[AtomicUsize; 2]| {
        let [first, length] = file.each_ref().map(|number| number.load(Ordering::SeqCst));
        place.wrapping_sub(first) < length
    };
    remove();
    if !MAPPED.entries().any(is_within) {
        return end_by(signal);
    }
    // SAFETY: a handler may call it, and the message has as many bytes as it is told.
    unsafe { libc::write(libc::STDERR_FILENO, SHORTENED.as_ptr().cast(), SHORTENED.len()) };
    // SAFETY: a handler may call it, and nothing runs after it.
    unsafe { libc::_exit(crate::REFUSED.into()) };
}
