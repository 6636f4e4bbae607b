//! The machine's own limit: how fast memory of a size can be read at all.
//!
//! A plain loop adds the elements that it reads, and uses no kernel of this project.
//! The limit must not have the faults of the kernels that are held against it.

use std::hint::black_box;

use multiversion::multiversion;

use super::data::buffer;
use super::measure::{Effort, Samples, measure};
use super::rows::{Row, speed};
use super::workers::Workers;
use crate::error::Error;

/// Sizes in each cache and in memory, in bytes.
pub(crate) const SIZES: [usize; 6] = [16_384, 131_072, 400_000, 4_000_000, 40_000_000, 400_000_000];

/// Below this, calling takes longer than reading.
pub(crate) const LEAST: usize = 1000;

/// Adds all elements. Which shape of the loop is the fastest depends on the CPU
/// and on where the memory is: all are tried.
type Kernel = fn(&[f32]) -> f32;

/// Compiles each loop for every level. When a loop is called, the best level that the
/// CPU has is chosen.
macro_rules! kernels {
    ($($name:ident: $body:path;)*) => {
        const KERNELS: &[Kernel] = &[$($name),*];

        $(
            #[multiversion(targets(
                "x86_64+avx2+fma+avx512f+avx512bw+avx512dq+avx512vl",
                "x86_64+avx2+fma"
            ))]
            fn $name(data: &[f32]) -> f32 {
                $body(data)
            }
        )*
    };
}

kernels! {
    narrow: stream::<64>;
    wide: stream::<128>;
    widest: stream::<256>;
    fourfold: four_streams::<32>;
}

/// Four places at once, for a CPU whose prefetcher follows each.
#[inline(always)]
fn four_streams<const LANES: usize>(data: &[f32]) -> f32 {
    let quarter = data.len() / (4 * LANES) * LANES;
    let (a, rest) = data.split_at(quarter);
    let (b, rest) = rest.split_at(quarter);
    let (c, rest) = rest.split_at(quarter);
    let (d, rest) = rest.split_at(quarter);
    let [a, b, c, d] = [a, b, c, d].map(|part| part.as_chunks::<LANES>().0);
    let mut sums = [[0.0; LANES]; 4];
    let [w, x, y, z] = &mut sums;
    for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
        add(w, a);
        add(x, b);
        add(y, c);
        add(z, d);
    }
    sums.iter().flatten().sum::<f32>() + rest.iter().sum::<f32>()
}

#[inline(always)]
fn stream<const LANES: usize>(data: &[f32]) -> f32 {
    let (blocks, rest) = data.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for block in blocks {
        add(&mut sums, block);
    }
    sums.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

#[inline(always)]
fn add<const LANES: usize>(sums: &mut [f32; LANES], block: &[f32; LANES]) {
    for i in 0..LANES {
        sums[i] += block[i];
    }
}

/// A size and its limit, as a row.
pub(crate) fn row(bytes: usize, effort: Effort, workers: &Workers) -> Result<Row, Error> {
    let samples = fastest(bytes, effort, workers)?;
    Ok(Row {
        library: "roofline".to_owned(),
        threads: workers.count(),
        op: "Roofline",
        dtype: "f32",
        case: format!("bytes_{bytes}"),
        bytes,
        samples,
    })
}

/// The samples of the kernel with the best median.
fn fastest(bytes: usize, effort: Effort, workers: &Workers) -> Result<Samples, Error> {
    /// A cache line, in elements: no load may straddle two.
    const LINE: usize = 16;
    let count = bytes / size_of::<f32>();
    let mut data: Vec<f32> = buffer(count.saturating_add(LINE))?;
    data.resize(count + LINE, 1e-3);
    let start = data.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE);
    let data = &data[start..start + count];
    let parts: Vec<&[f32]> = data.chunks(count.div_ceil(workers.count()).max(1)).collect();
    let effort = Effort {
        secs: effort.secs / KERNELS.len() as f64,
        // Waking the threads must not count.
        sample: if workers.count() > 1 { 1e-3 } else { effort.sample },
    };
    let of = |kernel: &Kernel| {
        measure(effort, &mut |number| {
            workers.each(|thread| {
                let part = parts.get(thread).copied().unwrap_or_default();
                for _ in 0..number {
                    black_box(kernel(black_box(part)));
                }
            });
        })
    };
    let best = KERNELS.iter().map(of).min_by(|a, b| a.median.total_cmp(&b.median));
    best.ok_or_else(|| Error::new("no kernel measures the roofline; add one"))
}

/// The limits that were measured, by size.
#[derive(Debug, Default)]
pub(crate) struct Roofs(Vec<(usize, f64)>);

impl Roofs {
    pub(crate) fn new<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let roofs = rows.into_iter().filter(|row| row.library == "roofline");
        Roofs(roofs.map(|row| (row.bytes, speed(row.bytes, row.samples.median))).collect())
    }

    /// The limit of the size nearest to this one, in gigabytes per second; none
    /// for a size too small to have one.
    pub(crate) fn at(&self, bytes: usize) -> Option<f64> {
        let distance = |size: usize| (size as f64 / bytes as f64).ln().abs();
        let nearest = self.0.iter().min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b)));
        nearest.filter(|_| bytes >= LEAST).map(|(_, speed)| *speed)
    }
}

#[cfg(test)]
mod tests {
    use super::{KERNELS, Roofs, row};
    use crate::bench::measure::Effort;
    use crate::bench::workers::Workers;

    #[test]
    fn every_kernel_reads_everything() {
        for length in (0..300u16).chain([1023, 1024, 1025, 4096]) {
            let data = vec![1.0; usize::from(length)];
            for kernel in KERNELS {
                assert_eq!(kernel(&data), f32::from(length));
            }
        }
    }

    #[test]
    fn the_nearest_size_counts() {
        let workers = Workers::new(2).expect("two threads");
        let rows = [4096, 65_536].map(|bytes| row(bytes, Effort::new(1e-4), &workers));
        let rows: Vec<_> = rows.into_iter().map(|row| row.expect("memory")).collect();
        assert_eq!((rows[0].threads, rows[0].case.as_str()), (2, "bytes_4096"));
        let roofs = Roofs::new(&rows);
        assert_eq!(roofs.at(1000), Some(rows[0].speed()));
        assert_eq!(roofs.at(1 << 30), Some(rows[1].speed()));
        assert_eq!(roofs.at(999), None);
        assert_eq!(Roofs::default().at(4096), None);
    }
}
