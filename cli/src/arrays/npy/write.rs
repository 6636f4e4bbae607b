//! Writing: always little-endian, always in C order.

use std::io::{self, Write};

use npyz::{TypeStr, WriteOptions, WriterBuilder};
use reduce_core::{AnyTensor, DType};

use crate::error::reason;
use crate::scalar;

use super::names::{BYTES, FLOATS, replace};

/// Writes a tensor.
pub(crate) fn write(to: &mut impl Write, tensor: &AnyTensor) -> io::Result<()> {
    let mut header = header(tensor).map_err(io::Error::other)?;
    if tensor.dtype() == DType::F8E5M2 {
        replace(&mut header, BYTES, FLOATS);
    }
    to.write_all(&header)?;
    scalar::encode(tensor, to)
}

fn header(tensor: &AnyTensor) -> Result<Vec<u8>, String> {
    let descr: TypeStr =
        descr(tensor.dtype()).parse().map_err(|_| "has no descriptor".to_owned())?;
    // A `usize` always fits.
    let shape: Vec<u64> = tensor.shape().iter().filter_map(|&dim| dim.try_into().ok()).collect();
    WriteOptions::new_header_only()
        .dtype(npyz::DType::new_scalar(descr))
        .shape(&shape)
        .writer(Vec::new())
        .write_header_only()
        .map_err(|error| reason(&error))
}

/// numpy's descriptor of a type.
fn descr(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "<f2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::Bool => "|b1",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        // As `numpy.save` writes arrays of ml_dtypes' bfloat16, float8_e4m3fn and float8_e5m2, but for the name of the last.
        DType::BF16 => "<V2",
        DType::F8E4M3FN => "<V1",
        DType::F8E5M2 => "|u1",
    }
}
