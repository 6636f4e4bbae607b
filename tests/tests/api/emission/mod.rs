//! Emission: every layout and level against plain loops, and the same bits with any
//! number of threads.

mod bits;
mod exact;
pub(crate) mod ops;
mod rows;
mod then;
mod turned;

use std::mem::MaybeUninit;

use reduce_core::{Axes, Reduction, Shape, Threads, View};
use reduce_tests::cases::{Case, addresses, available, path_cases, spelled};
use reduce_tests::{is_emulated, valgrind};

use ops::{LessDot, LessSum};

/// The result to which each element belongs, in row-major order.
fn results_of(shape: &[usize], axes: &[usize]) -> Vec<usize> {
    let count = shape.iter().product();
    let result = |index: usize| {
        let (mut rest, mut step, mut result) = (index, 1, 0);
        for axis in (0..shape.len()).rev() {
            if !axes.contains(&axis) {
                result += rest % shape[axis] * step;
                step *= shape[axis];
            }
            rest /= shape[axis];
        }
        result
    };
    (0..count).map(result).collect()
}

#[test]
fn every_layout_and_level() {
    let mut cases = 0;
    for Case { recipe, axes } in path_cases() {
        let number_at = |index: usize| i32::try_from(index * 31 % 197).expect("small") - 90;
        let data: Vec<i32> = (0..recipe.count()).map(number_at).collect();
        let view = recipe.view(&data);
        let shape = view.shape().dims().to_vec();
        let values: Vec<i32> =
            addresses(&view.clone().into()).into_iter().map(|address| data[address]).collect();
        let results = results_of(&shape, &axes);
        let mut sums = vec![0i32; results.iter().max().map_or(0, |most| most + 1)];
        for (&result, &x) in results.iter().zip(&values) {
            sums[result] = sums[result].wrapping_add(x);
        }
        let expected = results.iter().zip(&values).map(|(&result, x)| x.wrapping_sub(sums[result]));
        let expected: Vec<i32> = expected.collect();
        let asked = match axes.as_slice() {
            [] => Axes::none(),
            axes => Axes::of(&spelled(axes, shape.len())),
        };
        for level in available() {
            let reduction = Reduction::new(LessSum).axes(asked.clone()).level(level);
            let found = reduction.emit(&view).expect("valid");
            assert_eq!(found.shape().dims(), shape);
            assert!(found.data() == expected, "{recipe:?} over {axes:?} at {level}");
            let mut buffer = vec![7; expected.len()];
            reduction.emit_into(&view, &mut buffer).expect("of that length");
            assert!(buffer == expected, "{recipe:?} over {axes:?} at {level}");
            let planned = reduction.planned_emission(&view).expect("valid");
            assert_eq!(planned.shape().dims(), shape);
            let mut buffer = vec![7; expected.len()];
            planned.emit_into(&view, &mut buffer).expect("of that layout");
            assert!(buffer == expected, "planned, {recipe:?} over {axes:?} at {level}");
        }
        in_other_memory(&Reduction::new(LessSum).axes(asked), &values, &shape, &expected);
        cases += 1;
    }
    assert!(cases > 150, "{cases}");
}

/// Emits over elements in row-major order, in place and to places that are not initialised, planned and at once.
fn in_other_memory(
    reduction: &Reduction<LessSum>,
    values: &[i32],
    shape: &[usize],
    expected: &[i32],
) {
    let rows = View::new(values, shape).expect("its shape");
    let planned = reduction.planned_emission(&rows).expect("valid");
    let mut places = vec![MaybeUninit::uninit(); values.len()];
    let found = reduction.emit_into_uninit(&rows, &mut places).expect("of that length");
    assert!(found == expected, "uninitialised, {shape:?}");
    let mut places = vec![MaybeUninit::uninit(); values.len()];
    let found = planned.emit_into_uninit(&rows, &mut places).expect("of that length");
    assert!(found == expected, "planned, uninitialised, {shape:?}");
    let mut elements = values.to_vec();
    let sizes = Shape::new(shape).expect("its shape");
    reduction.emit_in_place(&mut elements, &sizes).expect("of that length");
    assert!(elements == expected, "in place, {shape:?}");
    let mut elements = values.to_vec();
    planned.emit_in_place(&mut elements).expect("of that length");
    assert!(elements == expected, "planned, in place, {shape:?}");
}

