//! Specs that a `macro_rules!` writes, from words of its own and of its caller.

use reduce_core::{Accumulator, Num, OpSpec, ReduceOp, Reduction, View, reduce_op};

macro_rules! sums {
    ($($op:ident($field:ident, $acc:ident) => $ty:ty, $dtype:ident, $lanes:literal, $since:literal;)*) => {$(
        #[derive(Clone, Copy, Debug, Accumulator)]
        struct $acc<A> {
            $field: A,
            terms: u8,
        }

        #[derive(Clone, Copy, Default)]
        struct $op {
            $field: i64,
            offset: i64,
        }

        #[reduce_op(
            name = "com.example:Sum",
            versions = $since..,
            dtypes = { $since.. => [$dtype], 20.. => [f64] },
            attrs = [keepdims: bool = true, $field: int = 1, offset: int = 0],
            lanes = $lanes,
        )]
        impl<T: Num> ReduceOp<T> for $ty {
            type Acc = $acc<T>;
            type Output = T;
            fn identity(&self) -> $acc<T> { $acc { $field: T::ZERO, terms: 0 } }
            fn map(&self, x: T) -> $acc<T> { $acc { $field: x, terms: 1 } }
            fn combine(&self, a: $acc<T>, b: $acc<T>) -> $acc<T> {
                $acc { $field: a.$field + b.$field, terms: a.terms | b.terms }
            }
            fn finalize(&self, acc: $acc<T>, _count: usize) -> T {
                if self.offset > self.$field { T::ZERO } else { acc.$field }
            }
        }
    )*};
}

sums! {
    Sum(scale, SumAcc) => Sum, f32, 16, 1;
    Other(weight, OtherAcc) => Other, i32, 8, 13;
}

pub fn main() {
    let view = View::new(&[1, 2, 3], &[3]).unwrap();
    assert_eq!(Reduction::new(Other::default()).run(&view).unwrap().data(), [6]);
    assert_eq!(Other::SCHEMA.versions, [13, 20]);
    assert_eq!(Sum::SCHEMA.attrs[1].name, "scale");
}
