//! Fetching values before they are read.

#![allow(unsafe_code, reason = "the instruction takes an address")]

use super::cpu::{Cpu, cpu};

/// What is asked for while some bytes are read.
///
/// The CPU looks ahead by itself, but only as far as a few hundred instructions: the
/// more of them an element takes, the fewer lines are under way. And of columns it
/// does not foresee where the next lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetch {
    Nothing,
    /// What lies so many bytes after them.
    Near(usize),
    /// The same, into the second level of cache only. The first one waits for few lines at a time,
    /// too few to make up for how long the memory takes.
    Far(usize),
    /// As much of what is read in the order of the memory, of the next group of sequences of
    /// 16 kB, in which four of them are read side by side.
    InStreams,
}

impl Fetch {
    /// Asks for it, while `bytes` bytes from a place on are read.
    #[inline(always)]
    pub(crate) fn ask(self, place: *const u8, bytes: usize) {
        if self == Fetch::InStreams {
            prefetch_in_streams(place, bytes);
        }
        self.ask_ahead(place, bytes);
    }

    /// The same, but for what is fetched in streams.
    #[inline(always)]
    pub(crate) fn ask_ahead(self, place: *const u8, bytes: usize) {
        // Not a match: that of four kinds becomes a table of places to jump to.
        if let Fetch::Near(ahead) = self {
            prefetch(place, ahead, bytes);
        } else if let Fetch::Far(ahead) = self {
            prefetch_far(place, ahead, bytes);
        }
    }
}

/// Asks for the cache lines of `bytes` bytes, `ahead` bytes after a place.
/// Changes nothing but the time that reading them takes; there need not be anything.
#[inline(always)]
pub(crate) fn prefetch(place: *const u8, ahead: usize, bytes: usize) {
    for line in lines(place, ahead, bytes) {
        touch(line);
    }
}

/// The same, into the second level of cache only.
#[inline(always)]
pub(crate) fn prefetch_far(place: *const u8, ahead: usize, bytes: usize) {
    for line in lines(place, ahead, bytes) {
        touch_far(line);
    }
}

/// The lines of `bytes` bytes, `ahead` bytes after a place.
#[inline(always)]
fn lines(place: *const u8, ahead: usize, bytes: usize) -> impl Iterator<Item = *const i8> {
    let start = place.cast::<i8>().wrapping_add(ahead);
    (0..bytes).step_by(LINE).map(move |line| start.wrapping_add(line))
}

/// Bytes of a line of the cache.
const LINE: usize = 64;

const STREAMS: usize = 4;
const STREAM: usize = 1 << 14;
const GROUP: usize = STREAMS * STREAM;

/// Asks for as many lines of the next group as `bytes` bytes are. A CPU looks ahead in each
/// sequence by itself, so more lines are under way if there are more sequences.
#[inline(always)]
pub(crate) fn prefetch_in_streams(place: *const u8, bytes: usize) {
    for distance in in_streams(place.addr(), bytes) {
        touch_far(place.wrapping_add(distance).cast());
    }
}

/// How far from an address the lines lie that are fetched when `bytes` bytes are read from it on.
/// That depends on where in its own group they are: lines one behind the other there are, in the
/// next one, of one stream after the other.
#[inline(always)]
fn in_streams(address: usize, bytes: usize) -> impl Iterator<Item = usize> {
    let in_group = address % GROUP;
    let lines = bytes.div_ceil(LINE);
    let start = GROUP - in_group + in_group / (STREAMS * LINE) * LINE;
    // Whole turns take all streams, wherever they begin.
    let first = if lines.is_multiple_of(STREAMS) { 0 } else { in_group / LINE };
    (0..lines).map(move |line| {
        let (turn, stream) = (line / STREAMS, (first + line) % STREAMS);
        start + turn * LINE + stream * STREAM
    })
}

/// The distance at which a CPU that foresees little is told what comes next, in bytes.
pub(crate) const FAR_AHEAD: usize = 8192;

/// How far ahead of a sequence this CPU is best told what comes next, in bytes; 0 if not
/// at all.
///
/// Measured, on sequences beyond the second level of cache: Zen 5 reads them up to 1.4
/// times as fast if told 8 kB ahead, at which Zen 4 drops to two thirds of its speed. Told
/// one line ahead, Zen 4 gains a tenth, on data that is not aligned to lines: the line that
/// two loads share is asked for before the first of them waits for it. Sapphire Rapids gains
/// nothing either way, and loses a tenth at 8 kB; Emerald Rapids reads up to twice as fast there, out
/// of the third level.
/// Other CPUs are left to themselves.
pub(crate) fn distance() -> usize {
    match cpu() {
        Cpu::Zen4 => 64,
        Cpu::Zen5 | Cpu::EmeraldRapids => FAR_AHEAD,
        Cpu::Zen3 | Cpu::SapphireRapids | Cpu::Other => 0,
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn touch(place: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: prefetching reads nothing; any address will do.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
}

/// As [`touch`], into the second level of cache only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn touch_far(place: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
    // SAFETY: as above.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(place) };
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline(always)]
fn touch(_place: *const i8) {}

#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline(always)]
fn touch_far(_place: *const i8) {}

#[cfg(test)]
mod tests {
    use super::{GROUP, LINE, in_streams};
    use std::collections::BTreeSet;

    #[test]
    fn every_line_of_the_next_group_is_fetched_once() {
        for begin in [0, 16, LINE, 3 * LINE + 4, GROUP - LINE] {
            for bytes in [LINE, 2 * LINE, 4 * LINE, 8 * LINE] {
                let places = (0..2 * GROUP).step_by(bytes).map(|place| begin + place);
                let fetched: Vec<usize> = places
                    .flat_map(|place| in_streams(place, bytes).map(move |ahead| place + ahead))
                    .map(|place| place / LINE)
                    .collect();
                let distinct: BTreeSet<usize> = fetched.iter().copied().collect();
                // Of what is read here, one whole group at least comes after the first.
                let group = 2 * GROUP / LINE..3 * GROUP / LINE;
                let missing = group.filter(|line| !distinct.contains(line)).count();
                assert_eq!(missing, 0, "{bytes} bytes at a time from {begin} on");
                let twice = fetched.len() - distinct.len();
                assert!(twice <= bytes / LINE, "{twice} twice, {bytes} bytes from {begin} on");
            }
        }
    }
}
