//! Elements of every type, and tensors of them.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    trivial_numeric_casts,
    dead_code,
    reason = "any bits will do, and not every test draws all"
)]

use reduce_core::bounds::Input;
use reduce_core::{AnyTensor, Element, View, bf16, f8e4m3fn, f8e5m2, f16};

/// Numbers that are different each time, but the same for every run.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// What elements are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Fractions of both signs, or integers of any size.
    Ordinary,
    /// Small whole numbers. Many of them are equal.
    Few,
    /// Infinities, NaN, both zeros and numbers near the ends of the range, among others.
    Special,
}

/// A type whose elements can be drawn.
pub(crate) trait Sample: Element {
    fn sample(random: &mut Random, kind: Kind) -> Self;
}

fn float(random: &mut Random, kind: Kind) -> f64 {
    let bits = random.next();
    let special =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e-40, 3e38, -3e38, 1e-310, 1e300];
    match kind {
        Kind::Ordinary => (bits >> 11) as f64 / (1u64 << 51) as f64 - 2.0,
        Kind::Few => (bits % 5) as f64 - 2.0,
        Kind::Special if bits.is_multiple_of(5) => special[(bits >> 8) as usize % special.len()],
        Kind::Special => (bits % 7) as f64 - 3.0,
    }
}

macro_rules! floats {
    ($($float:ty => |$x:ident| $make:expr;)*) => {$(
        impl Sample for $float {
            fn sample(random: &mut Random, kind: Kind) -> Self {
                let $x = float(random, kind);
                $make
            }
        }
    )*};
}

floats! {
    f16 => |x| f16::from_f64(x);
    bf16 => |x| bf16::from_f64(x);
    f8e4m3fn => |x| f8e4m3fn::from_f32(x as f32);
    f8e5m2 => |x| f8e5m2::from_f32(x as f32);
    f32 => |x| x as f32;
    f64 => |x| x;
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl Sample for $int {
            fn sample(random: &mut Random, kind: Kind) -> Self {
                let bits = random.next();
                match kind {
                    Kind::Ordinary => bits as $int,
                    Kind::Few => (bits % 5) as $int,
                    Kind::Special => [0, 1, <$int>::MIN, <$int>::MAX][bits as usize % 4],
                }
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Sample for bool {
    fn sample(random: &mut Random, _kind: Kind) -> Self {
        random.next().is_multiple_of(2)
    }
}

/// A way to lay elements: shape, strides, and the place of the first one.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) shape: Vec<usize>,
    pub(crate) strides: Vec<isize>,
    pub(crate) offset: usize,
}

impl Layout {
    pub(crate) fn rows(shape: &[usize]) -> Self {
        let mut strides = vec![1; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis] * shape[axis].cast_signed();
        }
        Layout { shape: shape.to_vec(), strides, offset: 0 }
    }

    pub(crate) fn strided(shape: &[usize], strides: &[isize], offset: usize) -> Self {
        Layout { shape: shape.to_vec(), strides: strides.to_vec(), offset }
    }

    /// How many elements a buffer must have.
    fn length(&self) -> usize {
        let ends = self
            .shape
            .iter()
            .zip(&self.strides)
            .map(|(&size, &stride)| stride.max(0).unsigned_abs() * size.saturating_sub(1));
        self.offset + ends.sum::<usize>() + 1
    }
}

/// What is stored for each index: an element, or a tuple.
pub(crate) trait Samples: Sized {
    type Buffers;
    fn drawn(random: &mut Random, layout: &Layout, kind: Kind) -> Self::Buffers;
    fn with<R>(
        buffers: &Self::Buffers,
        layout: &Layout,
        then: impl FnOnce(&Self::Views<'_>) -> R,
    ) -> R;
    type Views<'v>: Input<Stored = Self>;
}

fn buffer<T: Sample>(random: &mut Random, layout: &Layout, kind: Kind) -> Vec<T> {
    (0..layout.length()).map(|_| T::sample(random, kind)).collect()
}

fn view<'b, T: Element>(buffer: &'b [T], layout: &Layout) -> View<'b, T> {
    View::with_strides(buffer, &layout.shape, &layout.strides, layout.offset).expect("a layout")
}

macro_rules! single {
    ($($ty:ty),*) => {$(
        impl Samples for $ty {
            type Buffers = Vec<$ty>;
            type Views<'v> = View<'v, $ty>;

            fn drawn(random: &mut Random, layout: &Layout, kind: Kind) -> Vec<$ty> {
                buffer(random, layout, kind)
            }

            fn with<R>(buffers: &Vec<$ty>, layout: &Layout, then: impl FnOnce(&View<'_, $ty>) -> R) -> R {
                then(&view(buffers, layout))
            }
        }
    )*};
}

single!(f16, bf16, f8e4m3fn, f8e5m2, f32, f64, bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! several {
    ($(($($name:ident . $index:tt),+))*) => {$(
        impl<$($name: Sample),+> Samples for ($($name,)+) {
            type Buffers = ($(Vec<$name>,)+);
            type Views<'v> = ($(View<'v, $name>,)+);

            fn drawn(random: &mut Random, layout: &Layout, kind: Kind) -> Self::Buffers {
                ($(buffer::<$name>(random, layout, kind),)+)
            }

            fn with<R>(
                buffers: &Self::Buffers,
                layout: &Layout,
                then: impl FnOnce(&Self::Views<'_>) -> R,
            ) -> R {
                then(&($(view(&buffers.$index, layout),)+))
            }
        }
    )*};
}

several! { (A.0, B.1) (A.0, B.1, C.2) }

/// The bits of all elements of a tensor; every NaN has those of one.
pub(crate) fn bits(tensor: &AnyTensor) -> Vec<u64> {
    macro_rules! by_type {
        ($($variant:ident($x:ident) => $bits:expr;)*) => {
            match tensor {
                $(AnyTensor::$variant(tensor) => tensor.data().iter().map(|&$x| $bits).collect(),)*
            }
        };
    }
    by_type! {
        F16(x) => if x.is_nan() { 1 << 63 } else { x.to_bits().into() };
        BF16(x) => if x.is_nan() { 1 << 63 } else { x.to_bits().into() };
        F8E4M3FN(x) => if x.is_nan() { 1 << 63 } else { x.to_bits().into() };
        F8E5M2(x) => if x.is_nan() { 1 << 63 } else { x.to_bits().into() };
        F32(x) => if x.is_nan() { 1 << 63 } else { x.to_bits().into() };
        F64(x) => if x.is_nan() { !0 } else { x.to_bits() };
        Bool(x) => x.into();
        I8(x) => x as u64;
        I16(x) => x as u64;
        I32(x) => x as u64;
        I64(x) => x as u64;
        U8(x) => x.into();
        U16(x) => x.into();
        U32(x) => x.into();
        U64(x) => x;
    }
}
