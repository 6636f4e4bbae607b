//! Operators of two inputs, broadcast to one shape.

use reduce_core::bounds::{Load, Store};
use reduce_core::{AnyTensor, AnyView, DType, Element, Real, Shape, View, bf16, f16};

use super::shape_of;
use super::{cast, collected};

/// An operator of two inputs; the standard gives `Max` and `Min` any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
    Pow,
}

/// The result, of the type of the first input. The second one of `Pow` may be of another type.
///
/// # Errors
/// It fails if the types differ, if the operator is not for them, or if shapes do not broadcast. It also
/// fails if an integer is divided by zero, or if the result does not fit in memory.
pub(crate) fn binary(op: Binary, a: &AnyView<'_>, b: &AnyView<'_>) -> Result<AnyTensor, String> {
    let shape = broadcast_shape(a.shape(), b.shape())?;
    if op == Binary::Pow {
        return power(a, b, &shape);
    }
    macro_rules! of {
        ($($variant:ident)*) => {
            match (a, b) {
                $((AnyView::$variant(a), AnyView::$variant(b)) => of_type(op, a, b, &shape),)*
                _ => Err(not_for(a.dtype(), b.dtype())),
            }
        };
    }
    of!(F16 BF16 F32 F64 I8 I16 I32 I64 U8 U16 U32 U64)
}

fn not_for(a: DType, b: DType) -> String {
    match a == b {
        true => format!("is not for `{a}`"),
        false => format!("takes two inputs of one type, not `{a}` and `{b}`"),
    }
}

/// The shape that two shapes broadcast to: of each pair of sizes, from the last axis on, one may be 1.
///
/// # Errors
/// If they do not, or to one of too many elements.
pub(crate) fn broadcast_shape(a: &[usize], b: &[usize]) -> Result<Shape, String> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut sizes = long.to_vec();
    for (size, &other) in sizes.iter_mut().rev().zip(short.iter().rev()) {
        match (*size, other) {
            (size, other) if size == other || other == 1 => {}
            (1, _) => *size = other,
            _ => return Err(format!("shapes {a:?} and {b:?} do not broadcast to one")),
        }
    }
    shape_of(&sizes)
}

fn of_type<T: Arithmetic>(
    op: Binary,
    a: &View<'_, T>,
    b: &View<'_, T>,
    shape: &Shape,
) -> Result<AnyTensor, String> {
    let mut by_zero = false;
    let result = match op {
        Binary::Add => zipped(a, b, shape, T::plus),
        Binary::Sub => zipped(a, b, shape, T::minus),
        Binary::Mul => zipped(a, b, shape, T::times),
        Binary::Max => zipped(a, b, shape, T::greater),
        Binary::Min => zipped(a, b, shape, T::less),
        Binary::Div | Binary::Pow => zipped(a, b, shape, |x, y| {
            x.over(y).unwrap_or_else(|| {
                by_zero = true;
                T::default()
            })
        }),
    };
    match by_zero {
        true => Err("divides an integer by zero".to_owned()),
        false => result,
    }
}

fn zipped<T: Element, U: Element>(
    a: &View<'_, T>,
    b: &View<'_, T>,
    shape: &Shape,
    mut function: impl FnMut(T, T) -> U,
) -> Result<AnyTensor, String> {
    collected([a, b], shape, |[a, b], to| {
        to.extend(a.iter().zip(b).map(|(&x, &y)| function(x, y)));
    })
}

/// An element that is added, multiplied and so on. What is not a number wins a comparison.
trait Arithmetic: Element {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Nothing for an integer over zero.
    fn over(self, other: Self) -> Option<Self>;
    fn greater(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    (integers $($type:ty)*) => {$(
        impl Arithmetic for $type {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn over(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_div(other))
            }
            fn greater(self, other: Self) -> Self {
                self.max(other)
            }
            fn less(self, other: Self) -> Self {
                self.min(other)
            }
        }
    )*};
    (floats $($type:ty: $number:ty),*) => {$(
        impl Arithmetic for $type {
            fn plus(self, other: Self) -> Self {
                Self::store(Load::<$number>::load(self) + Load::<$number>::load(other))
            }
            fn minus(self, other: Self) -> Self {
                Self::store(Load::<$number>::load(self) - Load::<$number>::load(other))
            }
            fn times(self, other: Self) -> Self {
                Self::store(Load::<$number>::load(self) * Load::<$number>::load(other))
            }
            fn over(self, other: Self) -> Option<Self> {
                Some(Self::store(Load::<$number>::load(self) / Load::<$number>::load(other)))
            }
            fn greater(self, other: Self) -> Self {
                let (x, y) = (Load::<$number>::load(self), Load::<$number>::load(other));
                if x.is_nan() || x > y { self } else { other }
            }
            fn less(self, other: Self) -> Self {
                let (x, y) = (Load::<$number>::load(self), Load::<$number>::load(other));
                if x.is_nan() || x < y { self } else { other }
            }
        }
    )*};
}

arithmetic!(integers i8 i16 i32 i64 u8 u16 u32 u64);
arithmetic!(floats f16: f32, bf16: f32, f32: f32, f64: f64);

/// Powers: of integers with integer exponents by multiplication, which wraps; all others in `f64`.
fn power(a: &AnyView<'_>, b: &AnyView<'_>, shape: &Shape) -> Result<AnyTensor, String> {
    let is_integer = |dtype: DType| !dtype.is_float() && dtype != DType::Bool;
    let (base, exponent) = (a.dtype(), b.dtype());
    if base == DType::Bool || exponent == DType::Bool {
        return Err("is not for `bool`".to_owned());
    }
    if is_integer(base) && is_integer(exponent) {
        let (wide, exponents) = (cast(a, DType::I64)?, cast(b, DType::I64)?);
        let (AnyView::I64(wide), AnyView::I64(exponents)) = (wide.view(), exponents.view()) else {
            return Err(not_for(base, exponent));
        };
        let (mut of_zero, is_signed) = (false, exponent != DType::U64);
        let powers = zipped(&wide, &exponents, shape, |x, y| {
            of_zero |= x == 0 && y < 0 && is_signed;
            match is_signed && y < 0 {
                true => reciprocal_power(x, y),
                false => integer_power(x, y.cast_unsigned()),
            }
        })?;
        return match of_zero {
            true => Err("has a zero to a negative power, which is a division by zero".to_owned()),
            false => cast(&powers.view(), base),
        };
    }
    let (wide, exponents) = (cast(a, DType::F64)?, cast(b, DType::F64)?);
    let (AnyView::F64(wide), AnyView::F64(exponents)) = (wide.view(), exponents.view()) else {
        return Err(not_for(base, exponent));
    };
    let powers = zipped(&wide, &exponents, shape, <f64 as Real>::powf)?;
    cast(&powers.view(), base)
}

/// 1 over a power, truncated.
fn reciprocal_power(base: i64, exponent: i64) -> i64 {
    match (base, exponent % 2 == 0) {
        (1, _) | (-1, true) => 1,
        (-1, false) => -1,
        _ => 0,
    }
}

/// The power, modulo 2^64: by squaring.
fn integer_power(base: i64, exponent: u64) -> i64 {
    let (mut square, mut left, mut power) = (base, exponent, 1i64);
    while left > 0 {
        if left % 2 == 1 {
            power = power.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left /= 2;
    }
    power
}
