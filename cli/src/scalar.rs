//! The storage types as the command line meets them: as bytes and as text.
//!
//! [`decode`] and
//! [`encode`] are what `.npy` files and ONNX tensors have in common.

use std::io::{self, Read, Write};

use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::{AnyTensor, AnyView, DType, Element, Tensor, View, bf16, f8e4m3fn, f8e5m2, f16};

use crate::error::{lower, reason};

/// The order of the bytes of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The byte order of this machine.
    pub(crate) const NATIVE: ByteOrder =
        if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
}

/// An element that is read, written and shown.
pub(crate) trait Scalar: Element {
    /// Appends the elements of a buffer; bytes short of an element at its end are left out.
    fn decode(bytes: &[u8], order: ByteOrder, to: &mut Vec<Self>);

    /// Appends the element's bytes, the lowest first.
    fn encode(self, bytes: &mut Vec<u8>);

    /// The shortest decimal text that means this value and no other.
    fn text(self) -> String;
}

/// A row-major tensor from the bytes of its elements.
///
/// # Errors
/// If the bytes are not as many as the shape's elements take, or these do not fit in memory.
pub(crate) fn decode(
    dtype: DType,
    bytes: &[u8],
    order: ByteOrder,
    shape: &[usize],
) -> Result<AnyTensor, String> {
    with_dtype!(dtype, T => {
        let mut elements = room(bytes.len() / dtype.size())?;
        T::decode(bytes, order, &mut elements);
        let tensor = Tensor::new(elements, shape).map(AnyTensor::from);
        tensor.map_err(|error| error.to_string())
    })
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

/// Writes the bytes of a tensor's elements, the last axis fastest, the lowest byte first.
pub(crate) fn encode(tensor: &AnyTensor, to: &mut impl Write) -> io::Result<()> {
    /// Elements that become bytes at once.
    const TOGETHER: usize = 1 << 13;
    let mut bytes = Vec::new();
    with_any!(AnyTensor, tensor, t => t.data().chunks(TOGETHER).try_for_each(|some| {
        bytes.clear();
        some.iter().for_each(|x| x.encode(&mut bytes));
        to.write_all(&bytes)
    }))
}

/// Row-major views of whole tensors, of one type and, but for an axis, one shape, put one behind another along it.
///
/// # Errors
/// If together they are not of the shape, or do not fit in memory.
pub(crate) fn joined(
    parts: &[AnyView<'_>],
    axis: usize,
    shape: &[usize],
) -> Result<AnyTensor, String> {
    let dtype = parts.first().map_or(DType::F32, AnyView::dtype);
    with_dtype!(dtype, T => joined_of::<T>(parts, axis, shape))
}

fn joined_of<T: Scalar>(
    parts: &[AnyView<'_>],
    axis: usize,
    shape: &[usize],
) -> Result<AnyTensor, String> {
    let rows: usize = shape[..axis].iter().product();
    let parts: Vec<&[T]> =
        parts.iter().filter_map(AnyView::downcast).map(|part: View<'_, T>| part.data()).collect();
    let mut all = room(parts.iter().map(|part| part.len()).sum())?;
    for row in 0..rows {
        for part in &parts {
            let length = part.len() / rows;
            all.extend_from_slice(&part[row * length..][..length]);
        }
    }
    Tensor::new(all, shape).map(AnyTensor::from).map_err(|error| error.to_string())
}

/// An empty list with room for `count` elements.
///
/// # Errors
/// If there is no such room.
pub(crate) fn room<T: Element>(count: usize) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(_) => Err(no_room::<T>(count)),
    }
}

fn no_room<T: Element>(count: usize) -> String {
    format!("has {count} elements of `{}`, which do not fit in memory", T::DTYPE)
}

/// The elements of an iterator, which knows their number, in a list.
///
/// # Errors
/// If there is no room for them.
pub(crate) fn list<T: Element>(
    elements: impl ExactSizeIterator<Item = T>,
) -> Result<Vec<T>, String> {
    let mut list = room(elements.len())?;
    list.extend(elements);
    Ok(list)
}

macro_rules! scalars {
    ($($type:ty: $text:expr),* $(,)?) => {$(
        impl Scalar for $type {
            fn decode(bytes: &[u8], order: ByteOrder, to: &mut Vec<Self>) {
                let (elements, _) = bytes.as_chunks();
                let from = match order {
                    ByteOrder::Little => <$type>::from_le_bytes,
                    ByteOrder::Big => <$type>::from_be_bytes,
                };
                to.extend(elements.iter().copied().map(from));
            }

            fn encode(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

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
}

macro_rules! bytes {
    ($($type:ident)*) => {$(
        impl Scalar for $type {
            fn decode(bytes: &[u8], _: ByteOrder, to: &mut Vec<Self>) {
                to.extend(bytes.iter().map(|&byte| $type::from_bits(byte)));
            }

            fn encode(self, bytes: &mut Vec<u8>) {
                bytes.push(self.to_bits());
            }

            fn text(self) -> String {
                shortest(self.to_f32(), |text| $type::from_f32(text) == self)
            }
        }
    )*};
}

bytes! { f8e4m3fn f8e5m2 }

impl Scalar for bool {
    fn decode(bytes: &[u8], _: ByteOrder, to: &mut Vec<Self>) {
        to.extend(bytes.iter().map(|&byte| byte != 0));
    }

    fn encode(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// The value with as few digits as still mean it in a narrow type: 0.1 and not
/// the 0.099975586 that it is in `f16`.
fn shortest(value: f32, is_same: impl Fn(f32) -> bool) -> String {
    let rounded = (0..8).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    format!("{:?}", rounded.into_iter().find(|&x| is_same(x)).unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::{AnyTensor, ByteOrder, DType, Scalar, Tensor, bf16, decode, encode, f16, joined};

    #[test]
    fn bytes_come_back_in_either_order() {
        let bytes: Vec<u8> = (1..=16).collect();
        for dtype in DType::ALL {
            let shape = [bytes.len() / dtype.size()];
            let little = decode(dtype, &bytes, ByteOrder::Little, &shape).expect("right length");
            let swapped: Vec<u8> = bytes
                .chunks(dtype.size())
                .flat_map(|element| element.iter().rev())
                .copied()
                .collect();
            let big = decode(dtype, &swapped, ByteOrder::Big, &shape).expect("right length");
            assert_eq!(little, big, "{dtype}");
            if dtype != DType::Bool {
                let mut found = Vec::new();
                encode(&little, &mut found).expect("memory");
                assert_eq!(found, bytes, "{dtype}");
            }
        }
    }

    #[test]
    fn parts_are_joined_along_an_axis() {
        let tensor = |data: &[i32], shape: &[usize]| {
            AnyTensor::from(Tensor::new(data.to_vec(), shape).expect("its shape"))
        };
        let parts = [tensor(&[1, 2, 5, 6], &[2, 2]), tensor(&[3, 7], &[2, 1])];
        let all = joined(&parts.each_ref().map(AnyTensor::view), 1, &[2, 3]).expect("its shape");
        assert_eq!(all, tensor(&[1, 2, 3, 5, 6, 7], &[2, 3]));
        let parts = [tensor(&[1, 2], &[1, 2]), tensor(&[3, 4, 5, 6], &[2, 2])];
        let parts = parts.each_ref().map(AnyTensor::view);
        assert_eq!(
            joined(&parts, 0, &[3, 2]).expect("its shape"),
            tensor(&[1, 2, 3, 4, 5, 6], &[3, 2])
        );
        assert!(joined(&parts, 0, &[2, 2]).is_err());
    }

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
