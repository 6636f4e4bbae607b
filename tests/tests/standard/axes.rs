//! Axes: in the form that each version takes, as the standard's data says, and
//! within the rank.

use reduce_core::nodes::{AttrValue, AxesInput, Node};
use reduce_core::{AnyTensor, DType, Tensor, View};

use crate::facts::{Version, assert_contains, everywhere, only_problem, spans};

#[test]
fn axes_as_an_input_where_the_standard_has_it() {
    everywhere(|entry, opset, standard| {
        for axes in [AxesInput::from([0]), AxesInput::runtime()] {
            let node = Node::new(opset, DType::F16).axes(axes);
            let result = entry.prepare(&node);
            if standard.takes_axes_input() {
                result.expect("an input of this version");
                let both = entry.prepare(&node.attr("axes", [0]));
                assert_contains(&only_problem(entry, standard, both), &["`axes`", "second input"]);
                continue;
            }
            let elsewhere = spans(entry.schema().name, Version::takes_axes_input);
            let message = only_problem(entry, standard, result);
            assert_contains(&message, &["`axes`", &elsewhere]);
            if standard.attributes().contains_key("axes") {
                let both = entry.prepare(&node.attr("axes", [0]));
                assert_contains(&only_problem(entry, standard, both), &["`axes`", &elsewhere]);
            }
        }
    });
}

/// The axes input is of type `i64` and of rank 1, and read through its strides.
#[test]
fn axes_tensors() {
    let list = [2i64, 7, 0, 7];
    let data = Tensor::new(vec![1.0f32; 24], &[2, 3, 4]).expect("small");
    everywhere(|entry, opset, standard| {
        if !standard.takes_axes_input() {
            return;
        }
        let prepare = |tensor: AnyTensor| entry.prepare(&Node::new(opset, DType::F32).axes(tensor));
        let int32 = prepare(Tensor::from_list(vec![0i32]).into());
        assert_contains(&only_problem(entry, standard, int32), &["`axes`", "`i32`", "`i64`"]);
        let float = prepare(Tensor::from_list(vec![0.0f64]).into());
        assert_contains(&only_problem(entry, standard, float), &["`axes`", "`f64`", "`i64`"]);
        for (dims, words) in [(&[][..], "rank 0"), (&[1, 1], "rank 2"), (&[1, 1, 1], "rank 3")] {
            let tensor = Tensor::new(vec![2i64], dims).expect("one element");
            let message = only_problem(entry, standard, prepare(tensor.into()));
            assert_contains(&message, &["`axes`", words, "expected rank 1"]);
        }
        let whole = View::new(&list, &[4]).expect("a list");
        for (tensor, expected) in [
            (whole.slice(0, 0, 4, 2), vec![1, 3, 1]),
            (whole.slice(0, 0, 3, -2), vec![1, 3, 1]),
            (whole.slice(0, 2, 3, 1), vec![1, 3, 4]),
            (whole.slice(0, 1, 1, 1), vec![1, 1, 1]),
        ] {
            let node = Node::new(opset, DType::F32).axes(AxesInput::runtime());
            let call = entry.prepare(&node).expect("a list");
            let axes = tensor.expect("within the list").into();
            let result = call.run_with_axes(&data.view().into(), &axes).expect("in range");
            assert_eq!(result.shape().dims(), expected);
        }
    });
}

/// Axes that do not fit the rank are refused when the shape is known, by the
/// inference of the shape and by the run.
#[test]
fn axes_that_do_not_fit() {
    let data = [0.0f32; 6];
    let [matrix, scalar] = [(&data[..], &[2, 3][..]), (&data[..1], &[])]
        .map(|(data, shape)| View::new(data, shape).expect("as many elements"));
    everywhere(|entry, opset, standard| {
        for (view, axes, words) in [
            (&matrix, vec![2], ["axis 2", "-2..=1"]),
            (&matrix, vec![-3], ["axis -3", "-2..=1"]),
            (&matrix, vec![0, i64::MAX], ["out of range", "-2..=1"]),
            (&matrix, vec![i64::MIN], ["out of range", "-2..=1"]),
            (&matrix, vec![1, 0, -1], ["axis -1", "names axis 1, which is named already"]),
            (&matrix, vec![-2, 0], ["axis 0", "named twice"]),
            (&scalar, vec![0], ["axis 0", "rank 0"]),
            (&scalar, vec![-1], ["axis -1", "rank 0"]),
        ] {
            let node = Node::new(opset, DType::F32);
            let node = match (standard.takes_axes_input(), axes.as_slice()) {
                (true, _) => node.axes(axes.clone()),
                (false, [axis]) if standard.attributes().contains_key("axis") => {
                    node.attr("axis", *axis)
                }
                (false, _) if standard.attributes().contains_key("axis") => continue,
                (false, _) => node.attr("axes", AttrValue::Ints(axes.clone())),
            };
            let call = entry.prepare(&node).expect("the rank is not known yet");
            let inferred = call.output_shape(view.shape()).expect_err("does not fit");
            let run = call.run(&view.clone().into()).expect_err("does not fit");
            assert_eq!(inferred, run);
            let start = format!("{} at version {}: ", entry.schema().name, standard.since);
            assert!(run.to_string().starts_with(&start), "{run}");
            assert_contains(&run.to_string(), &words);
        }
    });
}
