//! Layouts where each result is reduced by itself, or there is nothing to reduce.

use super::{Case, Recipe, whole};

/// Long contiguous runs.
pub(super) fn runs() -> Vec<Case> {
    let of = Recipe::of;
    // Around one step, one block, several blocks; of 64 lanes and of 256.
    let lengths = [17, 63, 64, 65, 100, 300, 4095, 4096, 4097, 5 * 4096 + 77, 70_077];
    let lists = lengths.map(|length| whole(&[length], &[0]));
    let others = [
        whole(&[3, 2100], &[1]),
        whole(&[2, 5 * 4096], &[1]),
        Case::new(of(&[10, 400]).slice(1, 50..350, 1), &[0, 1]),
        Case::new(of(&[7, 3, 700]).slice(2, 3..600, 1), &[0, 2]),
        Case::new(of(&[3, 2, 5000]).slice(2, 0..4097, 1), &[0, 2]),
        whole(&[5, 3, 4200], &[0, 2]),
        whole(&[6, 2, 4096], &[0, 2]),
        // Runs of several results between one another: some, more than are reduced
        // together, and with results around them.
        whole(&[3, 21, 300], &[0, 2]),
        whole(&[2, 19, 1100], &[0, 2]),
        whole(&[2, 3, 17, 290], &[1, 3]),
        Case::new(of(&[3, 18, 280]).slice(1, 0..18, -1), &[0, 2]),
        Case::new(of(&[2, 3, 5, 1030]).permute(&[2, 1, 0, 3]), &[1, 3]),
        Case::new(of(&[3, 4, 300]).slice(0, 0..3, -1).slice(2, 1..290, -1), &[0, 2]),
        Case::new(of(&[1, 300]).broadcast(&[9, 300]), &[0, 1]),
        Case::new(of(&[3000]).slice(0, 0..3000, -1), &[0]),
        Case::new(of(&[3, 1500]).slice(0, 0..3, -1), &[1]),
        Case::new(of(&[3, 2, 1500]).permute(&[1, 0, 2]), &[2]),
        Case::new(of(&[2, 3, 4, 600]).permute(&[3, 2, 0, 1]).slice(3, 0..3, -1), &[0, 2]),
        Case::new(of(&[4, 5, 600]).permute(&[2, 0, 1]), &[0, 1]),
        whole(&[2, 30, 40], &[0, 1, 2]),
    ];
    [lists.as_slice(), &others].concat()
}

/// Elements that lie apart.
pub(super) fn gathered() -> Vec<Case> {
    let of = Recipe::of;
    vec![
        Case::new(of(&[2000]).slice(0, 0..2000, 2), &[0]),
        Case::new(of(&[14_000]).slice(0, 0..14_000, 2), &[0]),
        Case::new(of(&[60_000]).slice(0, 0..60_000, -3), &[0]),
        Case::new(of(&[1]).broadcast(&[3000]), &[0]),
        Case::new(of(&[3, 1]).broadcast(&[3, 300]), &[1]),
        Case::new(of(&[1000, 10]).slice(1, 2..5, 1), &[0, 1]),
        Case::new(of(&[1000, 10]).slice(1, 2..5, -1).slice(0, 1..1000, -1), &[0, 1]),
        Case::new(of(&[40, 30, 20]).slice(2, 0..20, 7), &[0, 1, 2]),
        Case::new(of(&[3, 1000]).slice(1, 0..1000, 2), &[1]),
        Case::new(of(&[2, 3, 50, 20]).slice(2, 0..50, 3).slice(3, 0..11, 1), &[2, 3]),
        Case::new(of(&[3, 2, 900]).slice(2, 0..900, -2).permute(&[1, 0, 2]), &[2]),
        Case::new(of(&[900, 2, 3]).slice(2, 0..3, -2), &[0]),
        whole(&[3000, 2], &[0]),
        Case::new(of(&[500, 9]).slice(1, 0..9, 4), &[0]),
        Case::new(of(&[70, 3, 5]).permute(&[2, 0, 1]), &[0, 1]),
    ]
}

/// Few elements per result.
pub(super) fn few() -> Vec<Case> {
    let of = Recipe::of;
    let rows = (2..=16).map(|size| whole(&[3, size], &[1]));
    let columns = (2..=16).map(|size| whole(&[size, 3], &[0]));
    let others = [
        whole(&[2], &[0]),
        whole(&[16], &[0]),
        whole(&[2, 3, 2, 2], &[1, 3]),
        Case::new(of(&[1]).broadcast(&[9]), &[0]),
        Case::new(of(&[27]).slice(0, 0..27, 3), &[0]),
        Case::new(of(&[2, 3, 8]).slice(2, 0..8, -3), &[0, 2]),
        Case::new(of(&[3, 2, 4]).permute(&[1, 0, 2]), &[2]),
        Case::new(of(&[3, 1, 4]).broadcast(&[3, 5, 4]), &[2]),
        Case::new(of(&[3, 2, 4]).slice(0, 0..3, -1).slice(2, 0..4, -1), &[1]),
    ];
    rows.chain(columns).chain(others).collect()
}

/// One element per result.
pub(super) fn elements() -> Vec<Case> {
    let of = Recipe::of;
    vec![
        whole(&[], &[]),
        whole(&[5, 7], &[]),
        whole(&[3000], &[]),
        whole(&[5, 1, 7], &[1]),
        whole(&[1], &[0]),
        whole(&[1, 1, 1], &[0, 2]),
        Case::new(of(&[5, 1, 70]).permute(&[2, 1, 0]), &[1]),
        Case::new(of(&[50, 1, 7]).slice(0, 0..50, -3).slice(2, 1..7, 1), &[1]),
        Case::new(of(&[1, 7, 1]).broadcast(&[4, 7, 1]), &[2]),
        Case::new(of(&[4, 3, 2, 1]).permute(&[2, 0, 3, 1]).slice(1, 0..4, -1), &[2]),
    ]
}

/// No element, or no result.
pub(super) fn empty() -> Vec<Case> {
    let of = Recipe::of;
    vec![
        whole(&[0], &[0]),
        whole(&[0, 5], &[0]),
        whole(&[0, 5], &[1]),
        whole(&[3, 0, 4], &[1]),
        whole(&[3, 0, 4], &[0]),
        whole(&[300, 0, 70], &[2]),
        Case::new(of(&[50, 8]).slice(0, 2..2, 1), &[0]),
        Case::new(of(&[50, 8]).slice(0, 2..2, 1).permute(&[1, 0]), &[0]),
    ]
}
