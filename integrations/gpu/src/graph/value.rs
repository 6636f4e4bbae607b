//! The value of an operation, from the values of its operands: what Rust computes on the CPU.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the operations that graphs have convert as Rust does"
)]

use std::num::Wrapping;

use reduce_core::{Ordered, Real};

use super::{Binary, Bits, Compare, Function, Graph, Id, Int, Node, Operation, Shift, Type, Unary};

/// A float of the CPU.
trait Float: Ordered + Real {
    fn from_bits(bits: Bits) -> Self;
    fn bits(self) -> Bits;
    fn to_integer(self, to: Int) -> Bits;
}

macro_rules! floats {
    ($($float:ident: $bits:ident),*) => {$(
        impl Float for $float {
            fn from_bits(bits: Bits) -> Self {
                $float::from_bits(bits as $bits)
            }

            fn bits(self) -> Bits {
                self.to_bits().into()
            }

            fn to_integer(self, to: Int) -> Bits {
                let (least, greatest) = limits(to);
                let value = match to.signed {
                    true => (self as i128).clamp(least, greatest).cast_unsigned(),
                    false => (self as u128).min(to.mask()),
                };
                value & to.mask()
            }
        }
    )*};
}

floats!(f32: u32, f64: u64);

/// The least and the greatest integer of a width with sign.
fn limits(int: Int) -> (i128, i128) {
    let unused = 128 - u32::from(int.bits);
    (i128::MIN >> unused, i128::MAX >> unused)
}

/// The value of a node whose operands have values; nothing if it has none by itself: an argument or a parameter.
pub(super) fn value(graph: &Graph, node: Node, of: impl Fn(Id) -> Bits) -> Option<Bits> {
    let first = node.operation.operands().next().map(|id| graph.node(id).ty);
    let flag = |yes: bool| Bits::from(yes);
    Some(match node.operation {
        Operation::Constant(bits) => bits,
        Operation::Argument(..) | Operation::Parameter(_) => return None,
        Operation::Select(condition, yes, no) => of(if of(condition) != 0 { yes } else { no }),
        Operation::Compare(compare, a, b) => flag(compared(compare, first?, of(a), of(b))),
        Operation::IsNan(a) => flag(match first? {
            Type::F32 => Ordered::is_nan(<f32 as Float>::from_bits(of(a))),
            Type::F64 => Ordered::is_nan(<f64 as Float>::from_bits(of(a))),
            _ => false,
        }),
        Operation::Unary(Unary::Convert, a) => converted(first?, node.ty, of(a)),
        Operation::Unary(Unary::ToBits | Unary::FromBits, a) => of(a),
        Operation::Unary(Unary::Not, a) => of(a) ^ 1,
        Operation::Unary(Unary::IndexBelow(count), a) => {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let index = match first? {
                Type::F64 => <f64 as Float>::from_bits(of(a)).index_below(count),
                _ => <f32 as Float>::from_bits(of(a)).index_below(count),
            };
            Bits::try_from(index).unwrap_or(Bits::MAX)
        }
        operation => match node.ty {
            Type::F32 => of_floats::<f32>(operation, of),
            Type::F64 => of_floats::<f64>(operation, of),
            Type::Int(int) => of_integers(int, operation, of),
            Type::Place => of_integers(Int { bits: 64, signed: false }, operation, of),
            Type::Flag => of_integers(Int { bits: 8, signed: false }, operation, of) & 1,
        },
    })
}

fn compared(compare: Compare, ty: Type, a: Bits, b: Bits) -> bool {
    fn by<T: PartialOrd + Copy>(compare: Compare, a: T, b: T) -> bool {
        match compare {
            Compare::Less => a < b,
            Compare::LessOrEqual => a <= b,
            Compare::Equal => a == b,
        }
    }
    match ty {
        Type::F32 => by(compare, <f32 as Float>::from_bits(a), <f32 as Float>::from_bits(b)),
        Type::F64 => by(compare, <f64 as Float>::from_bits(a), <f64 as Float>::from_bits(b)),
        Type::Int(int) if int.signed => by(compare, int.value(a), int.value(b)),
        _ => by(compare, a, b),
    }
}

