//! Sums of distances and of their squares: what variances are made of.

use reduce_core::{Accumulator, Real};

/// Elements counted from a shift: how many, the sum of their distances from it, and that of the squares.
///
/// The shift is one of the elements, at first the first, so distances from it are small, however far elements are from
/// zero. But it may lie far from all others. Then the squares of `n` distances are up to `n` times what is left when their mean is
/// taken out, and so much larger is the error. So of two sets that merge, the shift with the smaller squares stays, in the manner
/// of Chan, Golub and `LeVeque` (1983). A kernel merges after 64 elements at most, so the factor is at most 64, of one such set.
///
/// In sets of weighted elements, the count is the sum of the weights.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Shifted<A> {
    pub(crate) shift: A,
    pub(crate) count: A,
    pub(crate) sum: A,
    pub(crate) squares: A,
}

impl<A: Real> Shifted<A> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Shifted { shift: A::ZERO, count: A::ZERO, sum: A::ZERO, squares: A::ZERO }
    }

    /// One element of a weight. It is nothing if that is not positive, and NaN if either is not finite.
    #[inline(always)]
    pub(crate) fn weighted(x: A, weight: A) -> Self {
        let count = if weight > A::ZERO { weight } else { A::ZERO };
        let nothing = x * A::ZERO + weight * A::ZERO;
        Shifted { shift: x, count, sum: nothing, squares: nothing }
    }

    /// One more element; the first is the shift.
    #[inline(always)]
    pub(crate) fn push(self, x: A) -> Self {
        let shift = if self.count == A::ZERO { x } else { self.shift };
        let distance = x - shift;
        let squares = distance.mul_add(distance, self.squares);
        Shifted { shift, count: self.count + A::ONE, sum: self.sum + distance, squares }
    }

    /// The elements of two sets, counted from whichever of their shifts has the smaller squares.
    #[inline(always)]
    pub(crate) fn merge(self, other: Self) -> Self {
        let apart = other.shift - self.shift;
        let (moved, others_moved) = (self.moved(apart), other.moved(-apart));
        let (squares, from_other) = (self.squares + others_moved.1, moved.1 + other.squares);
        // A set without elements has no shift to give, or what merges with it would change.
        let is_better =
            ((from_other < squares) & (other.count != A::ZERO)) | (self.count == A::ZERO);
        Shifted {
            shift: if is_better { other.shift } else { self.shift },
            count: self.count + other.count,
            sum: if is_better { moved.0 + other.sum } else { self.sum + others_moved.0 },
            squares: if is_better { from_other } else { squares },
        }
    }

    /// The two sums, counted from a shift that lies `d` further. The sum `s` of `n` distances loses `n d`, and that of their
    /// squares loses `2 d s - n d²`.
    #[inline(always)]
    fn moved(self, d: A) -> (A, A) {
        let sum = (-self.count).mul_add(d, self.sum);
        (sum, (-d).mul_add(self.sum + sum, self.squares))
    }

    /// How far the mean of elements of this weight in all is from the shift.
    #[inline(always)]
    pub(crate) fn offset(self, weight: A) -> A {
        self.sum / weight
    }

    /// The sum of squared distances from the mean, of elements of this weight in all; NaN if one is infinite,
    /// since it has no distance from any.
    #[inline(always)]
    pub(crate) fn spread(self, weight: A) -> A {
        let spread = (-self.offset(weight)).mul_add(self.sum, self.squares);
        // Of 64 elements, rounding cannot make it negative. Where thousands are pushed behind a first one that
        // lies far off, without a merge, it can. A NaN is not less, and stays.
        if spread < A::ZERO { A::ZERO } else { spread }
    }

    /// Whether a sum has overflowed. Squares that underflow are no part of a variance either.
    #[inline(always)]
    pub(crate) fn has_overflowed(self) -> bool {
        !(self.sum.is_finite() & self.squares.is_finite())
    }

    /// Whether squares may have underflowed. Elements that are all equal have none. Others are at least half a step of the shift's
    /// size apart; `margin` says how much less a weight may be than others.
    #[inline(always)]
    pub(crate) fn has_vanished(self, count: usize, margin: A) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        let step = self.shift * half_step();
        let are_equal = step * step * self.count >= least * margin;
        (self.squares < least) & ((self.squares > A::ZERO) | !are_equal)
    }
}

/// Half the distance from 1 to the next number.
#[inline(always)]
pub(crate) fn half_step<A: Real>() -> A {
    // A third is rounded; three of them are off by such a distance.
    let (three, four) = (A::from_int(3), A::from_int(4));
    ((four / three - A::ONE) * three - A::ONE).abs() / (A::ONE + A::ONE)
}
