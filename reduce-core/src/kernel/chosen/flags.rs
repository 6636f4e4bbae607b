//! Flags: which of some elements count.

#![allow(unsafe_code, reason = "elements are read as numbers")]

use super::super::micro::Data;
use super::Filter;
use crate::facts::dtype::{DType, with_float};

/// Whether an element counts: 1 if it does, or 0.
pub(in crate::kernel) type Flag = u8;

/// Finds which of `count` elements count. `data` is where those of each input begin, and those of each mask behind them.
///
/// # Safety
/// *elements*: there are `count` of each input, of its type, and as many `bool`s of each mask behind them.
pub(in crate::kernel) unsafe fn choose(
    flags: &mut Vec<Flag>,
    (data, count): (&Data, usize),
    dtypes: &[DType],
    Filter { masks, skips_nan }: Filter,
) {
    flags.clear();
    flags.resize(count, 1);
    for mask in &data[dtypes.len()..dtypes.len() + masks] {
        // SAFETY: *elements*, which the caller keeps: there is a `bool` of each mask for each flag.
        unsafe { keep_true(flags, *mask) };
    }
    if skips_nan {
        for (elements, &dtype) in data.iter().zip(dtypes) {
            // SAFETY: *elements*, which the caller keeps: there is one of each input for each flag, of its type.
            unsafe { keep_numbers(flags, dtype, *elements) };
        }
    }
}

/// Clears the flags of elements for which a mask is false.
///
/// # Safety
/// *elements*: there is a `bool` for each flag.
unsafe fn keep_true(flags: &mut [Flag], mask: *const u8) {
    // SAFETY: *elements*, which the caller keeps: a `bool` for each flag. *bytes*: it is a byte that is 0 or 1.
    let mask = unsafe { std::slice::from_raw_parts(mask, flags.len()) };
    for (flag, &is_true) in flags.iter_mut().zip(mask) {
        *flag &= is_true;
    }
}

/// Clears the flags of elements that are NaN.
///
/// # Safety
/// *elements*: there is one for each flag, of this type.
unsafe fn keep_numbers(flags: &mut [Flag], dtype: DType, elements: *const u8) {
    // SAFETY: *elements*, which the caller keeps: they are of this type. A number is equal to itself, and NaN is not.
    with_float!(dtype, T => unsafe { keep::<T>(flags, elements, |x| is_equal(&x, &x)) }, else ());
}

/// Clears the flags of elements for which `counts` is false.
///
/// # Safety
/// *elements*: there is one for each flag, of type `T`.
unsafe fn keep<T: Copy>(flags: &mut [Flag], elements: *const u8, counts: impl Fn(T) -> bool) {
    // SAFETY: *elements*, which the caller keeps: there is one for each flag, of this type.
    let elements = unsafe { std::slice::from_raw_parts(elements.cast::<T>(), flags.len()) };
    for (flag, &element) in flags.iter_mut().zip(elements) {
        *flag &= Flag::from(counts(element));
    }
}

fn is_equal<T: PartialEq>(a: &T, b: &T) -> bool {
    a == b
}
