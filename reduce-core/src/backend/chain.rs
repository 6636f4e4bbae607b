//! Whether an operator stands alone or behind another one, as types.
//!
//! An engine that has a trait of its own for what emits implements it for [`Single`] and for [`Pair`]. Single
//! operators get it by what they are, and two get it by what either of them is. It could not be implemented for
//! [`Then`] beside all operators, since the language does not let another crate know that `Then` is none.

use crate::front::emit::Then;
use crate::front::one_pass::Operators;

/// An operator, or several one after another.
pub trait Chained {
    /// [`Single`] or [`Pair`].
    type Links;
}

/// One operator, or a tuple of them.
#[derive(Clone, Copy, Debug)]
pub enum Single {}

/// A [`Then`] of two.
#[derive(Clone, Copy, Debug)]
pub enum Pair {}

impl<Op: Operators> Chained for Op {
    type Links = Single;
}

impl<First, Next> Chained for Then<First, Next> {
    type Links = Pair;
}
