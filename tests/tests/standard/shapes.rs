//! The inferred shape is the one that a run gives. Sizes that overflow, and views that leave their
//! buffer, are errors.

use reduce_core::{AnyTensor, DType, Error, ErrorKind, Reduction, Shape, Tensor, View};
use reduce_specs::{ReduceMean, ReduceSum};
use reduce_tests::cases::{Request, Row, rows, spelled, subsets, tensor};
use reduce_tests::oracle::{self, Values};

/// Sizes of every rank, without and with a zero at each place.
fn shapes() -> Vec<Vec<usize>> {
    const SIZES: [usize; 11] = [2, 1, 3, 2, 1, 2, 3, 1, 1, 2, 1];
    let mut shapes = Vec::new();
    for rank in 0..=SIZES.len() {
        shapes.push(SIZES[..rank].to_vec());
        for zero in 0..rank {
            let mut shape = SIZES[..rank].to_vec();
            shape[zero] = 0;
            shapes.push(shape);
        }
    }
    shapes
}

/// All subsets of few axes; single ones, neighbours, every second and all of
/// many.
fn choices(rank: usize) -> Vec<Vec<usize>> {
    if rank <= 4 {
        return subsets(rank);
    }
    let singles = (0..rank).map(|axis| vec![axis]);
    let pairs = (1..rank).map(|axis| vec![axis - 1, axis]);
    let others = [(0..rank).step_by(2).collect(), (0..rank).collect(), vec![]];
    singles.chain(pairs).chain(others).collect()
}

#[test]
fn inferred_shapes_are_those_of_runs() {
    let floats = rows().into_iter().filter(|row| row.dtype == DType::F32);
    let mut runs = 0;
    for row in floats {
        for shape in shapes() {
            let ones = Values::Floats(vec![1.0; shape.iter().product()]);
            let data = tensor(row.dtype, &ones, &shape);
            for reduced in choices(shape.len()) {
                if row.takes_one_axis() && reduced.len() != 1 {
                    continue;
                }
                runs += compare_shapes(&row, &shape, &data, &reduced);
            }
        }
    }
    assert!(runs > 20_000, "only {runs} runs");
}

fn compare_shapes(row: &Row, shape: &[usize], data: &AnyTensor, reduced: &[usize]) -> usize {
    let axes = spelled(reduced, shape.len());
    let dims = Shape::new(shape).expect("small");
    let mut runs = 0;
    for version in row.versions() {
        let schema = row.entry.schema().at(version).expect("a version");
        let no_op = reduced.is_empty() && !shape.is_empty();
        if no_op && schema.attr("noop_with_empty_axes").is_none() {
            continue;
        }
        for keepdims in [None, Some(false), Some(true)] {
            let noop = no_op.then_some(true);
            let request = Request { axes: Some(&axes), keepdims, noop, ..Request::default() };
            let call = request.prepare(row.entry, version, row.dtype).expect("valid");
            let inferred = call.output_shape(&dims).expect("valid");
            let empty = reduced.iter().any(|&axis| shape[axis] == 0);
            let result = call.run(&data.view());
            let expected = oracle::output_shape(shape, reduced, keepdims.unwrap_or(true));
            assert_eq!(inferred.dims(), expected, "{}-{version} {shape:?}", row.name());
            match result {
                Ok(result) => assert_eq!(result.shape(), &inferred, "{}", row.name()),
                Err(error) if matches!(error.kind(), ErrorKind::EmptySet { .. }) => {
                    assert!(
                        row.op.is_position()
                            && empty
                            && inferred.dims().iter().product::<usize>() > 0
                    );
                }
                Err(error) => panic!("{}-{version} {shape:?}: {error}", row.name()),
            }
            runs += 1;
        }
    }
    runs
}

