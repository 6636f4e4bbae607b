//! Histograms whose number of bins is known when the program runs.

use reduce_core::bounds::{Indices, ReduceSlice};
use reduce_core::{Real, reduce_op};

use crate::grid::{Grid, refused};

/// The bins of so many elements are computed at a time.
const SIDE_BY_SIDE: usize = 64;

/// Counts the elements in each of `bins` bins of equal width, from `low` to `high`.
///
/// Bins and limits are those of [`Histogram`](crate::Histogram), which is for a number of bins that is known when the program is
/// compiled. Integers are computed in `f64`; those of 64 bits are rounded to it.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Bins;
///
/// let ages = View::new(&[3u8, 17, 30, 42, 99], &[5])?;
/// let counts = Reduction::new(Bins { bins: 10, low: 0.0, high: 100.0 }).arrays(&ages)?;
/// assert_eq!(counts.data(), [1u64, 1, 0, 1, 1, 0, 0, 0, 0, 1]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bins {
    /// The number of bins.
    pub bins: i64,
    /// The lower edge of the first bin.
    pub low: f64,
    /// The upper edge of the last bin.
    pub high: f64,
}

impl Default for Bins {
    fn default() -> Self {
        Bins { bins: 10, low: 0.0, high: 1.0 }
    }
}

/// Counts the elements in each of equal bins.
#[reduce_op(
    name = "Histogram",
    dtypes = [
        f16 => f32, bf16 => f32, f32, f64,
        i8 => f64, i16 => f64, i32 => f64, i64 => f64, u8 => f64, u16 => f64, u32 => f64, u64 => f64,
    ],
    attrs = [
        axes: ints = all, keepdims: bool = true,
        bins: int = 10 in 1.., low: float = 0.0, high: float = 1.0,
    ],
    length = bins,
    nan = ignore,
    output = u64,
)]
impl<A: Real> ReduceSlice<A> for Bins {
    type Cell = u64;
    type Output = u64;

    fn identity(&self, _index: usize) -> u64 {
        0
    }

    /// One cell more, for the elements that lie in no bin.
    fn cells(&self, length: usize) -> usize {
        length.saturating_add(1)
    }

    /// The bins of some elements are computed side by side, and then counted one after another.
    fn push(&self, counts: &mut [u64], elements: &[A], _indices: Indices<'_>) {
        let bins = counts.len() - 1;
        let grid = Grid::new([self.low, self.high], bins);
        let mut places = [0; SIDE_BY_SIDE];
        for some in elements.chunks(SIDE_BY_SIDE) {
            for (place, &x) in places.iter_mut().zip(some) {
                let (bin, inside) = grid.bin(x, bins);
                *place = if inside { bin } else { bins };
            }
            for &place in &places[..some.len()] {
                counts[place] += 1;
            }
        }
    }

    fn combine(&self, counts: &mut [u64], later: &[u64]) {
        for (count, more) in counts.iter_mut().zip(later) {
            *count += more;
        }
    }

    fn finalize(&self, counts: &[u64], index: usize, _count: usize) -> u64 {
        counts[index]
    }

    fn refuses(&self) -> Option<String> {
        refused([self.low, self.high])
    }
}

/// Adds up the weights of the elements in each of `bins` bins of equal width, from `low` to `high`.
///
/// The first input has the elements, the second one their weights. Bins and limits are those of [`Bins`], but all is computed
/// in `f64`, and so are the sums. The weight of an element that lies in no bin counts nowhere; one that is NaN or infinite makes
/// the sum of its bin so. Of a weight of a type that is no float, 64-bit integers are rounded to `f64`.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedBins;
///
/// let hours = View::new(&[0.5f32, 1.5, 1.9, 3.0], &[4])?;
/// let paid = View::new(&[10.0f32, 4.0, 2.0, 7.0], &[4])?;
/// let by_hour = Reduction::new(WeightedBins { bins: 4, low: 0.0, high: 4.0 });
/// assert_eq!(by_hour.arrays(&(hours, paid))?.data(), [10.0f64, 6.0, 0.0, 7.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WeightedBins {
    /// The number of bins.
    pub bins: i64,
    /// The lower edge of the first bin.
    pub low: f64,
    /// The upper edge of the last bin.
    pub high: f64,
}

impl Default for WeightedBins {
    fn default() -> Self {
        WeightedBins { bins: 10, low: 0.0, high: 1.0 }
    }
}

/// Adds up the weights of the elements in each of equal bins. The second input has the weights.
#[reduce_op(
    name = "WeightedHistogram",
    dtypes = [
        f16 => f64, bf16 => f64, f32 => f64, f64,
        i8 => f64, i16 => f64, i32 => f64, i64 => f64, u8 => f64, u16 => f64, u32 => f64, u64 => f64,
        (f32, f64) => f64, (i32, f64) => f64, (i64, f64) => f64,
    ],
    attrs = [
        axes: ints = all, keepdims: bool = true,
        bins: int = 10 in 1.., low: float = 0.0, high: float = 1.0,
    ],
    length = bins,
    nan = unspecified,
    output = f64,
)]
impl<A: Real> ReduceSlice<(A, A)> for WeightedBins {
    type Cell = A;
    type Output = A;

    fn identity(&self, _index: usize) -> A {
        A::ZERO
    }

    fn push(&self, sums: &mut [A], elements: &[(A, A)], _indices: Indices<'_>) {
        let bins = sums.len();
        let grid = Grid::new([self.low, self.high], bins);
        for &(x, weight) in elements {
            let (bin, inside) = grid.bin(x, bins);
            sums[bin] = sums[bin] + if inside { weight } else { A::ZERO };
        }
    }

    fn combine(&self, sums: &mut [A], later: &[A]) {
        for (sum, &more) in sums.iter_mut().zip(later) {
            *sum = *sum + more;
        }
    }

    fn finalize(&self, sums: &[A], index: usize, _count: usize) -> A {
        sums[index]
    }

    fn refuses(&self) -> Option<String> {
        refused([self.low, self.high])
    }
}
