use half::f16;

use super::tiles::{rows_in_pieces, rows_per_piece};
use super::vectors::PIECE;
use super::{Rectangle, transpose};
use crate::facts::level::Level;
use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, TURNED_COLUMNS, TURNED_ROWS, Work};
use crate::machine::level::Available;

/// Rows, and the width that their columns get.
const ROWS: [(usize, usize); 11] = [
    (1, 1),
    (2, 2),
    (5, 8),
    (8, 8),
    (15, 64),
    (16, 16),
    (17, 64),
    (63, 64),
    (64, 64),
    (131, 256),
    (256, 256),
];

/// A block, and where its first element stands in the source.
#[derive(Clone, Copy, Debug)]
struct Case {
    start: usize,
    row_stride: usize,
    rows: usize,
    columns: usize,
    width: usize,
}

/// Transposes a block with the last element of a source at its end.
fn check<T: Bits>(level: Available, case: Case, element: fn(u16) -> T) {
    let Case { start, row_stride, rows, columns, width } = case;
    let end = start + (rows - 1) * row_stride + columns;
    let src: Vec<T> = (1..=u16::MAX).cycle().take(end).map(element).collect();
    let blank = vec![element(0); columns * width];
    let mut expected = blank.clone();
    for row in 0..rows {
        for column in 0..columns {
            expected[column * width + row] = src[start + row * row_stride + column];
        }
    }
    for ahead in [0, 64] {
        let mut out = blank.clone();
        transpose(level, &src[start..], row_stride, rows, columns, &mut out, width, ahead);
        assert!(out == expected, "{level:?}, {} bytes, {ahead:?}: {case:?}", size_of::<T>());
    }
}

fn check_all<T: Bits>(element: fn(u16) -> T) {
    for level in Level::available() {
        let level = level.check().expect("available");
        for (rows, width) in ROWS {
            for columns in 1..=70 {
                for gap in [0, 1, 3, 40] {
                    let row_stride = columns + gap;
                    let start = gap % 2 * 7;
                    check(level, Case { start, row_stride, rows, columns, width }, element);
                }
                // Rows may overlap, as windows do, or be the same.
                check(level, Case { start: 0, row_stride: 1, rows, columns, width }, element);
                check(level, Case { start: 5, row_stride: 0, rows, columns, width }, element);
            }
        }
    }
}

#[test]
fn every_block_of_every_size_is_transposed() {
    check_all(|i| i.to_le_bytes()[0] ^ i.to_le_bytes()[1]);
    check_all(f16::from_bits);
    check_all(f32::from);
    check_all(f64::from);
}

/// What a level makes of rows.
struct Turned<'a, T> {
    from: &'a [T; TURNED],
    to: &'a mut [T; TURNED],
}

impl<T: Bits> Work for Turned<'_, T> {
    fn run<C: Code>(self, code: C) {
        code.turn(self.from, self.to);
    }
}

fn check_turn<T: Bits>(element: fn(u16) -> T) {
    let mut numbers = (1..).map(element);
    let mut row = || std::array::from_fn(|_| numbers.next().expect("a number"));
    let rows: [[T; TURNED_COLUMNS]; TURNED_ROWS] = std::array::from_fn(|_| row());
    for level in Level::available() {
        let mut out = [element(0); TURNED];
        let from = rows.as_flattened().try_into().expect("all elements");
        level.check().expect("available").run(Turned { from, to: &mut out });
        for (column, found) in out.as_chunks::<TURNED_ROWS>().0.iter().enumerate() {
            assert_eq!(found, &rows.map(|row| row[column]), "{level:?}, {} bytes", size_of::<T>());
        }
    }
}

#[test]
fn a_block_of_known_size_is_turned() {
    check_turn(f16::from_bits);
    check_turn(f32::from);
    check_turn(f64::from);
}

#[test]
fn no_piece_reaches_beyond_the_source() {
    for (rows, columns, row_stride) in (1..40)
        .flat_map(|rows| (1..40).map(move |columns| (rows, columns)))
        .flat_map(|(rows, columns)| (0..50).map(move |row_stride| (rows, columns, row_stride)))
    {
        for spare in 0..20 {
            let len = (rows - 1) * row_stride + columns + spare;
            let (src, mut out) = (vec![0u8; len], vec![0; rows * columns]);
            let block = Rectangle::new(&src, row_stride, rows, columns, &mut out, rows);
            let shared = rows_per_piece(&block);
            let fits = |rows: usize| {
                let last = rows.checked_sub(shared).map(|row| row * row_stride);
                last.is_some_and(|last| last + columns.next_multiple_of(PIECE) <= len)
            };
            assert!(shared * columns <= PIECE || shared == 1);
            let found = rows_in_pieces(&block, shared);
            assert!(if found == 0 { !fits(shared) } else { fits(found) });
            assert!(found == rows || !fits(found + 1) || found == 0);
        }
    }
}

#[test]
fn blocks_without_elements_are_left_alone() {
    for level in Level::available() {
        let level = level.check().expect("available");
        transpose(level, &[0u8; 0], 1, 0, 5, &mut [], 64, 0);
        transpose(level, &[0u8; 0], 1, 5, 0, &mut [], 64, 0);
    }
}

#[test]
fn blocks_that_do_not_lie_in_their_slices_are_refused() {
    for level in Level::available() {
        let level = level.check().expect("available");
        let refused = |row_stride, rows, columns, width| {
            std::panic::catch_unwind(|| {
                let (src, mut out) = ([0u8; 1000], [0; 1000]);
                transpose(level, &src[1..], row_stride, rows, columns, &mut out, width, 0);
            })
            .is_err()
        };
        assert!(!refused(9, 111, 9, 111));
        assert!(refused(9, 112, 9, 112), "the source is too short");
        assert!(refused(3, 64, 3, 469), "the output is too short");
        assert!(refused(3, 64, 3, 63), "columns overlap");
        assert!(refused(usize::MAX / 2, 4, 2, 4), "strides overflow");
        assert!(refused(1, 4, 3, usize::MAX / 2), "widths overflow");
    }
}
