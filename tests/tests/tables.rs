//! The tables of the fact sheet, as literals: what is known of single cases
//! without the oracle, at every level and in every version.

use reduce_core::ErrorKind;
use reduce_tests::cases::{Layout, Request, Row, Stored, bits, found, rows, tensor};
use reduce_tests::compare::{self, Found};
use reduce_tests::float::Exact;
use reduce_tests::oracle::{Element, Errors, Expected, Values};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const FLOATS: [&str; 4] = ["f16", "bf16", "f32", "f64"];

/// The values given, as the type stores them.
fn values(row: &Row, xs: &[f64]) -> Values {
    if row.ty.is_float() {
        Values::Floats(xs.iter().map(|&x| row.ty.store(x)).collect())
    } else {
        #[allow(clippy::cast_possible_truncation, reason = "literals are whole here")]
        let whole = |&x: &f64| x as i128;
        Values::Ints(xs.iter().map(whole).collect())
    }
}

/// That the result of each version has this shape and these values.
fn expect(row: &Row, stored: &Stored, request: &Request<'_>, shape: &[usize], expected: &[f64]) {
    let elements = match values(row, expected) {
        Values::Ints(xs) => xs.into_iter().map(Element::Int).collect(),
        Values::Floats(_) => {
            // A unit in the last place: literals are rounded, logarithms too.
            let errors = Errors::Product { count: 3 };
            let element = |&x: &f64| Element::Real { exact: Exact::from(x), errors };
            expected.iter().map(element).collect()
        }
    };
    let expected = Expected { ty: row.ty, shape: shape.to_vec(), elements };
    for version in row.versions() {
        if request.noop.is_some() && !has_noop(row, version) {
            continue;
        }
        let result = row.run(version, &stored.view(), request).expect("valid");
        compare::check(&expected, &found(&result))
            .unwrap_or_else(|e| panic!("{} at {version} {request:?} {e}", row.name()));
    }
}

fn has_noop(row: &Row, version: u32) -> bool {
    let schema = row.entry.schema().at(version).expect("a version");
    schema.attr("noop_with_empty_axes").is_some()
}

/// One result over all elements of a list.
fn all(op: &str, dtype: &str, xs: &[f64], expected: f64) {
    let row = Row::named(op, dtype);
    let stored = Stored::new(Layout::Contiguous, row.dtype, &[xs.len()], &values(&row, xs));
    let request = Request { keepdims: Some(false), ..Request::default() };
    expect(&row, &stored, &request, &[], &[expected]);
}

/// Integers beyond 2^53, with the axis listed.
fn ints(op: &str, dtype: &str, xs: &[i128], expected: i128) {
    let row = Row::named(op, dtype);
    let xs = Values::Ints(xs.to_vec());
    let request = Request { axes: Some(&[-1]), keepdims: Some(false), ..Request::default() };
    let found = row.reduce((&[xs.len()], &xs), &request);
    let expected = Found { ty: row.ty, shape: vec![], values: Values::Ints(vec![expected]) };
    assert_eq!(found, expected, "{op} of {dtype} {xs:?}");
}

/// Section 3.2: no axes and `noop_with_empty_axes = 1`, in every spelling.
#[test]
fn the_no_op_maps_and_finalizes() {
    let xs = [-1.0, 2.0, 3.0, -4.0];
    for row in rows().into_iter().filter(|row| row.ty.limits().0 < 0 || row.ty.is_float()) {
        let magnitudes = xs.map(f64::abs);
        let expected = if row.entry.schema().name == "ReduceL1" { magnitudes } else { xs };
        let stored = Stored::new(Layout::Transposed, row.dtype, &[2, 2], &values(&row, &xs));
        for keepdims in [None, Some(false), Some(true)] {
            for (axes, runtime) in [(None, false), (Some(&[][..]), false), (Some(&[][..]), true)] {
                let request = Request { axes, keepdims, noop: Some(true), runtime };
                expect(&row, &stored, &request, &[2, 2], &expected);
                let sums = Request { noop: Some(false), keepdims: Some(false), ..request };
                let sum = row.run(row.newest(), &stored.view(), &sums).expect("valid");
                assert_eq!(sum.shape().dims(), [0usize; 0], "{}: not a no-op", row.name());
            }
        }
        let listed = Request { axes: Some(&[0]), noop: Some(true), ..Request::default() };
        let reduced = row.run(row.newest(), &stored.view(), &listed).expect("valid");
        assert_eq!(reduced.shape().dims(), [1, 2], "{}: listed axes are reduced", row.name());
    }
}

