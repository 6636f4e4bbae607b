//! Operators of one input.

use multiversion::multiversion;
use reduce_core::bounds::{Load, Store};
use reduce_core::{AnyTensor, AnyView, Element, Real, View, bf16, f16};

use super::{collected, copied};

/// An operator of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Abs,
    Exp,
    Log,
    Neg,
    Sqrt,
}

/// Appends what becomes of each element.
type Kernel<T> = fn(&[T], &mut Vec<T>);

/// The result, of the type of the input.
///
/// # Errors
/// If the operator is not for the type, or the result does not fit in memory.
pub(crate) fn unary(op: Unary, view: &AnyView<'_>) -> Result<AnyTensor, String> {
    match view {
        AnyView::F32(view) => each(view, floats_f32(op)),
        AnyView::F64(view) => each(view, floats_f64(op)),
        AnyView::F16(view) => each(view, floats_f16(op)),
        AnyView::BF16(view) => each(view, floats_bf16(op)),
        AnyView::I8(view) => each(view, integers_i8(op)?),
        AnyView::I16(view) => each(view, integers_i16(op)?),
        AnyView::I32(view) => each(view, integers_i32(op)?),
        AnyView::I64(view) => each(view, integers_i64(op)?),
        AnyView::U8(_) | AnyView::U16(_) | AnyView::U32(_) | AnyView::U64(_)
            if op == Unary::Abs =>
        {
            copied(view)
        }
        _ => Err(not_for(view.dtype())),
    }
}

fn not_for(dtype: reduce_core::DType) -> String {
    format!("is not for `{dtype}`; cast it to a type of floats first")
}

fn each<T: Element>(view: &View<'_, T>, kernel: Kernel<T>) -> Result<AnyTensor, String> {
    collected([view], view.shape(), |[run], to| kernel(run, to))
}

/// Applies a function of the compute type, in blocks that vector units take whole.
#[inline(always)]
fn apply<T: Load<N> + Store<N> + Element, N>(
    from: &[T],
    to: &mut Vec<T>,
    function: impl Fn(N) -> N,
) {
    const BLOCK: usize = 64;
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    for block in blocks {
        let mut results = [T::default(); BLOCK];
        for i in 0..BLOCK {
            results[i] = T::store(function(block[i].load()));
        }
        to.extend_from_slice(&results);
    }
    for &x in rest {
        to.push(T::store(function(x.load())));
    }
}

/// The kernels of a type of floats, for the best level of the CPU. Their bits are the same at all.
macro_rules! floats {
    ($($name:ident: $type:ty, $number:ty;)*) => {$(
        fn $name(op: Unary) -> Kernel<$type> {
            floats!(@ exp, $type, $number, <$number as Real>::exp);
            floats!(@ ln, $type, $number, <$number as Real>::ln);
            floats!(@ sqrt, $type, $number, <$number>::sqrt);
            floats!(@ abs, $type, $number, <$number>::abs);
            floats!(@ neg, $type, $number, |x: $number| -x);
            match op {
                Unary::Abs => abs,
                Unary::Exp => exp,
                Unary::Log => ln,
                Unary::Neg => neg,
                Unary::Sqrt => sqrt,
            }
        }
    )*};
    (@ $name:ident, $type:ty, $number:ty, $function:expr) => {
        #[multiversion(targets(
            "x86_64+avx2+fma+avx512f+avx512bw+avx512dq+avx512vl",
            "x86_64+avx2+fma"
        ))]
        fn $name(from: &[$type], to: &mut Vec<$type>) {
            apply::<$type, $number>(from, to, $function);
        }
    };
}

floats! {
    floats_f16: f16, f32;
    floats_bf16: bf16, f32;
    floats_f32: f32, f32;
    floats_f64: f64, f64;
}

/// The kernels of a type of signed integers, which wrap.
macro_rules! integers {
    ($($name:ident: $type:ty;)*) => {$(
        fn $name(op: Unary) -> Result<Kernel<$type>, String> {
            fn abs(from: &[$type], to: &mut Vec<$type>) {
                to.extend(from.iter().map(|x| x.wrapping_abs()));
            }
            fn neg(from: &[$type], to: &mut Vec<$type>) {
                to.extend(from.iter().map(|x| x.wrapping_neg()));
            }
            match op {
                Unary::Abs => Ok(abs),
                Unary::Neg => Ok(neg),
                _ => Err(not_for(<$type>::DTYPE)),
            }
        }
    )*};
}

integers! {
    integers_i8: i8;
    integers_i16: i16;
    integers_i32: i32;
    integers_i64: i64;
}
