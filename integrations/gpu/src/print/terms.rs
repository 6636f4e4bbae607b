//! Nodes as expressions.

use super::literals::{literal, opaque};
use super::types::{from_words, name, number, words};
use super::{Exactness, conversions, integers};
use crate::graph::{Argument, Binary, Compare, Function, Graph, Id, Operation, Type, Unary};

/// The nodes of a graph, as terms of a function that is printed.
pub(super) struct Terms<'a> {
    pub(super) graph: &'a Graph,
    /// The types of the parameters that lie in the uniform, in their order.
    pub(super) parameters: Vec<Type>,
    pub(super) exactness: Exactness,
    /// The name of an argument's scalar in the text of the function.
    pub(super) argument: fn(Argument, u16) -> String,
}

/// The name of one of `Real`'s functions.
pub(super) fn function(function: Function, ty: Type) -> String {
    let base = match function {
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
    };
    format!("{base}_{}", number(ty))
}

impl Terms<'_> {
    /// Whether a node is computed once, under a name. Others are written where they are used.
    pub(super) fn is_named(&self, id: Id) -> bool {
        !matches!(self.graph.node(id).operation, Operation::Constant(_) | Operation::Argument(..))
    }

    /// A node where it is used.
    pub(super) fn operand(&self, id: Id) -> String {
        let node = self.graph.node(id);
        match node.operation {
            Operation::Constant(bits) => literal(bits, node.ty, self.exactness),
            Operation::Argument(argument, slot) => (self.argument)(argument, slot),
            _ => format!("t{id}"),
        }
    }

    /// The term that computes a node from its operands.
    pub(super) fn term(&self, id: Id) -> String {
        let node = self.graph.node(id);
        let (ty, t) = (node.ty, |id| self.operand(id));
        match node.operation {
            Operation::Constant(_) | Operation::Argument(..) => self.operand(id),
            Operation::Parameter(index) => self.parameter(index.into(), ty),
            Operation::Unary(op, a) => self.unary(op, a, ty),
            Operation::Binary(op, a, b) if ty.is_float() => self.float(op, a, b, ty),
            Operation::Binary(op, a, b) if ty == Type::Flag => flag(op, &t(a), &t(b)),
            Operation::Binary(op, a, b) => integers::binary(op, &t(a), &t(b), ty),
            Operation::Shift(shift, a, by) => integers::shift(shift, &t(a), by, ty),
            Operation::MulAdd(a, b, c) if ty.is_float() => self.mul_add(&t(a), &t(b), &t(c), ty),
            Operation::MulAdd(a, b, c) => {
                let product = integers::binary(Binary::Mul, &t(a), &t(b), ty);
                integers::binary(Binary::Add, &format!("({product})"), &t(c), ty)
            }
            Operation::Compare(op, a, b) => self.compare(op, a, b),
            Operation::IsNan(a) if self.ty(a).is_float() => {
                format!("is_nan_{}({})", number(self.ty(a)), t(a))
            }
            Operation::IsNan(_) => "false".to_owned(),
            Operation::Select(condition, yes, no) => {
                format!("select({}, {}, {})", t(no), t(yes), t(condition))
            }
            Operation::Call(f, a) => format!("{}({})", function(f, ty), t(a)),
            Operation::Call2(f, a, b) => format!("{}({}, {})", function(f, ty), t(a), t(b)),
        }
    }

    fn ty(&self, id: Id) -> Type {
        self.graph.node(id).ty
    }

    /// A parameter, of its words in the uniform.
    fn parameter(&self, index: usize, ty: Type) -> String {
        let first: usize = self.parameters.iter().take(index).map(|&ty| words(ty)).sum();
        let word = |at: usize| format!("u.parameters[{}].{}", at / 4, ["x", "y", "z", "w"][at % 4]);
        let own: Vec<String> = (first..first + words(ty)).map(word).collect();
        from_words(ty, &own)
    }

    /// The result of a float operation, which no compiler may simplify.
    fn kept(&self, term: String, ty: Type) -> String {
        if self.exactness.keep { format!("keep_{}({term})", number(ty)) } else { term }
    }

    /// The second of two operands. No compiler may see that it is the first one, or a constant. Otherwise it might make
    /// `a - a` 0 for infinities too, and a quotient by a constant a product.
    fn unlike(&self, a: Id, b: Id, constants: bool) -> String {
        let node = self.graph.node(b);
        match node.operation {
            Operation::Constant(bits) if constants && self.exactness.keep => opaque(bits, node.ty),
            _ if a == b => self.kept(self.operand(b), node.ty),
            _ => self.operand(b),
        }
    }

    fn unary(&self, op: Unary, a: Id, ty: Type) -> String {
        let (from, t) = (self.ty(a), self.operand(a));
        match op {
            Unary::Not => format!("!{t}"),
            Unary::ToBits if from == Type::F64 => format!("bits_f64({t})"),
            Unary::FromBits if ty == Type::F64 => format!("f64_of_bits({t})"),
            Unary::ToBits | Unary::FromBits => format!("bitcast<{}>({t})", name(ty)),
            Unary::Convert => conversions::convert(&t, from, ty),
            Unary::IndexBelow(count) => conversions::index_below(&t, from, count, ty),
            Unary::Neg | Unary::Abs if !ty.is_float() => integers::unary(op, &t, ty),
            Unary::Neg => self.kept(format!("-{t}"), ty),
            Unary::Abs => format!("abs({t})"),
            Unary::Floor => self.kept(format!("floor({t})"), ty),
            Unary::Round => format!("round_{}({t})", number(ty)),
            Unary::Sqrt if self.exactness.of(ty).sqrt => self.kept(format!("sqrt({t})"), ty),
            Unary::Sqrt => format!("sqrt_{}({t})", number(ty)),
        }
    }

    fn float(&self, op: Binary, a: Id, b: Id, ty: Type) -> String {
        let (left, right) = (self.operand(a), self.operand(b));
        let call = |name: &str| format!("{name}_{}({left}, {right})", number(ty));
        match op {
            Binary::Add => self.kept(format!("{left} + {right}"), ty),
            Binary::Sub => self.kept(format!("{left} - {}", self.unlike(a, b, false)), ty),
            Binary::Mul => self.kept(format!("{left} * {right}"), ty),
            Binary::Div if self.exactness.of(ty).division => {
                self.kept(format!("{left} / {}", self.unlike(a, b, true)), ty)
            }
            Binary::Div => call("div"),
            Binary::Maximum => call("maximum"),
            Binary::Minimum => call("minimum"),
            Binary::Copysign => call("copysign"),
            // No operation of floats: as of their bits, which the device refuses.
            Binary::And | Binary::Or | Binary::Xor => integers::binary(op, &left, &right, ty),
        }
    }

    fn mul_add(&self, a: &str, b: &str, c: &str, ty: Type) -> String {
        if self.exactness.of(ty).fused {
            self.kept(format!("fma({a}, {b}, {c})"), ty)
        } else {
            format!("fma_{}({a}, {b}, {c})", number(ty))
        }
    }

    fn compare(&self, op: Compare, a: Id, b: Id) -> String {
        let (ty, left) = (self.ty(a), self.operand(a));
        if ty.is_float() {
            let sign = match op {
                Compare::Less => "<",
                Compare::LessOrEqual => "<=",
                Compare::Equal => "==",
            };
            let term = format!("{left} {sign} {}", self.unlike(a, b, false));
            // The opposite of `a < b` is not `b <= a`, and a choice by it no minimum, since there is NaN.
            return if self.exactness.keep { format!("keep_flag({term})") } else { term };
        }
        integers::compare(op, &left, &self.operand(b), ty)
    }
}

/// An operation on flags. `false` is less than `true`.
fn flag(op: Binary, a: &str, b: &str) -> String {
    let sign = match op {
        Binary::And | Binary::Minimum | Binary::Mul | Binary::Div => "&",
        Binary::Or | Binary::Maximum => "|",
        _ => "!=",
    };
    format!("{a} {sign} {b}")
}
