//! Each operator against what one would write by hand with iterators, on 100,000 floats.
//!
//! The iterators are compiled for the CPU at hand only if the whole build is. On Intel's servers that
//! makes vectors half as long, ours too, so the loops are to be taken from the second build, and ours
//! from the first (`docs/performance.md`):
//!
//! ```text
//! cargo bench -p reduce-gallery
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p reduce-gallery
//! ```
//!
//! For each operator `reduce` is ours. `iterator` is the shortest loop; `unrolled` keeps 16
//! sums of each kind in an array, which is what the compiler needs to use vectors at all.

#![allow(clippy::cast_precision_loss, clippy::wildcard_imports, reason = "timings")]

use divan::Bencher;
use divan::counter::BytesCount;
use reduce_core::{Input, OnePass, Reduction, Threads, View, Written};
use reduce_gallery::{
    Cosine, CrossEntropy, Dot, Histogram, MeanVariance, PolynomialHash, Shape, SquaredError,
    Summary, TopK, WeightedMean,
};

const COUNT: usize = 100_000;
/// Sums that are kept side by side.
const LANES: usize = 16;

fn main() {
    divan::main();
}

fn numbers(factor: usize) -> Vec<f32> {
    (0..COUNT).map(|index| (index * factor % 1009) as f32 / 1009.0 + 0.1).collect()
}

fn view<T: reduce_core::Element>(data: &[T]) -> View<'_, T> {
    View::new(data, &[data.len()]).expect("its shape")
}

/// Times the one result of an operator.
fn ours<Op, I>(bencher: Bencher<'_, '_>, op: Op, input: &I)
where
    I: Input,
    Op: OnePass<I::Stored>,
    <Op::Result as Written>::Tensors: Sized,
{
    let reduction = Reduction::new(op).threads(Threads::One);
    bencher.counter(bytes::<I>()).bench_local(|| reduction.run(input).expect("elements"));
}

fn bytes<I: Input>() -> BytesCount {
    BytesCount::new(COUNT * size_of::<I::Stored>())
}

/// Sums kept in lanes, added up at the end.
fn sums<const N: usize>(lanes: &[[f32; LANES]; N]) -> [f32; N] {
    lanes.map(|lane| lane.iter().sum())
}

mod mean_and_variance {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, MeanVariance, &view(&numbers(7)));
    }

    /// Two passes: the mean, then the squares around it.
    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let (mut lanes, mut squares) = ([[0f32; LANES]], [[0f32; LANES]]);
            for chunk in data.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    lanes[0][lane] += chunk[lane];
                }
            }
            let mean = sums(&lanes)[0] / COUNT as f32;
            for chunk in data.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    squares[0][lane] += (chunk[lane] - mean) * (chunk[lane] - mean);
                }
            }
            (mean, sums(&squares)[0] / COUNT as f32)
        });
    }

    /// Welford's update, as one finds it in textbooks.
    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            data.iter().fold((0f32, 0f32, 0f32), |(count, mean, squares), &x| {
                let count = count + 1.0;
                let next = mean + (x - mean) / count;
                (count, next, squares + (x - mean) * (x - next))
            })
        });
    }
}

mod skewness_and_kurtosis {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, Shape, &view(&numbers(7)));
    }

    /// Two passes in `f64`: the mean, then powers around it.
    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let mut first = [0f64; LANES];
            for chunk in data.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    first[lane] += f64::from(chunk[lane]);
                }
            }
            let mean = first.iter().sum::<f64>() / COUNT as f64;
            let mut powers = [[0f64; LANES]; 3];
            for chunk in data.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    let x = f64::from(chunk[lane]) - mean;
                    powers[0][lane] += x * x;
                    powers[1][lane] += x * x * x;
                    powers[2][lane] += x * x * x * x;
                }
            }
            powers.map(|lanes| lanes.iter().sum::<f64>())
        });
    }
}

mod summary {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, Summary, &view(&numbers(7)));
    }

    /// As one would call it over and over: planned once, into buffers.
    #[divan::bench]
    fn planned(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        let view = view(&data);
        let planned = Reduction::new(Summary).threads(Threads::One).planned(&view).expect("axes");
        let mut all = [[0.0]; 4];
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let [least, greatest, mean, rms] = &mut all;
            planned.run_into(&view, (least, greatest, mean, rms)).expect("elements");
            all
        });
    }

    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let mut least = [f32::INFINITY; LANES];
            let mut greatest = [f32::NEG_INFINITY; LANES];
            let mut lanes = [[0f32; LANES]; 2];
            for chunk in data.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    let x = chunk[lane];
                    least[lane] = if x < least[lane] { x } else { least[lane] };
                    greatest[lane] = if x > greatest[lane] { x } else { greatest[lane] };
                    lanes[0][lane] += x;
                    lanes[1][lane] = x.mul_add(x, lanes[1][lane]);
                }
            }
            let least = least.iter().copied().fold(f32::INFINITY, f32::min);
            let greatest = greatest.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            (least, greatest, sums(&lanes))
        });
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let least = data.iter().copied().fold(f32::INFINITY, f32::min);
            let greatest = data.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = data.iter().sum();
            let squares: f32 = data.iter().map(|x| x * x).sum();
            (least, greatest, sum, squares)
        });
    }
}

