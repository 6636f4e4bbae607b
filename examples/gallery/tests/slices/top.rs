//! The largest and the smallest, any number of them.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{AnyTensor, AnyView, Level, Reduction, Threads, View, bf16, f16};
use reduce_gallery::Top;

use super::plain::sorted;
use super::samples::{
    ELEMENTS, Lies, Random, Sample, any, elements, for_each_type, layouts, sets, ways, words,
};

static TOP: OpEntry = OpEntry::of::<Top>();

fn node<T: Sample>(axes: &[i64], k: usize, largest: bool) -> Node {
    let k = i64::try_from(k).expect("small");
    let node = Node::new(1, T::DTYPE).attr("keepdims", 0).attr("k", k);
    let node = node.attr("largest", i64::from(largest));
    node.attr("axes", axes.to_vec())
}

/// Elements with their positions, those that count.
type Listed<T> = Vec<Vec<(usize, T)>>;

fn listed<T: Sample>((view, axes): &Lies<'_, T>, counts: impl Fn(usize, T) -> bool) -> Listed<T> {
    let list = |set: Vec<T>| {
        let all = set.into_iter().enumerate();
        all.filter(|&(place, x)| counts(place, x)).collect()
    };
    sets(view, axes).into_iter().map(list).collect()
}

/// The results over some lists.
struct Right<T> {
    k: usize,
    of_lists: Vec<(Vec<Option<T>>, Vec<i64>)>,
}

impl<T: Sample> Right<T> {
    fn new(lists: &Listed<T>, k: usize, largest: bool) -> Self {
        Right { k, of_lists: lists.iter().map(|list| sorted(list, k, largest)).collect() }
    }

    /// Holds values and positions against them.
    #[track_caller]
    fn check(&self, found: Vec<AnyTensor>, said: &str) {
        let Right { k, of_lists } = self;
        let [values, places] = <[AnyTensor; 2]>::try_from(found).expect("values and positions");
        assert_eq!(values.shape().last(), Some(k), "{said}");
        assert_eq!(values.shape(), places.shape(), "{said}");
        let values = values.downcast::<T>().expect("as the elements").into_data();
        let places = places.downcast::<i64>().expect("positions").into_data();
        assert_eq!(places.len(), of_lists.len() * k, "{said}");
        for (number, (right, right_places)) in of_lists.iter().enumerate() {
            let part = number * k..(number + 1) * k;
            assert_eq!(&places[part.clone()], right_places, "{said}: result {number}");
            for (found, right) in values[part].iter().zip(right) {
                if let Some(right) = right {
                    let are_nan = found.to_f64().is_nan() && right.to_f64().is_nan();
                    assert!(found == right || are_nan, "{said}: {found:?}, not {right:?}");
                }
            }
        }
    }
}

const NUMBERS: [usize; 5] = [1, 3, 64, 65, 1000];