/// Section 3.2: a copy keeps the sign of a zero, and every bit of an integer.
#[test]
fn the_no_op_copies() {
    let request = Request { axes: Some(&[]), noop: Some(true), ..Request::default() };
    for row in rows() {
        let name = row.entry.schema().name;
        if name == "ReduceL1" || name == "ReduceLogSumExp" {
            continue;
        }
        let special = match row.ty.limits() {
            (0, 0) => Values::Floats(vec![-0.0, 0.0, INF, -INF, NAN, row.ty.store(0.1)]),
            (low, high) => Values::Ints(vec![low, high, high - 1, low + 1, 1, 0]),
        };
        let data = tensor(row.dtype, &special, &[2, 3]);
        let result = row.run(row.newest(), &data.view(), &request).expect("valid");
        assert_eq!(bits(&result), bits(&data), "{}", row.name());
    }
    for dtype in FLOATS {
        let row = Row::named("ReduceLogSumExp", dtype);
        let xs = [INF, -INF, 1000.0, -1000.0];
        let stored = Stored::new(Layout::Offset, row.dtype, &[4], &values(&row, &xs));
        expect(&row, &stored, &request, &[4], &xs.map(|x| row.ty.store(x)));
    }
}

/// Section 3.3: rank 0, with and without `keepdims`; any axis is an error.
#[test]
fn scalars() {
    for row in rows() {
        let stored = Stored::new(Layout::Contiguous, row.dtype, &[], &values(&row, &[3.0]));
        for axes in [None, Some(&[][..])] {
            for keepdims in [Some(false), Some(true)] {
                let request = Request { axes, keepdims, ..Request::default() };
                expect(&row, &stored, &request, &[], &[3.0]);
                expect(&row, &stored, &Request { noop: Some(true), ..request }, &[], &[3.0]);
            }
        }
        for axis in [0, -1, 5] {
            let request = Request { axes: Some(&[axis]), ..Request::default() };
            for version in row.versions() {
                let error = row.run(version, &stored.view(), &request).expect_err("no axes");
                assert_eq!(*error.kind(), ErrorKind::AxisOutOfRange { axis, rank: 0 });
            }
        }
    }
}

/// Section 3.4: sets without elements.
#[test]
fn empty_sets() {
    for row in rows() {
        let (low, _) = row.ty.limits();
        let empty = values(&row, &[]);
        let data = tensor(row.dtype, &empty, &[2, 0, 3]);
        let stored = Stored::new(Layout::Contiguous, row.dtype, &[2, 0, 3], &empty);
        #[allow(clippy::cast_precision_loss, reason = "a power of two")]
        let value = match (row.entry.schema().name, row.ty.is_float()) {
            ("ReduceSum" | "ReduceL1", _) => Some(0.0),
            ("ReduceProd", _) => Some(1.0),
            ("ReduceLogSumExp", true) => Some(-INF),
            ("ReduceLogSumExp", false) => Some(low as f64),
            ("ReduceMean", true) => Some(NAN),
            ("ReduceMean", false) => None,
            (name, _) => panic!("section 3.4 is not transcribed for {name}"),
        };
        for axes in [&[1][..], &[-2], &[0, 1], &[-3, -2, -1]] {
            for keepdims in [false, true] {
                let request =
                    Request { axes: Some(axes), keepdims: Some(keepdims), ..Request::default() };
                let rank = i64::from(3u8);
                let reduced = |axis: i64| axes.iter().any(|a| a.rem_euclid(rank) == axis);
                let dims = (0..3).zip([2, 0, 3]).filter(|&(axis, _)| keepdims || !reduced(axis));
                let dims: Vec<usize> =
                    dims.map(|(axis, dim)| if reduced(axis) { 1 } else { dim }).collect();
                let count = dims.iter().product();
                match value {
                    Some(value) => expect(&row, &stored, &request, &dims, &vec![value; count]),
                    None => {
                        let result = row.run(row.newest(), &data.view(), &request);
                        let error = result.expect_err("no value").to_string();
                        assert!(error.contains("empty set"), "{error}");
                    }
                }
            }
        }
    }
}

