//! Layouts where neighbours in memory, or rows of few elements, belong to
//! different results.

use super::{Case, Recipe, whole};

/// Rows of many results each.
pub(super) fn columns() -> Vec<Case> {
    let of = Recipe::of;
    // A part of a group of lanes, whole groups, several panels; rows lie apart.
    let sizes = [(5, 16), (65, 33), (133, 64), (72, 100), (9, 257), (229, 43)];
    let apart = sizes.map(|(n, w)| Case::new(of(&[n, w + 9]).slice(1, 4..w + 4, 1), &[0]));
    // The buffer ends with the last row, and the last group beyond it.
    let wide = [(65, 520), (5, 1030), (66, 1100), (65, 2100), (2, 4200), (2, 8300), (131, 513)];
    let wide = wide.map(|(n, w)| whole(&[n, w], &[0]));
    let turned = [
        Case::new(of(&[69, 90]).slice(1, 0..90, -1), &[0]),
        Case::new(of(&[69, 90]).slice(0, 0..69, -1), &[0]),
        Case::new(of(&[69, 90]).slice(0, 0..69, -1).slice(1, 5..90, -1), &[0]),
        Case::new(of(&[50, 70]).slice(0, 10..50, 1).slice(1, 30..70, 1), &[0]),
        Case::new(of(&[70, 600]).permute(&[1, 0]), &[1]),
        Case::new(of(&[80, 70]).slice(0, 0..79, 2), &[0]),
        Case::new(of(&[80, 600]).slice(0, 0..79, -3), &[0]),
    ];
    let pieces = [
        whole(&[4, 69, 50], &[1]),
        whole(&[5, 3, 37, 70], &[0, 2]),
        whole(&[3, 4, 20, 2, 40], &[0, 2]),
        whole(&[9, 2, 5, 600], &[0, 2]),
        Case::new(of(&[5, 3, 37, 70]).slice(0, 0..5, -1).slice(2, 1..36, -2), &[0, 2]),
        Case::new(of(&[6, 72, 70]).permute(&[2, 1, 0]), &[1]),
        Case::new(of(&[3, 40, 4, 50]).permute(&[3, 0, 1, 2]), &[2]),
        Case::new(of(&[3, 40, 4, 50]).permute(&[2, 3, 0, 1]).slice(0, 0..4, -1), &[3]),
        Case::new(of(&[2, 3, 40, 66]).permute(&[1, 0, 3, 2]).slice(2, 0..66, -1), &[3]),
    ];
    let repeated = [
        Case::new(of(&[1, 40, 70]).broadcast(&[3, 40, 70]), &[1]),
        Case::new(of(&[1, 70]).broadcast(&[40, 70]), &[0]),
        Case::new(of(&[1, 50, 70]).broadcast(&[4, 50, 70]), &[0, 1]),
        Case::new(of(&[70, 1]).broadcast(&[70, 40]), &[1]),
    ];
    [apart.as_slice(), &wide, &turned, &pieces, &repeated].concat()
}

