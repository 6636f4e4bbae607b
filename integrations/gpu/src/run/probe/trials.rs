//! What is tried: each operation that kernels leave to the device, and a few that compilers simplify, as nodes of one graph.

use super::operands;
use crate::graph::{
    Argument, Binary, Bits, Compare, Graph, Id, Int, Operation, Shift, Type, Unary,
};

/// What a trial tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Fused,
    Division,
    Sqrt,
    Arithmetic,
    Whole,
    Conversion,
    Integers,
}

/// A node, and those on the way to it.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) of: Of,
    /// The float that it is tried on.
    pub(super) float: Type,
    pub(super) result: Id,
    pub(super) way: Vec<Id>,
}

/// All trials.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    pub(super) graph: Graph,
    /// The types of operands.
    pub(super) element: Vec<Type>,
    pub(super) all: Vec<Trial>,
    of: (Of, Type),
}

impl Trials {
    pub(super) fn new(with_f64: bool) -> Trials {
        let mut trials = Trials {
            graph: Graph::default(),
            element: operands::types(with_f64),
            all: Vec::new(),
            of: (Of::Arithmetic, Type::F32),
        };
        let operands: Vec<Id> = (0..)
            .zip(trials.element.clone())
            .map(|(slot, ty)| trials.node(Operation::Argument(Argument::Element, slot), ty))
            .collect();
        for operands in operands.chunks_exact(3) {
            trials.operations(operands);
            trials.simplified(operands);
            trials.whole_numbers(operands[0]);
        }
        trials.integers(operands[0], operands[1]);
        if let [a, _, _, wide, ..] = operands[..] {
            trials.of = (Of::Conversion, Type::F64);
            trials.convert(a, Type::F64);
            trials.convert(wide, Type::F32);
        }
        trials
    }

    /// The type of a trial's result.
    pub(super) fn ty(&self, trial: &Trial) -> Type {
        self.graph.node(trial.result).ty
    }

    fn node(&mut self, operation: Operation, ty: Type) -> Id {
        self.graph.add(operation, ty)
    }

    /// A node whose result is held against the CPU's.
    fn try_node(&mut self, operation: Operation, ty: Type) -> Id {
        let result = self.node(operation, ty);
        let (of, float) = self.of;
        let way = way(&self.graph, result);
        self.all.push(Trial { of, float, result, way });
        result
    }

    fn convert(&mut self, a: Id, to: Type) -> Id {
        self.try_node(Operation::Unary(Unary::Convert, a), to)
    }