#[test]
fn a_planned_emission_is_for_its_layout() {
    let data = [1i32, 2, 3, 4, 5, 6];
    let rows = View::new(&data, &[2, 3]).expect("its shape");
    let reduction = Reduction::new(LessSum).axes([1]);
    let planned = reduction.planned_emission(&rows).expect("valid");
    let mut found = [0; 6];
    let columns = View::new(&data, &[3, 2]).expect("its shape");
    let error = planned.emit_into(&columns, &mut found).expect_err("of another shape");
    assert_eq!(error.code(), "other-layout");
    let error = planned.emit_into(&rows, &mut found[..5]).expect_err("too short");
    assert_eq!(error.to_string(), "the output has 5 elements; the shape has 6");
    assert_eq!(found, [0; 6]);
    let error = planned.emit_in_place(&mut found[..5]).expect_err("too short");
    assert_eq!(error.code(), "length-mismatch");
    let turned = columns.permute(&[1, 0]).expect("two axes");
    let planned = reduction.planned_emission(&turned).expect("valid");
    let error = planned.emit_in_place(&mut found).expect_err("not in row-major order");
    assert_eq!(error.code(), "other-layout");
    planned.emit_into(&turned, &mut found).expect("as planned");
    assert_eq!(found, [-8, -6, -4, -10, -8, -6]);
    let nothing = View::new(&[0i32; 0], &[0, 3]).expect("its shape");
    let planned = reduction.planned_emission(&nothing).expect("nothing to emit");
    planned.emit_into(&nothing, &mut []).expect("nothing to emit");
    planned.emit_in_place(&mut []).expect("nothing to emit");
    assert!(reduction.axes([2]).planned_emission(&rows).is_err());
}

/// Groups, each emitted before the next, by threads and without, and groups whose results are made first.
#[test]
fn in_place_over_many_groups() {
    let (rows, long) = if cfg!(miri) { (60, 17_000) } else { (700, 90_000) };
    for (shape, axes) in [(vec![rows, 300], [1]), (vec![rows, 300], [0]), (vec![3, long], [1])] {
        let values: Vec<i32> = (0..91i32).cycle().take(shape.iter().product()).collect();
        let rows = View::new(&values, &shape).expect("its shape");
        for threads in [Threads::One, Threads::default()] {
            let reduction = Reduction::new(LessSum).axes(axes).threads(threads);
            let expected = reduction.emit(&rows).expect("valid");
            in_other_memory(&reduction, &values, &shape, expected.data());
        }
    }
}

#[test]
fn nothing_is_read_or_written_elsewhere() {
    valgrind::check("emission::every_layout_and_level");
}

#[test]
fn of_several_inputs() {
    let (x, y) = ([1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0], [10.0f64, 1.0, 0.5]);
    let views =
        (View::new(&x, &[2, 3]).expect("its shape"), View::new(&y, &[3]).expect("its shape"));
    let rows = Reduction::new(LessDot).axes([1]).emit(&views).expect("elements");
    assert_eq!(rows.data(), [-3.5, -11.5, -12.0, -8.0, -43.0, -45.0]);
    let columns = Reduction::new(LessDot).axes([0]).emit(&views).expect("elements");
    assert_eq!(columns.data(), [-40.0, -5.0, -3.0, -10.0, -2.0, -1.5]);
}

#[test]
fn what_cannot_be_emitted() {
    let view = View::new(&[1i32, 2, 3], &[3]).expect("its shape");
    let reduction = Reduction::new(LessSum);
    let error = reduction.emit_into(&view, &mut [0; 2]).expect_err("too short");
    assert_eq!(error.to_string(), "the output has 2 elements; the shape has 3");
    let error = reduction.axes([1]).emit(&view).expect_err("no such axis");
    assert_eq!(error.code(), "axis-out-of-range");
    let nothing = View::new(&[0i32; 0], &[0, 3]).expect("its shape");
    let emitted = Reduction::new(LessSum).emit(&nothing).expect("nothing to emit");
    assert_eq!(emitted.shape().dims(), [0, 3]);
}

/// A call fails if memory is too short for the results that are sent back. The test runs in a process of its own, which
/// gets a gigabyte.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn without_memory_there_is_an_error() {
    const NAME: &str = "emission::without_memory_there_is_an_error";
    const AGAIN: &str = "REDUCE_TESTS_WITHOUT_MEMORY";
    /// A gigabyte has room for the eight bytes that are emitted over each column, but not for the four bytes of its
    /// result, too.
    const COLUMNS: usize = 90_000_000;
    if is_emulated() {
        return println!("an emulator needs more memory itself: {NAME} was not run");
    }
    if std::env::var_os(AGAIN).is_none() {
        let program = std::env::current_exe().expect("a program");
        let line = format!("ulimit -v 1000000 && exec \"$0\" --exact {NAME} --test-threads=1");
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .arg(program)
            .env(AGAIN, "1")
            .output()
            .expect("a shell");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let mut emitted = vec![0i32; 2 * COLUMNS];
    let row = View::new(&[1i32], &[1]).expect("one element");
    let rows = row.broadcast(&[2, COLUMNS]).expect("it stretches");
    let columns = Reduction::new(LessSum).axes([0]).threads(Threads::One);
    let error = columns.emit_into(&rows, &mut emitted).expect_err("too large");
    assert_eq!(error.code(), "no-memory", "{error}");
    let few = row.broadcast(&[2, 1000]).expect("it stretches");
    assert_eq!(columns.emit(&few).expect("little").data(), [-1; 2000]);
}
