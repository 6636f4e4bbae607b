//! Signatures: whose accumulators a state holds.

use std::fmt;

use crate::facts::error::{Error, ErrorKind};
use crate::values::element::Element;
use crate::values::element::accumulator::{Accumulator, Scalars};

/// Whose accumulators a state holds: the operator with the values of its parameters, and what its accumulators consist of.
///
/// A [`State`](crate::State) or a [`GroupsState`](crate::GroupsState) carries it, so that one operator never goes on from
/// what another has seen. Two signatures are equal if the name of the operator, the names and values of its parameters,
/// and the names and types of the accumulator's fields are. The versions of an operator are no part of it: a state outlives a new opset.
///
/// ```
/// use reduce_core::{Stream, View};
/// use reduce_gallery::Variance;
///
/// let stream = Stream::<_, f32>::new((Variance { correction: 1 }, Variance::default()));
/// let expected = "(Variance(correction = 1), Variance(correction = 0))";
/// assert_eq!(stream.signature().operator(), expected);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature {
    operator: String,
    hash: u64,
}

impl Signature {
    /// The signature of an operator, from what it and its accumulator of no elements say of themselves.
    pub(crate) fn new<Acc: Accumulator>(operator: String, mut none: Acc) -> Self {
        let mut text = operator.clone();
        Acc::layout(&mut text);
        none.each_scalar(&mut Types(&mut text));
        Signature { operator, hash: hash(text.as_bytes()) }
    }

    /// The operator and its parameters, as text; of a tuple of operators, all of them.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// A number that follows from all of it, the same on every machine.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Checks that a state has this signature.
    ///
    /// # Errors
    /// [`ErrorKind::OtherOperator`] if it has another one.
    pub fn check(&self, found: &Signature) -> Result<(), Error> {
        if self == found {
            return Ok(());
        }
        let (expected, found) = (self.operator.clone(), found.operator.clone());
        Err(ErrorKind::OtherOperator { expected, found }.into())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.operator)
    }
}

/// Writes the types of scalars.
struct Types<'a>(&'a mut String);

impl Scalars for Types<'_> {
    fn scalar<E: Element>(&mut self, _x: &mut E) {
        self.0.push(' ');
        self.0.push_str(E::DTYPE.name());
    }

    fn position(&mut self, _x: &mut u64) {
        self.0.push_str(" position");
    }
}

/// FNV-1a, which every machine and every compiler computes alike (Fowler, Noll and Vo 1991).
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        assert_eq!((hash(b""), hash(b"foobar")), (0xcbf2_9ce4_8422_2325, 0x8594_4171_f739_67e8));
    }
}
