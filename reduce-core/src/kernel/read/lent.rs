//! Memory that is lent. Each thread keeps a few pieces of memory for its next calls, so that most calls ask the system for
//! none.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use crate::machine::LINE;
use crate::machine::memory::reserve_or_unwind;

/// A line of the cache. A vector that begins with one takes half as long to store.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Line(#[allow(dead_code, reason = "read through pointers")] pub(super) [u8; LINE]);

/// A thread keeps up to this many pieces of memory.
const PIECES: usize = 8;

/// A piece that is kept has from this many lines up to [`MOST_LINES`] of them, which are 4 and 64 kB.
const LEAST_LINES: usize = 64;

const MOST_LINES: usize = 1024;

thread_local! {
    static KEPT: RefCell<Vec<Piece>> = const { RefCell::new(Vec::new()) };
}

/// Lines behind a pointer: what has one is moved just after it was written, and a large value would have to be waited
/// for.
#[allow(clippy::box_collection, reason = "see above")]
type Piece = Box<Vec<Line>>;

/// Lines that are given back when they are dropped. What they hold is what somebody left there.
pub(super) struct Lent(Option<Piece>);

/// The lines that were lent, or others if these have room for fewer. What they held is then lost.
pub(super) fn lent(place: &mut Option<Lent>, lines: usize) -> &mut Vec<Line> {
    if place.as_ref().is_none_or(|lent| lent.capacity() < lines) {
        *place = None;
    }
    place.get_or_insert_with(|| Lent::with_room_for(lines))
}

impl Lent {
    fn with_room_for(lines: usize) -> Self {
        let kept = if lines <= MOST_LINES { smallest_kept(lines) } else { None };
        // A power of two, so that most pieces serve many calls.
        let room =
            if lines <= MOST_LINES { lines.next_power_of_two().max(LEAST_LINES) } else { lines };
        Lent(Some(kept.unwrap_or_else(|| Box::new(reserve_or_unwind(room)))))
    }
}

/// The smallest piece that this thread keeps with room for so many lines.
fn smallest_kept(lines: usize) -> Option<Piece> {
    let taken = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let fitting = kept.iter().enumerate().filter(|(_, piece)| piece.capacity() >= lines);
        let (place, _) = fitting.min_by_key(|(_, piece)| piece.capacity())?;
        Some(kept.swap_remove(place))
    });
    // There is nothing while the thread ends.
    taken.ok().flatten()
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(piece) = self.0.take().filter(|piece| piece.capacity() <= MOST_LINES) else {
            return;
        };
        let _ = KEPT.try_with(|kept| {
            let Ok(mut kept) = kept.try_borrow_mut() else { return };
            if kept.len() == PIECES {
                let smallest = (0..PIECES).min_by_key(|&place| kept[place].capacity());
                kept.swap_remove(smallest.unwrap_or(0));
            }
            kept.push(piece);
        });
    }
}

impl Deref for Lent {
    type Target = Vec<Line>;

    fn deref(&self) -> &Vec<Line> {
        match &self.0 {
            Some(piece) => piece,
            None => unreachable!("lines are there until they are dropped"),
        }
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Vec<Line> {
        match &mut self.0 {
            Some(piece) => piece,
            None => unreachable!("lines are there until they are dropped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST_LINES, MOST_LINES, lent};

    #[test]
    fn lines_are_lent_again() {
        let mut first = None;
        let place = lent(&mut first, 3).as_ptr();
        assert_eq!(lent(&mut first, LEAST_LINES).as_ptr(), place);
        drop(first);
        let (mut again, mut other) = (None, None);
        assert_eq!(lent(&mut again, 5).as_ptr(), place);
        assert_ne!(lent(&mut other, 5).as_ptr(), place);
        assert!(lent(&mut again, LEAST_LINES + 1).capacity() > LEAST_LINES);
    }

    #[test]
    fn the_smallest_that_fits_is_lent() {
        let (mut large, mut small) = (None, None);
        let places = [lent(&mut large, MOST_LINES).as_ptr(), lent(&mut small, 1).as_ptr()];
        drop((large, small));
        let (mut large, mut small) = (None, None);
        assert_eq!(lent(&mut small, 1).as_ptr(), places[1]);
        assert_eq!(lent(&mut large, MOST_LINES).as_ptr(), places[0]);
    }
}
