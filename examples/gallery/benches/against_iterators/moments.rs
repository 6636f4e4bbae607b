//! Mean, variance, and what else powers of elements tell.

use super::*;

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
        ours(bencher, Shape::default(), &view(&numbers(7)));
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

    /// This is how one would call it over and over: planned once, into buffers.
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
