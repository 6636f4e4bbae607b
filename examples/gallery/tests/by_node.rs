//! Emission by node gives what emission by type does, to the last bit: over each type of element, at each CPU level, in
//! tensors that lie in any way, with other inputs beside them, in place and into strided memory, with any number of
//! threads.

#![allow(unsafe_code, reason = "places of a pool are read once they are written")]

use std::mem::MaybeUninit;
use std::sync::Arc;

use reduce_core::adapt::Beside;
use reduce_core::bounds::{Emits, Input, Stored};
use reduce_core::nodes::{AnyData, Call, Node, OpEntry};
use reduce_core::planning::Layout;
use reduce_core::{
    AnyView, DType, Element, Level, OpSpec, Reduction, Threads, View, ViewMut, bf16, f16,
};
use reduce_gallery::{Exponentials, LayerNorm, LogSoftmax, RmsNorm, Shares, Softmax, UnitLength};

/// A type of element, made of numbers of little precision, and its bits.
trait Float: Element {
    fn of(number: f32) -> Self;
    fn bits(self) -> u64;
}

macro_rules! floats {
    ($($type:ident of $make:expr;)*) => {$(
        impl Float for $type {
            fn of(number: f32) -> Self {
                $make(number)
            }

            fn bits(self) -> u64 {
                f64::from(self).to_bits()
            }
        }
    )*};
}

floats! {
    f16 of f16::from_f32;
    bf16 of bf16::from_f32;
    f32 of |x| x;
    f64 of f64::from;
}

/// The bits of some elements; any NaN is like another.
fn bits<T: Float>(elements: &[T]) -> Vec<u64> {
    let of = |bits: u64| if f64::from_bits(bits).is_nan() { u64::MAX } else { bits };
    elements.iter().map(|x| of(x.bits())).collect()
}

/// Numbers without order, between -4 and 4; some are as large as `largest`.
fn numbers<T: Float>(count: usize, seed: u32, largest: f32) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = (state >> 16) as u16;
        let scale = if number.is_multiple_of(97) { largest } else { 4.0 };
        T::of((f32::from(number) / 32768.0 - 1.0) * scale)
    };
    (0..count).map(|_| next()).collect()
}

/// The largest elements: those of `f32` have squares beyond it, so that results are doubted.
fn largest(dtype: DType) -> f32 {
    if dtype == DType::F32 { 1e25 } else { 60_000.0 }
}

/// A tensor in its buffer, and the axes over which it is reduced.
struct Case<'a, T: Element> {
    view: View<'a, T>,
    axes: &'a [i64],
}

/// Rows, columns, transposed and sliced tensors, of rank 2 and 3.
fn cases<T: Element>(buffer: &[T]) -> Vec<Case<'_, T>> {
    let view = |shape: &[usize]| View::new(&buffer[..shape.iter().product()], shape).expect("fits");
    let with = |shape: &[usize], strides: &[isize], offset| {
        View::with_strides(buffer, shape, strides, offset).expect("fits")
    };
    vec![
        Case { view: view(&[5, 33]), axes: &[-1] },
        Case { view: view(&[33, 5]), axes: &[0] },
        Case { view: view(&[1, 16]), axes: &[1] },
        Case { view: view(&[7]), axes: &[] },
        Case { view: view(&[9, 40]).permute(&[1, 0]).expect("two axes"), axes: &[1] },
        Case { view: view(&[40, 9]).permute(&[1, 0]).expect("two axes"), axes: &[0] },
        Case { view: view(&[3, 4, 21]), axes: &[-1] },
        Case { view: view(&[3, 21, 4]), axes: &[1] },
        Case { view: view(&[3, 4, 21]), axes: &[0, 2] },
        Case { view: view(&[4, 3, 21]).permute(&[2, 0, 1]).expect("three axes"), axes: &[1, 2] },
        Case { view: with(&[6, 10], &[-20, 2], 103), axes: &[1] },
        Case { view: with(&[6, 10], &[0, 1], 3), axes: &[0] },
        Case { view: view(&[0, 3]), axes: &[1] },
    ]
}

/// A call of an operator with all its parameters as they are by default.
fn call(entry: &'static OpEntry, dtype: DType, axes: &[i64]) -> Call {
    let node = Node::new(1, dtype);
    let node = if axes.is_empty() { node } else { node.attr("axes", axes.to_vec()) };
    entry.prepare(&node).expect("a node")
}

