//! Reductions that were planned: the same results, for views of the same layout
//! and for no other.

use reduce_core::bounds::Reduces;
use reduce_core::{AnyTensor, Element, ErrorKind, Level, Reduction, View};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean, ReduceSum};
use reduce_tests::cases::{Case, available, axes_of, path_cases, same_bits};

/// These views repeat one element more often than memory could hold it. Each product of sizes, and
/// of a size and the bytes of an element, is within reach of an overflow.
#[test]
fn views_beyond_memory_are_planned() {
    fn plan<T: Element, Op: Reduces<T> + Clone>(shape: &[usize], axes: &[i64]) {
        let data = [T::default()];
        let view = View::new(&data, &[1]).expect("one element");
        let view = view.broadcast(shape).expect("it stretches");
        let reduction = Reduction::new(Op::default()).axes(axes);
        let count = shape.iter().product::<usize>();
        let plan = reduction.plan(&view).expect("a plan");
        assert_eq!(plan.count() * plan.outputs(), count, "{shape:?} over {axes:?}");
        // A view of two dimensions whose rows are dense, and repeated.
        let row = [T::default(); 128];
        let row = View::new(&row, &[1, 128]).expect("a row");
        let rows = row.broadcast(&[count / 128, 128]).expect("it stretches");
        for (view, axis) in [(rows.clone(), 0), (rows, 1)] {
            for view in [view.clone(), view.permute(&[1, 0]).expect("two axes")] {
                let reduction = Reduction::new(Op::default()).axes([axis]);
                reduction.plan(&view).expect("a plan");
                reduction.planned(&view).expect("a plan");
            }
        }
    }
    for shape in
        [&[1 << 62][..], &[(1 << 63) - 1], &[1 << 31, 1 << 31], &[2, 1 << 60, 2], &[3, 1 << 61]]
    {
        for axes in
            [&[][..], &[0], &[-1], &[0, -1]].into_iter().filter(|axes| axes.len() <= shape.len())
        {
            plan::<f32, ReduceSum>(shape, axes);
            plan::<f64, ReduceMean>(shape, axes);
            plan::<u8, ReduceMax>(shape, axes);
            plan::<f64, ArgMax>(shape, axes);
        }
    }
}

/// Runs and planned runs of every case; the number of layouts.
fn agree<Op, T, O>(value: impl Fn(usize) -> T) -> usize
where
    Op: Reduces<T, Output = O> + Clone,
    T: Element,
    O: Element,
{
    let mut runs = 0;
    for Case { recipe, axes } in path_cases() {
        // Two buffers: a plan remembers the layout and nothing of the data.
        let buffers = [7, 11].map(|factor| {
            (0..recipe.count()).map(|index| value(index * factor % 61)).collect::<Vec<T>>()
        });
        let [first, second] = buffers.each_ref().map(|buffer| recipe.view(buffer));
        let axes = axes_of(&axes, first.shape().rank());
        for level in [Level::Scalar, Level::best()] {
            let reduction = Reduction::new(Op::default()).axes(axes.clone()).level(level);
            let planned = reduction.planned(&first).expect("valid");
            assert_eq!(planned.plan(), &reduction.plan(&first).expect("valid"));
            let shape = planned.output_shape().clone();
            for view in [&first, &second, &first] {
                let mut output = vec![O::default(); shape.count()];
                let found = planned.run_into(view, &mut output);
                match reduction.run(view) {
                    Ok(expected) => {
                        found.expect("as the other");
                        let found = reduce_core::Tensor::new(output, &shape).expect("its shape");
                        let (expected, found) = (AnyTensor::from(expected), found.into());
                        same_bits(&expected, &found).unwrap_or_else(|e| panic!("{recipe:?}: {e}"));
                    }
                    Err(error) => assert_eq!(found, Err(error)),
                }
            }
        }
        runs += 1;
    }
    runs
}

#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn planned_and_not_planned_agree() {
    let counts = [
        agree::<ReduceSum, f32, _>(|x| x as f32 * 0.37),
        agree::<ReduceMean, i32, _>(|x| i32::try_from(x).expect("small") - 30),
        agree::<ReduceMax, u8, _>(|x| u8::try_from(x).expect("small")),
        agree::<ArgMax, f32, _>(|x| x as f32),
    ];
    assert!(counts.iter().all(|&count| count > 150), "{counts:?}");
}

/// Another shape, other strides, another offset: each by itself.
#[test]
fn another_layout_is_refused() {
    let data: Vec<f32> = vec![1.0; 100];
    let view = |shape: &[usize], strides: &[isize], offset| {
        View::with_strides(&data, shape, strides, offset).expect("within the buffer")
    };
    let first = view(&[4, 6], &[6, 1], 0);
    for level in available() {
        let planned = Reduction::new(ReduceSum).axes([1]).level(level).planned(&first);
        let planned = planned.expect("valid");
        let mut output = [-1.0f32; 4];
        for other in [
            view(&[4, 5], &[6, 1], 0),
            view(&[4, 6], &[7, 1], 0),
            view(&[4, 6], &[6, 2], 0),
            view(&[4, 6], &[6, 1], 1),
            view(&[4, 6, 1], &[6, 1, 1], 0),
            view(&[24], &[1], 0),
            first.permute(&[1, 0]).expect("two axes"),
        ] {
            let error = planned.run_into(&other, &mut output).expect_err("another layout");
            assert_eq!(error.code(), "other-layout");
            let ErrorKind::OtherLayout { planned: expected, found } = error.kind() else {
                panic!("{error}")
            };
            assert_eq!(expected, &(vec![4, 6], vec![6, 1]));
            assert_eq!(found, &(other.shape().to_vec(), other.strides().to_vec()));
            for words in ["plan anew", "[4, 6]", "[6, 1]", &format!("{:?}", other.strides())] {
                assert!(error.to_string().contains(words), "{error}");
            }
        }
        for length in [0, 3, 5] {
            let mut output = vec![-1.0f32; length];
            let error = planned.run_into(&first, &mut output).expect_err("another length");
            let expected =
                ErrorKind::LengthMismatch { what: "the output", expected: 4, found: length };
            assert_eq!(error.kind(), &expected);
            assert!(output.iter().all(|&x| x == -1.0), "after an error the buffer is as it was");
        }
        assert!(output.iter().all(|&x| x == -1.0), "after an error the buffer is as it was");
        // Another buffer of this layout will do, whatever its length.
        let longer = vec![2.0f32; 300];
        let other = View::with_strides(&longer, &[4, 6], &[6, 1], 0).expect("within");
        planned.run_into(&other, &mut output).expect("the same layout");
        assert_eq!(output, [12.0; 4]);
    }
}

/// What has no value says so when it is run, and leaves the buffer alone.
#[test]
fn no_elements_have_no_mean() {
    let view = View::new(&[0i32; 0], &[3, 0]).expect("empty");
    let planned = Reduction::new(ReduceMean).axes([1]).planned(&view).expect("a plan");
    let mut output = [7i32; 3];
    let error = planned.run_into(&view, &mut output).expect_err("no value");
    assert_eq!((error.code(), output), ("empty-set", [7; 3]));
    let axes = Reduction::new(ReduceSum).axes([2]).planned(&view).expect_err("no such axis");
    assert_eq!(axes.code(), "axis-out-of-range");
}
