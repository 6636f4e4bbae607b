//! Segments of a list, groups of more rows than 32 bits count, and accumulators of nothing.

use reduce_core::{Groups, ReduceOp, Reduction, View, reduce_op};
use reduce_specs::{ReduceMax, ReduceMean, ReduceSum};

/// The number of its elements.
#[derive(Clone, Copy, Debug, Default)]
struct Number;

#[reduce_op(dtypes = [f32], output = i64, nan = ignore)]
impl<A: reduce_core::Real> ReduceOp<A> for Number {
    // Nothing is kept of the elements.
    type Acc = ();
    type Output = std::num::Wrapping<i64>;
    fn identity(&self) {}
    fn map(&self, _x: A) {}
    fn combine(&self, (): (), (): ()) {}
    fn finalize(&self, (): (), count: usize) -> std::num::Wrapping<i64> {
        std::num::Wrapping(i64::try_from(count).unwrap_or(-1))
    }
}

#[test]
fn an_accumulator_of_nothing() {
    for shape in [[3, 5], [40, 1], [1, 700], [300, 90]] {
        let data = vec![1.0f32; shape.iter().product()];
        let view = View::new(&data, &shape).expect("its shape");
        for (axis, count) in [([0], shape[0]), ([1], shape[1])] {
            let found = Reduction::new(Number).axes(axis).run(&view).expect("counts");
            let count = i64::try_from(count).expect("few");
            assert!(found.data().iter().all(|&found| found == count), "{shape:?} {axis:?}");
        }
    }
}

#[test]
fn counts_beyond_32_bits() {
    let (half, most) = (1 << 31, u64::from(u32::MAX));
    let halves = [half - 1, half, half + 1, half + 63, half + 64, half + 65];
    for count in [most - 1, most, most + 1, 5 << 33].into_iter().chain(halves) {
        let mut groups = Groups::<_, f32>::new((Number, ReduceMean), 3).expect("few");
        let (counts, sums) = ([count, 1], [count as f32 * 2.0, 2.0]);
        let columns = [
            View::new(&counts, &[2]).expect("a list").into(),
            View::new(&sums, &[2]).expect("a list").into(),
        ];
        groups.merge_columns(&columns, &[1, 1], None).expect("columns");
        groups.update(&View::new(&[2.0f32; 70], &[70]).expect("a list"), &[1u8; 70]).expect("keys");
        let (number, mean) = groups.finish().expect("results");
        let expected = i64::try_from(count + 71).expect("countable");
        assert_eq!(number.data()[1], expected);
        assert!((mean.data()[1] - 2.0).abs() < 1e-6, "{count}: {}", mean.data()[1]);
        let first = groups.take_first(2).expect("fits").finish().expect("results").0;
        assert_eq!(first.data(), [0, expected]);
    }
}

#[test]
fn segments_are_lists_of_their_own() {
    let data: Vec<f32> = (0..9000u16).map(|x| f32::from(x % 91) * 0.1).collect();
    let list = View::new(&data, &[9000]).expect("a list");
    let offsets = [0, 0, 1, 18, 18, 90, 5000, 9000];
    let ops = (ReduceSum, ReduceMean, ReduceMax);
    let (sum, mean, max) = Reduction::new(ops).by_offsets(&offsets).run(&list).expect("results");
    for (segment, pair) in offsets.windows(2).enumerate() {
        let part = &data[pair[0]..pair[1]];
        let alone = Reduction::new(ops).run(&View::new(part, &[part.len()]).expect("a list"));
        let (a, b, c) = alone.expect("results");
        let found = [sum.data()[segment], mean.data()[segment], max.data()[segment]];
        let expected = [a.data()[0], b.data()[0], c.data()[0]];
        // Which NaN a mean of nothing is, is not promised.
        let bits = |x: f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
        assert_eq!(found.map(bits), expected.map(bits), "{pair:?}");
    }
    for (offsets, expected) in [
        (&[0, 9001][..], "offset 9001 at place 1"),
        (&[5, 3], "offset 3 at place 1"),
        (&[9000, 9000, 0], "offset 0 at place 2"),
    ] {
        let error = Reduction::new(ReduceSum).by_offsets(offsets).run(&list).expect_err("wrong");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    let none = Reduction::new(ReduceSum).by_offsets(&[]).run(&list).expect("no segment");
    assert!(none.data().is_empty());
    let error = Reduction::new(ReduceSum).axes([0]).by_offsets(&[0, 1]).run(&list);
    assert_eq!(error.expect_err("axes").code(), "axes-of-list");
}
