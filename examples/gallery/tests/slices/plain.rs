//! What results should be: plain loops over the elements of each.

use super::samples::Sample;

/// The `k` largest or smallest elements of a list and their positions, by sorting all of it.
pub(crate) fn sorted<T: Sample>(
    list: &[(usize, T)],
    k: usize,
    largest: bool,
) -> (Vec<Option<T>>, Vec<i64>) {
    let mut list = list.to_vec();
    // It is stable: of equal elements the first stays the first.
    list.sort_by(|(_, a), (_, b)| if largest { b.compare(a) } else { a.compare(b) });
    let values = list.iter().map(|(_, value)| Some(*value));
    let places = list.iter().map(|(place, _)| i64::try_from(*place).expect("small"));
    let (none, nowhere) = (std::iter::repeat(None), std::iter::repeat(-1));
    (values.chain(none).take(k).collect(), places.chain(nowhere).take(k).collect())
}

/// The weights in each of equal bins, one element after another. The width of all bins is a power of two, and their number is
/// small, so that no number here is rounded.
pub(crate) fn binned(list: &[(f64, f64)], bins: usize, [low, high]: [f64; 2]) -> Vec<f64> {
    let mut sums = vec![0.0; bins];
    let per_bin = f64::from(u32::try_from(bins).expect("few")) / (high - low);
    for &(x, weight) in list.iter().filter(|(x, _)| (low..=high).contains(x)) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small number"
        )]
        let bin = ((x - low) * per_bin) as usize;
        sums[bin.min(bins - 1)] += weight;
    }
    sums
}
