//! States say whose they are: another operator, other parameters or other axes refuse them.

use reduce_core::{
    Accumulator, AnyTensor, AnyView, Groups, GroupsState, Num, Real, ReduceOp, Reduction, State,
    Stream, View, reduce_op,
};
use reduce_specs::{ArgMax, ReduceMax, ReduceSum};

/// The sum of elements times a factor.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    factor: f64,
    again: bool,
}

impl Default for Scaled {
    fn default() -> Self {
        Scaled { factor: 1.0, again: false }
    }
}

#[reduce_op(dtypes = [f32, f64], attrs = [factor: float = 1.0, again: bool = false])]
impl<A: Real> ReduceOp<A> for Scaled {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A {
        A::ZERO
    }
    fn map(&self, x: A) -> A {
        x * A::from_f64(self.factor)
    }
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// Writes an operator of one name whose accumulator is a pair of numbers of some names, and whose count has a name.
macro_rules! pair {
    ($module:ident, $first:ident, $second:ident, $count:ident) => {
        mod $module {
            use super::*;

            #[derive(Clone, Copy, Debug, Accumulator)]
            pub(super) struct Two<A> {
                $first: A,
                $second: A,
            }

            #[derive(Clone, Copy, Debug, Default)]
            pub(super) struct Pair;

            #[reduce_op(dtypes = [f64])]
            impl<A: Num> ReduceOp<A> for Pair {
                type Acc = Two<A>;
                type Output = A;
                fn identity(&self) -> Two<A> {
                    Two { $first: A::ZERO, $second: A::ZERO }
                }
                fn map(&self, x: A) -> Two<A> {
                    Two { $first: x, $second: x * x }
                }
                fn combine(&self, a: Two<A>, b: Two<A>) -> Two<A> {
                    Two { $first: a.$first + b.$first, $second: a.$second + b.$second }
                }
                #[allow(unused_variables, reason = "a name of the count")]
                fn finalize(&self, acc: Two<A>, $count: usize) -> A {
                    acc.$second
                }
            }
        }
    };
}

pair!(one, sum, squares, _count);
pair!(same, sum, squares, count);
pair!(other, squares, sum, _count);

fn numbers() -> View<'static, f64> {
    View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).expect("a matrix")
}

#[test]
fn parameters_are_part_of_a_state() {
    let one = Scaled { factor: 0.5, again: false };
    let mut stream = Stream::new(one);
    stream.update(&numbers()).expect("elements");
    assert_eq!(stream.signature().operator(), "Scaled(factor = 0.5, again = 0)");
    let state = stream.state().expect("fits");
    Stream::<_, f64>::resume(Reduction::new(one), state.clone()).expect("the same");
    for op in
        [Scaled::default(), Scaled { again: true, ..one }, Scaled { factor: 0.500_000_1, ..one }]
    {
        let error =
            Stream::<_, f64>::resume(Reduction::new(op), state.clone()).expect_err("others");
        assert_eq!(error.code(), "other-operator");
        let mut into = Stream::<_, f64>::new(op);
        into.merge(&stream).expect_err("other parameters");
        assert_eq!(into.count(), 0);
        let mut groups = Groups::<_, f64>::new(op, 1).expect("few");
        groups.merge(&Groups::new(one, 1).expect("few"), &[0]).expect_err("other parameters");
        let state = Groups::<_, f64>::new(one, 1).expect("few").state().expect("fits");
        groups.merge_state(&state, &[0]).expect_err("other parameters");
    }
    let message = Stream::<_, f64>::resume(Reduction::new(Scaled::default()), state)
        .expect_err("other parameters")
        .to_string();
    let expected = "a state of `Scaled(factor = 0.5, again = 0)` cannot go into one of \
                    `Scaled(factor = 1.0, again = 0)`; merge those of one operator with the same parameters";
    assert_eq!(message, expected);
}

#[test]
fn operators_of_one_accumulator_are_told_apart() {
    let mut stream = Stream::new((ReduceSum, ReduceMax));
    stream.update(&numbers()).expect("elements");
    let state = stream.state().expect("fits");
    let swapped = Reduction::new((ReduceMax, ReduceSum));
    assert!(Stream::<_, f64>::resume(swapped, state.clone()).is_err());
    Stream::<_, f64>::resume(Reduction::new((ReduceSum, ReduceMax)), state).expect("the same");
    let single = Stream::<_, f64>::new(ReduceSum).signature();
    assert_ne!(single, Stream::<_, f32>::new(ReduceSum).signature(), "another compute type");
    let started = Stream::<_, f64>::over(Reduction::new(ReduceSum).initial(1.0)).signature();
    assert_ne!(single, started);
    let wide = Stream::<_, f32>::over(Reduction::new(ReduceSum).computing_in::<f64>()).signature();
    assert_eq!(single.hash(), wide.hash(), "the same accumulator of the same operator");
}

