//! Sets of types.

/// A set of types, by their places in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u128);

impl TypeSet {
    pub(super) const NONE: TypeSet = TypeSet(0);
    /// All types, for a value that may be anything.
    pub(super) const ANY: TypeSet = TypeSet(u128::MAX);

    pub(super) fn one(place: usize) -> TypeSet {
        TypeSet(1 << place)
    }

    pub(super) fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    pub(super) fn or(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 | other.0)
    }

    pub(super) fn and(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & other.0)
    }

    pub(super) fn without(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & !other.0)
    }

    pub(super) fn is_one(self) -> bool {
        self.0.count_ones() == 1
    }
}