/// An error says nothing about a shape, so inference does not give it.
#[test]
fn results_without_a_value_have_a_shape() {
    let row = Row::named("ReduceMean", "i32");
    let data = tensor(row.dtype, &Values::Ints(vec![]), &[2, 0]);
    let request = Request { axes: Some(&[1]), ..Request::default() };
    let call = request.prepare(row.entry, row.newest(), row.dtype).expect("valid");
    let inferred = call.output_shape(data.shape()).expect("the axes fit");
    assert_eq!(inferred.dims(), [2, 1]);
    let error = call.run(&data.view()).expect_err("no value");
    assert!(matches!(error.kind(), ErrorKind::EmptySet { .. }), "{error}");
}

#[test]
fn products_of_sizes_that_overflow() {
    let max = usize::MAX;
    let half = isize::MAX.unsigned_abs();
    for dims in [&[half + 1][..], &[max], &[max, 2], &[2, half], &[1 << 32, 1 << 32], &[0, max, 2]]
    {
        let error = Shape::new(dims).expect_err("too many elements");
        assert!(matches!(error.kind(), ErrorKind::SizeOverflow { .. }), "{error}");
        let one = [0u8];
        let unit = View::new(&one, &[1]).expect("one element");
        for error in [
            View::new(&one, dims).expect_err("too many"),
            View::with_strides(&one, dims, &vec![0; dims.len()], 0).expect_err("too many"),
            unit.broadcast(dims).expect_err("too many"),
            Tensor::new(vec![0u8], dims).expect_err("too many"),
        ] {
            assert!(matches!(error.kind(), ErrorKind::SizeOverflow { .. }), "{error}");
        }
    }
    for dims in [&[half][..], &[1, half, 1], &[0, half], &[1 << 31, (1 << 32) - 1]] {
        assert!(Shape::new(dims).is_ok(), "{dims:?}");
    }
}

/// A view with strides is refused exactly where an element leaves the buffer.
#[test]
fn bounds_of_views() {
    let data = [7u8; 9];
    let mut accepted = 0;
    for dims in [[1, 1], [2, 1], [2, 2], [3, 2], [1, 4], [0, 3], [3, 0]] {
        for strides in (-4..=4).flat_map(|outer| (-4..=4).map(move |inner| [outer, inner])) {
            for (offset, length) in
                (0..10usize).flat_map(|offset| (0..=9usize).map(move |n| (offset, n)))
            {
                let inside = addresses(&dims, &strides, offset)
                    .into_iter()
                    .all(|address| (0..length.cast_signed()).contains(&address));
                let view = View::with_strides(&data[..length], &dims, &strides, offset);
                assert_eq!(view.is_ok(), inside, "{dims:?} {strides:?} {offset} {length}");
                accepted += usize::from(inside);
            }
        }
    }
    assert!(accepted > 1000);
    for stride in [isize::MAX, isize::MIN, isize::MAX / 2 + 1] {
        assert!(View::with_strides(&data, &[3], &[stride], 0).is_err());
        assert!(View::with_strides(&data, &[3], &[stride], 8).is_err());
        assert!(View::with_strides(&data, &[1], &[stride], 8).is_ok(), "one step is no step");
    }
    assert!(View::with_strides(&data, &[1 << 40], &[0], 8).is_ok());
    assert!(View::with_strides(&data, &[], &[], 9).is_err());
}

fn addresses(dims: &[usize; 2], strides: &[isize; 2], offset: usize) -> Vec<isize> {
    let address = |i: usize, j: usize| {
        offset.cast_signed() + i.cast_signed() * strides[0] + j.cast_signed() * strides[1]
    };
    (0..dims[0]).flat_map(|i| (0..dims[1]).map(move |j| address(i, j))).collect()
}

/// The elements of a view, through its own strides.
fn read(view: &View<'_, u32>) -> Vec<u32> {
    reduce_tests::cases::addresses(&view.clone().into())
        .into_iter()
        .map(|address| view.data()[address])
        .collect()
}

