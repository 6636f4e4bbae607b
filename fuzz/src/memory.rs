//! An allocator counts bytes here, so a small input that takes much memory is found.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes that are allocated now, and the most since they were last looked at.
static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator, with its bytes counted.
struct Counting;

impl Counting {
    fn took(&self, bytes: usize) {
        MOST.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
}

#[allow(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: all memory is the system's; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the system's condition.
        let place = unsafe { System.alloc(layout) };
        if !place.is_null() {
            self.took(layout.size());
        }
        place
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the system's condition.
        let place = unsafe { System.alloc_zeroed(layout) };
        if !place.is_null() {
            self.took(layout.size());
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is the system's condition.
        unsafe { System.dealloc(place, layout) };
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is the system's condition.
        let place = unsafe { System.realloc(place, layout, size) };
        if !place.is_null() {
            // Old and new together: the system may need both for a moment.
            self.took(size);
            NOW.fetch_sub(layout.size(), Relaxed);
        }
        place
    }
}

/// Returns what some work gives.
///
/// # Panics
/// If the work had more than `bytes` bytes of memory at a time.
pub fn within<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = work();
    let most = MOST.load(Relaxed).saturating_sub(before);
    assert!(most <= bytes, "{most} bytes of memory were taken, where {bytes} are enough");
    result
}