mod dot {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, Dot, &(view(&numbers(7)), view(&numbers(11))));
    }

    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        bencher.counter(BytesCount::new(8 * COUNT)).bench_local(|| {
            // 64 of them: with 16 each addition waits for the one before.
            let mut lanes = [0f32; 4 * LANES];
            let (x, y) = (x.as_chunks::<{ 4 * LANES }>().0, y.as_chunks::<{ 4 * LANES }>().0);
            for (x, y) in x.iter().zip(y) {
                for lane in 0..4 * LANES {
                    lanes[lane] += x[lane] * y[lane];
                }
            }
            lanes.iter().sum::<f32>()
        });
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        bencher
            .counter(BytesCount::new(8 * COUNT))
            .bench_local(|| x.iter().zip(&y).map(|(x, y)| x * y).sum::<f32>());
    }
}

mod squared_error {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, SquaredError, &(view(&numbers(7)), view(&numbers(11))));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        bencher
            .counter(BytesCount::new(8 * COUNT))
            .bench_local(|| x.iter().zip(&y).map(|(x, y)| (x - y) * (x - y)).sum::<f32>());
    }
}

mod cosine {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, Cosine::default(), &(view(&numbers(7)), view(&numbers(11))));
    }

    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        bencher.counter(BytesCount::new(8 * COUNT)).bench_local(|| {
            let mut lanes = [[0f32; LANES]; 3];
            for (x, y) in x.as_chunks::<LANES>().0.iter().zip(y.as_chunks::<LANES>().0) {
                for lane in 0..LANES {
                    lanes[0][lane] += x[lane] * y[lane];
                    lanes[1][lane] += x[lane] * x[lane];
                    lanes[2][lane] += y[lane] * y[lane];
                }
            }
            let [xy, xx, yy] = sums(&lanes);
            xy / (xx.sqrt() * yy.sqrt())
        });
    }
}

mod weighted_mean {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        let mask: Vec<bool> = (0..COUNT).map(|index| index % 3 == 0).collect();
        let input = (numbers(7), numbers(11));
        ours(bencher, WeightedMean, &(view(&input.0), view(&input.1), view(&mask)));
    }

    #[divan::bench]
    fn unrolled(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        let mask: Vec<bool> = (0..COUNT).map(|index| index % 3 == 0).collect();
        bencher.counter(BytesCount::new(9 * COUNT)).bench_local(|| {
            let mut lanes = [[0f32; LANES]; 2];
            let pairs = x.as_chunks::<LANES>().0.iter().zip(y.as_chunks::<LANES>().0);
            for ((x, y), mask) in pairs.zip(mask.as_chunks::<LANES>().0) {
                for lane in 0..LANES {
                    lanes[0][lane] += if mask[lane] { x[lane] * y[lane] } else { 0.0 };
                    lanes[1][lane] += if mask[lane] { y[lane] } else { 0.0 };
                }
            }
            let [sum, weights] = sums(&lanes);
            sum / weights
        });
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let (x, y) = (numbers(7), numbers(11));
        let mask: Vec<bool> = (0..COUNT).map(|index| index % 3 == 0).collect();
        bencher.counter(BytesCount::new(9 * COUNT)).bench_local(|| {
            let chosen = x.iter().zip(&y).zip(&mask).filter(|(_, chosen)| **chosen);
            let (sum, weights) =
                chosen.fold((0f32, 0f32), |(sum, weights), ((x, y), _)| (sum + x * y, weights + y));
            sum / weights
        });
    }
}

mod cross_entropy {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        let mask: Vec<bool> = (0..COUNT).map(|index| index == 77).collect();
        ours(bencher, CrossEntropy, &(view(&numbers(7)), view(&mask)));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let x = numbers(7);
        bencher.counter(BytesCount::new(5 * COUNT)).bench_local(|| {
            let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = x.iter().map(|x| (x - max).exp()).sum();
            max + sum.ln() - x[77]
        });
    }
}

mod softmax {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        let (view, mut output) = (view(&data), vec![0f32; COUNT]);
        let softmax = reduce_gallery::softmax().threads(Threads::One);
        bencher
            .counter(BytesCount::of_slice(&data))
            .bench_local(|| softmax.emit_into(&view, &mut output).expect("elements"));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        let mut output = vec![0f32; COUNT];
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let max = data.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0f32;
            for (to, x) in output.iter_mut().zip(&data) {
                *to = (x - max).exp();
                sum += *to;
            }
            for to in &mut output {
                *to /= sum;
            }
        });
    }
}

mod top_8 {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, TopK::<8>, &view(&numbers(7)));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let none = [(f32::NEG_INFINITY, usize::MAX); 8];
            data.iter().enumerate().fold(none, |mut largest, (index, &x)| {
                if x > largest[7].0 {
                    let place = largest.partition_point(|other| other.0 >= x);
                    largest.copy_within(place..7, place + 1);
                    largest[place] = (x, index);
                }
                largest
            })
        });
    }
}

mod histogram_64 {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, Histogram::<64> { low: -1.0, high: 1.0 }, &view(&numbers(7)));
    }

    #[divan::bench]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let mut counts = [0u64; 64];
            for x in data.iter().filter(|x| (-1.0..=1.0).contains(*x)) {
                counts[(((x + 1.0) * 32.0) as usize).min(63)] += 1;
            }
            counts
        });
    }
}

mod polynomial_hash {
    use super::*;

    fn text() -> Vec<u8> {
        (0..COUNT).map(|index| u8::try_from(index * 7 % 251).expect("small")).collect()
    }

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        ours(bencher, PolynomialHash::default(), &view(&text()));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let text = text();
        bencher.counter(BytesCount::of_slice(&text)).bench_local(|| {
            text.iter().fold(0u64, |hash, &byte| {
                hash.wrapping_mul(1_099_511_628_211).wrapping_add(u64::from(byte))
            })
        });
    }
}
