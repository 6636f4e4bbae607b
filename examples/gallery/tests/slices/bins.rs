//! Histograms of any number of bins, with weights and without.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{AnyTensor, AnyView, Element, Level, View, bf16, f16};
use reduce_gallery::{Bins, Histogram, WeightedBins};

use super::plain::binned;
use super::samples::{
    ELEMENTS, Random, Sample, any, elements, for_each_type, layouts, sets, ways, words,
};

static BINS: OpEntry = OpEntry::of::<Bins>();
static WEIGHTED: OpEntry = OpEntry::of::<WeightedBins>();

const NUMBERS: [usize; 5] = [1, 3, 64, 65, 1000];
const LIMITS: [f64; 2] = [-8.0, 8.0];

fn node<T: Element>(axes: &[i64], bins: usize, [low, high]: [f64; 2]) -> Node {
    let bins = i64::try_from(bins).expect("few");
    let node = Node::new(1, T::DTYPE).attr("keepdims", 0).attr("axes", axes.to_vec());
    node.attr("bins", bins).attr("low", low).attr("high", high)
}

#[track_caller]
fn counts(found: Vec<AnyTensor>) -> Vec<u64> {
    let [counts] = <[AnyTensor; 1]>::try_from(found).expect("counts");
    counts.downcast::<u64>().expect("counts").into_data()
}

