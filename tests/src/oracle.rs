//! What a reduction must give, written from the standard.
//!
//! Plain loops in `i128` and in sums of two `f64`; coordinates by division, no
//! strides. Nothing here comes from the crates under test, not even a constant:
//! types and values are the oracle's own, and a type is found by its name.
//!
//! Where the standard is silent: integers wrap, an integer mean is exact and
//! truncated toward zero, the sum behind a float mean overflows as IEEE sums do,
//! NaN propagates, and integers under a logarithm are computed in `f64`,
//! truncated and saturated.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "wrapping and rounding are what is computed here; counts are small"
)]

use crate::float::{BF16, Exact, F16, F32, F64, Format, Product};

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
    /// The logarithm of the sum of exponentials.
    LogSumExp,
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
            "ReduceLogSumExp" => Op::LogSumExp,
            _ => panic!(
                "the oracle does not know `{name}`; write what the standard says of it in \
                 tests/src/oracle.rs, and values for it in tests/src/cases/values.rs"
            ),
        }
    }
}

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    /// A float, and the format its reductions are computed in.
    Float {
        /// The format stored.
        format: Format,
        /// The format computed in: results round to it, then to `format`.
        compute: Format,
    },
    /// An integer, or a bool as one of a single bit.
    Int {
        /// Its width.
        bits: u32,
        /// Whether half of its values are negative.
        signed: bool,
    },
}

impl Type {
    /// The type of a name such as `f16` or `u64`.
    ///
    /// # Panics
    /// If there is no such type.
    pub fn named(name: &str) -> Type {
        let float = |format, compute| Type::Float { format, compute };
        let width = |digits: &str| digits.parse().expect("a width");
        match (name, name.split_at(1)) {
            ("f16", _) => float(F16, F32),
            ("bf16", _) => float(BF16, F32),
            ("f32", _) => float(F32, F32),
            ("f64", _) => float(F64, F64),
            ("bool", _) => Type::Int { bits: 1, signed: false },
            (_, ("i", digits)) => Type::Int { bits: width(digits), signed: true },
            (_, ("u", digits)) => Type::Int { bits: width(digits), signed: false },
            _ => panic!("the oracle does not know the type `{name}`"),
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Type::Float { .. })
    }

    /// The format reductions to real numbers are computed in.
    pub fn compute(self) -> Format {
        match self {
            Type::Float { compute, .. } => compute,
            Type::Int { .. } => F64,
        }
    }

    /// The least and the greatest integer; both 0 for floats.
    pub fn limits(self) -> (i128, i128) {
        match self {
            Type::Float { .. } => (0, 0),
            Type::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Type::Int { bits, signed: false } => (0, (1 << bits) - 1),
        }
    }

    /// The value of the type that is congruent modulo two to its width.
    pub fn wrap(self, x: i128) -> i128 {
        let (low, high) = self.limits();
        (x - low).rem_euclid(high - low + 1) + low
    }

    /// A real number as it is stored: rounded once in the format computed in,
    /// then to the type; or without its fraction and within the type's limits.
    pub fn store(self, x: f64) -> f64 {
        match self {
            Type::Float { format, compute } => format.round(compute.round(x)),
            Type::Int { .. } => {
                let (low, high) = self.limits();
                x.trunc().clamp(low as f64, high as f64)
            }
        }
    }
}

/// Elements of one type, exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Of an integer type.
    Ints(Vec<i128>),
    /// Of a float type.
    Floats(Vec<f64>),
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Ints(xs) => xs.len(),
            Values::Floats(xs) => xs.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those at some indices, in that order.
    #[must_use]
    pub fn select(&self, indices: impl IntoIterator<Item = usize>) -> Values {
        let indices = indices.into_iter();
        match self {
            Values::Ints(xs) => Values::Ints(indices.map(|index| xs[index]).collect()),
            Values::Floats(xs) => Values::Floats(indices.map(|index| xs[index]).collect()),
        }
    }
}