    fn operations(&mut self, operands: &[Id]) {
        let (a, b, c) = (operands[0], operands[1], operands[2]);
        let float = self.graph.node(a).ty;
        let mut of = |of, operation, ty| {
            self.of = (of, float);
            self.try_node(operation, ty);
        };
        of(Of::Fused, Operation::MulAdd(a, b, c), float);
        of(Of::Division, Operation::Binary(Binary::Div, a, b), float);
        of(Of::Sqrt, Operation::Unary(Unary::Sqrt, a), float);
        of(Of::Whole, Operation::Unary(Unary::Floor, a), float);
        of(Of::Whole, Operation::Unary(Unary::Round, a), float);
        for op in [Unary::Neg, Unary::Abs] {
            of(Of::Arithmetic, Operation::Unary(op, a), float);
        }
        let binary = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Maximum, Binary::Minimum];
        for op in binary {
            of(Of::Arithmetic, Operation::Binary(op, a, b), float);
        }
        for op in [Compare::Less, Compare::LessOrEqual, Compare::Equal] {
            of(Of::Arithmetic, Operation::Compare(op, a, b), Type::Flag);
            of(Of::Arithmetic, Operation::Compare(op, a, a), Type::Flag);
        }
    }

    /// What is equal to something simpler in real numbers, and not in floats.
    fn simplified(&mut self, operands: &[Id]) {
        let (a, b, c) = (operands[0], operands[1], operands[2]);
        let float = self.graph.node(a).ty;
        self.of = (Of::Arithmetic, float);
        let [zero, three] = [0.0f32, 3.0].map(|x| {
            let bits = Bits::from(if float == Type::F64 {
                f64::from(x).to_bits()
            } else {
                x.to_bits().into()
            });
            self.graph.constant(bits, float)
        });
        let binary = |graph: &mut Trials, op, a, b| graph.node(Operation::Binary(op, a, b), float);
        let sum = binary(self, Binary::Add, a, b);
        let product = binary(self, Binary::Mul, a, b);
        let other = binary(self, Binary::Mul, a, c);
        let floor = self.node(Operation::Unary(Unary::Floor, a), float);
        let opposite = self.node(Operation::Unary(Unary::Neg, a), float);
        let part = binary(self, Binary::Sub, sum, a);
        let rest = binary(self, Binary::Sub, sum, part);
        let (left, right) =
            (binary(self, Binary::Sub, a, rest), binary(self, Binary::Sub, b, part));
        for (op, a, b) in [
            (Binary::Add, left, right),
            (Binary::Sub, sum, a),
            (Binary::Add, product, c),
            (Binary::Add, product, other),
            (Binary::Sub, a, floor),
            (Binary::Sub, a, a),
            (Binary::Add, a, opposite),
            (Binary::Add, a, zero),
            (Binary::Mul, a, zero),
        ] {
            self.try_node(Operation::Binary(op, a, b), float);
        }
        let less = self.node(Operation::Compare(Compare::Less, a, b), Type::Flag);
        self.try_node(Operation::Unary(Unary::Not, less), Type::Flag);
        self.try_node(Operation::Select(less, a, b), float);
        self.of = (Of::Division, float);
        self.try_node(Operation::Binary(Binary::Div, a, a), float);
        self.try_node(Operation::Binary(Binary::Div, a, three), float);
    }

    fn whole_numbers(&mut self, a: Id) {
        self.of = (Of::Whole, self.graph.node(a).ty);
        for ty in [I32, Type::U32] {
            self.convert(a, ty);
        }
    }

    /// Integers that have the bits of floats, and what becomes of them.
    fn integers(&mut self, a: Id, b: Id) {
        let bits =
            |trials: &mut Trials, x| trials.node(Operation::Unary(Unary::ToBits, x), Type::U32);
        let (a, b) = (bits(self, a), bits(self, b));
        self.of = (Of::Integers, Type::F32);
        let (left, right) = (self.convert(a, I32), self.convert(b, I32));
        for (a, b, ty) in [(a, b, Type::U32), (left, right, I32)] {
            for op in [Binary::Mul, Binary::Div, Binary::Maximum] {
                self.try_node(Operation::Binary(op, a, b), ty);
            }
            self.try_node(Operation::Shift(Shift::Right, a, 7), ty);
            self.try_node(Operation::Compare(Compare::Less, a, b), Type::Flag);
        }
        let product = self.node(Operation::Binary(Binary::Mul, a, b), Type::U32);
        self.convert(product, Type::Int(Int { bits: 16, signed: true }));
        let (wide, other) = (self.convert(a, U64), self.convert(b, U64));
        self.try_node(Operation::Binary(Binary::Mul, wide, other), U64);
        self.of = (Of::Conversion, Type::F32);
        self.convert(a, Type::F32);
        self.convert(left, Type::F32);
    }
}

const I32: Type = Type::Int(Int { bits: 32, signed: true });
const U64: Type = Type::Int(Int { bits: 64, signed: false });

/// The nodes that a result is made of, and the result.
fn way(graph: &Graph, result: Id) -> Vec<Id> {
    let mut way = vec![result];
    let mut read = 0;
    while let Some(&id) = way.get(read) {
        read += 1;
        for operand in graph.node(id).operation.operands() {
            if !way.contains(&operand) {
                way.push(operand);
            }
        }
    }
    way
}
