//! Parameters that an operator refuses: an error wherever it is run, and before an element is looked at.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{
    AnyGroups, DType, Error, Groups, Masked, OpSpec, Real, ReduceOp, Reduction, SkipNan, Stream,
    View, reduce_op,
};
use reduce_gallery::{Histogram, Summary, Variance};

type Bins = Histogram<4>;

/// Ranges that are none.
const WRONG: [[f64; 2]; 9] = [
    [2.0, 2.0],
    [3.0, -3.0],
    [f64::NAN, 1.0],
    [0.0, f64::NAN],
    [f64::NEG_INFINITY, 1.0],
    [0.0, f64::INFINITY],
    [f64::INFINITY, f64::NEG_INFINITY],
    [0.0, -0.0],
    [f64::NAN, f64::NAN],
];

#[track_caller]
fn is_refused<T>(result: Result<T, Error>, [low, high]: [f64; 2]) {
    let Err(error) = result else { panic!("{low} to {high} was taken") };
    assert_eq!((error.code(), error.op()), ("parameters", Some("Histogram")));
    let expected = format!(
        "Histogram at version 1: no bins lie between {low}, `low`, and {high}, `high`; give two \
         finite numbers, `low` below `high`"
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn by_type() {
    let data = [2.0f32, 1.0];
    let view = View::new(&data, &[2]).expect("a list");
    for [low, high] in WRONG {
        let op = Bins { low, high };
        let reduction = Reduction::new(op);
        is_refused(reduction.run(&view), [low, high]);
        let mut counts = [7u64; 4];
        is_refused(reduction.run_into(&view, &mut counts), [low, high]);
        assert_eq!(counts, [7; 4]);
        is_refused(reduction.planned(&view), [low, high]);
        is_refused(reduction.run_any(&view.clone().into()), [low, high]);
        is_refused(Reduction::new((Summary, op)).run(&view), [low, high]);
        is_refused(Reduction::new(SkipNan(op)).run(&view), [low, high]);
        let mask = View::new(&[true, false], &[2]).expect("a list");
        is_refused(Reduction::new(Masked(op)).run(&(view.clone(), mask)), [low, high]);
        is_refused(Reduction::new(op).computing_in::<f64>().run(&view), [low, high]);
        // Without elements, too.
        is_refused(reduction.run(&View::<f32>::new(&[], &[0]).expect("nothing")), [low, high]);
    }
    let counts = Reduction::new(Bins { low: -0.0, high: 5e-324 }).run(&view).expect("a range");
    assert_eq!(counts.data(), [0u64; 4]);
}

#[test]
fn in_pieces_and_by_key() {
    let data = [2.0f32, 1.0];
    let view = View::new(&data, &[2]).expect("a list");
    for [low, high] in WRONG {
        let op = Bins { low, high };
        let mut stream = Stream::new(op);
        is_refused(stream.update(&view), [low, high]);
        is_refused(stream.finish(), [low, high]);
        is_refused(Groups::<_, f32>::new(op, 2), [low, high]);
        is_refused(AnyGroups::new(op, &[DType::F32]), [low, high]);
        is_refused(Reduction::new(op).by_key(&[0u32, 1], 2).run(&view), [low, high]);
    }
}

/// Before there is an element: when a node is prepared.
#[test]
fn by_name() {
    static BINS: OpEntry = OpEntry::of::<Bins>();
    let node = |low: f64, high: f64| Node::new(1, DType::F32).attr("low", low).attr("high", high);
    for [low, high] in WRONG {
        let problems = BINS.prepare(&node(low, high)).expect_err("no range");
        is_refused(Err::<(), _>(problems.errors()[0].clone()), [low, high]);
        let params = Bins::SCHEMA.params(&[("low", low.into()), ("high", high.into())]);
        let op = Bins::configure(&params.expect("floats"));
        let view = View::new(&[1.0f64], &[1]).expect("a list");
        is_refused(Reduction::new(op).run_all(&[view.into()]), [low, high]);
    }
    assert!(BINS.prepare(&node(-1.0, 1e39)).is_ok());
}

/// Of operators that refuse nothing, all is as it was; a range in the schema takes finite numbers alone.
#[test]
fn of_others() {
    let view = View::new(&[2.0f32, 1.0], &[2]).expect("a list");
    assert!(Reduction::new(Variance { correction: 2 }).run(&view).is_ok());
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let problems = Scaled::SCHEMA.params(&[("scale", wrong.into())]).expect_err("no scale");
        let error = &problems.errors()[0];
        assert_eq!(error.code(), "attribute-range");
        assert!(error.to_string().contains("a finite number, at least 0"), "{error}");
        // Without a range, the operator says what it takes.
        assert!(Bins::SCHEMA.params(&[("low", wrong.into())]).is_ok());
    }
}

/// The sum, scaled.
#[derive(Clone, Copy, Debug, Default)]
struct Scaled {
    scale: f64,
}

#[reduce_op(
    dtypes = [f32],
    attrs = [axes: ints = all, keepdims: bool = true, scale: float = 0.0 in 0.0..],
)]
impl<A: Real> ReduceOp<A> for Scaled {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum * A::from_f64(self.scale)
    }
}
