//! Whether a result is the one that a test stores.
//!
//! Types and shapes must be equal, integers and bools too. `f32` and `f64` have
//! the tolerance of ONNX's own runner, `f16` and `bf16` one unit in the last
//! place. NaN equals NaN, an infinity itself, and `-0` equals `0`.

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, Tensor, bf16, f8e4m3fn, f8e5m2, f16};

use crate::scalar::Scalar;

const RELATIVE: f64 = 1e-3;
const ABSOLUTE: f64 = 1e-7;

/// The first difference, in words, or nothing.
pub(super) fn difference(got: &AnyTensor, want: &AnyTensor) -> Option<String> {
    with_any!(AnyTensor, got, t => differences(t, &want.view()))
}

fn differences<T: Close>(got: &Tensor<T>, want: &AnyView<'_>) -> Option<String> {
    let Some(of_type) = want.downcast::<T>() else {
        return Some(format!("dtype is `{}`; expected `{}`", T::DTYPE, want.dtype()));
    };
    let want = of_type;
    if got.shape() != want.shape() {
        return Some(format!("shape is {}; expected {}", got.shape(), want.shape()));
    }
    // Both have one shape, and so one length.
    let pairs = got.data().iter().zip(want.data()).enumerate();
    let mut far = pairs.filter(|(_, (got, want))| !got.is_close(**want));
    let (place, (first_got, first_want)) = far.next()?;
    let others = far.count();
    let more = if others == 0 { String::new() } else { format!(", and {others} more differ") };
    let index = index(place, got.shape());
    Some(format!("element {index:?} is {}; expected {}{more}", first_got.text(), first_want.text()))
}

/// The indices of a place in row-major order.
fn index(mut place: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&size| {
            let size = size.max(1);
            let index = place % size;
            place /= size;
            index
        })
        .collect();
    indices.reverse();
    indices
}

/// An element that may be near enough to another.
trait Close: Scalar {
    fn is_close(self, want: Self) -> bool;
}

macro_rules! close {
    ($($type:ty)* => $is_close:expr) => {$(
        impl Close for $type {
            fn is_close(self, want: Self) -> bool {
                $is_close(self, want)
            }
        }
    )*};
}

close!(bool i8 i16 i32 i64 u8 u16 u32 u64 => |got, want| got == want);
close!(f32 => |got, want| within_tolerance(f64::from(got), f64::from(want)));
close!(f64 => within_tolerance);
close!(f16 bf16 => |got: Self, want: Self| {
    within_one_unit(got.to_bits(), want.to_bits(), got.is_finite() && want.is_finite())
        || (got.is_nan() && want.is_nan())
});

close!(f8e4m3fn f8e5m2 => |got: Self, want: Self| {
    let bits = [got, want].map(|x| {
        let bits = u16::from(x.to_bits());
        (bits & 0x80) << 8 | bits & 0x7f
    });
    within_one_unit(bits[0], bits[1], got.is_finite() && want.is_finite())
        || (got.is_nan() && want.is_nan())
});

/// Infinities are equal or not: a tolerance relative to one would accept all.
fn within_tolerance(got: f64, want: f64) -> bool {
    let is_near = (got - want).abs() <= ABSOLUTE + RELATIVE * want.abs();
    got == want
        || (got.is_nan() && want.is_nan())
        || (got.is_finite() && want.is_finite() && is_near)
}

/// Whether two floats of 16 bits are neighbours, or the same if they are not finite.
fn within_one_unit(got: u16, want: u16, finite: bool) -> bool {
    let place = |bits: u16| {
        let magnitude = i32::from(bits & 0x7fff);
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    };
    (place(got) - place(want)).abs() <= i32::from(finite)
}

#[cfg(test)]
mod tests {
    use reduce_core::{AnyTensor, Element, Tensor, bf16, f16};

    use super::{Close, difference};

    fn tensor<T: Element>(data: &[T], shape: &[usize]) -> AnyTensor {
        Tensor::new(data.to_vec(), shape).expect("right length").into()
    }

    fn accepts<T: Close>(got: T, want: T) -> bool {
        difference(&tensor(&[got], &[]), &tensor(&[want], &[])).is_none()
    }

    #[test]
    fn floats_near_zero_and_at_infinity() {
        for (got, want) in [
            (1e-6, 0.0),
            (0.0, 1e-6),
            (1.002, 1.0),
            (f64::INFINITY, f64::MAX),
            (f64::MAX, f64::INFINITY),
            (1.0, f64::NEG_INFINITY),
            (f64::INFINITY, f64::NEG_INFINITY),
            (f64::NAN, 1.0),
            (1.0, f64::NAN),
            (f64::NAN, f64::INFINITY),
            (-1.0, 1.0),
        ] {
            assert!(!accepts(got, want), "{got} for {want}");
        }
        for (got, want) in [
            (1e-8, 0.0),
            (-0.0, 0.0),
            (1.0009, 1.0),
            (f64::NAN, -f64::NAN),
            (f64::INFINITY, f64::INFINITY),
        ] {
            assert!(accepts(got, want), "{got} for {want}");
        }
        assert!(!accepts(f32::MAX, f32::INFINITY) && !accepts(1e-6f32, 0.0));
        assert!(accepts(1.0009f32, 1.0));
    }

    #[test]
    fn half_floats_are_within_one_unit() {
        let one = f16::ONE.to_bits();
        assert!(accepts(f16::from_bits(one + 1), f16::ONE));
        assert!(!accepts(f16::from_bits(one + 2), f16::ONE));
        assert!(accepts(f16::from_bits(0x8001), f16::ZERO) && accepts(f16::NEG_ZERO, f16::ZERO));
        assert!(!accepts(f16::from_bits(0x8001), f16::from_bits(1)));
        assert!(!accepts(f16::MAX, f16::INFINITY) && !accepts(f16::INFINITY, f16::MAX));
        assert!(!accepts(f16::NAN, f16::INFINITY) && !accepts(f16::ONE, f16::NAN));
        assert!(accepts(f16::NAN, f16::from_bits(0xfe01)));
        let one = bf16::ONE.to_bits();
        assert!(accepts(bf16::from_bits(one - 1), bf16::ONE));
        assert!(!accepts(bf16::from_bits(one - 2), bf16::ONE));
        assert!(!accepts(bf16::MAX, bf16::INFINITY));
    }

    #[test]
    fn integers_and_bools_are_exact() {
        assert!(!accepts(i64::MAX, i64::MAX - 1) && !accepts(u8::MAX, 0) && !accepts(true, false));
        assert!(accepts(i64::MIN, i64::MIN) && accepts(false, false));
    }

    #[test]
    fn types_shapes_and_lengths_are_exact() {
        let got = tensor(&[1.0f32, 2.0], &[2]);
        for (want, word) in [
            (tensor(&[1.0f64, 2.0], &[2]), "dtype"),
            (tensor(&[1.0f32, 2.0], &[2, 1]), "shape"),
            (tensor(&[1.0f32], &[1]), "shape"),
            (tensor(&[1.0f32, 2.0, 3.0], &[3]), "shape"),
            (tensor(&[1.0f32, 3.0], &[2]), "element [1] is 2.0; expected 3.0"),
        ] {
            let found = difference(&got, &want).expect("a difference");
            assert!(found.contains(word), "{found}");
        }
        let want = tensor(&[1, 2, 3, 4, 0, 6], &[3, 2]);
        let found = difference(&tensor(&[1, 2, 0, 4, 5, 6], &[3, 2]), &want);
        assert_eq!(found.as_deref(), Some("element [1, 0] is 0; expected 3, and 1 more differ"));
    }
}
