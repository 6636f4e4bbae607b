//! Reading: the header first, then exactly the bytes that it promises.

use std::io;
use std::path::Path;

use npyz::{Endianness, NpyHeader, Order, TypeChar, TypeStr};
use reduce_core::{DType, Shape};

use super::{Array, Elements, guard};
use crate::error::Error;
use crate::files;
use crate::mapped::Mapped;
use crate::scalar::{self, ByteOrder};

/// Bytes from which on a file is mapped, and not read into memory.
const MAPPED: u64 = 1 << 26;

/// The array in a file.
pub(crate) fn read(path: &Path) -> Result<Array, Error> {
    let about = |problem: String| Error::at(path, problem);
    let (file, size) = files::open(path)?;
    if size >= MAPPED {
        let file = Mapped::of(path, &file)?;
        let header = Header::new(file.as_ref()).map_err(about)?;
        header.check((file.as_ref().len() - header.first) as u64).map_err(about)?;
        let Header { dtype, order, ref shape, ref strides, first } = header;
        // Elements in another machine's order are read one by one.
        let is_native = order == ByteOrder::NATIVE || dtype.size() == 1;
        if is_native && file.view(first, dtype, shape, strides).is_some() {
            let (shape, strides) = (shape.to_vec(), header.strides);
            return Ok(Array { elements: Elements::Mapped { file, first, dtype }, shape, strides });
        }
        return header.array(&file.as_ref()[first..]).map_err(about);
    }
    let cannot = |error: io::Error| files::cannot_read(path, &error);
    let mut data = Vec::new();
    files::read_to(&mut data, &file, guard::MOST as u64).map_err(cannot)?;
    let header = Header::new(&data).map_err(about)?;
    if size > 0 {
        header.check(size.saturating_sub(header.first as u64)).map_err(about)?;
    }
    // The header decides: a file of the system may say that it is empty, and have no end.
    let needed = header.needed().unwrap_or(usize::MAX);
    let all = (needed as u64).saturating_add(header.first as u64).saturating_add(1);
    let more = all.saturating_sub(data.len() as u64);
    files::read_to(&mut data, &file, more).map_err(cannot)?;
    let elements = &data[header.first..];
    header.check(elements.len() as u64).map_err(about)?;
    header.array(elements).map_err(about)
}

/// What the header says, and where the elements begin.
struct Header {
    dtype: DType,
    order: ByteOrder,
    shape: Shape,
    strides: Vec<isize>,
    first: usize,
}

impl Header {
    /// Reads the header, which a file begins with.
    fn new(file: &[u8]) -> Result<Header, String> {
        let text = guard::check(file)?;
        let mut data = file;
        let header = NpyHeader::from_reader(&mut data).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            format!("its header is not one that NumPy writes ({reason}): {}", text.trim())
        })?;
        let (dtype, order) = element_type(&header.dtype())?;
        let shape = shape_of(&header)?;
        let strides = strides_of(&shape, header.order());
        Ok(Header { dtype, order, shape, strides, first: file.len() - data.len() })
    }

    /// How many bytes all elements take.
    fn needed(&self) -> Option<usize> {
        self.shape.count().checked_mul(self.dtype.size())
    }

    /// Whether as many bytes follow as the header promises.
    fn check(&self, found: u64) -> Result<(), String> {
        let Header { dtype, shape, .. } = self;
        let needed = self.needed();
        if needed.is_some_and(|needed| needed as u64 == found) {
            return Ok(());
        }
        let needed = needed.map_or_else(|| "too many".to_owned(), |bytes| bytes.to_string());
        let follow = if found == 1 { "follows" } else { "follow" };
        Err(format!(
            "its shape {shape} of `{dtype}` takes {needed} bytes, but {found} {follow} the header"
        ))
    }

    /// The array of these bytes.
    fn array(self, bytes: &[u8]) -> Result<Array, String> {
        let Header { dtype, order, shape, strides, .. } = self;
        let elements = Elements::Read(scalar::decode(dtype, bytes, order, &[shape.count()])?);
        Ok(Array { elements, strides, shape: shape.to_vec() })
    }
}

fn shape_of(header: &NpyHeader) -> Result<Shape, String> {
    // That of NumPy itself.
    const MOST_AXES: usize = 64;
    let rank = header.shape().len();
    if rank > MOST_AXES {
        return Err(format!("has {rank} axes; NumPy allows {MOST_AXES}"));
    }
    let dims: Result<Vec<usize>, _> = header.shape().iter().map(|&dim| dim.try_into()).collect();
    let dims = dims.map_err(|_| "has a size beyond this machine's address space".to_owned())?;
    Shape::new(&dims).map_err(|error| error.to_string())
}

/// The distance from one index to the next along each axis, in elements.
fn strides_of(shape: &Shape, order: Order) -> Vec<isize> {
    let mut step = 1isize;
    let mut stride = |&dim: &usize| {
        let stride = step;
        // Cannot overflow: the shape's product without its zeros fits.
        step *= isize::try_from(dim.max(1)).unwrap_or(isize::MAX);
        stride
    };
    match order {
        Order::Fortran => shape.iter().map(stride).collect(),
        Order::C => {
            let mut strides: Vec<isize> = shape.iter().rev().map(&mut stride).collect();
            strides.reverse();
            strides
        }
    }
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
