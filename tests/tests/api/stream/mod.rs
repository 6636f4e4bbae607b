//! Streams, initial values, and other compute types: against the whole, reduced at once.

mod limits;
mod signed;
mod tuples;

use std::fmt::Debug;

use reduce_core::bounds::Streams;
use reduce_core::numbers::Compensated;
use reduce_core::{AnyTensor, Element, Level, Reduction, State, Stream, Tensor, View};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL2, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd,
    ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::{Case, Random, available, axes_of, path_cases, same_bits};

use crate::numbers;

/// Every layout cut in pieces along its outermost reduced axis, for operators whose result
/// does not depend on how elements are grouped.
#[test]
fn pieces_give_what_the_whole_gives() {
    fn compare<Op, O>(op: &Op, cases: &[Case]) -> usize
    where
        Op: Streams<i32, Result = O> + Clone + Debug,
        O: Element,
    {
        let mut compared = 0;
        for Case { recipe, axes } in cases {
            let data = numbers(recipe.count());
            let view = recipe.view(&data);
            let (shape, asked) = (view.shape().dims(), axes_of(axes, view.shape().rank()));
            let Some(&outermost) = axes.first() else { continue };
            for level in available() {
                let reduction = Reduction::new(op.clone()).axes(asked.clone()).level(level);
                let Ok(whole) = reduction.run(&view) else { continue };
                let mut stream = Stream::<Op, i32>::over(reduction);
                let size = shape[outermost];
                // Pieces of one index, of a few, and the rest.
                for (start, end) in [(0, 1), (1, 1), (1, 4), (4, size)] {
                    let (start, end) = (start.min(size), end.min(size));
                    let piece = view.slice(outermost, start, end, 1).expect("within");
                    stream.update(&piece).expect("of the same results");
                }
                let found = stream.finish().expect("as the whole");
                same_bits(&whole.into(), &found.into())
                    .unwrap_or_else(|error| panic!("{op:?} {recipe:?} over {axes:?}: {error}"));
                compared += 1;
            }
        }
        compared
    }
    let cases = path_cases();
    let compared = [
        compare(&ReduceSum, &cases),
        compare(&ReduceMax, &cases),
        compare(&ReduceProd, &cases),
        compare(&ReduceMean, &cases),
        compare(&ArgMax::default(), &cases),
        compare(&ArgMin { select_last_index: true }, &cases),
    ];
    assert!(compared.iter().all(|&compared| compared > 300), "{compared:?}");
}

#[test]
fn merged_as_if_behind() {
    let data = [5.0f32, 1.0, 9.0, 2.0, 9.0, 3.0];
    let view = |range: std::ops::Range<usize>| {
        let piece = &data[range];
        View::new(piece, &[piece.len()]).expect("its shape")
    };
    let mut first = Stream::new(ArgMax::default());
    first.update(&view(0..2)).expect("elements");
    // The other part knows where it starts.
    let start = State { count: 2, ..first.state().expect("fits") };
    let mut second = Stream::resume(Reduction::new(ArgMax::default()), start).expect("a state");
    second.update(&view(2..6)).expect("elements");
    assert_eq!(second.finish().expect("elements").data(), [2]);
    let mut last = Stream::new(ReduceMax);
    last.update(&view(0..2)).expect("elements");
    let mut other = Stream::new(ReduceMax);
    other.merge(&last).expect("into nothing");
    last.update(&view(2..6)).expect("elements");
    other.merge(&last).expect("of the same shape");
    assert_eq!(other.finish().expect("elements").data(), [9.0]);
    assert_eq!(other.count(), 8);
}

#[test]
fn a_state_can_be_stored_and_resumed() {
    let data: Vec<f32> = (0..1000u16).map(|x| f32::from(x) * 0.1).collect();
    let reduction = || Reduction::new(ReduceLogSumExp).axes([0]);
    let halves = data.as_chunks::<500>().0;
    let mut whole = Stream::over(reduction());
    let mut first = Stream::over(reduction());
    let views: Vec<_> =
        halves.iter().map(|half| View::new(half, &[50, 10]).expect("its shape")).collect();
    for view in &views {
        whole.update(view).expect("elements");
    }
    first.update(&views[0]).expect("elements");
    let stored = serde_json::to_string(&first.state().expect("fits")).expect("plain data");
    drop(first);
    let state = serde_json::from_str(&stored).expect("what was written");
    let mut resumed = Stream::resume(reduction(), state).expect("a state");
    resumed.update(&views[1]).expect("elements");
    assert_eq!(whole.finish().expect("elements"), resumed.finish().expect("elements"));
}