#[test]
fn the_names_of_fields_are_part_of_a_state_and_that_of_the_count_is_not() {
    let signature = |signature: &reduce_core::Signature| (signature.hash(), signature.to_string());
    let one = signature(&Stream::<_, f64>::new(one::Pair).signature());
    assert_eq!(one, signature(&Stream::<_, f64>::new(same::Pair).signature()));
    let other = signature(&Stream::<_, f64>::new(other::Pair).signature());
    assert!(one.0 != other.0 && one.1 == other.1);
    let one = Groups::<_, f64>::new(one::Pair, 1).expect("few").column_dtypes();
    let same = Groups::<_, f64>::new(same::Pair, 1).expect("few").column_dtypes();
    assert_eq!(one, same);
}

#[test]
fn other_axes_are_refused() {
    let over = |axis: i64| Reduction::new(ReduceSum).axes([axis]);
    let data: Vec<f64> = (0..9u8).map(f64::from).collect();
    let square = View::new(&data, &[3, 3]).expect("a square");
    let mut columns = Stream::over(over(0));
    columns.update(&square).expect("elements");
    let mut rows = Stream::over(over(1));
    rows.update(&square).expect("elements");
    let before = rows.state().expect("fits");
    assert_eq!(rows.merge(&columns).expect_err("other axes").code(), "other-axes");
    assert_eq!(rows.state().expect("fits"), before);
    let state = columns.state().expect("fits");
    let error = Stream::<_, f64>::resume(over(1), state.clone()).expect_err("other axes");
    assert_eq!(
        error.to_string(),
        "a state that keeps axes [1] cannot go into one that keeps [0]; merge those of reductions \
         along the same axes"
    );
    Stream::<_, f64>::resume(over(-2), state).expect("the same axis");
}

#[test]
fn states_of_groups_travel() {
    let mut groups = Groups::<_, f64>::new((ReduceSum, ArgMax::default()), 2).expect("few");
    groups.update(&numbers(), &[0u8, 1, 1, 0, 0, 1]).expect("keys");
    let state = groups.state().expect("fits");
    let text = serde_json::to_string(&state).expect("plain data");
    let read: GroupsState = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, state);
    let mut others = Groups::<_, f64>::new((ReduceSum, ArgMax::default()), 2).expect("few");
    others.merge_state(&read, &[1, 0]).expect("the same operators");
    let (sum, place) = others.finish().expect("results");
    assert_eq!((sum.data(), place.data()), (&[11.0, 10.0][..], &[5, 4][..]));
}

#[test]
fn states_that_nothing_makes_are_refused() {
    let mut groups = Groups::<_, f64>::new(ArgMax::default(), 1).expect("few");
    groups.update(&numbers(), &[0u8; 6]).expect("keys");
    let mut columns = groups.columns().expect("fits");
    let beyond = [1 << 63];
    columns[2] = reduce_core::Tensor::from_list(beyond.to_vec()).into();
    let views: Vec<AnyView<'_>> = columns.iter().map(AnyTensor::view).collect();
    let error = groups.merge_columns(&views, &[0], None).expect_err("a position beyond all");
    assert_eq!(error.code(), "bad-state");
    let mut stream = Stream::<_, f64>::new(ArgMax::default());
    stream.update(&numbers()).expect("elements");
    let mut state: State<_> = stream.state().expect("fits");
    state.accumulators[0].index = 1 << 63;
    let error = Stream::<_, f64>::resume(Reduction::new(ArgMax::default()), state);
    assert_eq!(error.expect_err("a position beyond all").code(), "bad-state");
    // A group that is merged into itself again and again.
    let mut sums = Groups::<_, f64>::new(ReduceSum, 1).expect("few");
    sums.update(&numbers(), &[0u8; 6]).expect("keys");
    let doubled = (0..70).find_map(|_| {
        let other = sums.clone();
        sums.merge(&other, &[0]).err()
    });
    assert_eq!(doubled.expect("too many to count").code(), "size-overflow");
}
