use reduce_core::{Accumulator, Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Powers<const N: usize>;

#[derive(Clone, Copy, Debug, reduce_core::Accumulator)]
pub struct Sums<A: Accumulator, const N: usize> {
    of_powers: [A; N],
    count: i64,
}

/// The sums of the first powers of the elements, and how many there are.
#[reduce_core::reduce_op(dtypes = [f32, i64])]
impl<A: Num, const N: usize> ReduceOp<A> for Powers<N> {
    type Acc = Sums<A, N>;
    type Output = ([A; N], [i64; 1]);

    fn identity(&self) -> Sums<A, N> {
        Sums { of_powers: [A::ZERO; N], count: 0 }
    }

    fn map(&self, x: A) -> Sums<A, N> {
        let mut sums = ReduceOp::<A>::identity(self);
        self.push_into(&mut sums, x);
        sums
    }

    fn enters(&self, _sums: &Sums<A, N>, _x: A) -> bool {
        true
    }

    fn push_into(&self, sums: &mut Sums<A, N>, x: A) {
        let mut power = x;
        for sum in &mut sums.of_powers {
            *sum = *sum + power;
            power = power * x;
        }
        sums.count += 1;
    }

    fn combine(&self, mut a: Sums<A, N>, b: Sums<A, N>) -> Sums<A, N> {
        for place in 0..N {
            a.of_powers[place] = a.of_powers[place] + b.of_powers[place];
        }
        a.count += b.count;
        a
    }

    fn finalize(&self, sums: Sums<A, N>, _count: usize) -> ([A; N], [i64; 1]) {
        (sums.of_powers, [sums.count])
    }
}