/// What an element of the result may deviate by, as far as the elements decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Errors {
    /// Nothing: no arithmetic, or no freedom.
    None,
    /// A sum of so many elements, then divided.
    Sum {
        /// The sum of the magnitudes, within the range of `f64`.
        magnitudes: f64,
        /// The number of elements.
        count: usize,
        /// What it is divided by, if it is.
        divisor: Option<f64>,
    },
    /// A product of so many elements.
    Product {
        /// The number of elements.
        count: usize,
    },
    /// A logarithm of a sum of so many exponentials.
    LogSumExp {
        /// The number of elements.
        count: usize,
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

/// The result, or nothing if it would be over no elements and has no value.
pub fn reduce(
    op: Op,
    ty: Type,
    (shape, values): (&[usize], &Values),
    reduced: &[usize],
    keepdims: bool,
) -> Option<Expected> {
    let elements = sets(shape, reduced)
        .into_iter()
        .map(|set| element(op, ty, &values.select(set)))
        .collect::<Option<Vec<Element>>>()?;
    Some(Expected { ty, shape: output_shape(shape, reduced, keepdims), elements })
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
    for index in 0..shape.iter().product() {
        let mut rest = index;
        for axis in (0..shape.len()).rev() {
            coordinates[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        let kept = (0..shape.len()).filter(|axis| !reduced.contains(axis));
        let result = kept.fold(0, |result, axis| result * shape[axis] + coordinates[axis]);
        sets[result].push(index);
    }
    sets
}

/// What a set of elements reduces to.
fn element(op: Op, ty: Type, set: &Values) -> Option<Element> {
    match set {
        Values::Floats(xs) => Some(real(op, ty.compute(), xs)),
        Values::Ints(xs) if op == Op::LogSumExp && xs.is_empty() => {
            Some(Element::Int(ty.limits().0))
        }
        Values::Ints(xs) if op == Op::LogSumExp => {
            let xs: Vec<f64> = xs.iter().map(|&x| x as f64).collect();
            Some(real(op, ty.compute(), &xs))
        }
        Values::Ints(xs) => int(op, ty, xs).map(Element::Int),
    }
}

fn int(op: Op, ty: Type, xs: &[i128]) -> Option<i128> {
    let sum: i128 = xs.iter().sum();
    match op {
        Op::Sum => Some(ty.wrap(sum)),
        Op::L1 => Some(ty.wrap(xs.iter().map(|x| x.abs()).sum())),
        Op::Mean => sum.checked_div(xs.len() as i128),
        Op::Prod => {
            // Modulo 2^64 first: a factor of two's power more than any type's.
            let modulo = |x: i128| x as u64;
            let product = xs.iter().fold(1u64, |product, &x| product.wrapping_mul(modulo(x)));
            Some(ty.wrap(i128::from(product)))
        }
        Op::LogSumExp => unreachable!("computed in real numbers"),
    }
}

fn real(op: Op, compute: Format, xs: &[f64]) -> Element {
    let (exact, errors) = match op {
        Op::Sum => sum(xs.iter().copied(), None),
        Op::L1 => sum(xs.iter().map(|x| x.abs()), None),
        Op::Mean => mean(compute, xs),
        Op::Prod => (product(xs), Errors::Product { count: xs.len() }),
        Op::LogSumExp => (log_sum_exp(xs), Errors::LogSumExp { count: xs.len() }),
    };
    let errors = if xs.len() < 2 { Errors::None } else { errors };
    Element::Real { exact, errors }
}

fn sum(xs: impl Iterator<Item = f64> + Clone, divisor: Option<f64>) -> (Exact, Errors) {
    let special = xs.clone().filter(|x| !x.is_finite()).reduce(|a, b| a + b);
    let exact = match special {
        Some(special) => Exact::from(special),
        // Not from 0.0: the sum of one element is that element, sign and all.
        None => xs
            .clone()
            .fold(None, |sum: Option<Exact>, x| Some(sum.map_or(x.into(), |sum| sum.plus(x))))
            .unwrap_or(Exact::ZERO),
    };
    let magnitudes = xs.clone().map(f64::abs).sum::<f64>().min(f64::MAX);
    (exact, Errors::Sum { magnitudes, count: xs.count(), divisor })
}

fn mean(compute: Format, xs: &[f64]) -> (Exact, Errors) {
    let count = xs.len() as f64;
    let (sum, errors) = sum(xs.iter().copied(), Some(count));
    // An overflow is not undone by the division.
    let rounded = compute.round(sum.high);
    let sum = if rounded.is_finite() { sum } else { rounded.into() };
    // A mean of one element is that element, whatever the sign of a zero.
    (if xs.len() == 1 { sum } else { sum.over(count) }, errors)
}

fn product(xs: &[f64]) -> Exact {
    let finite = xs.iter().all(|x| x.is_finite());
    if finite && !xs.contains(&0.0) {
        return Product::of(xs.iter().copied());
    }
    // Zeros, infinities and NaN: magnitudes do not matter, signs do.
    let sign = |x: f64| if x == 0.0 || !x.is_finite() { x } else { 1.0f64.copysign(x) };
    xs.iter().map(|&x| sign(x)).product::<f64>().into()
}

/// The largest element is taken out: the sum of the others' exponentials, each
/// divided by its, is what the logarithm of one plus this sum adds to it.
fn log_sum_exp(xs: &[f64]) -> Exact {
    let nan = xs.iter().any(|x| x.is_nan());
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if nan || max.is_infinite() {
        return Exact::from(if nan { f64::NAN } else { max });
    }
    let largest = xs.iter().position(|&x| x == max);
    let others = xs.iter().enumerate().filter(|(index, _)| Some(*index) != largest);
    let sum = others.fold(Exact::ZERO, |sum, (_, x)| sum.plus((x - max).exp()));
    Exact::from(max).plus(sum.high.ln_1p())
}

#[cfg(test)]
mod tests {
    use super::{Op, Type, output_shape, sets};

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
}
