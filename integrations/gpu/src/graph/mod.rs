//! Graphs: what a step of an operator computes, as nodes that each name their operands.
//!
//! A graph is found by calling the step with symbolic numbers (`trace`). It is computed on the CPU by
//! [`evaluate`], and printed as the text of a kernel by `print`. All three have the same meaning, to the last bit: that of
//! the Rust operation on the type that a node has.
//!
//! Nodes stand behind their operands, and there are no two equal ones.

mod copy;
mod evaluate;
mod fold;
mod types;
mod value;

use std::collections::HashMap;
use std::ops::Range;

pub use evaluate::{Given, evaluate};
pub use types::{Bits, Int, Type};

/// The number of a node in its graph.
pub type Id = u32;

/// Whose scalar an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Argument {
    /// The accumulator of the elements before has it.
    Left,
    /// The accumulator of the elements behind has it.
    Right,
    /// The element has it.
    Element,
    /// It is kept of the result, and given to each element when an operator emits.
    Kept,
}

/// An operation on one operand, which has the type of the node unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// The negative of a float or an integer; an integer wraps.
    Neg,
    /// The absolute value of a float or an integer; the least signed integer stays as it is.
    Abs,
    /// Correctly rounded.
    Sqrt,
    /// The largest integer that is not greater.
    Floor,
    /// The nearest integer; of two, the one further from zero.
    Round,
    /// The bits of a float as an unsigned integer of its width.
    ToBits,
    /// The float with these bits.
    FromBits,
    /// A value in another type. A float or an integer becomes a float by rounding to nearest. A float becomes an
    /// integer by truncation; it saturates, and NaN becomes 0. An integer becomes another one modulo its width. A flag
    /// becomes the number 0 or 1.
    Convert,
    /// The opposite of a flag.
    Not,
    /// A float as an index below a count: see `Real::index_below`. An integer of 32 bits.
    IndexBelow(u32),
}

/// An operation on two operands of the type of the node, unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// A sum; of integers, it wraps.
    Add,
    /// A difference; of integers, it wraps.
    Sub,
    /// A product; of integers, it wraps.
    Mul,
    /// A quotient of floats, correctly rounded; of integers truncated, and 0 if the divisor is 0.
    Div,
    /// `Ordered::maximum`: NaN if either is; the first of equal ones.
    Maximum,
    /// `Ordered::minimum`.
    Minimum,
    /// The first magnitude with the sign of the second.
    Copysign,
    /// The bitwise and of integers or flags.
    And,
    /// The bitwise or of integers or flags.
    Or,
    /// The bitwise exclusive or of integers or flags.
    Xor,
}

/// A shift of an integer by fewer bits than it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// Towards the higher bits.
    Left,
    /// Towards the lower bits; zeros follow, as of unsigned integers.
    Right,
}

/// A comparison of two operands of one type, which makes a flag. Of floats it is false if either is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a == b`
    Equal,
}

/// A function of `reduce_core::Real` that is made of other nodes: the device has it as a function of its own, traced
/// from the same code that the CPU runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of `Real`")]
pub enum Function {
    Exp,
    ExpNonpositive,
    ExpM1,
    Exp2,
    Ln,
    Ln1p,
    Log2,
    Powi,
    Powf,
    Hypot,
    Tanh,
    Sin,
    Cos,
}

/// The operation that a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// These bits.
    Constant(Bits),
    /// A scalar of an argument: the slots of each are counted from 0.
    Argument(Argument, u16),
    /// A number that is given to the kernel and does not stand in its text: parameters of the operator, and what it makes of
    /// the number of elements.
    Parameter(u16),
    /// See [`Unary`].
    Unary(Unary, Id),
    /// See [`Binary`].
    Binary(Binary, Id, Id),
    /// See [`Shift`].
    Shift(Shift, Id, u8),
    /// `a * b + c`, rounded once.
    MulAdd(Id, Id, Id),
    /// See [`Compare`].
    Compare(Compare, Id, Id),
    /// Whether a float is no number.
    IsNan(Id),
    /// The second if the first, a flag, is true, else the third.
    Select(Id, Id, Id),
    /// A function of one operand.
    Call(Function, Id),
    /// A function of two operands; the second of [`Function::Powi`] is an integer of 32 bits, with sign.
    Call2(Function, Id, Id),
}