#[test]
fn what_a_stream_refuses() {
    let data = [1i32, 2, 3, 4, 5, 6];
    let mut stream = Stream::over(Reduction::new(ReduceMean).axes([0]));
    assert_eq!(
        Stream::<_, i32>::new(ReduceMean).finish().expect_err("no elements").code(),
        "empty-set"
    );
    stream.update(&View::new(&data, &[3, 2]).expect("its shape")).expect("elements");
    let error = stream.update(&View::new(&data, &[2, 3]).expect("its shape")).expect_err("3");
    assert_eq!(
        error.to_string(),
        "the result of this piece has shape [3], that of earlier ones [2]; pieces may differ \
         along reduced axes alone"
    );
    let mut other = Stream::over(Reduction::new(ReduceMean).axes([0]));
    other.update(&View::new(&data, &[1, 6]).expect("its shape")).expect("elements");
    assert_eq!(stream.merge(&other).expect_err("6").code(), "other-result");
    assert_eq!(stream.finish().expect("as it was").data(), [3, 4]);
    let broken = State { shape: vec![3], ..stream.state().expect("fits") };
    let error =
        Stream::<_, i32>::resume(Reduction::new(ReduceMean), broken.clone()).expect_err("2 of 3");
    assert_eq!(error.code(), "length-mismatch");
    let broken = State { accumulators: Vec::new(), count: 0, ..broken };
    let error = Stream::<_, i32>::resume(Reduction::new(ReduceMean), broken).expect_err("0 of 3");
    assert_eq!(error.code(), "length-mismatch");
    let most = usize::try_from(i64::MAX).expect("64 bits");
    let full = State { count: most, ..stream.state().expect("fits") };
    let reduction = Reduction::new(ReduceMean).axes([0]);
    let mut full = Stream::<_, i32>::resume(reduction, full).expect("two of two");
    let more = View::new(&data, &[3, 2]).expect("its shape");
    assert_eq!(full.update(&more).expect_err("no room to count").code(), "size-overflow");
    assert_eq!(full.merge(&stream).expect_err("no room to count").code(), "size-overflow");
}

/// No results at all, over no elements.
#[test]
fn a_stream_of_no_results() {
    let mut stream = Stream::over(Reduction::new(ReduceSum).axes([0]));
    stream.update(&View::new(&[0i32; 0], &[0, 0]).expect("its shape")).expect("nothing");
    let sums = stream.finish().expect("nothing");
    assert_eq!((sums.shape().dims(), sums.data()), (&[0][..], &[][..]));
}

/// An initial value is one more element before all others, on every layout.
#[test]
fn an_initial_value_comes_first() {
    let mut cases = 0;
    for Case { recipe, axes } in path_cases() {
        let data = numbers(recipe.count());
        let view = recipe.view(&data);
        let asked = axes_of(&axes, view.shape().rank());
        for level in available() {
            let sum = || Reduction::new(ReduceSum).axes(asked.clone()).level(level);
            let plain = sum().run(&view).expect("valid");
            let found = sum().initial(1000).run(&view).expect("valid");
            let expected: Vec<i32> = plain.data().iter().map(|x| x.wrapping_add(1000)).collect();
            assert_eq!(expected, found.data(), "{recipe:?} over {axes:?}");

            let max = || Reduction::new(ReduceMax).axes(asked.clone()).level(level);
            let plain = max().run(&view).expect("valid");
            let found = max().initial(20).run(&view).expect("valid");
            let expected: Vec<i32> = plain.data().iter().map(|&x| x.max(20)).collect();
            assert_eq!(expected, found.data(), "{recipe:?} over {axes:?}");
        }
        cases += 1;
    }
    assert!(cases > 150, "{cases}");
    let nothing = View::new(&[0.0f64; 0], &[0]).expect("its shape");
    let found = Reduction::new(ReduceMin).initial(3.0f64).run(&nothing).expect("a value");
    assert_eq!(found.data(), [3.0]);
}

