//! Variances with an element far from all others, wherever it stands.

use reduce_core::bounds::Streams;
use reduce_core::{Groups, OnePass, Reduction, Stream, Tensor, View, bf16, f16};
use reduce_gallery::{MeanVariance, Variance};

use super::{Random, Stored, error, variance};

/// Far from all others, and a number of any type.
const FAR: i64 = 10_240;

/// What rounding may do to a variance, in units of the type that is computed in.
const USUAL: f64 = 64.0;

/// A set that begins with an element far from all others has 64 times as much at most.
const WORST: f64 = 64.0 * USUAL;

trait Varies: Stored {
    fn over(view: &View<'_, Self>, axis: i64) -> [Tensor<Self>; 2];
    fn stream(pieces: &[Vec<Self>]) -> Self;
    fn by_key(data: &[Self], keys: &[u32], groups: usize) -> Vec<Self>;
}

impl<T: Stored> Varies for T
where
    Variance: Streams<T, Result = T> + OnePass<T, Result = T>,
    MeanVariance: OnePass<T, Result = (T, T)>,
{
    fn over(view: &View<'_, T>, axis: i64) -> [Tensor<T>; 2] {
        let alone = Reduction::new(Variance::default()).axes([axis]).run(view);
        let (_, with_mean) = Reduction::new(MeanVariance).axes([axis]).run(view).expect("elements");
        [alone.expect("elements"), with_mean]
    }

    fn stream(pieces: &[Vec<T>]) -> T {
        let mut stream = Stream::new(Variance::default());
        for piece in pieces {
            stream.update(&View::new(piece, &[piece.len()]).expect("a list")).expect("elements");
        }
        stream.finish().expect("a variance").data()[0]
    }

    fn by_key(data: &[T], keys: &[u32], groups: usize) -> Vec<T> {
        let mut all = Groups::new(Variance::default(), groups).expect("few groups");
        all.update(&View::new(data, &[data.len()]).expect("a list"), keys).expect("keys");
        all.finish().expect("variances").into_data()
    }
}

#[track_caller]
fn near<T: Stored>(found: T, ks: &[i64], most: f64) {
    let (own, computed) = T::EPSILONS;
    let (found, right) = (found.wide(), variance(ks));
    let error = error(found, right);
    assert!(found >= 0.0 && error <= own + most * computed, "{found}, not {right}: {error:e}");
}

/// A list, rows, columns, and rows that were transposed: the same elements in each of three sets.
fn layouts<T: Varies>(ks: &[i64], most: f64) {
    let (data, count) = (T::list(ks), ks.len());
    let rows = data.repeat(3);
    let columns: Vec<T> = data.iter().flat_map(|&x| [x; 3]).collect();
    let of_rows = View::new(&rows, &[3, count]).expect("their shape");
    let of_columns = View::new(&columns, &[count, 3]).expect("their shape");
    let turned = of_rows.permute(&[1, 0]).expect("both axes");
    let list = View::new(&data, &[count]).expect("a list");
    for (view, axis) in [(&list, 0), (&of_rows, 1), (&of_columns, 0), (&turned, 0)] {
        for found in T::over(view, axis) {
            found.data().iter().for_each(|&found| near(found, ks, most));
        }
    }
}

/// Of each lane, block and stream: lanes of these types take 64 elements of a block of 2048 or less.
fn every_place<T: Varies>() {
    let mut random = Random(1);
    for count in [1, 2, 3, 5, 15, 16, 17, 40, 64, 65, 130, 300] {
        let base = random.list(count, 60);
        layouts::<T>(&base, USUAL);
        for place in 0..count {
            let mut ks = base.clone();
            ks[place] = FAR;
            layouts::<T>(&ks, WORST);
        }
    }
    for (count, step) in [(2048, 11), (2113, 17), (5000, 43)] {
        let base = random.list(count, 60);
        for place in (0..40).chain((40..count).step_by(step)).chain(count - 3..count) {
            let mut ks = base.clone();
            ks[place] = -FAR;
            layouts::<T>(&ks, WORST);
        }
    }
}

#[test]
fn at_every_place_in_f16() {
    every_place::<f16>();
}

#[test]
fn at_every_place_in_bf16() {
    every_place::<bf16>();
}

#[test]
fn at_every_place_in_f32() {
    every_place::<f32>();
}

#[test]
fn at_every_place_in_f64() {
    every_place::<f64>();
}

/// Pieces of every size, one element alone too, with an outlier in the first, in the middle, in the last, in all, and in none.
fn pieces<T: Varies>() {
    let mut random = Random(2);
    for size in [1, 2, 7, 64, 1000] {
        let count = 3 * size.max(70);
        for far in [vec![0], vec![count / 2], vec![count - 1], (0..count).step_by(size).collect()] {
            let mut ks = random.list(count, 60);
            far.iter().for_each(|&place| ks[place] = FAR);
            let pieces: Vec<Vec<T>> = ks.chunks(size).map(T::list).collect();
            near(T::stream(&pieces), &ks, WORST);
        }
    }
}

#[test]
fn in_streams() {
    pieces::<f16>();
    pieces::<f32>();
    pieces::<f64>();
}

/// Every group begins with an outlier, or has none.
fn groups<T: Varies>(groups: usize, rows: usize) {
    let mut random = Random(3);
    let mut ks = random.list(groups * rows, 60);
    let keys: Vec<u32> = (0..ks.len()).map(|row| (row % groups) as u32).collect();
    (0..groups).step_by(2).for_each(|group| ks[group] = FAR);
    let found = T::by_key(&T::list(&ks), &keys, groups);
    for (group, found) in found.into_iter().enumerate() {
        let own: Vec<i64> = ks.iter().skip(group).step_by(groups).copied().collect();
        near(found, &own, WORST);
    }
}

#[test]
fn by_key() {
    groups::<f16>(300, 60);
    groups::<f32>(300, 60);
    groups::<f32>(2, 64);
    groups::<f64>(1000, 40);
}

/// Sets of numbers of any size, most of them near one of them: 10^5 of them.
#[test]
fn of_random_sets() {
    let mut random = Random(4);
    for _ in 0..100_000 {
        let count = 1 + random.below(40) as usize;
        let (centre, size) = (random.within(1 << 22), 1 << random.below(20));
        let mut ks = random.list(count, size);
        ks.iter_mut().for_each(|k| *k += centre);
        for _ in 0..random.below(3) {
            // 24 bits, and so one of `f32`.
            ks[random.below(count as i64) as usize] = random.within(1 << 23) << random.below(24);
        }
        let (single, double) = (f32::list(&ks), f64::list(&ks));
        let [of_single, _] = f32::over(&View::new(&single, &[count]).expect("a list"), 0);
        near(of_single.data()[0], &ks, WORST);
        let [of_double, _] = f64::over(&View::new(&double, &[count]).expect("a list"), 0);
        near(of_double.data()[0], &ks, WORST);
    }
}

/// A sentinel stands among ten million elements around 0, or in front of a million around 1000, as was reported.
#[test]
fn of_millions() {
    let signs = |place: usize| if place.is_multiple_of(2) { 64 } else { -64 };
    for far in [0, 5_000_000, 9_999_999] {
        let mut ks: Vec<i64> = (0..10_000_000).map(signs).collect();
        ks[far] = 640_000;
        let single = f32::list(&ks);
        let [found, _] = f32::over(&View::new(&single, &[ks.len()]).expect("a list"), 0);
        assert!((found.data()[0] - 10.999_999).abs() < 1e-3, "{found:?}");
        near(found.data()[0], &ks, WORST);
        near(
            f32::stream(&single.chunks(1 << 20).map(<[f32]>::to_vec).collect::<Vec<_>>()),
            &ks,
            WORST,
        );
        let double = f64::list(&ks);
        let [found, _] = f64::over(&View::new(&double, &[ks.len()]).expect("a list"), 0);
        near(found.data()[0], &ks, WORST);
    }
    let mut ks: Vec<i64> = (0..1_000_000).map(|place| 64_000 + signs(place)).collect();
    ks[0] = 0;
    let single = f32::list(&ks);
    let [found, _] = f32::over(&View::new(&single, &[ks.len()]).expect("a list"), 0);
    near(found.data()[0], &ks, WORST);
}

/// An element that is infinite or no number leaves none, at any place.
#[test]
fn what_is_not_finite() {
    for wrong in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        for count in [1, 2, 17, 64, 300, 5000] {
            for place in (0..count).step_by(1 + count / 70) {
                let mut data = vec![1.5f32; count];
                data[place] = wrong;
                let view = View::new(&data, &[count]).expect("a list");
                let (mean, variance) = Reduction::new(MeanVariance).run(&view).expect("elements");
                let alone = Reduction::new(Variance::default()).run(&view).expect("elements");
                let all = [mean, variance, alone].map(|found| found.data()[0]);
                assert!(all.iter().all(|x| x.is_nan()), "{wrong} at {place} of {count}: {all:?}");
            }
        }
    }
}
