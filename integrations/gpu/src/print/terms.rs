//! Operations as text.

use super::literals::literal;
use super::types::{from_words, name, number, words};
use super::{Exactness, integers};
use crate::graph::{
    Argument, Binary, Compare, Function, Graph, Id, Int, Node, Operation, Type, Unary,
};

/// Where parameters lie: the first word of each.
pub(super) fn places(parameters: impl IntoIterator<Item = Type>) -> Vec<usize> {
    let mut next = 0;
    let place = |ty| {
        next += words(ty);
        next - words(ty)
    };
    parameters.into_iter().map(place).collect()
}

/// What nodes of a graph are printed with.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) graph: &'a Graph,
    pub(super) exactness: Exactness,
    /// The first word of each parameter.
    pub(super) parameters: &'a [usize],
}

impl Terms<'_> {
    /// The expression of a node, on names of its operands.
    pub(super) fn term(&self, node: Node) -> String {
        let ty = node.ty;
        match node.operation {
            Operation::Constant(bits) => literal(bits, ty, self.exactness),
            Operation::Argument(argument, slot) => {
                let of = match argument {
                    Argument::Left => "a",
                    Argument::Right => "b",
                    Argument::Element => "x",
                    Argument::Kept => "kept",
                };
                format!("{of}.s{slot}")
            }
            Operation::Parameter(place) => {
                let first = self.parameters[usize::from(place)];
                let word = |at: usize| format!("u.parameters[{}][{}]", at / 4, at % 4);
                from_words(ty, &(first..first + words(ty)).map(word).collect::<Vec<_>>())
            }
            Operation::Unary(op, a) => self.unary(op, ty, a),
            Operation::Binary(op, a, b) => self.binary(op, ty, a, b),
            Operation::Shift(shift, a, by) => match ty {
                Type::Int(int) => integers::shift(shift, int, &operand(a), by),
                _ => operand(a),
            },
            Operation::MulAdd(a, b, c) => {
                let fused = if ty == Type::F64 {
                    self.exactness.fused_f64
                } else {
                    self.exactness.fused_f32
                };
                let operands = format!("({}, {}, {})", operand(a), operand(b), operand(c));
                match fused {
                    true => kept(ty, &format!("fma{operands}")),
                    false => format!("fma_{}{operands}", name(ty)),
                }
            }
            Operation::Compare(compare, a, b) => self.compare(compare, a, b),
            Operation::IsNan(a) => match self.of(a) {
                ty if ty.is_float() => format!("is_nan_{}({})", name(ty), operand(a)),
                _ => "false".to_owned(),
            },
            Operation::Select(condition, yes, no) => {
                format!("select({}, {}, {})", operand(no), operand(yes), operand(condition))
            }
            Operation::Call(function, a) => {
                format!("{}_{}({})", function_name(function), name(ty), operand(a))
            }
            Operation::Call2(function, a, b) => {
                format!("{}_{}({}, {})", function_name(function), name(ty), operand(a), operand(b))
            }
        }
    }

    fn of(&self, id: Id) -> Type {
        self.graph.node(id).ty
    }

    fn unary(&self, op: Unary, ty: Type, id: Id) -> String {
        let a = operand(id);
        match (op, ty) {
            (Unary::Convert, _) => converted(self.of(id), ty, &a),
            (Unary::ToBits, _) if self.of(id) == Type::F64 => format!("bits_f64({a})"),
            (Unary::ToBits, _) => format!("bitcast<u32>({a})"),
            (Unary::FromBits, Type::F64) => format!("f64_of_bits({a})"),
            (Unary::FromBits, _) => format!("bitcast<f32>({a})"),
            (Unary::Not, _) => format!("(!{a})"),
            (Unary::IndexBelow(count), _) => {
                format!("u32_of_{}({a}, {}u)", name(self.of(id)), count.saturating_sub(1))
            }
            (_, Type::Int(int)) => integers::unary(op, int, &a),
            (Unary::Neg, _) => format!("(-{a})"),
            (Unary::Abs, _) => format!("abs({a})"),
            (Unary::Floor, _) => format!("floor({a})"),
            (Unary::Round, _) => format!("round_{}({a})", name(ty)),
            (Unary::Sqrt, _) if self.exactness.sqrt => kept(ty, &format!("sqrt({a})")),
            (Unary::Sqrt, _) => format!("sqrt_{}({a})", name(ty)),
        }
    }

    fn binary(&self, op: Binary, ty: Type, a: Id, b: Id) -> String {
        let (a, b) = (operand(a), operand(b));
        let ty = match ty {
            Type::Int(int) => return integers::binary(op, int, &a, &b),
            Type::Place => return integers::binary(op, Int { bits: 32, signed: false }, &a, &b),
            Type::Flag => {
                let sign = match op {
                    Binary::And => "&",
                    Binary::Or => "|",
                    _ => "!=",
                };
                return format!("({a} {sign} {b})");
            }
            Type::F32 | Type::F64 => ty,
        };
        match op {
            Binary::Add => kept(ty, &format!("{a} + {b}")),
            Binary::Sub => kept(ty, &format!("{a} - {b}")),
            Binary::Mul => kept(ty, &format!("{a} * {b}")),
            Binary::Div if self.exactness.division => kept(ty, &format!("{a} / {b}")),
            Binary::Div => format!("div_{}({a}, {b})", name(ty)),
            Binary::Maximum => format!("maximum_{}({a}, {b})", name(ty)),
            Binary::Minimum => format!("minimum_{}({a}, {b})", name(ty)),
            _ => format!("copysign_{}({a}, {b})", name(ty)),
        }
    }

    fn compare(&self, compare: Compare, a: Id, b: Id) -> String {
        let (ty, a, b) = (self.of(a), operand(a), operand(b));
        if !ty.is_float() {
            return integers::compare(compare, ty, &a, &b);
        }
        let sign = match compare {
            Compare::Less => "<",
            Compare::LessOrEqual => "<=",
            Compare::Equal => "==",
        };
        // Or the opposite of one would become another one, which NaN makes a difference for.
        format!("keep_flag({a} {sign} {b})")
    }
}

