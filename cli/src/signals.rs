//! Signals: what is done before one of them ends the program.
//!
//! Whoever interrupts or ends the program finds no temporary file left. And where a file was
//! shortened while it was mapped, so that there is nothing to read any more where it was, a sentence
//! says so.

#[cfg(unix)]
pub(crate) use unix::{mapped, nothing_to_remove, remove_at_the_end, unmapped, watch};

#[cfg(not(unix))]
pub(crate) use elsewhere::{mapped, nothing_to_remove, remove_at_the_end, unmapped, watch};

#[cfg(not(unix))]
mod elsewhere {
    use std::path::Path;

    pub(crate) fn watch() {}
    pub(crate) fn remove_at_the_end(_path: &Path) {}
    pub(crate) fn nothing_to_remove(_path: &Path) {}
    pub(crate) fn mapped(_bytes: &[u8]) {}
    pub(crate) fn unmapped(_bytes: &[u8]) {}
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "the system calls the handlers, and they call the system")]
mod unix {
    use std::ffi::{CStr, CString, c_char, c_int, c_void};
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

    /// Files of a kind at a time, of which a handler knows.
    const FILES: usize = 64;

    /// The paths of the temporary files there are. Paths are never given back: a handler may be
    /// reading them.
    static TEMPORARY: [AtomicPtr<c_char>; FILES] = [const { AtomicPtr::new(null_mut()) }; FILES];

    /// Of each mapped file its first byte, or 0, and the number of its bytes.
    static MAPPED: [[AtomicUsize; 2]; FILES] =
        [const { [const { AtomicUsize::new(0) }; 2] }; FILES];

    const SHORTENED: &[u8] =
        b"error: a file was shortened while it was read; let nobody write to it meanwhile\n";

    /// Asks for the signals that end the program, but for those that whoever started it ignores.
    pub(crate) fn watch() {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let handler: extern "C" fn(c_int) = end;
            set(signal, handler as libc::sighandler_t, 0);
        }
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = cut;
        set(libc::SIGBUS, handler as libc::sighandler_t, libc::SA_SIGINFO | libc::SA_ONSTACK);
    }

    /// Sets the handler of a signal that is not ignored.
    fn set(signal: c_int, handler: libc::sighandler_t, flags: c_int) {
        // SAFETY: numbers and pointers, for which zeros stand.
        let mut before: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        // SAFETY: as above.
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

    /// A file that is to be removed if the program ends by a signal. Of more than [`FILES`], the last are
    /// not known, and stay.
    pub(crate) fn remove_at_the_end(path: &Path) {
        // A path that a file was made with has no zero.
        let path = CString::new(path.as_os_str().as_bytes()).unwrap_or_default().into_raw();
        let claims = |place: &AtomicPtr<c_char>| {
            place.compare_exchange(null_mut(), path, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        };
        let _ = TEMPORARY.iter().any(claims);
    }

    /// That there is no such file any more.
    pub(crate) fn nothing_to_remove(path: &Path) {
        let is_of = |place: &&AtomicPtr<c_char>| {
            let known = place.load(Ordering::SeqCst);
            // SAFETY: a text that ends with a zero, which is never given back.
            !known.is_null()
                && unsafe { CStr::from_ptr(known) }.to_bytes() == path.as_os_str().as_bytes()
        };
        if let Some(place) = TEMPORARY.iter().find(is_of) {
            place.store(null_mut(), Ordering::SeqCst);
        }
    }

    /// Bytes that are mapped. Of more files than [`FILES`], the last are not known: one that is shortened ends
    /// the program without a sentence.
    pub(crate) fn mapped(bytes: &[u8]) {
        let first = bytes.as_ptr().addr();
        let claims = |[place, length]: &[AtomicUsize; 2]| {
            let claimed =
                place.compare_exchange(0, first, Ordering::SeqCst, Ordering::SeqCst).is_ok();
            if claimed {
                length.store(bytes.len(), Ordering::SeqCst);
            }
            claimed
        };
        let _ = MAPPED.iter().any(claims);
    }

    /// That they are not any more.
    pub(crate) fn unmapped(bytes: &[u8]) {
        let of_file =
            |[place, _]: &&[AtomicUsize; 2]| place.load(Ordering::SeqCst) == bytes.as_ptr().addr();
        if let Some([place, length]) = MAPPED.iter().find(of_file) {
            length.store(0, Ordering::SeqCst);
            place.store(0, Ordering::SeqCst);
        }
    }

    /// Removes the temporary files. A handler may call it.
    fn remove() {
        for place in &TEMPORARY {
            let path = place.load(Ordering::SeqCst);
            if !path.is_null() {
                // SAFETY: a text that ends with a zero, which is never given back.
                unsafe { libc::unlink(path) };
            }
        }
    }

    /// Lets the program end by a signal, as if it had not been asked for: whoever waits for the
    /// program is told.
    fn end_by(signal: c_int) {
        // SAFETY: a handler may call it.
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
        // SAFETY: as above.
        let place = unsafe { info.si_addr() }.addr();
        let is_within = |file: &[AtomicUsize; 2]| {
            let [first, length] = file.each_ref().map(|number| number.load(Ordering::SeqCst));
            place.wrapping_sub(first) < length
        };
        remove();
        if !MAPPED.iter().any(is_within) {
            return end_by(signal);
        }
        // SAFETY: a handler may call it; so many bytes are there.
        unsafe { libc::write(libc::STDERR_FILENO, SHORTENED.as_ptr().cast(), SHORTENED.len()) };
        // SAFETY: a handler may call it.
        unsafe { libc::_exit(crate::REFUSED.into()) };
    }
}
