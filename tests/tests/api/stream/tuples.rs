//! Tuples of operators that stream, start from a value, or are computed in another type:
//! each member gives what it gives alone.

use reduce_core::numbers::Compensated;
use reduce_core::{Reduction, State, Stream, View};
use reduce_specs::{ArgMax, ReduceL2, ReduceMax, ReduceMean, ReduceMin, ReduceSum};
use reduce_tests::cases::{available, axes_of, path_cases};

use crate::numbers;

fn ops() -> (ReduceSum, (ReduceMax, ArgMax)) {
    (ReduceSum, (ReduceMax, ArgMax::default()))
}

#[test]
fn pieces_give_what_each_member_gives_over_the_whole() {
    let mut compared = 0;
    for case in path_cases() {
        let data = numbers(case.recipe.count());
        let view = case.recipe.view(&data);
        let rank = view.shape().rank();
        let [axis] = case.axes[..] else { continue };
        let (size, asked) = (view.shape().dims()[axis], axes_of(&case.axes, rank));
        for level in available() {
            let place = Reduction::new(ArgMax::default()).axes(asked.clone()).level(level);
            let Ok(place) = place.run(&view) else { continue };
            let sum = Reduction::new(ReduceSum).axes(asked.clone()).run(&view).expect("valid");
            let max = Reduction::new(ReduceMax).axes(asked.clone()).run(&view).expect("valid");
            let reduction = Reduction::new(ops()).axes(asked.clone()).level(level);
            let mut stream = Stream::<_, i32>::over(reduction);
            for (start, end) in [(0, size / 3), (size / 3, size)] {
                let piece = view.slice(axis, start, end, 1).expect("within");
                stream.update(&piece).expect("of the same results");
            }
            let found = stream.finish().expect("as the whole");
            assert_eq!(found, (sum, (max, place)), "{case:?} at {level}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn a_state_of_several_can_be_stored_and_resumed() {
    let (first, second) = ([5.0f32, 1.0, 9.0, 2.0], [9.0, 3.0, 10.0, 0.0]);
    let view = |data| View::new(data, &[4]).expect("its shape");
    let mut stream = Stream::new((ReduceMean, (ReduceMin, ArgMax::default())));
    stream.update(&view(&first)).expect("elements");
    let stored = serde_json::to_string(&stream.state().expect("fits")).expect("plain data");
    let state: State<_> = serde_json::from_str(&stored).expect("what was written");
    let again = Reduction::new((ReduceMean, (ReduceMin, ArgMax::default())));
    let mut resumed = Stream::resume(again, state).expect("a state");
    resumed.update(&view(&second)).expect("elements");
    let (mean, (min, place)) = resumed.finish().expect("elements");
    assert_eq!((mean.data(), min.data(), place.data()), (&[4.875][..], &[0.0][..], &[6][..]));
    // Merged behind itself, with the positions of the earlier part.
    let copy = stream.clone();
    stream.merge(&copy).expect("of one shape");
    let (mean, (min, place)) = stream.finish().expect("elements");
    assert_eq!((mean.data(), min.data(), place.data()), (&[4.25][..], &[1.0][..], &[2][..]));
    assert_eq!(stream.count(), 8);
}

/// One member without a value over an empty set is enough for an error.
#[test]
fn nothing_streamed() {
    let both = Stream::<_, f32>::new((ReduceSum, ReduceMax)).finish().expect("identities");
    assert_eq!((both.0.data(), both.1.data()), (&[0.0][..], &[f32::NEG_INFINITY][..]));
    let stream = Stream::<_, f32>::new((ReduceSum, ArgMax::default()));
    assert!(stream.finish().is_err());
}

#[test]
fn each_member_starts_from_the_value() {
    let mut compared = 0;
    for case in path_cases() {
        let data = numbers(case.recipe.count());
        let view = case.recipe.view(&data);
        let asked = axes_of(&case.axes, view.shape().rank());
        macro_rules! alone {
            ($op:expr) => {
                Reduction::new($op).axes(asked.clone()).initial(20).run(&view).expect("valid")
            };
        }
        let expected = (alone!(ReduceSum), (alone!(ReduceMax), alone!(ReduceMin)));
        for level in available() {
            let ops = (ReduceSum, (ReduceMax, ReduceMin));
            let started = Reduction::new(ops).axes(asked.clone()).level(level).initial(20);
            assert_eq!(started.run(&view).expect("valid"), expected, "{case:?} at {level}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The sum of these data cancels: computed in single precision, all results would be far off.
#[test]
fn each_member_is_computed_in_the_type() {
    let data = [[1e8f32, 1.0, -1e8, 1.0]; 1000].concat();
    let view = View::new(&data, &[1000, 4]).expect("its shape");
    for level in available() {
        let ops = || Reduction::new((ReduceSum, (ReduceMean, ReduceL2))).axes([1]).level(level);
        let (sum, (mean, length)) = ops().computing_in::<f64>().run(&view).expect("valid");
        assert_eq!((sum.data(), mean.data()), (&[2.0; 1000][..], &[0.5; 1000][..]));
        assert_eq!(length.data(), [2f32.sqrt() * 1e8; 1000]);
        let compensated = ops().computing_in::<Compensated<f32>>();
        let (sum, (mean, _)) = compensated.run(&view).expect("valid");
        assert_eq!((sum.data(), mean.data()), (&[2.0; 1000][..], &[0.5; 1000][..]));
    }
}
