//! Conversion of operators whose versions differ in more than form: the result
//! stays the same, or there is no conversion. No operator of the standard is so.

use reduce_core::nodes::{AxesInput, Dim, Node, OpEntry, PartialShape};
use reduce_core::{AnyTensor, DType, Indexed, Num, Real, ReduceOp, View, reduce_op};
use reduce_specs::ONNX;

/// Writes a sum times a parameter of 1, with these facts.
macro_rules! sum {
    ($name:ident, $entry:ident, $($facts:tt)*) => {
        #[derive(Clone, Copy, Debug)]
        struct $name {
            factor: f64,
        }

        impl Default for $name {
            fn default() -> Self {
                $name { factor: 1.0 }
            }
        }

        #[reduce_op(dtypes = [f64], $($facts)*)]
        impl<A: Real> ReduceOp<A> for $name {
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
                sum * A::from_f64(self.factor)
            }
        }

        static $entry: OpEntry = OpEntry::of::<$name>();
    };
}

sum!(Factor, FACTOR, versions = [1, 5], attrs = {
    1.. => [axes: ints = all],
    1..=4 => [factor: float = 2.0],
    5.. => [factor: float = 3.0 in 1.0..],
});
sum!(Keeping, KEEPING, versions = [1, 5], attrs = {
    1.. => [axes: ints = all],
    1..=4 => [keepdims: bool = true],
});
sum!(Flipping, FLIPPING, versions = [1, 5], attrs = {
    1.. => [axes: ints = all],
    1..=4 => [noop_with_empty_axes: bool = true, keepdims: bool = false],
    5.. => [noop_with_empty_axes: bool = false, keepdims: bool = true],
});
sum!(Single, SINGLE, versions = [1, 5], attrs = {
    1..=4 => [axes: ints = all],
    5.. => [axis: int = 0],
});
sum!(Losing, LOSING, versions = [1, 5], attrs = {
    1.. => [axes: input = all],
    1..=4 => [noop_with_empty_axes: bool = false],
});

fn run(entry: &'static OpEntry, node: &Node) -> AnyTensor {
    let data = View::new(&[1.0f64, 2.0, 3.0, 4.0], &[2, 2]).expect("four elements");
    entry.prepare(node).expect("valid").run(&data.into()).expect("valid axes")
}

/// That a node converts, and gives the same at both versions.
fn keeps_its_meaning(entry: &'static OpEntry, node: &Node, opset: u32) {
    let converted = entry.convert(node, opset).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(run(entry, node), run(entry, &converted), "{node:?} and {converted:?}");
}

/// That a node does not convert, and why.
fn has_no_form(entry: &'static OpEntry, node: &Node, opset: u32, code: &str) {
    let problems = entry.convert(node, opset).expect_err("its meaning would change");
    assert_eq!(problems.errors()[0].code(), code, "{problems}");
}

fn node(opset: u32) -> Node {
    Node::new(opset, DType::F64)
}

#[test]
fn defaults_that_differ_are_written_out() {
    keeps_its_meaning(&FACTOR, &node(1), 5);
    keeps_its_meaning(&FACTOR, &node(5), 1);
    for opset in [1, 5] {
        keeps_its_meaning(&FLIPPING, &node(opset), 6 - opset);
        keeps_its_meaning(&FLIPPING, &node(opset).attr("axes", [1]), 6 - opset);
        for noop in [0, 1] {
            let node = node(opset).attr("noop_with_empty_axes", noop);
            keeps_its_meaning(&FLIPPING, &node, 6 - opset);
        }
    }
}

#[test]
fn values_outside_the_range_of_the_target() {
    has_no_form(&FACTOR, &node(1).attr("factor", 0.5), 5, "attribute-range");
}

#[test]
fn flags_that_the_target_lacks() {
    has_no_form(&KEEPING, &node(1).attr("axes", [0]), 5, "no-form");
    keeps_its_meaning(&KEEPING, &node(5), 1);
    let computed = node(1).axes(AxesInput::runtime()).attr("noop_with_empty_axes", 1);
    has_no_form(&LOSING, &computed, 5, "no-form");
}

#[test]
fn one_axis_and_several() {
    has_no_form(&SINGLE, &node(1), 5, "no-form");
    has_no_form(&SINGLE, &node(1).attr("axes", [1]), 5, "attribute-of-other-version");
    keeps_its_meaning(&SINGLE, &node(5), 1);
    has_no_form(&SINGLE, &node(5).attr("axis", 1), 1, "no-form");
}

/// Axes that come with the data replace known ones, and leave the flags alone.
#[test]
fn computed_axes_keep_the_flags() {
    let data = View::new(&[1.0f32, 2.0], &[2]).expect("two elements");
    let none = View::new(&[0i64; 0], &[0]).expect("no elements");
    let node = Node::new(18, DType::F32).axes([0]).attr("noop_with_empty_axes", 1);
    let call = ONNX.prepare("ReduceMean", &node).expect("valid");
    let result = call.run_with_axes(&data.into(), &none.into()).expect("valid");
    assert_eq!(result.shape().dims(), [2]);
}

#[test]
fn computed_axes_where_there_is_no_such_input() {
    let data = View::new(&[1.0f32, 2.0], &[1, 2]).expect("two elements");
    let axes = View::new(&[0i64], &[1]).expect("one element");
    for (op, opset) in [("ArgMax", 13), ("ReduceSum", 1)] {
        let call = ONNX.prepare(op, &Node::new(opset, DType::F32)).expect("valid");
        let error = call.run_with_axes(&data.clone().into(), &axes.clone().into());
        assert_eq!(error.expect_err("no such input").code(), "input-of-other-version");
    }
}

#[test]
fn computed_axes_in_the_number_announced() {
    let announced = |count| AxesInput::Runtime {
        dtype: DType::I64,
        shape: PartialShape::new([Dim::Known(count)]),
    };
    let node = Node::new(18, DType::F32).shape([1, 2]);
    let problems = ONNX.prepare("ReduceMean", &node.clone().axes(announced(3)));
    assert_eq!(problems.expect_err("three of two").errors()[0].code(), "rank-mismatch");
    let call = ONNX.prepare("ReduceMean", &node.axes(announced(2))).expect("valid");
    let data = View::new(&[1.0f32, 2.0], &[1, 2]).expect("two elements");
    let one = View::new(&[0i64], &[1]).expect("one element");
    let error = call.run_with_axes(&data.into(), &one.into()).expect_err("one of two");
    assert_eq!(error.code(), "length-mismatch");
}

/// How far apart the first and the last element stand. Its steps rely on the
/// order, and so must the test of its laws.
#[derive(Clone, Copy, Debug, Default)]
struct Distance;

#[reduce_op(dtypes = [f32, i64], commutative = false, output = i64, empty = error)]
impl<A: Num> ReduceOp<Indexed<A>> for Distance {
    type Acc = (u64, u64, bool);
    type Output = i64;

    fn identity(&self) -> (u64, u64, bool) {
        (0, 0, false)
    }

    fn map(&self, x: Indexed<A>) -> (u64, u64, bool) {
        (x.index, x.index, true)
    }

    fn combine(&self, a: (u64, u64, bool), b: (u64, u64, bool)) -> (u64, u64, bool) {
        let first = if a.2 { a.0 } else { b.0 };
        let last = if b.2 { b.1 } else { a.1 };
        (first, last, a.2 | b.2)
    }

    fn finalize(&self, (first, last, _): (u64, u64, bool), _count: usize) -> i64 {
        (last - first).cast_signed()
    }
}
