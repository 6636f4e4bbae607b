//! Layouts: whatever sizes, strides and offsets are given, up to the largest that there are. One is accepted exactly if its
//! elements lie within a buffer that can be; what is made of it by steps names the same elements; and it can be planned for.
//! All of it is held against the same in integers of 128 bits, one place after another.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use reduce_core::nodes::Node;
use reduce_core::planning::Layout;
use reduce_core::{DType, Shape, View};
use reduce_fuzz::{prepare, within};
use reduce_specs::ONNX;

#[derive(Arbitrary, Debug)]
struct Given {
    dtype: u8,
    shape: Vec<Extent>,
    strides: Vec<Stride>,
    offset: Extent,
    /// Elements of a buffer.
    length: u8,
    steps: Vec<Step>,
    op: u8,
    axes: Vec<i8>,
}

/// A size: small, near the greatest, or any.
#[derive(Arbitrary, Debug)]
enum Extent {
    Small(u8),
    Great(u8, u8),
    Any(usize),
}

impl Extent {
    fn value(&self) -> usize {
        match *self {
            Extent::Small(small) => usize::from(small % 8),
            Extent::Great(by, less) => {
                (isize::MAX.unsigned_abs() >> (by % 64)).wrapping_sub(usize::from(less % 4))
            }
            Extent::Any(any) => any,
        }
    }
}

/// A distance of either sign.
#[derive(Arbitrary, Debug)]
enum Stride {
    Small(i8),
    Great(bool, Extent),
}

impl Stride {
    fn value(&self) -> isize {
        match self {
            Stride::Small(small) => (small % 16).into(),
            Stride::Great(false, extent) => extent.value().cast_signed(),
            Stride::Great(true, extent) => extent.value().cast_signed().wrapping_neg(),
        }
    }
}

#[derive(Arbitrary, Debug)]
enum Step {
    /// The axes in another order, or no order of them.
    Permute(Vec<u8>),
    Slice {
        axis: u8,
        start: Extent,
        end: Extent,
        step: Stride,
    },
    Broadcast(Vec<Extent>),
}

/// Sizes, strides and the first place, in integers that hold all sums of them.
#[derive(Clone, Debug, PartialEq)]
struct Exact {
    axes: Vec<(i128, i128)>,
    first: i128,
}

impl Exact {
    fn new(shape: &[usize], strides: &[isize], offset: usize) -> Self {
        let axes = shape.iter().zip(strides).map(|(&size, &stride)| (size as i128, stride as i128));
        Exact { axes: axes.collect(), first: offset as i128 }
    }

    fn is_empty(&self) -> bool {
        self.axes.iter().any(|&(size, _)| size == 0)
    }

    /// Whether `isize` counts the elements, as well as those along any of the axes: a size of 0 does not make up for others.
    fn is_counted(&self) -> bool {
        let sizes = self.axes.iter().map(|&(size, _)| size.max(1));
        sizes.fold(1, i128::saturating_mul) <= isize::MAX as i128
    }

    /// The least and the greatest place, if there are elements.
    fn ends(&self) -> Option<(i128, i128)> {
        if self.is_empty() {
            return None;
        }
        let ends = self.axes.iter().map(|&(size, stride)| (size - 1).saturating_mul(stride));
        Some(ends.fold((self.first, self.first), |(least, most), end| {
            (least.saturating_add(end.min(0)), most.saturating_add(end.max(0)))
        }))
    }

    /// Whether a buffer of this many elements has all of them.
    fn lies_in(&self, elements: i128) -> bool {
        self.ends().is_none_or(|(least, most)| least >= 0 && most < elements)
    }
}

fn exact(layout: &Layout) -> Exact {
    Exact::new(layout.shape(), layout.strides(), layout.offset())
}

/// Holds a layout against what is known of it: one axis of one element may have any stride, and no element any place.
fn assert_same(layout: &Layout, expected: &Exact) {
    let found = exact(layout);
    let sizes = |exact: &Exact| exact.axes.iter().map(|&(size, _)| size).collect::<Vec<_>>();
    assert_eq!(sizes(&found), sizes(expected));
    assert_eq!(found.ends(), expected.ends());
    if !expected.is_empty() {
        for (found, expected) in found.axes.iter().zip(&expected.axes) {
            assert!(found.0 == 1 || found == expected, "{layout:?}, expected {expected:?}");
        }
    }
    let length = expected.ends().map_or(0, |(_, most)| most + 1);
    assert_eq!(layout.length() as i128, length, "{layout:?}");
}

