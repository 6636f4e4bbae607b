//! Streams and groups over the elements that count.

use reduce_core::{ErrorKind, Groups, Masked, Reduction, SkipNan, Stream, View};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean, ReduceSum};

/// Streams and groups over the elements that count, cut in pieces; sums of small integers have no other bits.
#[test]
fn pieces_of_chosen_elements() {
    let data: Vec<f64> = (0..999u32)
        .map(|index| if index % 3 == 0 { f64::NAN } else { f64::from(index % 50) })
        .collect();
    let numbers: Vec<f64> = data.iter().copied().filter(|x| !x.is_nan()).collect();
    let (count, sum) = (numbers.len() as f64, numbers.iter().sum::<f64>());
    let of = |part: &'static str| View::new(&data, &[999]).unwrap_or_else(|_| panic!("{part}"));
    for length in [1, 7, 100, 999] {
        let ops = (SkipNan(ReduceMean), SkipNan(ArgMax::default()), SkipNan(ReduceMax), ReduceSum);
        let mut stream = Stream::new(ops);
        let mut alone = Stream::new(SkipNan((ReduceMean, ArgMax::default(), ReduceMax)));
        let mut groups = Groups::new(SkipNan(ReduceMean), 2).expect("few");
        for first in (0..999).step_by(length) {
            let end = 999.min(first + length);
            let piece = of("the data").slice(0, first, end, 1).expect("within the list");
            stream.update(&piece).expect("one axis");
            alone.update(&piece).expect("one axis");
            groups.update(&piece, &vec![1u8; end - first]).expect("keys");
        }
        let (mean, place, most, with_nan) = stream.finish().expect("numbers count");
        assert_eq!(
            (mean.data(), place.data(), most.data()),
            (&[sum / count][..], &[49][..], &[49.0][..])
        );
        assert!(with_nan.data()[0].is_nan());
        let (mean, place, most) = alone.finish().expect("numbers count");
        assert_eq!(
            (mean.data(), place.data(), most.data()),
            (&[sum / count][..], &[49][..], &[49.0][..])
        );
        let means = groups.finish().expect("a value over none");
        assert!(means.data()[0].is_nan());
        assert_eq!(means.data()[1], sum / count);
        // Where a stream ends, another goes on.
        let state = alone.into_state().expect("small");
        let reduction = Reduction::new(SkipNan((ReduceMean, ArgMax::default(), ReduceMax)));
        let mut again = Stream::<_, f64>::resume(reduction, state.clone()).expect("its state");
        again.update(&View::new(&[f64::NAN, 50.0], &[2]).expect("a list")).expect("one axis");
        let (_, place, most) = again.finish().expect("numbers count");
        assert_eq!((place.data(), most.data()), (&[1000][..], &[50.0][..]));
    }
}

/// What a stream of `SkipNan` kept is none of its operator's.
#[test]
fn states_say_which_elements_count() {
    let mut skipping = Stream::<_, f32>::new(SkipNan(ReduceSum));
    skipping.update(&View::new(&[1.0], &[1]).expect("a list")).expect("one axis");
    let signature = Stream::<_, f32>::new(ReduceSum).signature();
    assert_ne!(skipping.signature(), signature);
    assert_ne!(Stream::<_, (f32, bool)>::new(Masked(ReduceSum)).signature(), signature);
}

/// Over none that counts, a stream and a group have the operator's value, or none.
#[test]
fn pieces_in_which_none_counts() {
    let nan = View::new(&[f32::NAN; 4], &[4]).expect("a list");
    let mut place = Stream::new(SkipNan(ArgMax::default()));
    place.update(&nan).expect("one axis");
    let error = place.finish().expect_err("no largest element");
    assert!(matches!(error.kind(), ErrorKind::NoneCounts { .. }), "{error}");
    let mut both = Stream::new((SkipNan(ReduceSum), ReduceMax));
    both.update(&nan).expect("one axis");
    assert_eq!(both.finish().expect("the maximum is NaN").0.data(), [0.0]);
    let mut groups = Groups::new(SkipNan(ArgMax::default()), 2).expect("few");
    groups.update(&nan, &[0u8; 4]).expect("keys");
    let error = groups.finish().expect_err("no largest element");
    assert!(matches!(error.kind(), ErrorKind::EmptyGroup { group: 0, .. }), "{error}");
    // A value of the caller's.
    let least = Reduction::new(SkipNan(ReduceMax)).min_count(2, -7.0);
    assert_eq!(least.run(&nan).expect("the caller's value").data(), [-7.0]);
    let mut least = Stream::over(least);
    least.update(&View::new(&[f32::NAN, 1.0], &[2]).expect("a list")).expect("one axis");
    assert_eq!(least.finish().expect("the caller's value").data(), [-7.0]);
    least.update(&View::new(&[3.0], &[1]).expect("a list")).expect("one axis");
    assert_eq!(least.finish().expect("two count").data(), [3.0]);
    let least = Reduction::new(SkipNan((ReduceMean, ReduceMax))).min_count(3, f32::NAN);
    let two = View::new(&[1.0f32, 2.0], &[2]).expect("a list");
    let (mean, max) = least.run(&two).expect("values");
    assert!(mean.data()[0].is_nan() && max.data()[0].is_nan());
}