/// How many of some elements there are in each bin.
fn plain_counts<T: Element>(sets: &[Vec<T>], bins: usize, limits: [f64; 2]) -> Vec<u64> {
    let of_set = |set: &Vec<T>| {
        let list: Vec<(f64, f64)> = set.iter().map(|x| (x.to_f64(), 1.0)).collect();
        binned(&list, bins, limits)
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
    let count = |sum| sum as u64;
    sets.iter().flat_map(of_set).map(count).collect()
}

fn in_every_layout<T: Sample>()
where
    for<'a> AnyView<'a>: From<View<'a, T>>,
{
    let limits = LIMITS.map(|limit| T::MIDDLE + limit);
    let data = elements::<T>(ELEMENTS, 1);
    for (view, axes) in layouts(&data) {
        let sets = sets(&view, &axes);
        for bins in NUMBERS {
            let right = plain_counts(&sets, bins, limits);
            let call = BINS.prepare(&node::<T>(&axes, bins, limits)).expect("valid");
            for level in Level::available() {
                let found = call.clone().level(level).run_all(&[any(&view)], None);
                let said = format!("{bins} of {}", words(&view, &axes));
                assert_eq!(counts(found.expect("counts")), right, "{said} at {level}");
            }
        }
    }
}

macro_rules! every_layout {
    ($($type:ident)*) => {$(
        #[test]
        fn $type() {
            in_every_layout::<super::super::samples::types::$type>();
        }
    )*};
}

mod every_layout {
    use super::{for_each_type, in_every_layout};

    for_each_type!(every_layout);
}

/// The same bins as an operator that knows their number when it is compiled.
#[test]
fn as_with_a_fixed_number() {
    static FIXED: OpEntry = OpEntry::of::<Histogram<10>>();
    let mut random = Random(7);
    let data: Vec<f32> = (0..30_000)
        .map(|_| f32::from_bits(random.below(1 << 31) ^ (random.below(2) << 31)))
        .collect();
    let view = any(&View::new(&data, &[30_000]).expect("a list"));
    for [low, high] in [[0.0, 1.0], [-3.0, 1e-3], [-1e39, 1e39], [-1e-300, 1e-300], [1e38, 3e38]] {
        let fixed = Node::new(1, reduce_core::DType::F32).attr("low", low).attr("high", high);
        let fixed = FIXED.prepare(&fixed.attr("keepdims", 0)).expect("valid");
        let call = BINS.prepare(&node::<f32>(&[0], 10, [low, high])).expect("valid");
        let right = counts(fixed.run_all(std::slice::from_ref(&view), None).expect("counts"));
        let found = counts(call.run_all(std::slice::from_ref(&view), None).expect("counts"));
        assert_eq!(found, right, "from {low} to {high}");
    }
}

#[track_caller]
fn sums(found: Vec<AnyTensor>) -> Vec<f64> {
    let [sums] = <[AnyTensor; 1]>::try_from(found).expect("sums");
    sums.downcast::<f64>().expect("sums").into_data()
}

/// Weights that are integers, so that sums are exact in any order. They lie otherwise than the elements.
fn weighted<T: Sample, W: Element>(weight: fn(u8) -> W)
where
    for<'a> AnyView<'a>: From<View<'a, T>> + From<View<'a, W>>,
{
    let data = elements::<T>(ELEMENTS, 1);
    let mut random = Random(8);
    for (view, axes) in layouts(&data) {
        let bytes: Vec<u8> = (0..view.shape().count())
            .map(|_| u8::try_from(random.below(100)).expect("small"))
            .collect();
        let weights: Vec<W> = bytes.into_iter().map(weight).collect();
        let weights = View::new(&weights, view.shape()).expect("as many");
        let pairs = sets(&view, &axes).into_iter().zip(sets(&weights, &axes));
        let lists = pairs.map(|(set, weights)| {
            let pairs = set.into_iter().zip(weights);
            pairs.map(|(x, weight)| (x.to_f64(), weight.to_f64())).collect::<Vec<_>>()
        });
        let lists: Vec<Vec<(f64, f64)>> = lists.collect();
        for bins in [1, 10, 100] {
            let right: Vec<f64> =
                lists.iter().flat_map(|list| binned(list, bins, LIMITS)).collect();
            let call = WEIGHTED.prepare(&node::<T>(&axes, bins, LIMITS)).expect("valid");
            for level in Level::available() {
                let found = call.clone().level(level).run_all(&[any(&view), any(&weights)], None);
                let said = format!("{bins} of {}", words(&view, &axes));
                assert_eq!(sums(found.expect("sums")), right, "{said} at {level}");
            }
        }
    }
}

#[test]
fn weights_of_the_same_type() {
    weighted::<f32, f32>(f32::from);
    weighted::<f16, f16>(f16::from);
    weighted::<bf16, bf16>(bf16::from);
    weighted::<f64, f64>(f64::from);
    weighted::<i8, i8>(|byte| i8::try_from(byte).expect("below 100"));
    weighted::<i16, i16>(i16::from);
    weighted::<i32, i32>(i32::from);
    weighted::<i64, i64>(i64::from);
    weighted::<u8, u8>(|byte| byte);
    weighted::<u16, u16>(u16::from);
    weighted::<u32, u32>(u32::from);
    weighted::<u64, u64>(u64::from);
}

#[test]
fn weights_of_another_type() {
    weighted::<f32, f64>(f64::from);
    weighted::<i32, f64>(f64::from);
    weighted::<i64, f64>(f64::from);
}

/// Sums that are rounded: the same bits at every level and with any number of threads, and near the sums of a plain loop.
#[test]
fn long_lists() {
    let mut random = Random(9);
    let count = 600_000;
    let mut next = || f64::from(random.below(1 << 30)) / f64::from(1 << 30);
    let data: Vec<f32> = (0..count)
        .map(|_| {
            #[allow(clippy::cast_possible_truncation, reason = "rounded")]
            let x = next() as f32;
            x
        })
        .collect();
    let weights: Vec<f64> = (0..count).map(|_| next() - 0.3).collect();
    for (shape, axes) in [(vec![count], [0]), (vec![2, 300_000], [1]), (vec![300_000, 2], [0])] {
        let view = View::new(&data, &shape).expect("as many");
        let weights = View::new(&weights, &shape).expect("as many");
        let call = WEIGHTED.prepare(&node::<f32>(&axes, 16, [0.0, 1.0])).expect("valid");
        let counting = BINS.prepare(&node::<f32>(&axes, 16, [0.0, 1.0])).expect("valid");
        let right: Vec<f64> = sets(&view, &axes)
            .into_iter()
            .zip(sets(&weights, &axes))
            .flat_map(|(set, weights)| {
                let set = set.into_iter().map(f64::from);
                binned(&set.zip(weights).collect::<Vec<_>>(), 16, [0.0, 1.0])
            })
            .collect();
        let right_counts = plain_counts(&sets(&view, &axes), 16, [0.0, 1.0]);
        let mut first: Option<Vec<u64>> = None;
        for (level, threads) in ways() {
            let call = call.clone().level(level).threads(threads.clone());
            let found = sums(call.run_all(&[any(&view), any(&weights)], None).expect("sums"));
            for (found, right) in found.iter().zip(&right) {
                assert!((found - right).abs() <= 1e-9 * right.abs(), "{found}, not {right}");
            }
            let bits: Vec<u64> = found.into_iter().map(f64::to_bits).collect();
            assert_eq!(
                first.get_or_insert_with(|| bits.clone()),
                &bits,
                "{shape:?} at {level}, {threads:?}"
            );
            let counting = counting.clone().level(level).threads(threads);
            let found = counts(counting.run_all(&[any(&view)], None).expect("counts"));
            assert_eq!(found, right_counts, "{shape:?} at {level}");
        }
    }
}

/// A mask, weights that are no numbers, and sets of which nothing counts.
#[test]
fn elements_that_count() {
    let x = [0.0f64, 1.0, 2.0, 3.0, 4.0, f64::NAN];
    let weights = [1.0f64, f64::NAN, 4.0, 8.0, f64::NAN, 16.0];
    let mask = [true, true, false, true, true, true];
    let view = |data| View::new(data, &[6]).expect("a list");
    let (x, weights) = (view(&x[..]), view(&weights[..]));
    let mask = View::new(&mask, &[6]).expect("a list");
    let call = WEIGHTED.prepare(&node::<f64>(&[0], 4, [0.0, 4.0])).expect("valid");
    let inputs = [any(&x), any(&weights)];
    let found = sums(call.run_all(&inputs, None).expect("sums"));
    assert_eq!((found[0], found[2]), (1.0, 4.0));
    assert!(found[1].is_nan() && found[3].is_nan(), "{found:?}");
    let found = sums(call.clone().skip_nan(true).run_all(&inputs, None).expect("sums"));
    assert_eq!(found, [1.0, 0.0, 4.0, 8.0]);
    let found = sums(call.skip_nan(true).run_all(&inputs, Some(&mask)).expect("sums"));
    assert_eq!(found, [1.0, 0.0, 0.0, 8.0]);
    let none = View::new(&[false; 6], &[6]).expect("a list");
    let call = BINS.prepare(&node::<f64>(&[0], 4, [0.0, 4.0])).expect("valid");
    let found = counts(call.run_all(&[any(&x)], Some(&none)).expect("counts"));
    assert_eq!(found, [0; 4]);
}
