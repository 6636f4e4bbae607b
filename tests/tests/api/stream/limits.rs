//! Streams at their limits: as many elements as can be counted, and operators that panic.

use std::num::Wrapping;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};

use reduce_core::bounds::Streams;
use reduce_core::{Num, ReduceOp, Reduction, State, Stream, View, reduce_op};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean};

/// A state of more elements than positions can count was made by no stream, and none gets there.
#[test]
fn counts_stay_within_positions() {
    #[allow(clippy::cast_possible_truncation, reason = "of 64 bits there")]
    const MOST: usize = match usize::BITS {
        64.. => i64::MAX.cast_unsigned() as usize,
        _ => usize::MAX,
    };
    let new = || Stream::<ReduceMax, i32>::new(ReduceMax).state().expect("fits");
    let state = |count| State { accumulators: vec![Wrapping(1i32)], count, ..new() };
    let resume = |count| Stream::<ReduceMax, i32>::resume(Reduction::new(ReduceMax), state(count));
    // On targets of 32 bits, a state has room for no larger count.
    for count in [MOST.wrapping_add(1), usize::MAX].into_iter().filter(|&count| count > MOST) {
        let message = resume(count).expect_err("too many").to_string();
        assert!(message.contains(&format!("{count} elements")), "{message}");
    }
    let mut stream = resume(MOST - 1).expect("as many as can be counted");
    let [one, two] = [&[5][..], &[6, 7]].map(|data| View::new(data, &[data.len()]).expect("fits"));
    let message = stream.update(&two).expect_err("one too many").to_string();
    assert!(message.contains(&MOST.to_string()), "{message}");
    assert_eq!(stream.state().expect("fits"), state(MOST - 1), "after an error it is as it was");
    stream.update(&one).expect("the last");
    assert_eq!(stream.count(), MOST);
    let other = resume(1).expect("one element");
    stream.merge(&other).expect_err("one too many");
    assert_eq!(stream.count(), MOST);
    // The last position that there is.
    let last = Stream::<ArgMax, i32>::new(ArgMax::default()).into_state().expect("fits");
    let last = State { count: MOST - 2, accumulators: vec![first_of(&two)], ..last };
    let mut places =
        Stream::<ArgMax, i32>::resume(Reduction::new(ArgMax::default()), last).expect("countable");
    places.update(&View::new(&[8], &[1]).expect("fits")).expect("countable");
    let place = i64::try_from(MOST - 2).expect("a position");
    assert_eq!(places.finish().expect("a place").data(), [place]);
}

/// The accumulator of `ArgMax` over a view.
fn first_of(view: &View<'_, i32>) -> <ArgMax as Streams<i32>>::Acc {
    let mut stream = Stream::new(ArgMax::default());
    stream.update(view).expect("elements");
    stream.into_state().expect("fits").accumulators[0]
}

/// Counts beyond 32 bits are added up when streams are merged, and a mean divides by all of them.
#[cfg(target_pointer_width = "64")]
#[test]
fn merged_counts_have_more_than_32_bits() {
    const COUNT: usize = 3 << 32;
    let stream = |mean: f64| {
        let new = Stream::<ReduceMean, f64>::new(ReduceMean).state().expect("fits");
        let state = State { accumulators: vec![mean * COUNT as f64], count: COUNT, ..new };
        Stream::<ReduceMean, f64>::resume(Reduction::new(ReduceMean), state).expect("countable")
    };
    let mut all = stream(1.0);
    all.merge(&stream(5.0)).expect("countable");
    assert_eq!((all.count(), all.finish().expect("a mean").data()), (2 * COUNT, &[3.0][..]));
}

/// The state before the first update leads to a stream like a new one, of whatever shape comes.
#[test]
fn a_state_of_nothing_is_resumed() {
    let reduction = || Reduction::new(ReduceMax).axes([0]);
    let state = Stream::<ReduceMax, i32>::over(reduction()).into_state().expect("fits");
    assert_eq!((state.rank, state.count), (0, 0));
    let mut stream = Stream::<ReduceMax, i32>::resume(reduction(), state).expect("nothing yet");
    stream.update(&View::new(&[1, 5, 3, 2], &[2, 2]).expect("fits")).expect("elements");
    assert_eq!(stream.finish().expect("results").data(), [3, 5]);
    // With a count, or an accumulator, something was seen.
    let new = || Stream::<ReduceMax, i32>::over(reduction()).into_state().expect("fits");
    for state in
        [State { count: 1, ..new() }, State { accumulators: vec![Wrapping(1); 2], ..new() }]
    {
        Stream::<ReduceMax, i32>::resume(reduction(), state).expect_err("made by no stream");
    }
}

/// Which call of `combine` panics, counted down; none if it is negative.
static FUSE: AtomicI32 = AtomicI32::new(-1);

/// A sum that may panic.
#[derive(Clone, Copy, Debug, Default)]
struct Fused;

/// The sum.
#[reduce_op(dtypes = [i32], nan = unspecified)]
impl<A: Num> ReduceOp<A> for Fused {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        assert!(FUSE.fetch_sub(1, Ordering::SeqCst) != 0, "the fuse");
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// An operator that panics leaves a stream as it was, whichever step of an update or a merge it was.
#[test]
fn a_panic_leaves_all_or_nothing() {
    let data: Vec<i32> = (0..15).collect();
    let view = View::new(&data, &[3, 5]).expect("fits");
    let mut stream = Stream::over(Reduction::new(Fused).axes([0]));
    stream.update(&view).expect("elements");
    let (before, other) = (stream.state().expect("fits"), stream.clone());
    let (mut panics, mut fuse) = (0, 0);
    loop {
        FUSE.store(fuse, Ordering::SeqCst);
        let updated = catch_unwind(AssertUnwindSafe(|| stream.update(&view)));
        FUSE.store(-1, Ordering::SeqCst);
        if updated.is_ok() {
            break;
        }
        assert_eq!(stream.state().expect("fits"), before, "after the panic of step {fuse}");
        (panics, fuse) = (panics + 1, fuse + 1);
    }
    assert!(panics > 5, "{panics} steps");
    let before = stream.state().expect("fits");
    for fuse in 0..5 {
        FUSE.store(fuse, Ordering::SeqCst);
        let merged = catch_unwind(AssertUnwindSafe(|| stream.merge(&other)));
        FUSE.store(-1, Ordering::SeqCst);
        assert!(
            merged.is_err() && stream.state().expect("fits") == before,
            "after the panic of step {fuse}"
        );
    }
    stream.merge(&other).expect("of one shape");
    assert_eq!(stream.finish().expect("sums").data(), [45, 54, 63, 72, 81]);
}