/// The inputs of an emission, whose types are known to the compiler, as views whose types are not.
trait Inputs<T: Float>: Input<Stored: Stored<First = T>> {
    fn erased(&self) -> Vec<AnyView<'_>>;
    fn first(&self) -> &[T];
}

impl<T: Float> Inputs<T> for View<'_, T> {
    fn erased(&self) -> Vec<AnyView<'_>> {
        vec![self.clone().into()]
    }

    fn first(&self) -> &[T] {
        View::data(self)
    }
}

impl<T: Float> Inputs<T> for (View<'_, T>, View<'_, T>) {
    fn erased(&self) -> Vec<AnyView<'_>> {
        vec![self.0.clone().into(), self.1.clone().into()]
    }

    fn first(&self) -> &[T] {
        self.0.data()
    }
}

impl<T: Float> Inputs<T> for (View<'_, T>, View<'_, T>, View<'_, T>) {
    fn erased(&self) -> Vec<AnyView<'_>> {
        vec![self.0.clone().into(), self.1.clone().into(), self.2.clone().into()]
    }

    fn first(&self) -> &[T] {
        self.0.data()
    }
}

/// The emission by node and by type, each in all ways of running it, over inputs that are the same views.
fn alike<T: Float, Op, I>(call: &Call, reduction: &Reduction<Op>, input: &I, what: &str)
where
    I: Inputs<T>,
    Op: Emits<I::Stored>,
{
    let views = input.erased();
    let shape = input.shape().expect("one shape");
    let expected = reduction.emit(input).expect("emits");
    let expected = bits(expected.data());
    let emitted = call.emit(&views).expect("emits").downcast::<T>().expect("as the first input");
    assert_eq!((emitted.shape(), bits(emitted.data())), (&shape, expected.clone()), "{what}");

    let layouts: Vec<Layout> = views.iter().map(Layout::from).collect();
    let data: Vec<AnyData<'_>> = views.iter().map(AnyData::from).collect();
    let planned = call.plan_emission(&layouts).expect("a plan");
    assert_eq!(*planned.output(), Layout::new(T::DTYPE, &shape).expect("small"));
    let mut places = vec![MaybeUninit::<T>::uninit(); shape.count()];
    planned.run(&data, &mut (&mut places[..]).into()).expect("as planned");
    // SAFETY: a run without an error writes each element.
    let found: Vec<T> = places.iter().map(|x| unsafe { x.assume_init() }).collect();
    assert_eq!(bits(&found), expected, "{what}, planned");

    // Column by column, with a gap behind each element.
    let mut strides: Vec<isize> = Vec::new();
    let mut next = 2;
    for &size in shape.iter() {
        strides.push(next);
        next *= size.max(1).cast_signed();
    }
    let room = 1 + next.unsigned_abs();
    let (mut by_node, mut by_type) = (vec![T::of(9.0); room], vec![T::of(9.0); room]);
    let output = Layout::with_strides(T::DTYPE, &shape, &strides, 1).expect("small");
    let apart = call.plan_emission_into(&layouts, &output).expect("a plan");
    apart.run(&data, &mut (&mut by_node[..]).into()).expect("as planned");
    let mut view = ViewMut::with_strides(&mut by_type, &shape, &strides, 1).expect("small");
    reduction.emit_into_view(input, &mut view).expect("emits");
    assert_eq!(bits(&by_node), bits(&by_type), "{what}, apart");

    let is_in_order = layouts[0] == *planned.output();
    let mut elements = input.first().to_vec();
    let in_place = planned.run_in_place(&mut (&mut elements[..]).into(), &data[1..]);
    match (in_place, is_in_order) {
        (Ok(()), true) => assert_eq!(bits(&elements), expected, "{what}, in place"),
        (Err(error), false) => assert!(["other-layout", "length-mismatch"].contains(&error.code())),
        (other, _) => panic!("{what}, in place: {other:?}"),
    }
}

/// A number of threads, each in a pool of its own.
fn some_threads() -> Vec<Threads> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [2, 4].map(|threads| Threads::Pool(Arc::new(pool(threads).expect("threads"))));
    [Threads::One].into_iter().chain(pools).collect()
}

/// An entry, and checks of it over views of one type.
macro_rules! entry {
    ($op:ty) => {{
        static ENTRY: OpEntry = OpEntry::of::<$op>();
        &ENTRY
    }};
}

