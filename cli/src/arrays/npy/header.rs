//! Headers: type, shape and order of the elements that follow.

use std::io::Read;

use npyz::{Endianness, NpyHeader, TypeChar, TypeStr};
use reduce_core::{DType, Shape};

use super::guard;
use super::names::{BYTES, FLOATS, replace};
use super::read::strides_of;
use crate::arrays::{Apart, Array, Elements};
use crate::contents::Contents;
use crate::error::{lower, reason};
use crate::scalar::{self, ByteOrder, Came, Room};

/// What the header says, and where the elements begin.
pub(crate) struct Header {
    pub(super) dtype: DType,
    order: ByteOrder,
    pub(super) shape: Shape,
    pub(super) strides: Vec<isize>,
    pub(crate) first: usize,
}

impl Header {
    /// Reads the header, which a file begins with.
    pub(crate) fn new(file: &[u8]) -> Result<Header, String> {
        let text = guard::check(file)?;
        let renamed = renamed(file, text);
        let start = renamed.as_deref().unwrap_or(file);
        let mut data = start;
        let header = NpyHeader::from_reader(&mut data).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            format!("its header is not one that NumPy writes ({reason}): {}", text.trim())
        })?;
        let (dtype, order) = match renamed {
            Some(_) => (DType::F8E5M2, ByteOrder::Little),
            None => element_type(&header.dtype())?,
        };
        let shape = shape_of(&header)?;
        let strides = strides_of(&shape, header.order());
        Ok(Header { dtype, order, shape, strides, first: start.len() - data.len() })
    }

    /// Whether the elements, of a header at a byte of a file, are there as this machine stores them: in its order, and
    /// each at a multiple of its size. `bool` is not, since a byte need not be one.
    pub(crate) fn is_in_place(&self, at: usize) -> bool {
        let size = self.dtype.size();
        let is_native = self.order == ByteOrder::NATIVE || size == 1;
        is_native && self.dtype != DType::Bool && (at + self.first).is_multiple_of(size)
    }

    /// The array of a header at a byte of a mapped archive, whose elements are copied when they are reduced.
    pub(crate) fn apart(self, contents: Contents, at: usize, member: usize) -> Apart {
        let Header { dtype, order, shape, strides, first } = self;
        let first = at + first;
        let (bytes, shape) = (first..first + shape.count() * dtype.size(), shape.to_vec());
        Apart { contents, bytes, dtype, order, shape, strides, member: Some(member) }
    }

    /// How many bytes all elements take.
    fn needed(&self) -> Option<usize> {
        self.shape.count().checked_mul(self.dtype.size())
    }

    /// Checks that as many bytes follow as the header promises.
    pub(crate) fn check(&self, found: u64) -> Result<(), String> {
        match self.needed().is_some_and(|needed| needed as u64 == found) {
            true => Ok(()),
            false => Err(self.other(found)),
        }
    }

    /// The message that another number of bytes follows than the header promises.
    fn other(&self, found: u64) -> String {
        let Header { dtype, shape, .. } = self;
        let needed = self.needed().map_or_else(|| "too many".to_owned(), |bytes| bytes.to_string());
        let follow = if found == 1 { "follows" } else { "follow" };
        format!(
            "its shape {shape} of `{dtype}` takes {needed} bytes, but {found} {follow} the header"
        )
    }

    /// The array of the bytes behind the header, if they are as many as it promises.
    pub(crate) fn read(self, mut from: impl Read, room: Room) -> Result<Array, String> {
        let count = self.shape.count();
        let tensor = match scalar::read(self.dtype, count, self.order, room, &mut from)? {
            Came::All(tensor) => tensor,
            Came::Fewer(found) => return Err(self.other(found)),
        };
        // One byte more than there should be, so that an archive comes to its end, and compares its checksum.
        match from.take(1).read_to_end(&mut Vec::new()) {
            Ok(0) => {}
            Ok(_) => return Err(self.other(self.needed().unwrap_or_default() as u64 + 1)),
            Err(error) => return Err(format!("cannot be read: {}", lower(&reason(&error)))),
        }
        let Header { shape, strides, .. } = self;
        Ok(Array { elements: Elements::Read(tensor), strides, shape: shape.to_vec() })
    }
}

fn shape_of(header: &NpyHeader) -> Result<Shape, String> {
    // NumPy itself allows up to this many axes.
    const MOST_AXES: usize = 64;
    let rank = header.shape().len();
    if rank > MOST_AXES {
        return Err(format!("has {rank} axes; NumPy allows {MOST_AXES}"));
    }
    let dims: Result<Vec<usize>, _> = header.shape().iter().map(|&dim| dim.try_into()).collect();
    let dims = dims.map_err(|_| "has a size beyond this machine's address space".to_owned())?;
    Shape::new(&dims).map_err(|error| error.to_string())
}

/// The beginning of a file of `float8_e5m2`, with the name that `npyz` knows.
fn renamed(file: &[u8], text: &str) -> Option<Vec<u8>> {
    let is_named = text.as_bytes().windows(FLOATS.len()).any(|part| part == FLOATS);
    let mut start = is_named.then(|| file[..file.len().min(guard::MOST)].to_vec())?;
    replace(&mut start, FLOATS, BYTES);
    Some(start)
}

/// The storage type of a descriptor such as `<f4`.
fn element_type(descr: &npyz::DType) -> Result<(DType, ByteOrder), String> {
    let npyz::DType::Plain(plain) = descr else {
        return Err(unsupported(&descr.descr(), "a structured type"));
    };
    let order = match plain.endianness() {
        Endianness::Big => ByteOrder::Big,
        Endianness::Little | Endianness::Irrelevant => ByteOrder::Little,
    };
    let dtype = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Bool, 1) => DType::Bool,
        (TypeChar::Int, 1) => DType::I8,
        (TypeChar::Int, 2) => DType::I16,
        (TypeChar::Int, 4) => DType::I32,
        (TypeChar::Int, 8) => DType::I64,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Uint, 2) => DType::U16,
        (TypeChar::Uint, 4) => DType::U32,
        (TypeChar::Uint, 8) => DType::U64,
        // What NumPy makes of an array of ml_dtypes' bfloat16.
        (TypeChar::RawData, 2) => DType::BF16,
        // What it makes of those of its float8_e4m3fn. Some of its rarer types look the same.
        (TypeChar::RawData, 1) => DType::F8E4M3FN,
        _ => return Err(unsupported(&format!("'{plain}'"), words(plain))),
    };
    Ok((dtype, order))
}

fn unsupported(descr: &str, what: &str) -> String {
    let known = DType::ALL.map(DType::name).join(", ");
    format!("its dtype {descr} is {what}, which no reduction takes; convert it to one of: {known}")
}

fn words(plain: &TypeStr) -> &'static str {
    match plain.type_char() {
        TypeChar::Complex => "complex",
        TypeChar::ByteStr | TypeChar::UnicodeStr => "text",
        TypeChar::DateTime => "a date",
        TypeChar::TimeDelta => "a span of time",
        TypeChar::Object => "a Python object",
        TypeChar::RawData => "raw bytes",
        TypeChar::Float => "a float of an unusual size",
        _ => "of an unknown kind",
    }
}
