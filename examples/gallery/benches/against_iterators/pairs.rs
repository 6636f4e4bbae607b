//! Operators of several inputs.

use super::*;

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
