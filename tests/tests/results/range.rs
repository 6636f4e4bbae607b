//! Range: no result of finite elements overflows or underflows on the way, at whatever place, in whatever
//! layout.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers that are drawn are small"
)]

use reduce_core::nodes::Node;
use reduce_core::numbers::Extended;
use reduce_core::{DType, Reduction, SkipNan, View};
use reduce_specs::{ONNX, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMean, ReduceProd};
use reduce_tests::cases::{Layout, Random, Request, Row, Stored, found};
use reduce_tests::compare;
use reduce_tests::float::{Format, power_of_two};
use reduce_tests::oracle::{self, Op, Type, Values};

/// The result over a list.
macro_rules! over {
    ($op:expr, $list:expr) => {{
        let list = $list;
        let view = View::new(&list, &[list.len()]).expect("a list");
        Reduction::new($op).run(&view).expect("a result").data()[0]
    }};
}

#[test]
fn a_product_with_a_zero_is_zero() {
    for count in [1, 2, 5, 57, 58, 85, 300, 5000] {
        let list: Vec<f32> = (0..count).map(|x| x as f32).collect();
        assert_eq!(over!(ReduceProd, list.clone()), 0.0, "{count}");
        let columns = View::new(&list, &[count, 1]).expect("a matrix");
        let columns = columns.broadcast(&[count, 100]).expect("columns");
        let products = Reduction::new(ReduceProd).axes([0]).run(&columns).expect("products");
        assert!(products.data().iter().all(|&product| product == 0.0), "{count}");
    }
}

#[test]
fn the_order_of_large_and_small_factors_does_not_matter() {
    let one_after_the_other = [[1e30f32; 40], [1e-30; 40]].concat();
    let alternating: Vec<f32> = (0..80).map(|n| [1e30, 1e-30][n % 2]).collect();
    let in_fours: Vec<f32> = (0..80).map(|n| [1e30, 1e-30][n / 4 % 2]).collect();
    for list in [one_after_the_other, alternating, in_fours] {
        let product = over!(ReduceProd, list);
        assert!((product - 1.0).abs() < 80.0 * f32::EPSILON, "{product}");
    }
    // Subnormal in between, where bits are lost.
    assert_eq!(over!(ReduceProd, [1.25e-20f32, 1e-20, 1e20]), 1.25e-20);
}

#[test]
fn who_asks_for_it_gets_results_as_they_are() {
    let small = [1e-30f32; 6];
    let rows = View::new(&small, &[2, 3]).expect("a matrix");
    let lengths = |mended| {
        let reduction = Reduction::new(ReduceL2).axes([1]).mended(mended);
        let at_once = reduction.run(&rows).expect("lengths").into_data();
        let mut planned = [1.0; 2];
        reduction.planned(&rows).expect("a plan").run_into(&rows, &mut planned).expect("lengths");
        assert_eq!(at_once, planned);
        let mut into = [1.0; 2];
        reduction.run_into(&rows, &mut into).expect("lengths");
        assert_eq!(at_once, into);
        let both = Reduction::new((ReduceL2, ReduceProd)).axes([1]).mended(mended);
        assert_eq!(both.run(&rows).expect("lengths").0.data(), at_once);
        let chosen = Reduction::new(SkipNan(ReduceL2)).axes([1]).mended(mended);
        assert_eq!(chosen.run(&rows).expect("lengths").data(), at_once);
        let node = Node::new(18, DType::F32).axes([-1]).attr("keepdims", 0);
        let call = ONNX.prepare("ReduceL2", &node).expect("a node").mended(mended);
        let by_node = call.run(&rows.clone().into()).expect("lengths");
        assert_eq!(by_node.downcast::<f32>().expect("as the data").data(), at_once);
        at_once
    };
    assert_eq!(lengths(true), [1.732_050_8e-30; 2]);
    assert_eq!(lengths(false), [0.0; 2]);
}