/// Rows of few results each, one after another.
pub(super) fn narrow_columns() -> Vec<Case> {
    let of = Recipe::of;
    let widths = [
        2, 3, 4, 5, 7, 9, 12, 16, 17, 23, 31, 32, 33, 40, 48, 56, 57, 63, 64, 65, 72, 90, 100, 127,
        128, 129, 130, 150, 200, 255, 256, 300,
    ];
    let of_each_width = widths.map(|width| whole(&[(6000 / width + 91) | 1, width], &[0]));
    // Seven columns of 64 lanes are eight side by side: whole rows of them, the
    // partial one in a block of its own, more blocks, and too few rows.
    let rows = [8 * 65, 8 * 64 + 3, 8 * 64 * 5 + 3, 8 * 64 * 3, 64, 63, 32, 31];
    let of_each_length = rows.map(|rows| whole(&[rows, 7], &[0]));
    // The first ten have the fewest rows that are folded side by side in 64 or in 32 lanes, or one
    // row fewer. In the last four, a row fills three quarters of its lanes, or it does not.
    let least = [
        (23, 20),
        (24, 20),
        (95, 5),
        (96, 5),
        (47, 5),
        (48, 5),
        (55, 27),
        (56, 27),
        (55, 33),
        (56, 33),
        (200, 48),
        (200, 47),
        (200, 23),
        (200, 95),
    ]
    .map(|(rows, width)| whole(&[rows, width], &[0]));
    let turned = [
        whole(&[3, 300, 7], &[1]),
        whole(&[2, 1100, 12], &[1]),
        whole(&[9, 5, 64, 16], &[0, 2]),
        whole(&[50, 3, 30, 10], &[0, 2]),
        whole(&[40, 2, 63, 5], &[0, 2]),
        Case::new(of(&[9, 5, 64, 16]).slice(0, 0..9, -2), &[0, 2]),
        Case::new(of(&[3, 300, 7]).permute(&[2, 1, 0]), &[1]),
        Case::new(of(&[500, 6]).slice(1, 0..6, -1), &[0]),
        Case::new(of(&[500, 6]).slice(0, 0..500, -1), &[0]),
        Case::new(of(&[500, 6]).permute(&[1, 0]), &[1]),
        Case::new(of(&[900, 7]).slice(0, 123..900, 1), &[0]),
        Case::new(of(&[700, 20]).slice(1, 0..20, -1).permute(&[1, 0]), &[1]),
    ];
    [of_each_width.as_slice(), &of_each_length, &least, &turned].concat()
}

/// Rows that hold a run of each result, one behind the other.
pub(super) fn runs_side_by_side() -> Vec<Case> {
    let of = Recipe::of;
    let each_run = [2, 3, 7, 16, 17, 33, 64, 100, 130, 200]
        .map(|run| whole(&[48, 256usize.div_ceil(run), run], &[0, 2]));
    // As few rows as are enough for short runs and for others, and one fewer; a second block of rows.
    let each_length = [15, 16, 47, 48, 65, 130].map(|rows| whole(&[rows, 16, 31], &[0, 2]));
    // Around the bounds: of results and of a run that are short; of a run that has strands.
    let bounds = [
        (15, 16, 128),
        (15, 16, 129),
        (3, 7, 31),
        (4, 7, 31),
        (4, 7, 63),
        (4, 7, 64),
        (15, 7, 64),
        (16, 7, 64),
        (16, 3, 512),
        (16, 3, 513),
        (16, 3, 1024),
        (16, 3, 1025),
        (12, 8, 9),
        (12, 7, 9),
    ];
    let small = bounds.map(|(rows, results, run)| whole(&[rows, results, run], &[0, 2]));
    let others = [
        whole(&[48, 34, 500], &[0, 2]),
        whole(&[3, 60, 5, 60], &[1, 3]),
        whole(&[3, 2, 50, 40, 7], &[0, 2, 4]),
        whole(&[6001, 2, 5], &[0, 2]),
        whole(&[2000, 5, 2], &[0, 2]),
        whole(&[1600, 3, 9], &[0, 2]),
        whole(&[2, 700, 3, 7], &[1, 3]),
        whole(&[60, 30, 3, 3], &[0, 2, 3]),
        Case::new(of(&[50, 41, 8]).slice(0, 0..50, -1), &[0, 2]),
        Case::new(of(&[50, 41, 8]).slice(2, 0..8, -1), &[0, 2]),
        Case::new(of(&[50, 41, 8]).slice(1, 0..41, -1), &[0, 2]),
        Case::new(of(&[50, 41, 8]).slice(1, 3..40, 1), &[0, 2]),
        Case::new(of(&[50, 41, 8]).slice(2, 0..7, 1), &[0, 2]),
        Case::new(of(&[40, 50, 8]).permute(&[1, 0, 2]), &[0, 2]),
        Case::new(of(&[50, 1, 8]).broadcast(&[50, 40, 8]), &[0, 2]),
    ];
    [each_run.as_slice(), &each_length, &small, &others].concat()
}