/// Over the elements alone.
fn alone<Op, T: Float>(entry: &'static OpEntry)
where
    Op: OpSpec + Emits<T>,
{
    let buffer = numbers::<T>(400, 7, largest(T::DTYPE));
    for Case { view, axes } in cases(&buffer) {
        for level in Level::available() {
            for mends in [true, false] {
                let call = call(entry, T::DTYPE, axes).level(level).mended(mends);
                let typed = Reduction::new(Op::default()).level(level).mended(mends);
                let typed = if axes.is_empty() { typed } else { typed.axes(axes.to_vec()) };
                let what = format!(
                    "{} over {} {:?} {:?} {axes:?} at {level}",
                    call.name(),
                    T::DTYPE,
                    view.shape(),
                    view.strides()
                );
                alike(&call, &typed, &view, &what);
            }
        }
    }
}

/// With other inputs beside the elements, which are repeated in some way: along no axis, along all, or along some.
fn beside<Op, T: Float>(
    entry: &'static OpEntry,
    norm: impl Fn(&str, &Call, &Reduction<Op>, Case<'_, T>, [&View<'_, T>; 2]),
) where
    Op: OpSpec + Clone,
{
    let (buffer, others) = (numbers::<T>(400, 7, largest(T::DTYPE)), numbers::<T>(400, 9, 4.0));
    for Case { view, axes } in cases(&buffer) {
        let sizes = view.shape().to_vec();
        let last = sizes.len() - 1;
        let all = View::new(&others[..view.shape().count()], &sizes).expect("fits");
        let one = View::new(&others[3..4], &[1]).expect("one");
        let of_last = View::new(&others[..sizes[last]], &sizes[last..]).expect("fits");
        let mut of_first = vec![1; sizes.len()];
        of_first[0] = sizes[0];
        let of_first = View::new(&others[1..=sizes[0]], &of_first).expect("fits");
        for pair in [[&all, &one], [&one, &of_last], [&of_last, &of_first], [&of_first, &all]] {
            for level in Level::available() {
                let call = call(entry, T::DTYPE, axes).level(level);
                let typed = Reduction::new(Op::default()).level(level);
                let typed = if axes.is_empty() { typed } else { typed.axes(axes.to_vec()) };
                let what =
                    format!("{} over {} {sizes:?} {axes:?} at {level}", call.name(), T::DTYPE);
                norm(&what, &call, &typed, Case { view: view.clone(), axes }, pair);
            }
        }
    }
}

macro_rules! each_type {
    ($check:ident: $($op:ty),*) => {$(
        $check::<$op, f16>(entry!($op));
        $check::<$op, bf16>(entry!($op));
        $check::<$op, f32>(entry!($op));
        $check::<$op, f64>(entry!($op));
    )*};
}

#[test]
fn over_elements_alone() {
    each_type!(alone: Softmax, LogSoftmax, Exponentials, Shares, LayerNorm, RmsNorm, UnitLength);
}

