//! Planned calls: outputs at any strides, and memory that was not cleared.

use std::mem::MaybeUninit;

use reduce_core::nodes::{AnyPlaces, Dim, Node, OpEntry, PartialShape};
use reduce_core::planning::Layout;
use reduce_core::{DType, Progress, Reduction, Shape, View};
use reduce_gallery::{Bins, Top};

static TOP: OpEntry = OpEntry::of::<Top>();
static BINS: OpEntry = OpEntry::of::<Bins>();

fn data(count: u32) -> Vec<f32> {
    #[allow(clippy::cast_precision_loss, reason = "small")]
    (0..count).map(|number| (number * 7919 % 1009) as f32).collect()
}

/// Values lie across positions, with gaps.
#[test]
fn into_strided_outputs() {
    let (rows, k) = (5, 3);
    let data = data(100);
    let node = Node::new(1, DType::F32).attr("k", 3).attr("keepdims", 0);
    for (shape, axis) in [([rows, 20], 1), ([20, rows], 0)] {
        let view = View::new(&data, &shape).expect("as many");
        let call = TOP.prepare(&node.clone().attr("axes", [axis])).expect("valid");
        let (values, places) =
            Reduction::new(Top { k: 3, largest: true }).axes([axis]).arrays(&view).expect("both");
        let of_values = Layout::with_strides(DType::F32, &[rows, k], &[2, 10], 1);
        let of_places = Layout::with_strides(DType::I64, &[rows, k], &[-3, 1], 12);
        let outputs = [of_values.expect("a layout"), of_places.expect("a layout")];
        let inputs = [Layout::new(DType::F32, &shape).expect("a layout")];
        let planned = call.plan_into(&inputs, &outputs).expect("valid");
        let (mut found, mut found_places) = ([-1.0f32; 30], [MaybeUninit::<i64>::uninit(); 15]);
        let mut both: [AnyPlaces<'_>; 2] =
            [(&mut found[..]).into(), (&mut found_places[..]).into()];
        planned.run(&[(&data[..]).into()], &mut both).expect("as planned");
        for row in 0..rows {
            for place in 0..k {
                assert_eq!(found[1 + 2 * row + 10 * place], values.data()[row * k + place]);
                let found = found_places[12 - 3 * row + place];
                #[allow(unsafe_code, reason = "a run without an error writes each result")]
                // SAFETY: it was written.
                let found = unsafe { found.assume_init() };
                assert_eq!(found, places.data()[row * k + place]);
            }
        }
        assert_eq!(found.iter().filter(|x| **x == -1.0).count(), 30 - rows * k);
    }
}

/// A single output in row-major order is written where it belongs; with a mask, too.
#[test]
fn into_memory_that_was_not_cleared() {
    let data = data(64);
    let mask: Vec<bool> = (0..16).map(|place| place % 3 > 0).collect();
    let node = Node::new(1, DType::F32).attr("axes", [1]).attr("keepdims", 0);
    let node = node.attr("bins", 7).attr("high", 1009.0);
    let call = BINS.prepare(&node).expect("valid");
    let inputs = [Layout::new(DType::F32, &[4, 16]), Layout::new(DType::Bool, &[16])];
    let inputs = inputs.map(|layout| layout.expect("a layout"));
    let planned = call.plan_where(&inputs, &[]).expect("valid");
    let layouts: Vec<Vec<usize>> = planned.outputs().map(|out| out.shape().to_vec()).collect();
    assert_eq!(layouts, [[4, 7]]);
    let mut counts = [0xAAu64; 28];
    let buffers = [(&data[..]).into(), (&mask[..]).into()];
    planned.run(&buffers, &mut [(&mut counts[..]).into()]).expect("as planned");
    let view = View::new(&data, &[4, 16]).expect("rows").into();
    let right = call.run_all(&[view], Some(&View::new(&mask, &[16]).expect("a list")));
    let right = right.expect("counts").remove(0).downcast::<u64>().expect("counts");
    assert_eq!(counts, right.data());
    let chosen: u64 = mask.iter().map(|&counts| u64::from(counts)).sum();
    assert_eq!(counts.iter().sum::<u64>(), 4 * chosen);
}

/// The length of results is known as soon as the attributes are.
#[test]
fn shapes_are_inferred() {
    let node = Node::new(1, DType::I16).attr("axes", [-1]).attr("keepdims", 1).attr("k", 1000);
    let call = TOP.prepare(&node).expect("valid");
    let shape = call.output_shape(&Shape::new(&[2, 9]).expect("small")).expect("valid");
    assert_eq!(shape.dims(), [2, 1, 1000]);
    let batches = PartialShape::new([Dim::Named("batch".into()), Dim::Known(9)]);
    let expected = [Dim::Named("batch".into()), Dim::Known(1), Dim::Known(1000)];
    assert_eq!(call.infer(&batches).expect("valid"), PartialShape::new(expected));
    let typed = Reduction::new(Bins { bins: 5, ..Bins::default() }).axes([0]);
    let shape = typed.output_shape(&Shape::new(&[2, 9]).expect("small")).expect("valid");
    assert_eq!(shape.dims(), [9, 5]);
}

/// Every element is counted as combined, whatever the number of parts.
#[test]
fn progress_is_counted() {
    let data = vec![0.5f32; 400_000];
    let progress = Progress::default();
    let node = Node::new(1, DType::F32).attr("bins", 3).attr("keepdims", 0);
    let call = BINS.prepare(&node).expect("valid").progress(&progress);
    let counts = call.run(&View::new(&data, &[400_000]).expect("a list").into()).expect("counts");
    assert_eq!(counts.downcast::<u64>().expect("counts").data(), [0, 400_000, 0]);
    assert_eq!(progress.elements(), 400_000);
}
