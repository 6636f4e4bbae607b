//! What a reduction must give, written from the standard.
//!
//! Plain loops in `i128` and in sums of two `f64`; coordinates by division, no
//! strides. Nothing here comes from the crates under test, not even a constant:
//! types and values are the oracle's own, and a type is found by its name.
//!
//! Where the standard is silent, the oracle decides. Integers wrap. An integer mean is exact, and truncated toward
//! zero. A square is rounded before it is added to a sum of squares. The sum behind a float mean, root or logarithm
//! never overflows. NaN propagates. Integers under a root or a logarithm are computed in `f64`, truncated and
//! saturated.

mod exact;
mod order;
mod real;
mod types;

pub use types::{Type, Values};

use crate::float::Exact;

/// An operator the oracle knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The sum.
    Sum,
    /// The sum divided by the number of elements.
    Mean,
    /// The product.
    Prod,
    /// The sum of magnitudes.
    L1,
    /// The square root of the sum of squares.
    L2,
    /// The sum of squares.
    SumSquare,
    /// The logarithm of the sum.
    LogSum,
    /// The logarithm of the sum of exponentials.
    LogSumExp,
    /// The largest element.
    Max,
    /// The smallest element.
    Min,
    /// The position of the largest element along an axis.
    ArgMax {
        /// Whether the last of equal elements is meant, and not the first.
        last: bool,
    },
    /// The position of the smallest element along an axis.
    ArgMin {
        /// Whether the last of equal elements is meant, and not the first.
        last: bool,
    },
}

impl Op {
    /// The operator of a name of the standard.
    ///
    /// # Panics
    /// If the oracle does not know it: then nothing would be tested.
    pub fn named(name: &str) -> Op {
        match name {
            "ReduceSum" => Op::Sum,
            "ReduceMean" => Op::Mean,
            "ReduceProd" => Op::Prod,
            "ReduceL1" => Op::L1,
            "ReduceL2" => Op::L2,
            "ReduceSumSquare" => Op::SumSquare,
            "ReduceLogSum" => Op::LogSum,
            "ReduceLogSumExp" => Op::LogSumExp,
            "ReduceMax" => Op::Max,
            "ReduceMin" => Op::Min,
            "ArgMax" => Op::ArgMax { last: false },
            "ArgMin" => Op::ArgMin { last: false },
            _ => panic!(
                "the oracle does not know `{name}`; write what the standard says of it in \
                 tests/src/oracle, and values for it in tests/src/cases/values.rs"
            ),
        }
    }

    /// The same operator with its `select_last_index`, if it has one.
    #[must_use]
    pub fn select_last(self, last: bool) -> Op {
        match self {
            Op::ArgMax { .. } => Op::ArgMax { last },
            Op::ArgMin { .. } => Op::ArgMin { last },
            other => other,
        }
    }

    /// Whether the result is a position.
    pub fn is_position(self) -> bool {
        matches!(self, Op::ArgMax { .. } | Op::ArgMin { .. })
    }
}

/// What an element of the result may deviate by, as far as the elements decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Errors {
    /// Nothing: no arithmetic, or no freedom.
    None,
    /// The result is a sum of `count` elements, divided if there is a `divisor`.
    Sum {
        /// The sum of the magnitudes, within the range of `f64`.
        magnitudes: f64,
        /// The number of elements.
        count: usize,
        /// What it is divided by, if it is.
        divisor: Option<f64>,
    },
    /// The result is the square root of a sum of `count` squares.
    Root {
        /// The number of elements.
        count: usize,
    },
    /// The result is a product of `count` elements.
    Product {
        /// The number of elements.
        count: usize,
    },
    /// The result is the logarithm of a sum of `count` elements.
    Log {
        /// The sum.
        sum: f64,
        /// The sum of the magnitudes; 0 if nothing was rounded.
        magnitudes: f64,
        /// The number of elements.
        count: usize,
        /// What is to be added to the logarithm of the sum: of a power of two that all were divided by.
        shift: f64,
    },
    /// The result is the logarithm of a sum of `count` exponentials.
    LogSumExp {
        /// The number of elements.
        count: usize,
        /// The others add this to the largest element.
        added: f64,
        /// How far others are below it, each weighed by its exponential.
        distance: f64,
    },
}

/// One element of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// Exactly this.
    Int(i128),
    /// This real number, stored in the result's type.
    Real {
        /// The number.
        exact: Exact,
        /// What it may deviate by.
        errors: Errors,
    },
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The type of its elements.
    pub ty: Type,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// Its elements, last axis fastest.
    pub elements: Vec<Element>,
}

/// Returns the result, or `None` if it is over an empty set and has no value there.
pub fn reduce(
    op: Op,
    ty: Type,
    (shape, values): (&[usize], &Values),
    reduced: &[usize],
    keepdims: bool,
) -> Option<Expected> {
    let elements = reduce_sets(op, ty, values, &sets(shape, reduced))?;
    Some(Expected { shape: output_shape(shape, reduced, keepdims), ..elements })
}

/// Returns the results of sets of elements as a list. A set holds the indices of its elements. The list is `None` if a
/// set is empty and has no value.
pub fn reduce_sets(op: Op, ty: Type, values: &Values, sets: &[Vec<usize>]) -> Option<Expected> {
    let result = |set: &Vec<usize>| element(op, ty, &values.select(set.iter().copied()));
    let elements = sets.iter().map(result).collect::<Option<Vec<Element>>>()?;
    let ty = if op.is_position() { Type::named("i64") } else { ty };
    Some(Expected { ty, shape: vec![sets.len()], elements })
}