fn layer_norm_over<T: Float>(entry: &'static OpEntry)
where
    Beside<LayerNorm, 1>: Emits<(T, T, T)>,
{
    beside::<LayerNorm, T>(entry, |what, call, typed, case, [scale, bias]| {
        let inputs = (case.view, scale.clone(), bias.clone());
        alike(call, &typed.clone().beside::<1>(), &inputs, what);
    });
}

fn rms_norm_over<T: Float>(entry: &'static OpEntry)
where
    Beside<RmsNorm, 1>: Emits<(T, T)>,
{
    beside::<RmsNorm, T>(entry, |what, call, typed, case, [scale, _]| {
        alike(call, &typed.clone().beside::<1>(), &(case.view, scale.clone()), what);
    });
}

#[test]
fn with_others_beside() {
    let (layer, rms) = (entry!(LayerNorm), entry!(RmsNorm));
    layer_norm_over::<f16>(layer);
    layer_norm_over::<bf16>(layer);
    layer_norm_over::<f32>(layer);
    layer_norm_over::<f64>(layer);
    rms_norm_over::<f16>(rms);
    rms_norm_over::<bf16>(rms);
    rms_norm_over::<f32>(rms);
    rms_norm_over::<f64>(rms);
}

#[test]
fn with_any_number_of_threads() {
    let (rows, columns) = (700, 400);
    let data = numbers::<f32>(rows * columns, 11, 1e20);
    let scale = View::new(&data[..columns], &[columns]).expect("fits");
    for threads in some_threads() {
        for axis in [0, 1] {
            let view = View::new(&data, &[rows, columns]).expect("its shape");
            let norm = call(entry!(LayerNorm), DType::F32, &[axis]).threads(threads.clone());
            let typed = Reduction::new(LayerNorm::default()).axes([axis]).threads(Threads::One);
            let typed = typed.beside::<1>();
            alike(&norm, &typed, &(view.clone(), scale.clone(), scale.clone()), "layer norm");
            let shares = call(entry!(Softmax), DType::F32, &[axis]).threads(threads.clone());
            let typed = Reduction::new(Softmax).axes([axis]).threads(Threads::One);
            alike(&shares, &typed, &view, "softmax");
        }
    }
}

/// The sentence of an error.
fn said<T: std::fmt::Debug>(result: Result<T, reduce_core::Error>) -> String {
    result.expect_err("an error").to_string()
}

#[test]
fn what_does_not_fit_is_said() {
    let of = |dtype, shape: &[usize]| Layout::new(dtype, shape).expect("small");
    let rows = of(DType::F32, &[2, 3]);
    let norm = call(entry!(LayerNorm), DType::F32, &[1]);
    assert_eq!(
        said(norm.plan_emission(&[rows.clone(), rows.clone()])),
        "LayerNorm at version 1: the number of inputs is 2; to emit, the operator takes 1 or 3"
    );
    assert_eq!(
        said(norm.plan_emission(&[of(DType::I32, &[2])])),
        "LayerNorm at version 1: dtype `i32` is not allowed; expected `f16`, `bf16`, `f32` or `f64`"
    );
    assert_eq!(
        said(norm.plan_emission(&[rows.clone(), of(DType::F64, &[3]), of(DType::F32, &[3])])),
        "LayerNorm at version 1: input `beside the data` is of dtype `f64`; expected `f32`"
    );
    let differing = said(norm.plan_emission(&[rows.clone(), of(DType::F32, &[4]), rows.clone()]));
    assert!(differing.contains("do not broadcast to one shape"), "{differing}");
    let axis = said(norm.plan_emission(&[of(DType::F32, &[2])]));
    assert!(axis.contains("axis 1 is out of range for rank 1"), "{axis}");
    let skipping = said(norm.clone().skip_nan(true).plan_emission(std::slice::from_ref(&rows)));
    assert!(skipping.contains("an emission by node is over all elements"), "{skipping}");
    let variance = call(entry!(reduce_gallery::Variance), DType::F32, &[1]);
    let nothing = said(variance.plan_emission(std::slice::from_ref(&rows)));
    assert!(nothing.starts_with("Variance at version 1: the operator emits nothing"), "{nothing}");
    let output =
        said(norm.plan_emission_into(std::slice::from_ref(&rows), &of(DType::F32, &[3, 2])));
    assert!(output.contains("the output has shape [3, 2]; give one of shape [2, 3]"), "{output}");

    let planned = norm.plan_emission(&[rows]).expect("a plan");
    let (data, mut output) = ([0.0f32; 6], [0.0f32; 6]);
    let run = |data: &[f32], output: &mut [f32]| planned.run(&[data.into()], &mut output.into());
    assert!(said(run(&data[..5], &mut output)).contains("the buffer has 5 elements"));
    assert!(said(run(&data, &mut output[..5])).contains("the output has 5 elements"));
    assert!(said(planned.run(&[], &mut (&mut output[..]).into())).contains("inputs is 0"));
    let wide = said(planned.run(&[(&[0.0f64; 6][..]).into()], &mut (&mut output[..]).into()));
    assert!(wide.contains("is of dtype `f64`; expected `f32`"), "{wide}");
    let in_place = said(planned.run_in_place(&mut (&mut [0.0f64; 6][..]).into(), &[]));
    assert!(in_place.starts_with("LayerNorm at version 1: "), "{in_place}");
    let turned = Layout::with_strides(DType::F32, &[2, 3], &[1, 2], 0).expect("small");
    let turned = norm.plan_emission(&[turned]).expect("a plan");
    let in_place = said(turned.run_in_place(&mut (&mut output[..]).into(), &[]));
    assert!(in_place.contains("plan anew"), "{in_place}");
}