/// Section 3.5 and the no-op on no elements: no results, and no error.
#[test]
fn no_results() {
    for row in rows() {
        let stored = Stored::new(Layout::Contiguous, row.dtype, &[2, 0, 3], &values(&row, &[]));
        let listed = |axes| Request { axes: Some(axes), ..Request::default() };
        expect(&row, &stored, &listed(&[2]), &[2, 0, 1], &[]);
        expect(&row, &stored, &listed(&[-3]), &[1, 0, 3], &[]);
        expect(&row, &stored, &listed(&[0, -1]), &[1, 0, 1], &[]);
        let flat = Request { keepdims: Some(false), ..listed(&[-1]) };
        expect(&row, &stored, &flat, &[2, 0], &[]);
        let no_op = Request { noop: Some(true), ..Request::default() };
        expect(&row, &stored, &no_op, &[2, 0, 3], &[]);
    }
}

/// Section 3.7: integers wrap.
#[test]
fn integers_wrap() {
    let two = |power: u32| 1i128 << power;
    for (dtype, bits) in [("i32", 32), ("i64", 64)] {
        let (min, max) = (-two(bits - 1), two(bits - 1) - 1);
        ints("ReduceSum", dtype, &[max, 1], min);
        ints("ReduceSum", dtype, &[min, -1], max);
        ints("ReduceSum", dtype, &[max, max, -max], max);
        ints("ReduceL1", dtype, &[-3, 2, -4], 9);
        ints("ReduceL1", dtype, &[min], min);
        ints("ReduceL1", dtype, &[max, 1], min);
        ints("ReduceL1", dtype, &[min, min], 0);
        ints("ReduceProd", dtype, &[two(bits / 2), two(bits / 2)], 0);
        ints("ReduceProd", dtype, &[min, -1], min);
        ints("ReduceProd", dtype, &[max, 2], -2);
    }
    for (dtype, bits) in [("u32", 32), ("u64", 64)] {
        let max = two(bits) - 1;
        ints("ReduceSum", dtype, &[max, 1], 0);
        ints("ReduceL1", dtype, &[max, 2], 1);
        ints("ReduceProd", dtype, &[max, max], 1);
    }
    ints("ReduceSum", "i64", &[two(53) + 1, 2], two(53) + 3);
    ints("ReduceSum", "i64", &[two(62), 3, -two(62)], 3);
    ints("ReduceSum", "i64", &[two(53) + 1], two(53) + 1);
    ints("ReduceProd", "i64", &[two(53) + 1, 1], two(53) + 1);
}

/// Section 3.8: an integer mean is exact, then truncated toward zero.
#[test]
fn integer_means() {
    for dtype in ["i32", "i64"] {
        let xs: [(&[i128], i128); 6] = [
            (&[1, 2], 1),
            (&[-1, -2], -1),
            (&[-1, 0], 0),
            (&[-3, -4], -3),
            (&[7, 8, 8], 7),
            (&[-7, -8, -8], -7),
        ];
        for (xs, mean) in xs {
            ints("ReduceMean", dtype, xs, mean);
        }
    }
    for (dtype, signed) in [("i32", true), ("i64", true), ("u32", false), ("u64", false)] {
        let (min, max) = Row::named("ReduceMean", dtype).ty.limits();
        for count in [1, 2, 3, 64, 65, 1000, 4099] {
            ints("ReduceMean", dtype, &vec![max; count], max);
            ints("ReduceMean", dtype, &vec![min; count], min);
        }
        ints("ReduceMean", dtype, &[max, 1], i128::midpoint(max, 1));
        ints("ReduceMean", dtype, &[max, max - 1], max - 1);
        ints("ReduceMean", dtype, &[min, max], if signed { 0 } else { max / 2 });
        ints("ReduceMean", dtype, &[min, min + 1], if signed { min + 1 } else { 0 });
    }
    ints("ReduceMean", "i64", &[(1 << 53) + 1], (1 << 53) + 1);
}

/// Section 3.9: integers under a logarithm.
#[test]
fn integer_logarithms() {
    let drowned = [&[0][..], &[-1; 1000]].concat();
    for dtype in ["i32", "i64"] {
        ints("ReduceLogSumExp", dtype, &drowned, 5);
        ints("ReduceLogSumExp", dtype, &[-3, -3], -2);
    }
    for dtype in ["i32", "i64", "u32", "u64"] {
        let (min, max) = Row::named("ReduceLogSumExp", dtype).ty.limits();
        ints("ReduceLogSumExp", dtype, &[1, 2], 2);
        ints("ReduceLogSumExp", dtype, &[20, 20, 20], 21);
        ints("ReduceLogSumExp", dtype, &[1000], 1000);
        ints("ReduceLogSumExp", dtype, &[max, max, min], max);
        ints("ReduceLogSumExp", dtype, &[min], min);
    }
}

