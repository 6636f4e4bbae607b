//! Values of one type as those of another, and elements as they are stored.

use reduce_core::{DType, Element, bf16, f8e4m3fn, f8e5m2, f16};
use reduce_gpu::graph::{Argument, Bits, Operation, Type, Unary};
use reduce_gpu::print::{self, Exactness};

use crate::cases::{Cases, Random, push, same, steps};
use crate::device::{SOFTWARE, run};
use crate::numbers::{Number, random_integer, special_integers};

/// Random and special bits; of floats also those near the limits of integers.
fn values(ty: Type) -> Vec<Vec<Bits>> {
    let mut random = Random::new();
    let mut values = special_integers(ty);
    values.extend((0..3000).map(|_| random_integer(&mut random, ty)));
    if ty.is_float() {
        for bits in 0..130 {
            let power = f64::from(bits).exp2();
            for value in [power, power - 1.0, power + 1.0, power - 0.5, power * 1.5, 1.0 / power] {
                let near = [value.next_down(), value, value.next_up()];
                values.extend(near.into_iter().flat_map(|x| [x, -x]).map(|x| match ty {
                    Type::F32 => (x as f32).bits(),
                    _ => x.bits(),
                }));
            }
        }
        // Of numbers that f32 has, halfway between two of them, and a little off.
        for _ in 0..3000 {
            let single = f32::from_bits(random.bits() as u32);
            let half = (f64::from(single) + f64::from(single.next_up())) / 2.0;
            let near = [half.next_down(), half, half.next_up()];
            values.extend(near.map(|x| if ty == Type::F32 { single.bits() } else { x.bits() }));
        }
    }
    values.into_iter().map(|bits| vec![bits]).collect()
}

fn add<To: Number>(cases: &mut Cases, expected: impl Fn(Bits) -> To + 'static) {
    cases.add(
        format!("to {:?}", To::TYPE),
        To::TYPE,
        |_, x| Operation::Unary(Unary::Convert, x[0]),
        move |x| expected(x[0]).bits(),
    );
}

macro_rules! to {
    ($cases:ident, $from:ident: $($to:ident)*) => {$(
        add::<$to>(&mut $cases, |bits| $from::of(bits) as $to);
    )*};
}

