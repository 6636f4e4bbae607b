//! A value for empty sets, said for one call: in a run, with other results beside it, in streams, by key and with doubts.

use reduce_core::{Level, Reduction, Stream, View};
use reduce_specs::{ArgMax, ReduceL2, ReduceMax, ReduceMean, ReduceSum};

#[test]
fn empty_sets_have_the_value_that_the_call_says() {
    let nothing = View::new(&[0i32; 0], &[3, 0]).expect("no elements");
    assert!(Reduction::new(ReduceMean).axes([1]).run(&nothing).is_err());
    for level in Level::available() {
        let means = Reduction::new(ReduceMean).axes([1]).level(level).or(-7);
        assert_eq!(means.run(&nothing).expect("a value").data(), [-7; 3]);
    }
    let places = Reduction::new(ArgMax::default()).axes([1]).or(-1i64);
    assert_eq!(places.run(&nothing).expect("a value").data(), [-1; 3]);
    // The identity of a sum is no longer its value there.
    let both = Reduction::new((ReduceSum, ReduceMax)).axes([1]).or(5);
    let (sums, largest) = both.run(&nothing).expect("values");
    assert_eq!((sums.data(), largest.data()), (&[5; 3][..], &[5; 3][..]));
}

#[test]
fn sets_with_elements_are_reduced_as_ever() {
    let elements: Vec<f32> = (0..20_000).map(|place| (place % 97) as f32).collect();
    for shape in [[20_000, 1], [1, 20_000], [100, 200], [4000, 5]] {
        let view = View::new(&elements, &shape).expect("all elements");
        for axis in 0..2 {
            let plain = Reduction::new(ReduceMean).axes([axis]);
            let expected = plain.run(&view).expect("means");
            assert_eq!(plain.or(-1.0f32).run(&view).expect("means"), expected);
        }
    }
    // A doubtful result is mended.
    let view = View::new(&[3e30f32, 4e30], &[2]).expect("two elements");
    let length = Reduction::new(ReduceL2).or(-1.0f32).run(&view).expect("a length");
    assert_eq!(length.data(), [5e30]);
}

#[test]
fn streams_and_keys_have_the_value_too() {
    let mut stream = Stream::<_, i32>::over(Reduction::new(ReduceMax).or(-3));
    assert_eq!(stream.finish().expect("a value").data(), [-3]);
    let state = stream.state().expect("a state");
    assert_eq!(state.signature.operator(), "ReduceMax or -3");
    stream.update(&View::new(&[-9, -8], &[2]).expect("two elements")).expect("taken");
    assert_eq!(stream.finish().expect("a maximum").data(), [-8]);
    let view = View::new(&[4i32, 6], &[2]).expect("two elements");
    let largest = Reduction::new(ReduceMax).or(-3).by_key(&[2u8, 0], 3).run(&view);
    assert_eq!(largest.expect("three groups").data(), [6, -3, 4]);
}
