//! Packing: elements that count moved behind one another.
//!
//! Each element is written behind the last one that counts. If it does not count itself, the next one overwrites it. So
//! there is no branch that would be predicted badly. A group of neighbours that all count is copied as a whole, and a
//! group without any is skipped. Where few elements are left out, or few are taken, most groups are of these two kinds.

#![allow(unsafe_code, reason = "elements are read as numbers of their size")]

use super::flags::Flag;

/// The number of neighbours in a group, which are looked at together.
const GROUP: usize = 32;

/// Packs the elements that count, each of `size` bytes, and returns how many they are.
///
/// # Safety
/// *elements*: there is one for each flag, of this size. *room*: as many fit at `to`.
pub(in crate::kernel) unsafe fn pack(
    to: *mut u8,
    from: *const u8,
    size: usize,
    flags: &[Flag],
) -> usize {
    match size {
        // SAFETY: *elements* and *room*, which the caller keeps. *bytes*: elements are read as numbers of a byte.
        1 => unsafe { pack_numbers::<u8>(to, from, flags) },
        // SAFETY: *elements*, *room* and *bytes*, as above, of two bytes.
        2 => unsafe { pack_numbers::<u16>(to, from, flags) },
        // SAFETY: *elements*, *room* and *bytes*, as above, of four bytes.
        4 => unsafe { pack_numbers::<u32>(to, from, flags) },
        // SAFETY: *elements*, *room* and *bytes*, as above, of eight bytes: there is no other size.
        _ => unsafe { pack_numbers::<u64>(to, from, flags) },
    }
}

/// As [`pack`].
///
/// # Safety
/// As for [`pack`]; an element is as large as `N`.
unsafe fn pack_numbers<N: Copy>(to: *mut u8, from: *const u8, flags: &[Flag]) -> usize {
    // SAFETY: *elements*, which the caller keeps: there is one for each flag, as large as `N`.
    let from = unsafe { std::slice::from_raw_parts(from.cast::<N>(), flags.len()) };
    let mut to = to.cast::<N>();
    let mut packed = 0;
    for (elements, flags) in from.chunks(GROUP).zip(flags.chunks(GROUP)) {
        let counted: usize = flags.iter().map(|&flag| usize::from(flag)).sum();
        if counted == elements.len() {
            // SAFETY: *room*, which the caller keeps for all elements: no more were packed than were looked at.
            unsafe { to.copy_from_nonoverlapping(elements.as_ptr(), counted) };
        } else if counted > 0 {
            let mut next = to;
            for (&element, &flag) in elements.iter().zip(flags) {
                // SAFETY: *room*, as above: `next` is behind no more elements than were looked at.
                unsafe { next.write(element) };
                next = next.wrapping_add(usize::from(flag));
            }
        }
        to = to.wrapping_add(counted);
        packed += counted;
    }
    packed
}

/// Packs the positions of elements that count, behind others, which are counted from `first` on.
pub(in crate::kernel) fn pack_positions(positions: &mut Vec<u64>, first: u64, flags: &[Flag]) {
    let before = positions.len();
    positions.resize(before + flags.len(), 0);
    let room = &mut positions[before..];
    let mut next = 0;
    for (position, &flag) in (first..).zip(flags) {
        room[next] = position;
        next += usize::from(flag);
    }
    positions.truncate(before + next);
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn what_counts_is_packed_in_its_order() {
        let from: Vec<u16> = (0..300).collect();
        let by: [fn(usize) -> bool; 5] =
            [|_| true, |_| false, |i| i % 3 == 0, |i| i > 40, |i| i < 70];
        for count in [0, 1, 31, 32, 33, 100, 300] {
            for counts in by {
                let flags: Vec<u8> = (0..count).map(|index| u8::from(counts(index))).collect();
                let mut to = vec![0u16; count];
                // SAFETY: *elements* and *room*: one for each of the first `count` flags, and a list of `count` places.
                let packed =
                    unsafe { pack(to.as_mut_ptr().cast(), from.as_ptr().cast(), 2, &flags) };
                let right: Vec<u16> =
                    (0..count).filter(|&index| counts(index)).map(|index| from[index]).collect();
                assert_eq!(to[..packed], right);
            }
        }
    }
}
