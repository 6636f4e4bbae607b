//! From an operator to a kernel's text, and from words back to results.

use std::any::Any;
use std::convert::Infallible;

use reduce_core::backend::Scalars;
use reduce_core::bounds::Written;
use reduce_core::{DType, Element, bf16, f8e4m3fn, f8e5m2, f16};

use crate::graph::{Bits, Steps, Type};
use crate::print::{self, Exactness};
use crate::trace::{Output, body};

/// The text of a kernel: a main, and all that it calls. Results are of these types, and inputs as they are stored of those.
pub(crate) fn text(
    steps: &Steps,
    results: &[Type],
    inputs: &[DType],
    main: &str,
    exactness: Exactness,
) -> String {
    let mut text = print::record("Acc", &steps.accumulator);
    text += &print::record("Elem", &steps.element);
    text += &print::record("Out", results);
    let bodies = |function, ty| Ok::<_, Infallible>(body(function, ty));
    let Ok(elementary) = print::elementary(steps, exactness, bodies);
    text += &elementary;
    text += &print::steps(steps, exactness);
    // Only where elements are read: states are merged without.
    let reads = main.contains("fn load(");
    for (scalar, (input, ty)) in steps.inputs.iter().zip(&steps.element).enumerate() {
        if let Some(input) = input.filter(|_| reads) {
            let input = usize::from(input);
            text += &print::reader(
                &format!("load_{scalar}"),
                &format!("input_{input}"),
                inputs[input],
                *ty,
            );
        }
    }
    text += main;
    print::support(&text, exactness) + &text
}

/// Results of the bits that a device computed: for each output those of all results.
pub(crate) fn made<O: Written>(outputs: &[Output], came: &[Vec<Bits>]) -> Vec<O> {
    let count = came.first().map_or(0, Vec::len);
    let of = |result: usize| {
        let bits = outputs.iter().zip(came).map(|(output, all)| output.stored(all[result]));
        let mut made = O::blank();
        made.each_element(&mut Replaced { bits: bits.collect::<Vec<_>>().into_iter() });
        made
    };
    (0..count).map(of).collect()
}

/// Elements made of the words that a device computed, those of each one behind the other.
pub(crate) fn converted<E: Element>(output: &Output, words: &[u32]) -> Vec<E> {
    let of = |words| {
        let mut element = E::default();
        set(&mut element, output.stored(print::bits_of_words(words, output.ty)));
        element
    };
    words.chunks_exact(print::words(output.ty)).map(of).collect()
}

/// The elements whose bytes some words begin with.
pub(crate) fn elements<E: Element>(words: &[u32], count: usize) -> Vec<E> {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let of = |bytes: &[u8]| {
        let mut all = [0; size_of::<Bits>()];
        all[..bytes.len()].copy_from_slice(bytes);
        let mut element = E::default();
        set(&mut element, Bits::from_le_bytes(all));
        element
    };
    bytes.chunks_exact(size_of::<E>()).take(count).map(of).collect()
}

/// Replaces elements by those of other bits.
struct Replaced {
    bits: std::vec::IntoIter<Bits>,
}

impl Scalars for Replaced {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        set(x, self.bits.next().unwrap_or_default());
    }
}

macro_rules! set {
    ($element:expr, $bits:ident: $($ty:ty => $make:expr;)*) => {{
        let any: &mut dyn Any = $element;
        $(if let Some(element) = any.downcast_mut::<$ty>() { *element = $make; return; })*
    }};
}

/// Makes an element that of some bits.
#[allow(clippy::cast_possible_truncation, reason = "bits of the element's width")]
fn set<E: Element>(element: &mut E, bits: Bits) {
    set! { element, bits:
        f16 => f16::from_bits(bits as u16);
        bf16 => bf16::from_bits(bits as u16);
        f8e4m3fn => f8e4m3fn::from_bits(bits as u8);
        f8e5m2 => f8e5m2::from_bits(bits as u8);
        f32 => f32::from_bits(bits as u32);
        f64 => f64::from_bits(bits as u64);
        bool => bits != 0;
        i8 => (bits as u8).cast_signed();
        i16 => (bits as u16).cast_signed();
        i32 => (bits as u32).cast_signed();
        i64 => (bits as u64).cast_signed();
        u8 => bits as u8;
        u16 => bits as u16;
        u32 => bits as u32;
        u64 => bits as u64;
    }
}