/// The name of a node.
pub(super) fn operand(id: Id) -> String {
    format!("t{id}")
}

/// A float that no compiler may simplify, where that is needed.
fn kept(ty: Type, value: &str) -> String {
    format!("keep_{}({value})", name(ty))
}

/// A value as another type.
pub(super) fn converted(from: Type, to: Type, a: &str) -> String {
    let of = || format!("{}_of_{}", number(to), number(from));
    match (from, to) {
        _ if from == to => a.to_owned(),
        (Type::F64, Type::F32) => kept(to, &format!("f32({a})")),
        (Type::F32, Type::F64) => format!("f64({a})"),
        (Type::F32 | Type::F64, Type::Int(int)) if int.bits > 32 => format!("{}({a})", of()),
        (Type::F32 | Type::F64, Type::Int(int)) => {
            let unused = 32 - u32::from(int.bits);
            match int.signed {
                true => {
                    format!("{}({a}, i32({}), {}i)", of(), i32::MIN >> unused, i32::MAX >> unused)
                }
                false => format!("{}({a}, {}u)", of(), u32::MAX >> unused),
            }
        }
        (Type::Int(int), Type::F32 | Type::F64) if int.bits > 32 => format!("{}({a})", of()),
        (Type::Int(from), Type::Int(to)) => integers::converted(from, to, a),
        (Type::Flag, Type::Int(to)) => {
            let word = Int { bits: 32, signed: false };
            integers::converted(word, to, &format!("select(0u, 1u, {a})"))
        }
        (Type::Flag, _) => format!("{0}(select(0u, 1u, {a}))", name(to)),
        (_, Type::F32 | Type::F64) => kept(to, &format!("{}({a})", name(to))),
        (_, _) => a.to_owned(),
    }
}

/// The name of a function, before that of its float.
fn function_name(function: Function) -> &'static str {
    match function {
        Function::Exp => "exp",
        Function::ExpNonpositive => "exp_nonpositive",
        Function::ExpM1 => "exp_m1",
        Function::Exp2 => "exp2",
        Function::Ln => "ln",
        Function::Ln1p => "ln_1p",
        Function::Log2 => "log2",
        Function::Powi => "powi",
        Function::Powf => "powf",
        Function::Hypot => "hypot",
        Function::Tanh => "tanh",
        Function::Sin => "sin",
        Function::Cos => "cos",
    }
}
