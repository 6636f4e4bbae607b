//! Operators that send results back, keep several elements, or depend on the order.

use super::*;

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

/// As many as are asked for when the program runs, of a list and beside a selection of it.
mod top_1000 {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        let top = Reduction::new(Top { k: 1000, largest: true }).threads(Threads::One);
        bencher
            .counter(BytesCount::of_slice(&data))
            .bench_local(|| top.arrays(&view(&data)).expect("elements"));
    }

    #[divan::bench]
    fn selection(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let mut all: Vec<(f32, usize)> = data.iter().copied().zip(0..).collect();
            let before =
                |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
            all.select_nth_unstable_by(999, before);
            all.truncate(1000);
            all.sort_unstable_by(before);
            all
        });
    }
}

mod bins_64 {
    use super::*;

    #[divan::bench]
    fn reduce(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        let bins = Reduction::new(Bins { bins: 64, low: 0.0, high: 1.0 }).threads(Threads::One);
        bencher
            .counter(BytesCount::of_slice(&data))
            .bench_local(|| bins.arrays(&view(&data)).expect("counts"));
    }

    #[divan::bench]
    fn iterator(bencher: Bencher<'_, '_>) {
        let data = numbers(7);
        bencher.counter(BytesCount::of_slice(&data)).bench_local(|| {
            let mut counts = [0u64; 64];
            for &x in data.iter().filter(|x| (0.0..=1.0).contains(*x)) {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a place among 64"
                )]
                let place = (x * 64.0) as usize;
                counts[place.min(63)] += 1;
            }
            counts
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