/// Takes a step with the layout, and with what is known of it; none if it is refused, as it has to be then.
fn taken(layout: &Layout, step: &Step) -> Option<Layout> {
    let before = exact(layout);
    match step {
        Step::Permute(axes) => {
            let axes: Vec<usize> = axes.iter().map(|&axis| usize::from(axis % 8)).collect();
            let mut sorted = axes.clone();
            sorted.sort_unstable();
            let is_order = sorted.iter().copied().eq(0..before.axes.len());
            let after = layout.permute(&axes);
            assert_eq!(after.is_ok(), is_order, "{axes:?}");
            let expected = axes.iter().filter_map(|&axis| before.axes.get(axis).copied());
            let expected = Exact { axes: expected.collect(), first: before.first };
            after.ok().inspect(|after| assert_same(after, &expected))
        }
        Step::Slice { axis, start, end, step } => {
            let (axis, step) = (usize::from(axis % 8), step.value());
            let (start, end) = (start.value(), end.value());
            let after = layout.slice(axis, start, end, step);
            let size = before.axes.get(axis).map(|&(size, _)| size);
            let is_range = size.is_some_and(|size| start <= end && end as i128 <= size);
            assert_eq!(after.is_ok(), is_range && step != 0, "{axis}: {start}..{end}, {step}");
            let after = after.ok()?;
            let (start, end, step) = (start as i128, end as i128, step as i128);
            let mut expected = before;
            let (size, stride) = &mut expected.axes[axis];
            let first = if step > 0 || start == end { start } else { end - 1 };
            expected.first += first * *stride;
            (*size, *stride) =
                ((end - start + step.abs() - 1) / step.abs(), stride.saturating_mul(step));
            assert_same(&after, &expected);
            Some(after)
        }
        Step::Broadcast(shape) => {
            let shape: Vec<usize> = shape.iter().map(Extent::value).collect();
            let after = layout.broadcast(&shape);
            let new = shape.len().checked_sub(before.axes.len());
            let mut expected = Exact { axes: Vec::new(), first: before.first };
            let fits = new.is_some_and(|new| {
                expected.axes.extend(shape[..new].iter().map(|&size| (size as i128, 0)));
                before.axes.iter().zip(&shape[new..]).all(|(&(old, stride), &size)| {
                    let size = size as i128;
                    let stride = if old == size { stride } else { 0 };
                    expected.axes.push((size, stride));
                    old == size || old == 1
                })
            });
            assert_eq!(after.is_ok(), fits && expected.is_counted(), "{shape:?}: {after:?}");
            after.ok().inspect(|after| assert_same(after, &expected))
        }
    }
}

/// That it can be planned for, however many elements there are: nothing is taken for each of them.
fn assert_planned(layout: &Layout, op: u8, axes: &[i8]) {
    let entry = &ONNX.ops()[usize::from(op) % ONNX.ops().len()];
    let newest = entry.schema().versions.last().copied().unwrap_or(1);
    let rank = layout.shape().rank().max(1) as i64;
    let mut axes: Vec<i64> = axes.iter().map(|&axis| i64::from(axis) % rank).collect();
    axes.truncate(8);
    let node = Node::new(newest, layout.dtype());
    let takes_one = entry.schema().attrs.iter().any(|attr| attr.name == "axis");
    let node = match (takes_one, axes.first()) {
        (true, Some(&axis)) => node.attr("axis", axis),
        (true, None) => node,
        (false, _) => node.axes(axes),
    };
    let Ok(call) = entry.prepare(&node) else { return };
    let planned = within(1 << 17, || call.plan(std::slice::from_ref(layout)));
    let shape = call.output_shape(layout.shape());
    match planned {
        Ok(planned) => {
            let outputs: Vec<&Shape> = planned.outputs().map(Layout::shape).collect();
            assert_eq!(outputs, [&shape.expect("that of the plan")]);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(init: prepare(), |given: Given| {
    if given.shape.len() > 7 || given.steps.len() > 8 {
        return;
    }
    let dtype = DType::ALL[usize::from(given.dtype) % DType::ALL.len()];
    let shape: Vec<usize> = given.shape.iter().map(Extent::value).collect();
    let strides: Vec<isize> = given.strides.iter().map(Stride::value).collect();
    let offset = given.offset.value();
    let known = Exact::new(&shape, &strides, offset);
    let is_right = shape.len() == strides.len() && known.is_counted();

    let elements = isize::MAX.unsigned_abs() / dtype.size();
    let layout = Layout::with_strides(dtype, &shape, &strides, offset);
    assert_eq!(layout.is_ok(), is_right && known.lies_in(elements as i128), "{layout:?}");

    let buffer = vec![0u8; given.length.into()];
    let view = View::with_strides(&buffer, &shape, &strides, offset);
    assert_eq!(view.is_ok(), is_right && known.lies_in(buffer.len() as i128), "{view:?}");

    let Ok(mut layout) = layout else { return };
    assert_same(&layout, &known);
    for step in &given.steps {
        match taken(&layout, step) {
            Some(after) => layout = after,
            None => break,
        }
    }
    assert_planned(&layout, given.op, &given.axes);
});