macro_rules! from {
    ($($from:ident)*) => {$(
        #[test]
        fn $from() {
            let mut cases = Cases::new(&[<$from as Number>::TYPE]);
            to!(cases, $from: f32 f64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
            cases.hold(SOFTWARE, &values(<$from as Number>::TYPE));
        }
    )*};
}

from! { f32 f64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 }

#[test]
fn in_whole_numbers() {
    let exactness = Exactness { conversions: false, ..SOFTWARE };
    macro_rules! from {
        ($($from:ident => $($to:ident)*;)*) => {$(
            let mut cases = Cases::new(&[<$from as Number>::TYPE]);
            to!(cases, $from: $($to)*);
            cases.hold(exactness, &values(<$from as Number>::TYPE));
        )*};
    }
    from! { f32 => f64; f64 => f32; i32 => f32; u32 => f32; }
}

#[test]
fn flag() {
    let mut cases = Cases::new(&[Type::Flag]);
    to!(cases, u8: f32 f64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
    cases.hold(SOFTWARE, &[vec![0], vec![1]]);
}

#[test]
fn place() {
    let mut cases = Cases::new(&[Type::Place]);
    to!(cases, u64: f32 f64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
    let mut places = values(Type::U32);
    places.retain(|place| place[0] < u32::MAX.into());
    places.push(vec![u64::MAX.into()]);
    cases.hold(SOFTWARE, &places);
}

#[test]
fn index_below() {
    for float in [Type::F32, Type::F64] {
        let mut cases = Cases::new(&[float]);
        for count in [1, 2, 10, 1 << 24] {
            let index =
                move |x: f64| if x > 0.0 { (x as u64).min(u64::from(count) - 1) } else { 0 };
            cases.add(
                format!("below {count}"),
                Type::U32,
                |_, x| Operation::Unary(Unary::IndexBelow(count), x[0]),
                move |x| match float {
                    Type::F32 => index(f32::of(x[0]).into()).bits(),
                    _ => index(f64::of(x[0])).bits(),
                },
            );
        }
        cases.hold(SOFTWARE, &values(float));
    }
}

/// Reads all elements of a buffer as another type.
fn read<T: Element, To: Number>(words: &[u32], expected: &[To]) {
    let mut steps = steps(&[To::TYPE]);
    let x = steps.graph.add(Operation::Argument(Argument::Element, 0), To::TYPE);
    push(&mut steps, x, To::TYPE);
    let functions = [
        print::record("Acc", &steps.accumulator),
        print::record("Elem", &steps.element),
        print::record("Out", &[]),
        print::steps(&steps, SOFTWARE),
        print::reader("load", "given", T::DTYPE, To::TYPE),
    ];
    let made =
        run(&functions.concat(), "let x = Elem(load(i));", &steps, SOFTWARE, words, expected.len());
    for (at, (words, expected)) in made.chunks(print::words(To::TYPE)).zip(expected).enumerate() {
        let bits = print::bits_of_words(words, To::TYPE);
        let expected = expected.bits();
        assert_eq!(words, print::words_of_bits(bits, To::TYPE), "words of {:?}", To::TYPE);
        assert!(
            same(To::TYPE, bits, expected),
            "{} {at} as {:?}: {bits:x}, not {expected:x}",
            T::DTYPE,
            To::TYPE
        );
    }
}

/// Words of elements: all bits of the narrow ones, and random ones.
fn words(dtype: DType) -> Vec<u32> {
    let mut random = Random::new();
    match dtype {
        // Bytes that are 0 or 1.
        DType::Bool => (0..256).map(|_| random.bits() as u32 & 0x0101_0101).collect(),
        _ if dtype.size() <= 2 => {
            (0..1 << 15).map(|word| word << 17 | word << 1 | 0x10000).collect()
        }
        _ => (0..4000).map(|_| random.bits() as u32).collect(),
    }
}

macro_rules! stored {
    ($($test:ident: $stored:ident, $size:literal, $of:expr => $($to:ident)*;)*) => {$(
        #[test]
        fn $test() {
            let words = words(<$stored as Element>::DTYPE);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            $(
                let of: fn([u8; $size]) -> $to = |bytes| $of(bytes) as $to;
                let expected: Vec<$to> = bytes
                    .chunks_exact($size)
                    .map(|chunk| of(chunk.try_into().unwrap_or([0; $size])))
                    .collect();
                read::<$stored, $to>(&words, &expected);
            )*
        }
    )*};
}

stored! {
    stored_f16: f16, 2, |bytes| f16::from_le_bytes(bytes).to_f32() => f32 f64;
    stored_bf16: bf16, 2, |bytes| bf16::from_le_bytes(bytes).to_f32() => f32 f64;
    stored_f8e4m3fn: f8e4m3fn, 1, |bytes: [u8; 1]| f8e4m3fn::from_bits(bytes[0]).to_f32() => f32 f64;
    stored_f8e5m2: f8e5m2, 1, |bytes: [u8; 1]| f8e5m2::from_bits(bytes[0]).to_f32() => f32 f64;
    stored_f32: f32, 4, f32::from_le_bytes => f32 f64;
    stored_f64: f64, 8, f64::from_le_bytes => f64;
    stored_bool: bool, 1, |bytes: [u8; 1]| bytes[0] => f32 f64 i32 i64 u32 u64;
    stored_i8: i8, 1, i8::from_le_bytes => f32 f64 i8 i16 i32 i64 i128;
    stored_i16: i16, 2, i16::from_le_bytes => f32 f64 i16 i32 i64 i128;
    stored_i32: i32, 4, i32::from_le_bytes => f64 i32 i64 i128;
    stored_i64: i64, 8, i64::from_le_bytes => f64 i64 i128;
    stored_u8: u8, 1, u8::from_le_bytes => f32 f64 i16 i32 i64 i128 u8 u16 u32 u64 u128;
    stored_u16: u16, 2, u16::from_le_bytes => f32 f64 i32 i64 i128 u16 u32 u64 u128;
    stored_u32: u32, 4, u32::from_le_bytes => f64 i64 i128 u32 u64 u128;
    stored_u64: u64, 8, u64::from_le_bytes => f64 i128 u64 u128;
}
