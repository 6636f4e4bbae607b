//! The storage types as the command line meets them: as bytes that come one after another, and as text.
//!
//! How the bytes of elements are read and written is [`reduce_onnx::elements`]'s.

use std::io::Read;

use reduce_core::dtypes::with_dtype;
use reduce_core::{AnyTensor, DType, Tensor, bf16, f8e4m3fn, f8e5m2, f16};
pub(crate) use reduce_onnx::elements::{ByteOrder, encode, joined};
use reduce_onnx::elements::{Stored, no_room};

use crate::error::{lower, reason};

/// An element that is read, written and shown.
pub(crate) trait Scalar: Stored {
    /// The shortest decimal text that means this value and no other.
    fn text(self) -> String;
}

/// What comes of bytes that are read one after another.
pub(crate) enum Came {
    /// All elements, in a tensor of rank 1.
    All(AnyTensor),
    /// Fewer bytes than they take.
    Fewer(u64),
}

/// When memory is taken for elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Before the first comes, for all: they are known to be there.
    AtOnce,
    /// For those that have come, and as many again: somebody only says that they are there.
    AsTheyCome,
}

/// Reads `count` elements from bytes that come one after another. The bytes are never all in memory beside the
/// elements.
///
/// # Errors
/// Why they cannot be read, or that they do not fit in memory.
pub(crate) fn read(
    dtype: DType,
    count: usize,
    order: ByteOrder,
    room: Room,
    from: &mut impl Read,
) -> Result<Came, String> {
    with_dtype!(dtype, T => read_of::<T>(count, order, room, from))
}

fn read_of<T: Scalar>(
    count: usize,
    order: ByteOrder,
    room: Room,
    from: &mut impl Read,
) -> Result<Came, String> {
    /// Bytes that become elements at once.
    const TOGETHER: usize = 1 << 18;
    /// Elements for which memory is taken at first.
    const FIRST: usize = 1 << 20;
    let (size, mut elements) = (T::DTYPE.size(), Vec::new());
    let mut bytes = Vec::new();
    while elements.len() < count {
        if elements.len() == elements.capacity() {
            let most = if room == Room::AtOnce { count } else { FIRST.max(elements.len()) };
            let more = (count - elements.len()).min(most);
            elements.try_reserve_exact(more).map_err(|_| no_room::<T>(count))?;
        }
        let more = (count - elements.len()).min(elements.capacity() - elements.len());
        let wanted = TOGETHER.min(more.saturating_mul(size));
        bytes.clear();
        let came = from.by_ref().take(wanted as u64).read_to_end(&mut bytes);
        let came = came.map_err(|error| format!("cannot be read: {}", lower(&reason(&error))))?;
        if came < wanted {
            return Ok(Came::Fewer((elements.len() * size + came) as u64));
        }
        T::decode(&bytes, order, &mut elements);
    }
    Ok(Came::All(Tensor::from_list(elements).into()))
}

macro_rules! scalars {
    ($($type:ty: $text:expr),* $(,)?) => {$(
        impl Scalar for $type {
            fn text(self) -> String {
                $text(self)
            }
        }
    )*};
}

scalars! {
    i8: |x: i8| x.to_string(), i16: |x: i16| x.to_string(),
    i32: |x: i32| x.to_string(), i64: |x: i64| x.to_string(),
    u8: |x: u8| x.to_string(), u16: |x: u16| x.to_string(),
    u32: |x: u32| x.to_string(), u64: |x: u64| x.to_string(),
    // `Debug` and not `Display`, which writes 1e84 with all its zeros.
    f32: |x: f32| format!("{x:?}"), f64: |x: f64| format!("{x:?}"),
    f16: |x: f16| shortest(x.to_f32(), |text| f16::from_f32(text) == x),
    bf16: |x: bf16| shortest(x.to_f32(), |text| bf16::from_f32(text) == x),
    f8e4m3fn: |x: f8e4m3fn| shortest(x.to_f32(), |text| f8e4m3fn::from_f32(text) == x),
    f8e5m2: |x: f8e5m2| shortest(x.to_f32(), |text| f8e5m2::from_f32(text) == x),
    bool: |x: bool| x.to_string(),
}

/// The value with as few digits as still mean it in a narrow type: 0.1 and not
/// the 0.099975586 that it is in `f16`.
fn shortest(value: f32, is_same: impl Fn(f32) -> bool) -> String {
    let rounded = (0..8).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    format!("{:?}", rounded.into_iter().find(|&x| is_same(x)).unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::{Scalar, bf16, f16};

    #[test]
    fn text_is_short_and_means_the_value() {
        assert_eq!(f16::from_f32(0.1).text(), "0.1");
        assert_eq!(f16::MAX.text(), "65500.0");
        assert_eq!(bf16::from_f32(1e30).text(), "1e30");
        assert_eq!((f16::NAN.text(), bf16::NEG_INFINITY.text()), ("NaN".into(), "-inf".into()));
        assert_eq!((1000.6931f32.text(), 1e84f64.text()), ("1000.6931".into(), "1e84".into()));
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            let read: f32 = value.text().parse().expect("a number");
            assert!(value.is_nan() || f16::from_f32(read) == value, "{bits:#x}");
        }
    }
}
