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
/// for. As many of them as the list has hold bytes, which may be read. Behind these, nothing can be said of what they hold.
#[allow(clippy::box_collection, reason = "see above")]
type Piece = Box<Vec<Line>>;

/// Lines that are given back when they are dropped. What they hold is what somebody left there.
pub(super) struct Lent(Option<Piece>);

/// What lines are lent for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LentFor {
    /// Elements, which are bytes without gaps.
    Elements,
    /// States and results. Where these have gaps between their fields, no bytes are left.
    States,
}

/// The lines that were lent, or others if these have room for fewer. What they held is then lost. If they are for states, the
/// list is empty, and what is written goes behind it.
pub(super) fn lent(place: &mut Option<Lent>, lines: usize, what: LentFor) -> &mut Vec<Line> {
    if place.as_ref().is_none_or(|lent| lent.capacity() < lines) {
        *place = None;
    }
    place.get_or_insert_with(|| Lent::with_room_for(lines, what))
}

impl Lent {
    fn with_room_for(lines: usize, what: LentFor) -> Self {
        let kept = if lines <= MOST_LINES { smallest_kept(lines, what) } else { None };
        // A power of two, so that most pieces serve many calls.
        let room =
            if lines <= MOST_LINES { lines.next_power_of_two().max(LEAST_LINES) } else { lines };
        let mut piece = kept.unwrap_or_else(|| Box::new(reserve_or_unwind(room)));
        if what == LentFor::States {
            piece.clear();
        }
        Lent(Some(piece))
    }
}

/// The smallest piece that this thread keeps with room for so many lines. One that was lent for the same before comes first,
/// since lines that hold no bytes are filled with zeros for elements.
fn smallest_kept(lines: usize, what: LentFor) -> Option<Piece> {
    let taken = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let fitting = kept.iter().enumerate().filter(|(_, piece)| piece.capacity() >= lines);
        let had_states = |piece: &Piece| piece.is_empty();
        let is_other = |piece: &Piece| had_states(piece) != (what == LentFor::States);
        let (place, _) = fitting.min_by_key(|(_, piece)| (is_other(piece), piece.capacity()))?;
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
    use super::LentFor::{Elements, States};
    use super::{LEAST_LINES, Line, MOST_LINES, lent};
    use crate::machine::LINE;

    #[test]
    fn lines_are_lent_again() {
        let mut first = None;
        let place = lent(&mut first, 3, States).as_ptr();
        assert_eq!(lent(&mut first, LEAST_LINES, States).as_ptr(), place);
        drop(first);
        let (mut again, mut other) = (None, None);
        assert_eq!(lent(&mut again, 5, States).as_ptr(), place);
        assert_ne!(lent(&mut other, 5, States).as_ptr(), place);
        assert!(lent(&mut again, LEAST_LINES + 1, States).capacity() > LEAST_LINES);
    }

    #[test]
    fn the_smallest_that_fits_is_lent() {
        let (mut large, mut small) = (None, None);
        let places =
            [lent(&mut large, MOST_LINES, States).as_ptr(), lent(&mut small, 1, States).as_ptr()];
        drop((large, small));
        let (mut large, mut small) = (None, None);
        assert_eq!(lent(&mut small, 1, States).as_ptr(), places[1]);
        assert_eq!(lent(&mut large, MOST_LINES, States).as_ptr(), places[0]);
    }

    #[test]
    fn what_states_leave_is_not_lent_as_bytes() {
        let mut elements = None;
        let lines = lent(&mut elements, 2, Elements);
        lines.resize(2, Line([7; LINE]));
        let place = lines.as_ptr();
        drop(elements);
        let mut again = None;
        assert_eq!(lent(&mut again, 2, Elements).len(), 2, "bytes stay");
        drop(again);
        let mut states = None;
        assert_eq!(
            (lent(&mut states, 2, States).as_ptr(), states.as_ref().map(|l| l.len())),
            (place, Some(0))
        );
        drop(states);
        let mut elements = None;
        let lines = lent(&mut elements, 2, Elements);
        assert_eq!((lines.as_ptr(), lines.len()), (place, 0));
    }

    #[test]
    fn a_piece_that_was_lent_for_the_same_comes_first() {
        let (mut elements, mut states) = (None, None);
        lent(&mut elements, 2, Elements).resize(2, Line([0; LINE]));
        let places = [
            lent(&mut elements, 2, Elements).as_ptr(),
            lent(&mut states, MOST_LINES, States).as_ptr(),
        ];
        drop((elements, states));
        let (mut elements, mut states) = (None, None);
        assert_eq!(lent(&mut states, 1, States).as_ptr(), places[1]);
        assert_eq!(lent(&mut elements, 1, Elements).as_ptr(), places[0]);
    }
}
