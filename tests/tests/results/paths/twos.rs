//! Two elements at once: an operator's own function for them is called, in whatever form the
//! operator is used.
#![allow(unnameable_test_items, reason = "the law test of a broken operator must not run")]

use reduce_core::numbers::Compensated;
use reduce_core::{Level, Real, ReduceOp, Reduction, Stream, View, reduce_op};
use reduce_specs::ReduceSum;
use reduce_tests::cases::available;

/// Elements of a list, no multiple of any number of lanes.
const COUNT: usize = 10_007;

/// Fewer are taken one by one: a last step, and the one before it, of at most 256 lanes.
const LEFT: usize = 2 * 256;

#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
fn elements_are_taken_two_at_once() {
    #[derive(Clone, Copy, Debug, Default)]
    struct Twos;

    /// How many elements were taken two at once.
    #[reduce_op(dtypes = [f32])]
    impl<A: Real> ReduceOp<A> for Twos {
        type Acc = A;
        type Output = A;

        fn identity(&self) -> A {
            A::ZERO
        }

        fn map(&self, _x: A) -> A {
            A::ZERO
        }

        fn combine(&self, a: A, b: A) -> A {
            a + b
        }

        fn push_two(&self, sum: A, _x: A, _y: A) -> A {
            sum + A::from_int(2)
        }

        fn finalize(&self, sum: A, _count: usize) -> A {
            sum
        }
    }

    let data = [0.0f32; COUNT];
    let view = View::new(&data, &[COUNT]).expect("a list");
    let counts = |level: Level| {
        let op = Reduction::new(Twos).level(level);
        let mut stream = Stream::over(op.clone());
        stream.update(&view).expect("more elements");
        [
            op.clone().run(&view).expect("a count").data()[0],
            op.clone().initial(0.0f32).run(&view).expect("a count").data()[0],
            op.clone().computing_in::<f64>().run(&view).expect("a count").data()[0],
            op.computing_in::<Compensated<f32>>().run(&view).expect("a count").data()[0],
            Reduction::new((ReduceSum, Twos)).level(level).run(&view).expect("two").1.data()[0],
            stream.finish().expect("a count").data()[0],
        ]
    };
    for level in available() {
        let counts = counts(level).map(|count| count as usize);
        if level == Level::Scalar {
            // Without vectors, lanes take their elements one by one.
            assert_eq!(counts, [0; 6]);
            continue;
        }
        assert!(counts.iter().all(|count| (COUNT - LEFT..=COUNT).contains(count)), "{counts:?}");
        assert!(counts.iter().all(|count| count % 2 == 0), "{counts:?} at {level}");
    }
}
