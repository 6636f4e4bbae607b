//! Whether an operator stands alone or behind another one, as types.
//!
//! An engine's own trait for what emits is implemented for [`Single`] and for [`Pair`]: for single operators by what they are, and for
//! two by what either of them is. It could not be implemented for [`Then`] beside all operators, since the language does not
//! let another crate know that `Then` is none.

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