#[test]
fn norms_of_large_and_of_small_elements() {
    assert_eq!(over!(ReduceL2, [1e200f64, 1e200]), 2f64.sqrt() * 1e200);
    assert_eq!(over!(ReduceL2, [1e20f32; 3]), 1.732_050_8e20);
    assert_eq!(over!(ReduceL2, [1e-200f64; 4]), 2e-200);
    assert_eq!(over!(ReduceL2, [3e-200f64, 4e-200]), 5e-200);
    assert_eq!(over!(ReduceL2, [3e-45f32, 4e-45]), 5e-45 * 1.0);
    assert_eq!(over!(ReduceL2, [f64::MAX, f64::MAX]), f64::INFINITY, "no f64");
    assert_eq!(over!(ReduceL2, [0.0f32; 100]), 0.0);
}

#[test]
fn means_of_the_largest() {
    assert_eq!(over!(ReduceMean, [f64::MAX, f64::MAX]), f64::MAX);
    assert_eq!(over!(ReduceMean, [f32::MAX; 1000]), f32::MAX);
    assert_eq!(over!(ReduceMean, [f32::MAX, f32::MAX, -f32::MAX, -f32::MAX]), 0.0);
    assert_eq!(over!(ReduceMean, [f32::MAX, f32::INFINITY]), f32::INFINITY);
    assert!(over!(ReduceMean, [f32::INFINITY, f32::NEG_INFINITY]).is_nan());
}

#[test]
fn logarithms_of_sums() {
    assert_eq!(over!(ReduceLogSumExp, [0.0f64, -40.0]), 4.248_354_255_291_589e-18);
    assert_eq!(over!(ReduceLogSumExp, [5.0f64, -40.0]), 5.0);
    assert_eq!(over!(ReduceLogSumExp, [0.0f64, -740.0]), 4.199_558_294_404_77e-322);
    assert_eq!(over!(ReduceLogSumExp, [f64::MAX, -f64::MAX]), f64::MAX);
    let log = over!(ReduceLogSum, [f64::MAX, f64::MAX]);
    assert!((log - (f64::MAX.ln() + 2f64.ln())).abs() < 1e-12, "{log}");
}

/// Each of several operators looks at its own doubts: the others keep their bits.
#[test]
fn tuples_mend_what_is_doubtful() {
    let list = [1e20f32, -1e20, 3e-20, 0.1];
    let view = View::new(&list, &[4]).expect("a list");
    let (mean, norm, product) =
        Reduction::new((ReduceMean, ReduceL2, ReduceProd)).run(&view).expect("results");
    assert_eq!(mean.data()[0], over!(ReduceMean, list));
    assert_eq!(norm.data()[0], 1.414_213_6e20);
    assert!((product.data()[0] / -3e19 - 1.0).abs() < 1e-6);
    let nested = Reduction::new((ReduceMean, (ReduceL2, ReduceProd))).run(&view).expect("results");
    assert_eq!(nested.1.0.data()[0], 1.414_213_6e20);
}

#[test]
fn any_operator_can_be_computed_without_limits() {
    let list = [1e200f64, 1e200];
    let view = View::new(&list, &[2]).expect("a list");
    let norm = Reduction::new(ReduceL2).computing_in::<Extended>().run(&view).expect("a norm");
    assert_eq!(norm.data(), [2f64.sqrt() * 1e200]);
}

/// Finite numbers of all exponents, or of some.
fn numbers(format: Format, count: usize, random: &mut Random) -> Vec<f64> {
    let (least, most) = (format.least_exponent - format.precision + 1, exponent_of_max(format));
    let spread = 10f64.powf(random.between(0.0, f64::from(most - least).log10()));
    let middle = random.between(f64::from(least), f64::from(most));
    let number = |random: &mut Random| {
        let power = random.between(-spread, spread) / 2.0 + middle;
        let power = power.round().clamp(f64::from(least), f64::from(most));
        let sign = if random.bits().is_multiple_of(4) { -1.0 } else { 1.0 };
        format.round(sign * random.between(1.0, 2.0) * power_of_two(power as i32))
    };
    (0..count).map(|_| number(random).clamp(-format.max, format.max)).collect()
}