/// Rows of few elements each.
pub(super) fn short_rows() -> Vec<Case> {
    let of = Recipe::of;
    let sizes = [
        2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 100, 127, 128, 129, 200,
        256, 300, 513,
    ];
    let of_each_size = sizes.map(|size| whole(&[70, size], &[1]));
    // Several panels; rows that are short only for a selection.
    let many =
        [(1100, 3), (2100, 2), (4200, 3), (8300, 2), (1030, 35), (64, 33), (20, 300), (66, 1000)];
    let many = many.map(|(rows, size)| whole(&[rows, size], &[1]));
    // These sizes lie around the bounds within which rows are short, in elements and in results.
    let bounds = [
        (63, 40),
        (64, 40),
        (31, 20),
        (32, 20),
        (8, 100),
        (7, 100),
        (64, 56),
        (64, 57),
        (32, 28),
        (32, 29),
    ];
    let bounds = bounds.map(|(rows, size)| whole(&[rows, size], &[1]));
    let pieces = [
        whole(&[20, 70, 6], &[0, 2]),
        whole(&[4, 66, 3, 9], &[0, 3]),
        whole(&[3, 70, 40], &[0, 2]),
        whole(&[3, 66, 2, 5, 7], &[0, 2, 4]),
        Case::new(of(&[3, 70, 40]).slice(0, 0..3, -1).slice(2, 2..39, -1), &[0, 2]),
    ];
    let turned = [
        Case::new(of(&[70, 20]).slice(1, 3..12, 1), &[1]),
        Case::new(of(&[70, 50]).slice(1, 9..50, 1).slice(0, 3..70, 1), &[1]),
        Case::new(of(&[140, 9]).slice(0, 0..139, 2), &[1]),
        Case::new(of(&[90, 7]).slice(0, 0..90, -1), &[1]),
        Case::new(of(&[90, 37]).slice(1, 0..37, -1), &[1]),
        Case::new(of(&[6, 90]).permute(&[1, 0]).slice(0, 0..90, -1), &[1]),
        Case::new(of(&[20, 30, 6]).permute(&[1, 0, 2]), &[2]),
        Case::new(of(&[5, 6, 70, 6]).permute(&[2, 0, 3, 1]).slice(1, 0..5, -1), &[2]),
        Case::new(of(&[1, 70, 6]).broadcast(&[3, 70, 6]), &[2]),
    ];
    let windows = [(100, 5, 1), (80, 40, 1), (70, 6, 3), (70, 34, 2)].map(|(n, size, step)| {
        Case::new(of(&[(n - 1) * step + size]).windows(&[n, size], &[step, 1]), &[1])
    });
    [of_each_size.as_slice(), &many, &bounds, &pieces, &turned, &windows].concat()
}

/// Neither the elements nor the results are neighbours.
pub(super) fn apart() -> Vec<Case> {
    let of = Recipe::of;
    let every_second = [16, 33, 64, 70, 130, 1100]
        .map(|w| Case::new(of(&[72, 2 * w]).slice(1, 0..2 * w, 2), &[0]));
    let others = [
        whole(&[40, 20, 8], &[1]),
        whole(&[7, 20, 8], &[1]),
        whole(&[40, 20, 4], &[1]),
        whole(&[1000, 4, 3], &[1]),
        whole(&[300, 5, 2], &[1]),
        whole(&[100, 72, 3], &[1]),
        whole(&[7, 100, 6, 3], &[0, 2]),
        Case::new(of(&[70, 66, 3]).slice(0, 0..70, -1), &[1]),
        Case::new(of(&[140, 1]).slice(0, 0..140, 2).broadcast(&[70, 40]), &[1]),
        Case::new(of(&[70, 60]).slice(1, 0..60, 3), &[1]),
        Case::new(of(&[70, 120]).slice(1, 1..120, -3), &[1]),
        Case::new(of(&[40, 140]).slice(1, 0..140, -2), &[0]),
        Case::new(of(&[40, 140]).slice(1, 1..140, 2).slice(0, 0..40, -1), &[0]),
        Case::new(of(&[3, 4, 15, 180]).slice(3, 0..180, 2), &[0, 2]),
        Case::new(of(&[3, 4, 15, 180]).slice(3, 0..180, 2).slice(2, 0..15, -2), &[0, 2]),
        Case::new(of(&[5, 40, 6, 50]).slice(3, 3..50, 2).permute(&[3, 2, 1, 0]), &[2]),
        Case::new(of(&[66, 5, 4, 3]).permute(&[3, 0, 2, 1]), &[3]),
    ];
    [every_second.as_slice(), &others].concat()
}