/// Sections 3.11 and 3.12: NaN, infinities and zeros.
#[test]
fn infinities_and_nan() {
    for dtype in FLOATS {
        for op in ["ReduceSum", "ReduceMean", "ReduceProd", "ReduceL1", "ReduceLogSumExp"] {
            for xs in [[NAN, 1.0, 3.0], [1.0, NAN, 3.0], [1.0, 3.0, NAN], [NAN, INF, -INF]] {
                all(op, dtype, &xs, NAN);
                all(op, dtype, &[NAN], NAN);
            }
        }
        all("ReduceSum", dtype, &[INF, -INF], NAN);
        all("ReduceMean", dtype, &[-INF, INF], NAN);
        all("ReduceL1", dtype, &[INF, -INF], INF);
        all("ReduceProd", dtype, &[INF, -INF], -INF);
        all("ReduceProd", dtype, &[0.0, INF], NAN);
        all("ReduceProd", dtype, &[-INF, -1.0], INF);
        for op in ["ReduceSum", "ReduceMean", "ReduceL1", "ReduceProd"] {
            all(op, dtype, &[-0.0, -0.0], 0.0);
            all(op, dtype, &[-0.0, 0.0], 0.0);
        }
    }
    all("ReduceMean", "f32", &[3e38, 3e38], INF);
    all("ReduceMean", "f64", &[1.5e308, 1.5e308], INF);
}

/// Section 3.13: logarithms of sums of exponentials that would overflow.
#[test]
fn logarithms_do_not_overflow() {
    let ln_2 = std::f64::consts::LN_2;
    for dtype in FLOATS {
        let log = |xs: &[f64], expected| all("ReduceLogSumExp", dtype, xs, expected);
        log(&[1000.0, 1000.0], 1000.0 + ln_2);
        log(&[-1000.0, -1000.0], -1000.0 + ln_2);
        log(&[709.0, 0.0], 709.0);
        log(&[712.0, 0.0], 712.0);
        for xs in [&[-INF][..], &[-INF, -INF], &[-INF; 3], &[-INF; 4099]] {
            log(xs, -INF);
        }
        for xs in [&[INF][..], &[INF, INF], &[INF, -INF], &[-INF, INF], &[1.0, INF], &[INF; 65]] {
            log(xs, INF);
        }
        log(&[1.0, -INF], 1.0);
        log(&[-INF, 1.0], 1.0);
        log(&[-INF, -INF, 1.0, 1.0], 1.0 + ln_2);
    }
}

/// Section 3.14: halves are summed in f32, and long sums are not sequential.
#[test]
fn long_sums_of_short_types() {
    let ones =
        |op: &str, dtype: &str, xs: &[usize], axes: &[i64], shape: &[usize], expected: f64| {
            let row = Row::named(op, dtype);
            let one = values(&row, &vec![1.0; xs.iter().product()]);
            let stored = Stored::new(Layout::Contiguous, row.dtype, xs, &one);
            let request = Request { axes: Some(axes), keepdims: Some(false), ..Request::default() };
            let count: usize = shape.iter().product();
            expect(&row, &stored, &request, shape, &vec![expected; count]);
        };
    for (dtype, sum) in [("f16", 5000.0), ("bf16", 4992.0), ("f32", 5000.0)] {
        ones("ReduceSum", dtype, &[5000], &[0], &[], sum);
        ones("ReduceSum", dtype, &[5000, 3], &[0], &[3], sum);
        ones("ReduceMean", dtype, &[5000], &[0], &[], 1.0);
        ones("ReduceMean", dtype, &[5000, 3], &[0], &[3], 1.0);
    }
    all("ReduceMean", "f16", &[100.0; 1000], 100.0);
    all("ReduceSum", "f16", &[100.0; 1000], INF);
    all("ReduceSum", "f16", &[60000.0, 60000.0, -60000.0], 60000.0);
    // More ones than an f32 can count one by one, without storing them.
    let data = [1.0f32];
    let many = reduce_core::View::new(&data, &[1]).and_then(|one| one.broadcast(&[1 << 25]));
    let view = many.expect("a broadcast").into();
    let row = Row::named("ReduceSum", "f32");
    let request = Request { keepdims: Some(false), ..Request::default() };
    let sum = row.run(row.newest(), &view, &request).expect("valid");
    assert_eq!(found(&sum).values, Values::Floats(vec![33_554_432.0]));
}
