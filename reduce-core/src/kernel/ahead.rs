//! Fetching what comes next, while steps along blocks are taken.

use crate::simd::{FAR_AHEAD, Fetch, prefetch, prefetch_far};

/// What the steps along a block fetch meanwhile: as much as the block, or a share of
/// it if several operators take their steps one after another.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
pub struct Ahead {
    /// How far after the block's beginning; 0 to fetch nothing there.
    pub(super) bytes: usize,
    /// Whether into the second level of cache only.
    far: bool,
    pub(super) share: usize,
    pub(super) shares: usize,
    /// Whether it is fetched in streams, of some steps together.
    pub(super) in_streams: bool,
}

/// Steps whose part is fetched together in streams. Each of them by itself would take registers
/// that lanes need.
const TOGETHER: usize = 4;

impl Ahead {
    /// Nothing is fetched.
    pub(super) const NONE: Ahead = Ahead::of(Fetch::Nothing);

    /// All of it.
    #[inline(always)]
    pub(super) const fn of(fetch: Fetch) -> Self {
        let bytes = match fetch {
            Fetch::Near(bytes) | Fetch::Far(bytes) => bytes,
            Fetch::Nothing | Fetch::InStreams => 0,
        };
        let (far, in_streams) = (matches!(fetch, Fetch::Far(_)), matches!(fetch, Fetch::InStreams));
        Ahead { bytes, far, share: 0, shares: 1, in_streams }
    }

    /// One of several shares of this one. So that all of the next block is there when
    /// the first operator comes to it, that is what they fetch; if the CPU is told of less
    /// than that, the first operator alone fetches, what it is about to read. Into the first
    /// level: the second operator reads it there.
    #[inline(always)]
    pub(super) fn share(self, share: usize, shares: usize) -> Self {
        if self.bytes < FAR_AHEAD {
            return if share == 0 { self } else { Ahead::NONE };
        }
        let (share, shares) = (self.share * shares + share, self.shares * shares);
        Ahead { far: false, share, shares, ..self }
    }

    /// What is not fetched in streams, and whether anything is.
    #[inline(always)]
    pub(super) fn apart(self) -> (Self, bool) {
        (Ahead { in_streams: false, ..self }, self.in_streams)
    }

    /// Of so many steps, those that are taken until the next are fetched in streams.
    #[inline(always)]
    pub(super) fn together(self, steps: usize) -> usize {
        if self.in_streams { steps.min(TOGETHER) } else { steps }
    }

    /// The steps of a block, each of which fetches its part, unless that is done in streams.
    #[inline(always)]
    pub(super) fn steps<T, const L: usize>(self, block: &[T]) -> impl Iterator<Item = &[T; L]> {
        let (run, _) = block.as_chunks::<L>();
        let bytes = if self.shares > 1 { size_of_val(block) } else { self.bytes };
        let part = L * size_of::<T>() / self.shares;
        let first = bytes + self.share * size_of_val(block) / self.shares;
        run.iter().enumerate().map(move |(number, step)| {
            if self.bytes > 0 {
                self.ask(block, first + number * part, part.max(1));
            }
            step
        })
    }

    /// Fetches the part of an incomplete step. Of several operators, the first one does.
    #[inline(always)]
    pub(super) fn fetch<T, const L: usize>(self, rest: &[T]) {
        if self.bytes > 0 && self.share == 0 {
            self.ask(rest, self.bytes, L * size_of::<T>());
        }
    }

    /// Asks for so many bytes, so far after the beginning of some elements.
    #[inline(always)]
    fn ask<T>(self, elements: &[T], ahead: usize, bytes: usize) {
        let place = elements.as_ptr().cast();
        if self.far {
            prefetch_far(place, ahead, bytes);
        } else {
            prefetch(place, ahead, bytes);
        }
    }
}