fn in_every_layout<T: Sample>()
where
    for<'a> AnyView<'a>: From<View<'a, T>>,
{
    let data = elements::<T>(ELEMENTS, 1);
    for lies in layouts(&data) {
        let lists = listed(&lies, |_, _| true);
        let (view, axes) = &lies;
        for k in NUMBERS {
            for largest in [true, false] {
                let call = TOP.prepare(&node::<T>(axes, k, largest)).expect("valid");
                let right = Right::new(&lists, k, largest);
                for level in Level::available() {
                    let found = call.clone().level(level).run_all(&[any(view)], None);
                    let said = format!("{k} of {} at {level}", words(view, axes));
                    right.check(found.expect("results"), &said);
                }
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

/// Lists so long that they are cut into parts, with any number of threads.
#[test]
fn long_lists() {
    // Hardly any two are equal, so that the best come from all parts.
    let mut random = Random(2);
    #[allow(clippy::cast_precision_loss, reason = "24 bits")]
    let data: Vec<f32> = (0..900_001).map(|_| random.below(1 << 24) as f32).collect();
    let list = View::new(&data, &[900_001]).expect("a list");
    let rows = View::new(&data[1..], &[3, 300_000]).expect("rows");
    let columns = View::new(&data[1..], &[180_000, 5]).expect("columns");
    for (lies, numbers) in [
        ((list, vec![0]), [1, 10, 3000].as_slice()),
        ((rows, vec![1]), &[3, 700]),
        ((columns, vec![0]), &[4, 65]),
    ] {
        let lists = listed(&lies, |_, _| true);
        for &k in numbers {
            for largest in [true, false] {
                let call = TOP.prepare(&node::<f32>(&lies.1, k, largest)).expect("valid");
                let right = Right::new(&lists, k, largest);
                for (level, threads) in ways() {
                    let said = format!("{k} of {:?} at {level}, {threads:?}", lies.0.shape());
                    let call = call.clone().level(level).threads(threads);
                    let found = call.run_all(&[any(&lies.0)], None).expect("results");
                    right.check(found, &said);
                }
            }
        }
    }
}

/// Masks, and elements that are no numbers, leave the others at their positions.
#[test]
fn elements_that_count() {
    let (data, mut random) = (elements::<f64>(ELEMENTS, 3), Random(4));
    // The first of each row is chosen, so that there is one.
    let chosen: Vec<bool> = (0..130).map(|place| place == 0 || random.below(3) == 0).collect();
    for lies in layouts(&data) {
        let (view, axes) = &lies;
        let is_last = view.shape().rank() == 2 && view.shape()[1] == 130 && *axes == [1];
        let mask = View::new(&chosen, &[130]).expect("a list");
        for (k, skips) in [(1, true), (7, false), (65, true), (65, false)] {
            let call = TOP.prepare(&node::<f64>(axes, k, true)).expect("valid").skip_nan(skips);
            let said = format!("{k} of {}, without NaN: {skips}", words(view, axes));
            let lists = listed(&lies, |_, x| !(skips && x.is_nan()));
            if lists.iter().all(|list| !list.is_empty()) {
                let found = call.run_all(&[any(view)], None).expect("results");
                Right::new(&lists, k, true).check(found, &said);
            }
            let lists = listed(&lies, |place, x| chosen[place % 130] && !(skips && x.is_nan()));
            if is_last && lists.iter().all(|list| !list.is_empty()) {
                let found = call.run_all(&[any(view)], Some(&mask)).expect("results");
                Right::new(&lists, k, true).check(found, &format!("{said}, masked"));
            }
        }
    }
}

/// Many elements that count, in parts and with threads.
#[test]
fn long_lists_of_elements_that_count() {
    let (data, mut random) = (elements::<f32>(400_000, 5), Random(6));
    let chosen: Vec<bool> = data.iter().map(|_| random.below(2) == 0).collect();
    let (list, mask) = (View::new(&data, &[400_000]), View::new(&chosen, &[400_000]));
    let (lies, mask) = ((list.expect("a list"), vec![0]), mask.expect("a list"));
    let lists = listed(&lies, |place, x| chosen[place] && !x.is_nan());
    let call = TOP.prepare(&node::<f32>(&[0], 100, false)).expect("valid").skip_nan(true);
    let right = Right::new(&lists, 100, false);
    for (level, threads) in ways() {
        let said = format!("at {level}, {threads:?}");
        let call = call.clone().level(level).threads(threads);
        let found = call.run_all(&[any(&lies.0)], Some(&mask)).expect("results");
        right.check(found, &said);
    }
}

/// Over no axis, each element is a set of its own.
#[test]
fn single_elements() {
    let data = [3i16, -2, 7];
    let list = View::new(&data, &[3]).expect("a list");
    let (values, places) =
        Reduction::new(Top { k: 2, largest: true }).axes([]).arrays(&list).expect("both");
    assert_eq!(values.data(), [3, i16::MIN, -2, i16::MIN, 7, i16::MIN]);
    assert_eq!(places.data(), [0, -1, 0, -1, 0, -1]);
}

/// Where no element is better than another, and where all are in an order.
#[test]
fn elements_in_order() {
    let count = 5000;
    let ascending: Vec<i32> = (0..count).collect();
    let descending: Vec<i32> = (0..count).rev().collect();
    let equal = vec![7; 5000];
    for data in [ascending, descending, equal] {
        let lies = (View::new(&data, &[5000]).expect("a list"), vec![0]);
        let lists = listed(&lies, |_, _| true);
        for k in [1, 2, 100, 4999, 5000, 5001] {
            for largest in [true, false] {
                let call = TOP.prepare(&node::<i32>(&[0], k, largest)).expect("valid");
                let found = call.threads(Threads::One).run_all(&[any(&lies.0)], None);
                Right::new(&lists, k, largest).check(found.expect("results"), &format!("{k}"));
            }
        }
    }
}

/// Infinities, NaN and nothing else: there are as many as there are, and what is missing is less than all of them.
#[test]
fn a_few_of_everything() {
    let data = [f32::NEG_INFINITY, f32::NAN, f32::NEG_INFINITY, -0.0, f32::INFINITY, 0.0];
    let list = View::new(&data, &[6]).expect("a list");
    for (largest, places) in
        [(true, [1, 4, 3, 5, 0, 2, -1, -1]), (false, [0, 2, 3, 5, 4, 1, -1, -1])]
    {
        let call = TOP.prepare(&node::<f32>(&[0], 8, largest)).expect("valid");
        let found = call.run_all(&[any(&list)], None).expect("results");
        let [values, found] = <[AnyTensor; 2]>::try_from(found).expect("both");
        assert_eq!(found.downcast::<i64>().expect("positions").data(), places);
        let values = values.downcast::<f32>().expect("values").into_data();
        let nothing = if largest { f32::NEG_INFINITY } else { f32::INFINITY };
        assert_eq!(values[6..], [nothing; 2]);
    }
}

#[test]
fn halves_are_read_as_they_are() {
    // Of each type that is computed in another one, the greatest and the least finite element.
    let halves = [f16::MAX, f16::MIN, f16::from_bits(1)];
    let found = TOP.prepare(&node::<f16>(&[0], 3, true)).expect("valid");
    let found = found.run_all(&[View::new(&halves, &[3]).expect("a list").into()], None);
    let values = found.expect("results").remove(0).downcast::<f16>().expect("halves");
    assert_eq!(values.data(), [f16::MAX, f16::from_bits(1), f16::MIN]);
    let halves = [bf16::MIN, bf16::MAX];
    let found = TOP.prepare(&node::<bf16>(&[0], 1, false)).expect("valid");
    let found = found.run_all(&[View::new(&halves, &[2]).expect("a list").into()], None);
    let values = found.expect("results").remove(0).downcast::<bf16>().expect("halves");
    assert_eq!(values.data(), [bf16::MIN]);
}