#[test]
fn slices_are_those_of_lists() {
    let data: Vec<u32> = (0..7).collect();
    let whole = View::new(&data, &[7]).expect("a list");
    for (start, end) in (0..9).flat_map(|start| (0..9).map(move |end| (start, end))) {
        for step in [-9, -3, -2, -1, 0, 1, 2, 3, 9, isize::MAX, isize::MIN] {
            let sliced = whole.slice(0, start, end, step);
            if step == 0 || start > end || end > 7 {
                assert!(sliced.is_err(), "{start}..{end} by {step}");
                continue;
            }
            let forward = data[start..end].iter().copied();
            let expected: Vec<u32> = match step > 0 {
                true => forward.step_by(step.unsigned_abs()).collect(),
                false => forward.rev().step_by(step.unsigned_abs()).collect(),
            };
            let sliced = sliced.expect("within the list");
            assert_eq!(read(&sliced), expected, "{start}..{end} by {step}");
            if let Ok(twice) = sliced.slice(0, 0, expected.len(), -1) {
                let back: Vec<u32> = expected.iter().rev().copied().collect();
                assert_eq!(read(&twice), back, "{start}..{end} by {step}, reversed");
            }
        }
    }
    assert!(whole.slice(1, 0, 1, 1).is_err(), "there is no second axis");
}

#[test]
fn permutations_and_broadcasts() -> Result<(), Error> {
    let data: Vec<u32> = (0..6).collect();
    let matrix = View::new(&data, &[2, 1, 3])?;
    assert_eq!(read(&matrix.permute(&[2, 1, 0])?), [0, 3, 1, 4, 2, 5]);
    for wrong in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 3], &[]] {
        assert!(matrix.permute(wrong).is_err(), "{wrong:?}");
    }
    assert_eq!(read(&matrix.broadcast(&[2, 2, 3])?), [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]);
    assert_eq!(read(&matrix.broadcast(&[2, 2, 1, 3])?), [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    assert_eq!(read(&matrix.broadcast(&[2, 0, 3])?), [0; 0]);
    for wrong in [&[3, 1, 3][..], &[2, 1, 1], &[1, 3], &[2, 1, 6], &[0, 1, 3]] {
        assert!(matrix.broadcast(wrong).is_err(), "{wrong:?}");
    }
    Ok(())
}

/// A view without elements may have any strides, and reducing it reads nothing.
#[test]
fn views_without_elements_are_never_read() {
    let strides = [isize::MIN, isize::MAX, -1];
    let view = View::with_strides(&[0f32; 0], &[3, 0, 2], &strides, usize::MAX).expect("empty");
    for reduced in subsets(3) {
        let axes = spelled(&reduced, 3);
        let sum = Reduction::new(ReduceSum).axes(reduce_core::Axes::of(&axes)).run(&view);
        let sum = sum.expect("the sum of nothing");
        assert_eq!(sum.shape().dims(), oracle::output_shape(&[3, 0, 2], &reduced, false));
        assert!(sum.data().iter().all(|&x| x == 0.0));
    }
}

/// A buffer of the wrong length is refused, and not written to by a run that fails.
#[test]
fn outputs_of_the_wrong_length() {
    let data = [1i32, 2, 3, 4];
    let view = View::new(&data, &[2, 2]).expect("four elements");
    let rows = Reduction::new(ReduceSum).axes([1]);
    for length in [0, 1, 3] {
        let mut output = vec![-7; length];
        let error = rows.run_into(&view, &mut output).expect_err("two results");
        assert!(matches!(error.kind(), ErrorKind::LengthMismatch { expected: 2, .. }), "{error}");
        assert_eq!(output, vec![-7; length]);
    }
    let empty = View::new(&data[..0], &[2, 0]).expect("no elements");
    let mut output = [-7; 2];
    Reduction::new(ReduceMean).axes([1]).run_into(&empty, &mut output).expect_err("no value");
    assert_eq!(output, [-7; 2]);
    rows.run_into(&view, &mut output).expect("two results");
    assert_eq!(output, [3, 7]);
}
