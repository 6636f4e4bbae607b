//! Planned calls allocate nothing. What a call needs beside its buffers, a thread keeps from the call before.

#![allow(unsafe_code, reason = "an allocator that counts is written in no other way")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::mem::MaybeUninit;

use reduce_core::nodes::{AnyData, Node, OpEntry};
use reduce_core::planning;
use reduce_core::{DType, Reduction, Threads, View, f16};
use reduce_gallery::{Bins, LayerNorm, Softmax, Top, Variance, softmax};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator. It counts what this thread asks for.
struct Counting;

// SAFETY: the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often memory is asked for by a call that is not the first.
fn allocations(mut call: impl FnMut()) -> usize {
    call();
    let before = ALLOCATIONS.get();
    call();
    ALLOCATIONS.get() - before
}

const SHAPES: [(&[usize], i64); 9] = [
    (&[1, 16], -1),
    (&[4, 4], -1),
    (&[2, 3, 4], -1),
    (&[2, 3, 4], 1),
    (&[1, 64], -1),
    (&[1, 1000], -1),
    (&[8, 128], -1),
    (&[16, 1000], -1),
    (&[40, 300], 0),
];

fn elements(shape: &[usize]) -> Vec<f32> {
    (0..19u8).cycle().take(shape.iter().product()).map(f32::from).collect()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(Box::new([0u8; 100]))), 1);
}

#[test]
fn planned_reductions_allocate_nothing() {
    for (shape, axis) in SHAPES {
        let data = elements(shape);
        let view = View::new(&data, shape).expect("its shape");
        let variance = Reduction::new(Variance::default()).axes([axis]).threads(Threads::One);
        let variance = variance.planned(&view).expect("valid");
        let mut variances = vec![0.0; variance.output_shape().count()];
        let count = allocations(|| variance.run_into(&view, &mut variances).expect("as planned"));
        assert_eq!(count, 0, "{shape:?} over {axis}");
    }
}

/// Calls of operators whose results have a length that is a parameter.
#[test]
fn planned_calls_of_any_length_allocate_nothing() {
    static TOP: OpEntry = OpEntry::of::<Top>();
    static BINS: OpEntry = OpEntry::of::<Bins>();
    for (shape, axis) in SHAPES {
        for length in [1, 10, 100] {
            let data = elements(shape);
            let inputs = [planning::Layout::new(DType::F32, shape).expect("a layout")];
            let node = Node::new(1, DType::F32).attr("axes", [axis]);
            let top = TOP.prepare(&node.clone().attr("k", length)).expect("valid");
            let top = top.threads(Threads::One).plan(&inputs).expect("valid");
            let bins = node.attr("bins", length).attr("high", 20.0);
            let bins = BINS.prepare(&bins).expect("valid").threads(Threads::One);
            let bins = bins.plan(&inputs).expect("valid");
            let count = bins.outputs().next().expect("counts").shape().count();
            // A thread keeps 64 kB for results that are then put apart: a value and a position of each.
            if count * 12 > 1 << 16 {
                continue;
            }
            let (mut values, mut places) = (vec![0f32; count], vec![0i64; count]);
            let mut counts = vec![0u64; count];
            let count = allocations(|| {
                let mut both = [(&mut values[..]).into(), (&mut places[..]).into()];
                top.run(&[(&data[..]).into()], &mut both).expect("as planned");
                let counts = (&mut counts[..]).into();
                bins.run(&[(&data[..]).into()], &mut [counts]).expect("as planned");
            });
            assert_eq!(count, 0, "{length} of {shape:?} over {axis}");
        }
    }
}

#[test]
fn planned_emissions_allocate_nothing() {
    for (shape, axis) in SHAPES {
        let data = elements(shape);
        let view = View::new(&data, shape).expect("its shape");
        let norm = Reduction::new(LayerNorm::default()).axes([axis]).threads(Threads::One);
        let norm = norm.planned_emission(&view).expect("valid");
        let shares = softmax().axes([axis]).threads(Threads::One);
        let shares = shares.planned_emission(&view).expect("valid");
        let mut emitted = data.clone();
        let mut places = vec![MaybeUninit::uninit(); data.len()];
        let count = allocations(|| {
            norm.emit_into(&view, &mut emitted).expect("as planned");
            shares.emit_into(&view, &mut emitted).expect("as planned");
            shares.emit_in_place(&mut emitted).expect("as planned");
            let _ = shares.emit_into_uninit(&view, &mut places).expect("as planned");
        });
        assert_eq!(count, 0, "{shape:?} over {axis}");
    }
}

#[test]
fn planned_emissions_of_halves_allocate_nothing() {
    let data: Vec<f16> = (0..256u16).map(|x| f16::from_f32(f32::from(x % 19))).collect();
    let view = View::new(&data, &[4, 64]).expect("its shape");
    let norm = Reduction::new(LayerNorm::default()).axes([1]).threads(Threads::One);
    let norm = norm.planned_emission(&view).expect("valid");
    let mut emitted = data.clone();
    assert_eq!(allocations(|| norm.emit_into(&view, &mut emitted).expect("as planned")), 0);
}

#[test]
fn planned_emissions_by_node_allocate_nothing() {
    static SOFTMAX: OpEntry = OpEntry::of::<Softmax>();
    static NORM: OpEntry = OpEntry::of::<LayerNorm>();
    for (shape, axis) in SHAPES {
        let planned = |entry: &'static OpEntry, inputs: &[planning::Layout]| {
            let node = Node::new(1, DType::F32).attr("axes", [axis]);
            let call = entry.prepare(&node).expect("a node").threads(Threads::One);
            call.plan_emission(inputs).expect("valid")
        };
        let last = shape[shape.len() - 1];
        let layouts = [shape, &[last], &[1]]
            .map(|sizes| planning::Layout::new(DType::F32, sizes).expect("small"));
        let (shares, norm) = (planned(&SOFTMAX, &layouts[..1]), planned(&NORM, &layouts));
        let (mut data, scale) = (elements(shape), vec![2.0f32; last]);
        let mut emitted = data.clone();
        let beside: [AnyData<'_>; 2] = [(&scale[..]).into(), (&scale[..1]).into()];
        let count = allocations(|| {
            let all = [(&data[..]).into(), beside[0], beside[1]];
            shares.run(&all[..1], &mut (&mut emitted[..]).into()).expect("as planned");
            norm.run(&all, &mut (&mut emitted[..]).into()).expect("as planned");
            shares.run_in_place(&mut (&mut data[..]).into(), &[]).expect("as planned");
            norm.run_in_place(&mut (&mut data[..]).into(), &beside).expect("as planned");
        });
        assert_eq!(count, 0, "{shape:?} over {axis}");
    }
}