/// Makes factors whose product is an ordinary number. Each second factor takes back most of the product's excess.
fn factors(format: Format, count: usize, random: &mut Random) -> Vec<f64> {
    let mut list = numbers(format, count, random);
    let (least, most) = (format.least_exponent - format.precision + 1, exponent_of_max(format));
    let mut power = 0;
    for x in &mut list {
        let own = reduce_tests::float::exponent_of(x.abs().max(format.tiny()));
        if (power > 0) == (own > 0) {
            let back = (-power).clamp(least, most);
            *x = format.round(random.between(1.0, 2.0) * power_of_two(back.min(most - 1)));
        }
        power += reduce_tests::float::exponent_of(x.abs().max(format.tiny()));
    }
    for first in (1..count).rev() {
        list.swap(first, random.bits() as usize % (first + 1));
    }
    list
}

fn exponent_of_max(format: Format) -> i32 {
    reduce_tests::float::exponent_of(format.max)
}

/// Arguments of exponentials: the largest is small, or anything.
fn exponents(format: Format, count: usize, random: &mut Random) -> Vec<f64> {
    if random.bits().is_multiple_of(2) {
        return numbers(format, count, random);
    }
    let mut list: Vec<f64> =
        (0..count).map(|_| format.round(-random.between(0.0, 800.0).min(format.max))).collect();
    list[random.bits() as usize % count] = [0.0, 1e-5, 1e-300][random.bits() as usize % 3];
    list.iter().map(|&x| format.round(x)).collect()
}

/// Sets of 1 to 5000 elements, as the rows or the columns of matrices in every layout.
#[test]
fn random_elements_of_all_exponents() {
    // Each operator reduces 100 000 sets: this many in each of four types.
    const SETS: usize = 25_000;
    Row::for_each(|row| {
        let Type::Float { format, .. } = row.ty else { return };
        if !matches!(row.op, Op::Prod | Op::L2 | Op::Mean | Op::LogSum | Op::LogSumExp) {
            return;
        }
        let mut random = Random::new(45);
        let (mut sets, mut matrix) = (0, 0);
        while sets < SETS {
            let count = 5000f64.powf(random.between(0.0, 1.0)) as usize;
            let results = 1 + random.bits() as usize % (20_000 / count).clamp(1, 300);
            let list = |random: &mut Random| match row.op {
                Op::Prod => factors(format, count, random),
                Op::LogSumExp => exponents(format, count, random),
                _ => numbers(format, count, random),
            };
            let lists: Vec<Vec<f64>> = (0..results).map(|_| list(&mut random)).collect();
            let layout = Layout::ALL[matrix % Layout::ALL.len()];
            check(row, layout, &lists, matrix % 2);
            (sets, matrix) = (sets + results, matrix + 1);
        }
    });
}

/// Holds results over lists, which are the rows or the columns of a matrix, against the oracle.
fn check(row: &Row, layout: Layout, lists: &[Vec<f64>], axis: usize) {
    let (results, count) = (lists.len(), lists[0].len());
    let (shape, values) = match axis {
        1 => ([results, count], lists.concat()),
        _ => {
            let columns = (0..count).flat_map(|index| lists.iter().map(move |list| list[index]));
            ([count, results], columns.collect())
        }
    };
    let stored = Stored::new(layout, row.dtype, &shape, &Values::Floats(values));
    let axes = [axis as i64];
    let request = Request { axes: Some(&axes), ..Request::default() };
    let result = row.run(row.newest(), &stored.view(), &request).expect("elements everywhere");
    let expected =
        oracle::reduce(row.op, row.ty, (&shape, &stored.values), &[axis], true).expect("a value");
    compare::check(&expected, &found(&result))
        .unwrap_or_else(|error| panic!("{} {shape:?} {layout:?} {axis}: {error}", row.name()));
}

/// A norm of many elements whose squares are so small that each loses bits, though their sum is an ordinary number.
#[test]
fn norms_of_so_many_small_elements_that_their_squares_add_up() {
    for exponent in -75..=-50 {
        let x = 1.337f32 * (exponent as f32).exp2();
        for count in [10, 1000, 100_000] {
            let exact = f64::from(x) * f64::from(count).sqrt();
            let found = f64::from(over!(ReduceL2, vec![x; count as usize]));
            let bound = (64.0 + f64::from(count).log2()) * f64::from(f32::EPSILON) / 2.0;
            let error = (found - exact).abs() / exact;
            assert!(error <= bound, "{count} times {x:e}: {found:e} is off by {error:e}");
        }
    }
}
