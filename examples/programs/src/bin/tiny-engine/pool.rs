//! Memory of the engine: buffers that are used again, and never cleared.

use std::mem::MaybeUninit;

use reduce_programs::Failure;

/// Buffers that nobody uses.
#[derive(Default)]
pub(crate) struct Pool {
    free: Vec<Vec<f32>>,
    made: usize,
}

impl Pool {
    /// An empty buffer with room for some elements: the smallest that is large enough, or a new one.
    pub(crate) fn take(&mut self, room: usize) -> Vec<f32> {
        let fitting = self.free.iter().enumerate().filter(|(_, buffer)| buffer.capacity() >= room);
        match fitting.min_by_key(|(_, buffer)| buffer.capacity()).map(|(place, _)| place) {
            Some(place) => self.free.swap_remove(place),
            None => {
                self.made += 1;
                Vec::with_capacity(room)
            }
        }
    }

    pub(crate) fn take_back(&mut self, mut buffer: Vec<f32>) {
        buffer.clear();
        self.free.push(buffer);
    }

    /// How many buffers there are, also those in use.
    pub(crate) fn made(&self) -> usize {
        self.made
    }
}

/// Gives an empty buffer to whoever writes each of `count` places in it, or fails.
#[allow(unsafe_code, reason = "memory of the pool is not initialised before")]
pub(crate) fn filled(
    buffer: &mut Vec<f32>,
    count: usize,
    write: impl FnOnce(&mut [MaybeUninit<f32>]) -> Result<(), reduce_core::Error>,
) -> Result<(), Failure> {
    write(&mut buffer.spare_capacity_mut()[..count])?;
    // SAFETY: there is room for `count` elements, and a planned call that does not fail has written each of them.
    unsafe { buffer.set_len(count) };
    Ok(())
}