/// A value in another type.
fn converted(from: Type, to: Type, bits: Bits) -> Bits {
    let float = |x: f64| match to {
        Type::F32 => Float::bits(x as f32),
        _ => Float::bits(x),
    };
    match (from, to) {
        _ if from == to => bits,
        (Type::F32, Type::F64) => float(<f32 as Float>::from_bits(bits).into()),
        (Type::F64, Type::F32) => float(<f64 as Float>::from_bits(bits)),
        (Type::F32, Type::Int(to)) => <f32 as Float>::from_bits(bits).to_integer(to),
        (Type::F64, Type::Int(to)) => <f64 as Float>::from_bits(bits).to_integer(to),
        (Type::Int(int), Type::F32) if int.signed => Float::bits(int.value(bits) as f32),
        (Type::Int(int), Type::F64) if int.signed => Float::bits(int.value(bits) as f64),
        (_, Type::F32) => Float::bits(bits as f32),
        (_, Type::F64) => Float::bits(bits as f64),
        (Type::Int(int), Type::Int(to)) => int.value(bits).cast_unsigned() & to.mask(),
        (_, Type::Int(to)) => bits & to.mask(),
        _ => bits,
    }
}

fn of_floats<F: Float>(operation: Operation, of: impl Fn(Id) -> Bits) -> Bits {
    let float = |id: Id| F::from_bits(of(id));
    let exponent = |id: Id| of(id) as u32 as i32;
    let result = match operation {
        Operation::Unary(op, a) => match op {
            Unary::Neg => -float(a),
            Unary::Abs => float(a).abs(),
            Unary::Sqrt => float(a).sqrt(),
            Unary::Floor => float(a).floor(),
            _ => float(a).round(),
        },
        Operation::Binary(op, a, b) => match op {
            Binary::Add => float(a) + float(b),
            Binary::Sub => float(a) - float(b),
            Binary::Mul => float(a) * float(b),
            Binary::Div => float(a) / float(b),
            Binary::Maximum => float(a).maximum(float(b)),
            Binary::Minimum => float(a).minimum(float(b)),
            _ => float(a).copysign(float(b)),
        },
        Operation::MulAdd(a, b, c) => float(a).mul_add(float(b), float(c)),
        Operation::Call(function, a) => match function {
            Function::Exp => float(a).exp(),
            Function::ExpNonpositive => float(a).exp_nonpositive(),
            Function::ExpM1 => float(a).exp_m1(),
            Function::Exp2 => float(a).exp2(),
            Function::Ln => float(a).ln(),
            Function::Ln1p => float(a).ln_1p(),
            Function::Log2 => float(a).log2(),
            Function::Tanh => float(a).tanh(),
            Function::Sin => float(a).sin(),
            _ => float(a).cos(),
        },
        Operation::Call2(Function::Powi, a, b) => float(a).powi(exponent(b)),
        Operation::Call2(Function::Powf, a, b) => float(a).powf(float(b)),
        Operation::Call2(_, a, b) => float(a).hypot(float(b)),
        _ => F::NAN,
    };
    result.bits()
}

fn of_integers(int: Int, operation: Operation, of: impl Fn(Id) -> Bits) -> Bits {
    let value = |id: Id| Wrapping(int.value(of(id)));
    let less = |a: Id, b: Id| compared(Compare::Less, Type::Int(int), of(a), of(b));
    let result = match operation {
        Operation::Unary(Unary::Neg, a) => -value(a),
        Operation::Unary(_, a) if int.signed => Wrapping(value(a).0.wrapping_abs()),
        Operation::Unary(_, a) => value(a),
        Operation::Binary(op, a, b) => match op {
            Binary::Add => value(a) + value(b),
            Binary::Sub => value(a) - value(b),
            Binary::Mul => value(a) * value(b),
            Binary::Div if of(b) == 0 => Wrapping(0),
            Binary::Div if int.signed => Wrapping(value(a).0.wrapping_div(value(b).0)),
            Binary::Div => Wrapping((of(a) / of(b)).cast_signed()),
            Binary::Maximum => value(if less(a, b) { b } else { a }),
            Binary::Minimum => value(if less(b, a) { b } else { a }),
            Binary::And => value(a) & value(b),
            Binary::Or => value(a) | value(b),
            _ => value(a) ^ value(b),
        },
        Operation::Shift(Shift::Left, a, by) => Wrapping((of(a) << by).cast_signed()),
        Operation::Shift(Shift::Right, a, by) => Wrapping((of(a) >> by).cast_signed()),
        _ => Wrapping(0),
    };
    result.0.cast_unsigned() & int.mask()
}
