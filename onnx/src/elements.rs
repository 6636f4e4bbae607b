//! Elements as bytes, as files store them.
//!
//! It is hidden plumbing: `reduce-cli` reads arrays in other files by it.

use std::io::{self, Write};

use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::{AnyTensor, AnyView, DType, Element, Tensor, View, bf16, f8e4m3fn, f8e5m2, f16};

/// The order of the bytes of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
}

impl ByteOrder {
    /// The byte order of this machine.
    pub const NATIVE: ByteOrder =
        if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
}

/// An element that files store.
pub trait Stored: Element {
    /// Appends the elements of a buffer; bytes short of an element at its end are left out.
    fn decode(bytes: &[u8], order: ByteOrder, to: &mut Vec<Self>);

    /// Appends the element's bytes, the lowest first.
    fn encode(self, bytes: &mut Vec<u8>);
}

/// A row-major tensor from the bytes of its elements.
///
/// # Errors
/// If the bytes are not as many as the shape's elements take, or these do not fit in memory.
pub fn decode(
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

/// Writes the bytes of a tensor's elements, the last axis fastest, the lowest byte first.
///
/// # Errors
/// If they cannot be written.
pub fn encode(tensor: &AnyTensor, to: &mut impl Write) -> io::Result<()> {
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
pub fn joined(parts: &[AnyView<'_>], axis: usize, shape: &[usize]) -> Result<AnyTensor, String> {
    let dtype = parts.first().map_or(DType::F32, AnyView::dtype);
    with_dtype!(dtype, T => joined_of::<T>(parts, axis, shape))
}

fn joined_of<T: Stored>(
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
pub fn room<T: Element>(count: usize) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(_) => Err(no_room::<T>(count)),
    }
}

/// That so many elements find no room.
pub fn no_room<T: Element>(count: usize) -> String {
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

macro_rules! stored {
    ($($type:ty)*) => {$(
        impl Stored for $type {
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
        }
    )*};
}

stored! { i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 }

macro_rules! bytes {
    ($($type:ident)*) => {$(
        impl Stored for $type {
            fn decode(bytes: &[u8], _: ByteOrder, to: &mut Vec<Self>) {
                to.extend(bytes.iter().map(|&byte| $type::from_bits(byte)));
            }

            fn encode(self, bytes: &mut Vec<u8>) {
                bytes.push(self.to_bits());
            }
        }
    )*};
}

bytes! { f8e4m3fn f8e5m2 }

impl Stored for bool {
    fn decode(bytes: &[u8], _: ByteOrder, to: &mut Vec<Self>) {
        to.extend(bytes.iter().map(|&byte| byte != 0));
    }

    fn encode(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }
}

#[cfg(test)]
mod tests {
    use super::{AnyTensor, ByteOrder, DType, Tensor, decode, encode, joined};

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
}