/// The sizes of a result: reduced axes have size 1, or are left out.
pub fn output_shape(shape: &[usize], reduced: &[usize], keepdims: bool) -> Vec<usize> {
    let mut dims = Vec::new();
    for (axis, &dim) in shape.iter().enumerate() {
        if !reduced.contains(&axis) {
            dims.push(dim);
        } else if keepdims {
            dims.push(1);
        }
    }
    dims
}

/// The indices of the elements behind each element of the result, in row-major
/// order.
pub fn sets(shape: &[usize], reduced: &[usize]) -> Vec<Vec<usize>> {
    let results = output_shape(shape, reduced, false).iter().product();
    let mut sets = vec![Vec::new(); results];
    let mut coordinates = vec![0; shape.len()];
    let kept: Vec<usize> = (0..shape.len()).filter(|axis| !reduced.contains(axis)).collect();
    for index in 0..shape.iter().product() {
        let mut rest = index;
        for axis in (0..shape.len()).rev() {
            coordinates[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        let result = kept.iter().fold(0, |result, &axis| result * shape[axis] + coordinates[axis]);
        sets[result].push(index);
    }
    sets
}

/// Reduces a set of elements; an empty one may have no value.
fn element(op: Op, ty: Type, set: &Values) -> Option<Element> {
    match (op, set) {
        (Op::ArgMax { last }, set) => order::position(set, last, true),
        (Op::ArgMin { last }, set) => order::position(set, last, false),
        (Op::Max, set) => Some(order::extreme(ty, set, true)),
        (Op::Min, set) => Some(order::extreme(ty, set, false)),
        (_, Values::Floats(xs)) => Some(real::reduce(op, ty.compute(), xs)),
        (Op::L2 | Op::LogSum | Op::LogSumExp, Values::Ints(xs)) => {
            Some(real::of_integers(op, ty, xs))
        }
        (_, Values::Ints(xs)) => exact::reduce(op, ty, xs).map(Element::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, Op, Type, Values, output_shape, reduce, sets};

    #[test]
    #[should_panic(expected = "the oracle does not know `ReduceNew`; write what the standard says")]
    fn an_operator_without_an_oracle_is_a_failure() {
        Op::named("ReduceNew");
    }

    #[test]
    fn sets_follow_the_coordinates() {
        assert_eq!(sets(&[2, 3], &[0]), [[0, 3], [1, 4], [2, 5]]);
        assert_eq!(sets(&[2, 3], &[1]), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(sets(&[2, 2, 2], &[0, 2]), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(sets(&[2, 0], &[1]), [[0; 0], [0; 0]]);
        assert_eq!(sets(&[], &[]), [[0]]);
        assert_eq!(output_shape(&[2, 0, 3], &[1], true), [2, 1, 3]);
        assert_eq!(output_shape(&[2, 0, 3], &[1, 2], false), [2]);
    }

    #[test]
    fn integers_wrap_at_their_width() {
        let [i32, u32] = ["i32", "u32"].map(Type::named);
        assert_eq!(
            [1 << 31, -(1 << 31) - 1, -1].map(|x| i32.wrap(x)),
            [i32.limits().0, i32.limits().1, -1]
        );
        assert_eq!([1 << 32, -1, 5].map(|x| u32.wrap(x)), [0, u32.limits().1, 5]);
    }

    /// Reduces a list of an integer type.
    fn int(op: Op, ty: &str, xs: &[i128]) -> Option<i128> {
        let values = Values::Ints(xs.to_vec());
        let expected = reduce(op, Type::named(ty), (&[xs.len()], &values), &[0], true)?;
        match expected.elements[0] {
            Element::Int(int) => Some(int),
            Element::Real { .. } => panic!("no integer"),
        }
    }

    #[test]
    fn extrema_of_nothing_are_the_limits() {
        for (ty, low, high) in [("bool", 0, 1), ("i8", -128, 127), ("u16", 0, 65535)] {
            assert_eq!(int(Op::Max, ty, &[]), Some(low));
            assert_eq!(int(Op::Min, ty, &[]), Some(high));
            assert_eq!(int(Op::ArgMax { last: false }, ty, &[]), None);
        }
    }

    #[test]
    fn positions_are_the_first_or_the_last() {
        let nan = f64::NAN;
        let place = |op, xs: &[f64]| {
            let values = Values::Floats(xs.to_vec());
            let expected = reduce(op, Type::named("f32"), (&[xs.len()], &values), &[0], true);
            expected.expect("elements").elements[0]
        };
        for (xs, places) in [
            (&[1.0, 2.0, 2.0, 1.0][..], [1, 2, 0, 3]),
            (&[0.0, -0.0], [0, 1, 0, 1]),
            (&[1.0, nan, 3.0, nan, 0.0], [1, 3, 1, 3]),
        ] {
            let ops = [false, true].map(|last| [Op::ArgMax { last }, Op::ArgMin { last }]);
            let found = [ops[0][0], ops[1][0], ops[0][1], ops[1][1]].map(|op| place(op, xs));
            assert_eq!(found, places.map(Element::Int));
        }
    }
}
