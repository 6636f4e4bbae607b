//! Accumulators of several scalars: each is combined in the documented order, in lanes of 128 bytes
//! for each of the scalars.

use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
use reduce_tests::cases::available;

use super::documented::Documented;
use super::{lengths, numbers};

/// Three sums.
#[derive(Clone, Copy, Debug, Default)]
struct Powers;

/// The sums of the elements, of their squares and of their cubes.
#[reduce_op(dtypes = [f32, f64])]
impl<A: Num> ReduceOp<A> for Powers {
    type Acc = (A, A, A);
    type Output = (A, A, A);

    fn identity(&self) -> (A, A, A) {
        (A::ZERO, A::ZERO, A::ZERO)
    }

    fn map(&self, x: A) -> (A, A, A) {
        (x, x * x, x * x * x)
    }

    fn combine(&self, a: (A, A, A), b: (A, A, A)) -> (A, A, A) {
        (a.0 + b.0, a.1 + b.1, a.2 + b.2)
    }

    fn finalize(&self, sums: (A, A, A), _count: usize) -> (A, A, A) {
        sums
    }
}

/// Rows, short rows, columns side by side, runs of rows: shapes, and the axes that are reduced.
const SHAPES: &[(&[usize], &[usize])] = &[
    (&[20, 300], &[1]),
    (&[9, 1000], &[1]),
    (&[3, 1024], &[1]),
    (&[8, 1025], &[1]),
    (&[5, 4097], &[1]),
    (&[33, 2000], &[1]),
    (&[33, 40], &[1]),
    (&[9, 41], &[1]),
    (&[700, 5], &[0]),
    (&[700, 33], &[0]),
    (&[2000, 17], &[0]),
    (&[40, 50], &[0]),
    (&[16, 9, 7], &[0, 2]),
    (&[20, 40, 90], &[0, 2]),
    (&[17, 3, 500], &[0, 2]),
    (&[5, 3, 15], &[0, 2]),
];

macro_rules! as_documented {
    ($($float:ident)*) => {$(
        #[test]
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            trivial_numeric_casts,
            reason = "rounded to the type"
        )]
        fn $float() {
            let lists = lengths().filter(|&count| count > 0).map(|count| (vec![1, count], vec![1]));
            let others = SHAPES.iter().map(|(shape, axes)| (shape.to_vec(), axes.to_vec()));
            for (shape, axes) in lists.chain(others) {
                let count = shape.iter().product();
                let xs: Vec<$float> = numbers(count).map(|x| x as $float).collect();
                let view = View::new(&xs, &shape).expect("as many");
                let signed: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
                let reduction = Reduction::new(Powers).axes(signed);
                let sums = |power: fn($float) -> $float| {
                    let powers: Vec<$float> = xs.iter().map(|&x| power(x)).collect();
                    let view = View::new(&powers, &shape).expect("as many");
                    let lanes = 128 / size_of::<$float>();
                    let order =
                        Documented { lanes, scalars: 3, ordered: false, identity: 0.0, combine: |a, b| a + b };
                    order.results(&view, &axes).iter().map(|sum| sum.to_bits()).collect()
                };
                let expected: [Vec<_>; 3] = [sums(|x| x), sums(|x| x * x), sums(|x| x * x * x)];
                for level in available() {
                    let found = reduction.clone().level(level).run(&view).expect("valid");
                    let found = [found.0, found.1, found.2];
                    for (found, expected) in found.iter().zip(&expected) {
                        let found: Vec<_> = found.data().iter().map(|sum| sum.to_bits()).collect();
                        assert_eq!(&found, expected, "{shape:?} at {level}");
                    }
                }
            }
        }
    )*};
}

as_documented! { f32 f64 }
