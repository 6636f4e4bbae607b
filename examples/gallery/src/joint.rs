//! Sums of distances of two inputs, and of their products: what covariances are made of.

use reduce_core::{Accumulator, Real};

use crate::shifted::Shifted;

/// Pairs counted from a shift of each input: how many, or their weight; sums of distances, of their squares, and of the products of
/// both. Shifts move as those of [`Shifted`] do, each by itself.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Joint<A> {
    count: A,
    x: A,
    y: A,
    sum_x: A,
    sum_y: A,
    squares_x: A,
    squares_y: A,
    products: A,
}

impl<A: Real> Joint<A> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self::of(A::ZERO, A::ZERO, A::ZERO, A::ZERO)
    }

    /// One pair of a weight. It is nothing if that is not positive, and NaN if one of them is not finite.
    #[inline(always)]
    pub(crate) fn weighted(x: A, y: A, weight: A) -> Self {
        let count = if weight > A::ZERO { weight } else { A::ZERO };
        Self::of(count, x, y, x * A::ZERO + y * A::ZERO + weight * A::ZERO)
    }

    #[inline(always)]
    fn of(count: A, x: A, y: A, sums: A) -> Self {
        let (sum_x, sum_y, products) = (sums, sums, sums);
        Joint { count, x, y, sum_x, sum_y, squares_x: sums, squares_y: sums, products }
    }

    /// One more pair; the first is the shift.
    #[inline(always)]
    pub(crate) fn push(self, x: A, y: A) -> Self {
        let is_first = self.count == A::ZERO;
        let shift_x = if is_first { x } else { self.x };
        let shift_y = if is_first { y } else { self.y };
        let (of_x, of_y) = (x - shift_x, y - shift_y);
        Joint {
            count: self.count + A::ONE,
            x: shift_x,
            y: shift_y,
            sum_x: self.sum_x + of_x,
            sum_y: self.sum_y + of_y,
            squares_x: of_x.mul_add(of_x, self.squares_x),
            squares_y: of_y.mul_add(of_y, self.squares_y),
            products: of_x.mul_add(of_y, self.products),
        }
    }

    /// The pairs of two sets.
    #[inline(always)]
    pub(crate) fn merge(self, other: Self) -> Self {
        let (x, y) = (self.of_x().merge(other.of_x()), self.of_y().merge(other.of_y()));
        let products = self.products_from(x.shift, y.shift) + other.products_from(x.shift, y.shift);
        Joint {
            count: x.count,
            x: x.shift,
            y: y.shift,
            sum_x: x.sum,
            sum_y: y.sum,
            squares_x: x.squares,
            squares_y: y.squares,
            products,
        }
    }

    /// The products, counted from other shifts: if these lie `d` and `e` further, the sum of the products `(x - d) (y - e)`.
    #[inline(always)]
    fn products_from(self, x: A, y: A) -> A {
        let (d, e) = (x - self.x, y - self.y);
        let moved = (-self.count).mul_add(d, self.sum_x);
        (-e).mul_add(moved, (-d).mul_add(self.sum_y, self.products))
    }

    /// The first input alone.
    #[inline(always)]
    pub(crate) fn of_x(self) -> Shifted<A> {
        let Joint { count, x: shift, sum_x: sum, squares_x: squares, .. } = self;
        Shifted { shift, count, sum, squares }
    }

    /// The second input alone.
    #[inline(always)]
    pub(crate) fn of_y(self) -> Shifted<A> {
        let Joint { count, y: shift, sum_y: sum, squares_y: squares, .. } = self;
        Shifted { shift, count, sum, squares }
    }

    /// The weight of all.
    #[inline(always)]
    pub(crate) fn weight(self) -> A {
        self.count
    }

    /// The sum of products of distances from both means.
    #[inline(always)]
    pub(crate) fn spread(self) -> A {
        (-self.of_x().offset(self.count)).mul_add(self.sum_y, self.products)
    }

    /// The correlation, from −1 to 1; NaN if one input is the same everywhere.
    #[inline(always)]
    pub(crate) fn correlation(self) -> A {
        let (x, y) = (self.of_x().spread(self.count), self.of_y().spread(self.count));
        let found = self.spread() / (x.sqrt() * y.sqrt());
        // Rounding may have led beyond; NaN is neither more nor less.
        match () {
            () if found > A::ONE => A::ONE,
            () if found < -A::ONE => -A::ONE,
            () => found,
        }
    }

    /// Slope and intercept of the line with the least squares of errors in the second input.
    #[inline(always)]
    pub(crate) fn line(self) -> (A, A) {
        let (x, y) = (self.of_x(), self.of_y());
        let slope = self.spread() / x.spread(self.count);
        let near = (-slope).mul_add(self.x, self.y);
        (slope, near + (-slope).mul_add(x.offset(self.count), y.offset(self.count)))
    }

    /// Whether a sum has overflowed.
    #[inline(always)]
    pub(crate) fn has_overflowed(self) -> bool {
        let products = !self.products.is_finite();
        self.of_x().has_overflowed() | self.of_y().has_overflowed() | products
    }

    /// Whether squares may have been lost because they are so small.
    #[inline(always)]
    pub(crate) fn has_vanished(self, count: usize, margin: A) -> bool {
        self.of_x().has_vanished(count, margin) | self.of_y().has_vanished(count, margin)
    }

    /// Whether products of inputs that vary may have been lost because they are so small.
    #[inline(always)]
    pub(crate) fn has_lost(self, count: usize, margin: A) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        let varies =
            |input: Shifted<A>| (input.squares > A::ZERO) | input.has_vanished(count, margin);
        (self.products.abs() < least) & varies(self.of_x()) & varies(self.of_y())
    }
}