impl Operation {
    /// Its operands, in their order.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let (all, count) = match self {
            Operation::Constant(_) | Operation::Argument(..) | Operation::Parameter(_) => {
                ([0; 3], 0)
            }
            Operation::Unary(_, a)
            | Operation::Shift(_, a, _)
            | Operation::IsNan(a)
            | Operation::Call(_, a) => ([a, 0, 0], 1),
            Operation::Binary(_, a, b)
            | Operation::Compare(_, a, b)
            | Operation::Call2(_, a, b) => ([a, b, 0], 2),
            Operation::MulAdd(a, b, c) | Operation::Select(a, b, c) => ([a, b, c], 3),
        };
        all.into_iter().take(count)
    }

    /// Whether it is an argument or a parameter.
    pub(crate) fn is_leaf(self) -> bool {
        matches!(self, Operation::Argument(..) | Operation::Parameter(_))
    }

    /// Puts other operands into the operation.
    #[must_use]
    pub fn on(self, mut operand: impl FnMut(Id) -> Id) -> Self {
        match self {
            Operation::Constant(_) | Operation::Argument(..) | Operation::Parameter(_) => self,
            Operation::Unary(op, a) => Operation::Unary(op, operand(a)),
            Operation::Shift(shift, a, by) => Operation::Shift(shift, operand(a), by),
            Operation::IsNan(a) => Operation::IsNan(operand(a)),
            Operation::Call(function, a) => Operation::Call(function, operand(a)),
            Operation::Binary(op, a, b) => Operation::Binary(op, operand(a), operand(b)),
            Operation::Compare(op, a, b) => Operation::Compare(op, operand(a), operand(b)),
            Operation::Call2(function, a, b) => Operation::Call2(function, operand(a), operand(b)),
            Operation::MulAdd(a, b, c) => Operation::MulAdd(operand(a), operand(b), operand(c)),
            Operation::Select(a, b, c) => Operation::Select(operand(a), operand(b), operand(c)),
        }
    }
}

/// A node: what it computes, and in which type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it computes.
    pub operation: Operation,
    /// The type of its value.
    pub ty: Type,
}

/// Nodes, each once.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Id>,
}

impl Graph {
    /// The number of a node; a new one if there is none like it. A node whose operands are all constants becomes a
    /// constant.
    pub fn add(&mut self, operation: Operation, ty: Type) -> Id {
        let node = fold::folded(self, Node { operation, ty });
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = Id::try_from(self.nodes.len()).unwrap_or(Id::MAX);
        self.nodes.push(node);
        self.numbers.insert(node, id);
        id
    }

    /// A constant.
    pub fn constant(&mut self, bits: Bits, ty: Type) -> Id {
        self.add(Operation::Constant(bits), ty)
    }

    /// A node.
    ///
    /// # Panics
    /// If the graph has no node of this number.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// All nodes, each behind its operands.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// The steps of an operator over one storage type, as graphs that share their nodes.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The operator's name; of a tuple, that of its first member.
    pub name: &'static str,
    /// How many operators these are the steps of: 1, or more of a tuple.
    pub members: u32,
    /// All nodes.
    pub graph: Graph,
    /// The type of each scalar of the accumulator.
    pub accumulator: Vec<Type>,
    /// The type of each scalar of the element; [`Type::Place`] is its position.
    pub element: Vec<Type>,
    /// The input that each scalar of the element is read from; none for its position.
    pub inputs: Vec<Option<u8>>,
    /// For each operator in front, the types of the values that it keeps of a result. The element has these values too,
    /// as scalars behind those that are read.
    pub before: Vec<Vec<Type>>,
    /// The values of parameters, and their types.
    pub parameters: Vec<(Bits, Type)>,
    /// The accumulator of no elements.
    pub identity: Vec<Id>,
    /// The accumulator of one element, from [`Argument::Element`].
    pub map: Vec<Id>,
    /// The accumulator with one more element, from [`Argument::Left`] and [`Argument::Element`].
    pub push: Vec<Id>,
    /// The accumulator of two, from [`Argument::Left`] and [`Argument::Right`].
    pub combine: Vec<Id>,
    /// Each element of the result, in the type that it is computed in, of [`Argument::Left`]. The host makes of it what is stored.
    pub finalize: Vec<Id>,
    /// The emitted element, if the operator emits, from [`Argument::Element`] and [`Argument::Kept`]. The latter are
    /// the results of `finalize`.
    pub emit: Option<Id>,
    /// Whether the result is doubted, if the operator can: an integer, [`Type::U32`], of [`Argument::Left`]. Bit `i` says it of member `i`.
    pub doubts: Option<Id>,
    /// The accumulators of members that select an element, as slots: each is an element with its position, which is the last scalar.
    pub selects: Vec<Range<u16>>,
}

/// A function of `Real` as a graph.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its nodes. Its parameters are scalars of [`Argument::Element`].
    pub graph: Graph,
    /// Its value.
    pub result: Id,
    /// The types of its parameters.
    pub parameters: Vec<Type>,
}
