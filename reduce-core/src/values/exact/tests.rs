//! Chunks near their end, which no ordinary data reach. `tests/api/exact` holds sums against an oracle.

use super::chunks::{self, WIDTH};

/// The largest chunk that waits with its carries, and the least.
const FULLEST: [i128; 2] = [(1 << (2 * WIDTH - 3)) - 1, -(1 << (2 * WIDTH - 3))];

/// The sum of chunks modulo 2^128. The last chunk is 0, or the sign.
fn lowest(chunks: &[i128; 4]) -> i128 {
    chunks[0].wrapping_add(chunks[1] << WIDTH)
}

/// One more fraction is one too many, and then all carries go up.
#[test]
fn carries_go_up_where_a_chunk_is_full() {
    for fullest in FULLEST {
        let (last, one) = if fullest > 0 { (1, 1) } else { (-1, -1) };
        let mut chunks = [fullest - 4 * last, 0, 0, 0];
        for more in 1..=4 {
            chunks::add(&mut chunks, one, 0);
            assert_eq!(chunks[0], fullest - (4 - more) * last);
        }
        chunks::add(&mut chunks, one, 0);
        assert!((0..1 << WIDTH).contains(&chunks[0]), "{chunks:?}");
        assert_eq!(lowest(&chunks), fullest + last);
        assert_eq!(chunks::magnitude(&chunks).1, fullest < 0);
    }
}

/// Sums whose chunks all wait, merged again and again, with a carry from below into each merged chunk but the first.
#[test]
fn full_chunks_merge() {
    for fullest in FULLEST {
        let full = [fullest, fullest, fullest, fullest, 0];
        let (mut merged, mut carried) = (full, chunks::carried(&full));
        for _ in 0..9 {
            chunks::merge(&mut merged, &full);
            // The same sum, of chunks whose carries have gone up.
            chunks::merge(&mut carried, &chunks::carried(&full));
            assert_eq!(chunks::carried(&merged), chunks::carried(&carried));
            assert_eq!(chunks::magnitude(&merged).1, fullest < 0);
        }
    }
}

/// A fraction at each place of a chunk, and in the next one.
#[test]
fn fractions_lie_at_their_place() {
    for place in 0..2 * WIDTH - 1 {
        let mut chunks = [0; 4];
        chunks::add(&mut chunks, 3, place);
        chunks::add(&mut chunks, -1, place);
        let (magnitude, is_negative) = chunks::magnitude(&chunks);
        let found = magnitude[0].cast_unsigned() | (magnitude[1].cast_unsigned() << WIDTH);
        assert_eq!(found, 1 << (place + 1), "{place}");
        assert!(!is_negative && magnitude[2..] == [0, 0], "{place}");
    }
}