/// The error of each way to compute a sum, relative to the sum of magnitudes, against an
/// exact one in integers; of numbers of both signs, and of positive ones.
#[test]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "exact here")]
fn accuracy_by_choice() {
    const COUNT: usize = 1_000_000;
    let unit = f64::from(f32::EPSILON) / 2.0;
    // The depth of the tree: 64 steps, then one level for each doubling of the rest.
    let depth = 64.0 + (COUNT as f64 / 64.0).log2();
    for low in [-16.0, 0.0] {
        let mut random = Random::new(1);
        // Multiples of 2⁻²⁰ below 16: their sum is exact in an i64 of such.
        let data: Vec<f32> = (0..COUNT)
            .map(|_| (random.between(low, 16.0) * f64::from(1 << 20)).trunc() as f32)
            .map(|x| x / (1 << 20) as f32)
            .collect();
        let exact: i64 = data.iter().map(|&x| (f64::from(x) * f64::from(1 << 20)) as i64).sum();
        let exact = exact as f64 / f64::from(1 << 20);
        let magnitudes: f64 = data.iter().map(|&x| f64::from(x).abs()).sum();
        let view = View::new(&data, &[COUNT]).expect("its shape");
        let sum = || Reduction::new(ReduceSum);
        let error = |found: &Tensor<f32>| (f64::from(found.data()[0]) - exact).abs() / magnitudes;
        let plain = error(&sum().run(&view).expect("elements"));
        let wide = error(&sum().computing_in::<f64>().run(&view).expect("elements"));
        let compensated = sum().computing_in::<Compensated<f32>>();
        let compensated = error(&compensated.run(&view).expect("elements"));
        let one_by_one = data.iter().fold(0f32, |sum, x| sum + x);
        let one_by_one = (f64::from(one_by_one) - exact).abs() / magnitudes;
        println!(
            "from {low}: f32 {plain:.1e}, in f64 {wide:.1e}, compensated {compensated:.1e}, one \
             after the other {one_by_one:.1e}"
        );
        assert!(plain <= depth * unit, "{plain:e}");
        let rounded_once = unit * exact.abs() / magnitudes;
        assert!(wide <= 1.0001 * rounded_once, "{wide:e}");
        assert!(compensated <= rounded_once + COUNT as f64 * unit * unit, "{compensated:e}");
    }
}

/// Operators that square, divide and take roots, on data that cancels.
#[test]
fn other_operators_computed_otherwise() {
    fn near(found: &Tensor<f32>, expected: f64) {
        let error = (f64::from(found.data()[0]) - expected).abs() / expected.abs();
        assert!(error < 6e-8, "{found:?} for {expected}");
    }
    let data: Vec<f32> = (0..50_000u32).map(|x| (x * 7919 % 1009) as f32 * 0.37 - 180.0).collect();
    let wide: Vec<f64> = data.iter().map(|&x| f64::from(x)).collect();
    let view = View::new(&data, &[50_000]).expect("its shape");
    let squares: f64 = wide.iter().map(|x| x * x).sum();
    let mean = wide.iter().sum::<f64>() / 50_000.0;
    macro_rules! all {
        ($op:expr, $expected:expr) => {
            let reduction = || Reduction::new($op);
            near(&reduction().computing_in::<f64>().run(&view).expect("runs"), $expected);
            let compensated = reduction().computing_in::<Compensated<f32>>();
            near(&compensated.run(&view).expect("runs"), $expected);
            for level in [Level::Scalar, Level::best()] {
                let again = reduction().computing_in::<Compensated<f32>>().level(level);
                let (one, other) = (compensated.run(&view), again.run(&view));
                let (one, other) = (one.expect("runs"), other.expect("runs"));
                same_bits(&AnyTensor::from(one), &other.into()).expect("at every level");
            }
        };
    }
    all!(ReduceSumSquare, squares);
    all!(ReduceL2, squares.sqrt());
    all!(ReduceMean, mean);
}

#[test]
fn computed_in_another_type_or_from_a_value() {
    let pieces = [[1e8f32, 1.0], [-1e8, 1.0]];
    let view = |piece: usize| View::new(&pieces[piece], &[2]).expect("a list");
    let mut wide = Stream::over(Reduction::new(ReduceSum).computing_in::<Compensated<f32>>());
    let mut started = Stream::over(Reduction::new((ReduceSum, ReduceMax)).initial(2e8f32));
    for piece in 0..2 {
        wide.update(&view(piece)).expect("elements");
        started.update(&view(piece)).expect("elements");
    }
    assert_eq!(wide.finish().expect("elements").data(), [2.0]);
    // The value is before all elements, once.
    let (sum, max) = started.finish().expect("elements");
    assert_eq!((sum.data(), max.data()), (&[2e8][..], &[2e8][..]));
}
