//! Special values: NaN, infinities, zeros, subnormals and the limits of each
//! type, at every place, alone, in pairs and in crowds, against the oracle.

use reduce_core::{Num, ReduceOp, Reduction, View, bf16, f16, reduce_op};
use reduce_tests::cases::{LENGTHS, Layout, Request, Row, Stored, neutral, ordinary};
use reduce_tests::compare;
use reduce_tests::float::power_of_two;
use reduce_tests::oracle::{self, Op, Type, Values};

/// The special values of a type.
fn specials(ty: Type) -> Values {
    match ty {
        Type::Float { format, .. } => {
            let least = format.least_normal();
            let positive =
                [f64::INFINITY, 0.0, format.tiny(), least - format.tiny(), least, format.max];
            let negative = positive.map(|x| -x);
            Values::Floats([&[f64::NAN], positive.as_slice(), &negative].concat())
        }
        Type::Int { .. } => {
            let (low, high) = ty.limits();
            let small = [-1, 0, 1].into_iter().filter(|x| (low..=high).contains(x));
            Values::Ints([low, low + 1, high, high - 1].into_iter().chain(small).collect())
        }
    }
}

/// Values with some of them replaced.
fn with(values: &Values, replaced: &[(usize, &Values)]) -> Values {
    let mut values = values.clone();
    for &(place, special) in replaced {
        match (&mut values, special) {
            (Values::Floats(xs), Values::Floats(special)) => xs[place] = special[0],
            (Values::Ints(xs), Values::Ints(special)) => xs[place] = special[0],
            _ => unreachable!("of the same type"),
        }
    }
    values
}

/// Each special value by itself.
fn one_by_one(ty: Type) -> Vec<Values> {
    let specials = specials(ty);
    (0..specials.len()).map(|index| specials.select([index])).collect()
}

/// Returns the first place, the second, the middle one and the last. Any power of two of lanes, up
/// to 64, divides the elements before a tail: the last place before the tail and the first in it
/// are returned, too.
fn places(count: usize) -> Vec<usize> {
    let whole = count - count % 64;
    let mut places = vec![0, 1, count / 2, whole.saturating_sub(1), whole, count - 1];
    places.retain(|&place| place < count);
    places.sort_unstable();
    places.dedup();
    places
}

#[test]
fn one_special_value_at_every_place() {
    Row::for_each(|row| {
        for count in [1, 2, 3, 5, 17, 67, 300, 2 * 2048 + 67] {
            let values = neutral(row.op, row.ty, count);
            // Every lane that a kernel may have, for one length.
            let places = if count == 300 { (0..count).collect() } else { places(count) };
            for special in one_by_one(row.ty) {
                for &place in &places {
                    let values = with(&values, &[(place, &special)]);
                    row.check_all(&values, &format_args!("{special:?} at {place}"));
                }
            }
        }
    });
}

#[test]
fn two_special_values() {
    Row::for_each(|row| {
        for count in [2, 3, 67, 130] {
            let values = neutral(row.op, row.ty, count);
            let places = [(0, count - 1), (count / 2, count - 1), (0, count / 2)];
            for (first, second) in places.into_iter().filter(|(first, second)| first != second) {
                for a in one_by_one(row.ty) {
                    for b in one_by_one(row.ty) {
                        let values = with(&values, &[(first, &a), (second, &b)]);
                        row.check_all(
                            &values,
                            &format_args!("{a:?} at {first}, {b:?} at {second}"),
                        );
                    }
                }
            }
        }
    });
}

/// Nothing but one special value; and one ordinary value among them.
#[test]
fn crowds_of_a_special_value() {
    Row::for_each(|row| {
        for count in LENGTHS.into_iter().filter(|&count| count > 0) {
            let ordinary = neutral(row.op, row.ty, 1);
            for special in one_by_one(row.ty) {
                let crowd = special.select(vec![0; count]);
                row.check_all(&crowd, &format_args!("all {special:?}"));
                for place in places(count) {
                    let values = with(&crowd, &[(place, &ordinary)]);
                    row.check_all(&values, &format_args!("all {special:?} but at {place}"));
                }
            }
        }
    });
}

/// A special value in one column or row of a matrix leaves the others alone.
#[test]
fn special_values_stay_in_their_result() {
    Row::for_each(|row| {
        for shape in [[3, 67], [67, 3], [2, 130]] {
            let count: usize = shape.iter().product();
            for special in one_by_one(row.ty) {
                for place in places(count) {
                    let values = with(&neutral(row.op, row.ty, count), &[(place, &special)]);
                    for layout in Layout::ALL {
                        let stored = Stored::new(layout, row.dtype, &shape, &values);
                        for axis in [0, 1] {
                            check_matrix(row, &shape, &stored, axis).unwrap_or_else(|error| {
                                let name = row.name();
                                panic!("{name} {shape:?} {layout:?} {axis}: {error}")
                            });
                        }
                    }
                }
            }
        }
    });
}

fn check_matrix(row: &Row, shape: &[usize], stored: &Stored, axis: usize) -> Result<(), String> {
    let axes = [i64::try_from(axis).expect("small")];
    let request = Request { axes: Some(&axes), ..Request::default() };
    let result = row.run(row.newest(), &stored.view(), &request).expect("elements everywhere");
    let expected =
        oracle::reduce(row.op, row.ty, (shape, &stored.values), &[axis], true).expect("a value");
    compare::check(&expected, &reduce_tests::cases::found(&result))
}

/// Long sets: the error of a float sum grows with the logarithm of their size.
#[test]
fn a_million_elements() {
    Row::for_each(|row| {
        let values = ordinary(row.op, row.ty, 1_000_003, 3);
        if row.op != Op::Prod || !row.ty.is_float() {
            row.check_all(&values, &"ordinary values");
        }
    });
}

/// A sum in f64, whatever is stored.
#[derive(Clone, Copy, Debug, Default)]
struct WideSum;

/// The sum, computed in f64.
#[reduce_op(dtypes = [f16 => f64, bf16 => f64])]
impl<A: Num> ReduceOp<A> for WideSum {
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
        sum
    }
}

/// A result in f64 is rounded once when it is stored: just above the middle of
/// two halves is the upper one, however far down the bit that says so.
#[test]
fn halves_are_rounded_once_from_f64() {
    for bit in [-12, -20, -24] {
        let xs = [0, -11, bit].map(|power| f16::from_f64_const(power_of_two(power)));
        let view = View::new(&xs, &[3]).expect("three elements");
        let sum = Reduction::new(WideSum).run(&view).expect("a sum").data()[0];
        assert_eq!(sum.to_f64(), 1.0 + power_of_two(-10), "1 + 2^-11 + 2^{bit} in f16");
    }
    for bit in [-9, -20, -24, -40] {
        let xs = [0, -8, bit].map(|power| bf16::from_f64_const(power_of_two(power)));
        let view = View::new(&xs, &[3]).expect("three elements");
        let sum = Reduction::new(WideSum).run(&view).expect("a sum").data()[0];
        assert_eq!(sum.to_f64(), 1.0 + power_of_two(-7), "1 + 2^-8 + 2^{bit} in bf16");
    }
}
