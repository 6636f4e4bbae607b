use reduce_core::{Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Dispersion;

#[derive(Clone, Copy, Debug, reduce_core::Accumulator)]
pub struct Sums<A> {
    plain: A,
    squares: A,
}

#[derive(Clone, Copy, Debug, reduce_core::Accumulator)]
pub struct Moments<A> {
    sums: Sums<A>,
    signs: (bool, u8),
}

/// The sum of squares less the squared sum.
#[reduce_core::reduce_op(dtypes = [f32, i32 => i64])]
impl<A: Num> ReduceOp<A> for Dispersion {
    type Acc = Moments<A>;
    type Output = A;

    fn identity(&self) -> Moments<A> {
        Moments { sums: Sums { plain: A::ZERO, squares: A::ZERO }, signs: (false, 0) }
    }

    fn map(&self, x: A) -> Moments<A> {
        Moments { sums: Sums { plain: x, squares: x * x }, signs: (x < A::ZERO, 1) }
    }

    fn combine(&self, a: Moments<A>, b: Moments<A>) -> Moments<A> {
        let plain = a.sums.plain + b.sums.plain;
        let squares = a.sums.squares + b.sums.squares;
        Moments {
            sums: Sums { plain, squares },
            signs: (a.signs.0 | b.signs.0, a.signs.1 | b.signs.1),
        }
    }

    fn finalize(&self, moments: Moments<A>, _count: usize) -> A {
        moments.sums.squares - moments.sums.plain * moments.sums.plain
    }
}
