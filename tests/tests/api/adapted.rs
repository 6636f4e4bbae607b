//! Adaptors, in a run, with other results beside them, in streams and by key: a value for empty sets, elements where another
//! input is extreme, and bins of another input.

use reduce_core::adapt::At;
use reduce_core::{Level, Masked, Reduction, Shape, Stream, View};
use reduce_specs::{ArgMax, ReduceL2, ReduceMax, ReduceMean, ReduceMin, ReduceSum};

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

/// Numbers below 50 without order, so that keys are equal often.
fn numbers(count: usize, seed: u32) -> Vec<u32> {
    let next = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(seed), next).take(count).map(|x| (x >> 16) % 50).collect()
}

/// Sums, counts and positions over the elements with the largest key, against plain loops.
#[test]
fn where_another_input_is_extreme() {
    for count in [1, 2, 15, 40, 300, 20_000] {
        let elements: Vec<f64> = numbers(3 * count, 1).into_iter().map(f64::from).collect();
        let mut keys: Vec<f32> = numbers(3 * count, 2).into_iter().map(|x| x as f32).collect();
        keys[count..2 * count].fill(0.5);
        let views = |shape: &[usize]| {
            let elements = View::new(&elements, shape).expect("all elements");
            (elements, View::new(&keys, shape).expect("all keys"))
        };
        for level in Level::available() {
            let ops = (ReduceSum, ReduceMean, ReduceMax);
            let largest = Reduction::new(ops).at(ReduceMax).level(level);
            let (sum, mean, most) =
                largest.clone().axes([1]).run(&views(&[3, count])).expect("values");
            let (columns, ..) = largest.axes([0]).run(&views(&[3, count])).expect("values");
            for row in 0..3 {
                let places = row * count..(row + 1) * count;
                let key = keys[places.clone()].iter().copied().fold(f32::MIN, f32::max);
                let some = places.filter(|&place| keys[place] == key).map(|place| elements[place]);
                let some: Vec<f64> = some.collect();
                let total: f64 = some.iter().sum();
                assert_eq!(sum.data()[row], total, "{count} {level}");
                assert!((mean.data()[row] - total / some.len() as f64).abs() < 1e-12);
                assert_eq!(most.data()[row], some.iter().copied().fold(f64::MIN, f64::max));
            }
            for column in 0..count {
                let places = [column, count + column, 2 * count + column];
                let key = places.map(|place| keys[place]).into_iter().fold(f32::MIN, f32::max);
                let some = places.into_iter().filter(|&place| keys[place] == key);
                assert_eq!(columns.data()[column], some.map(|place| elements[place]).sum::<f64>());
            }
        }
    }
}

/// NaN is the largest key, and no element has none.
#[test]
fn keys_that_are_extreme() {
    let elements = View::new(&[1.0f32, 2.0, 4.0, 8.0], &[4]).expect("a list");
    let keys = View::new(&[f32::NAN, 9.0, f32::NAN, 1.0], &[4]).expect("a list");
    let run = |reduction: Reduction<At<ReduceMax, ReduceSum>>| {
        reduction.run(&(elements.clone(), keys.clone())).expect("a sum").data()[0]
    };
    assert_eq!(run(Reduction::new(ReduceSum).at(ReduceMax)), 5.0);
    let none = View::new(&[0.0f32; 0], &[0]).expect("no elements");
    let sum = Reduction::new(ReduceSum).at(ReduceMin).run(&(none.clone(), none.clone()));
    assert_eq!(sum.expect("a value").data(), [0.0]);
    let place = Reduction::new(ArgMax::default()).at(ReduceMin).run(&(none.clone(), none));
    assert!(place.is_err());
    // Positions are those among all elements, and other adaptors stand around.
    let place = Reduction::new(ArgMax::default()).at(ReduceMin);
    let keys = View::new(&[3i32, 1, 1, 3], &[4]).expect("a list");
    let mask = View::new(&[true, true, false, true], &[4]).expect("a list");
    let input = (elements.clone(), keys.clone());
    assert_eq!(place.run(&input).expect("a position").data(), [2]);
    let inside = Reduction::new(Masked(ArgMax::default())).at(ReduceMin);
    assert_eq!(inside.run(&(elements, keys, mask)).expect("a position").data(), [1]);
}

/// A stream and groups go on where they ended.
#[test]
fn adaptors_of_two_inputs_in_pieces() {
    let elements: Vec<f64> = numbers(3000, 5).into_iter().map(f64::from).collect();
    let keys: Vec<i64> = numbers(3000, 6).into_iter().map(i64::from).collect();
    let bins: Vec<u8> = keys.iter().map(|&key| u8::try_from(key % 7).expect("small")).collect();
    let of = |part: std::ops::Range<usize>| {
        View::new(&elements[part.clone()], &[part.len()]).expect("a part")
    };
    let with = |part: std::ops::Range<usize>| {
        View::new(&keys[part.clone()], &[part.len()]).expect("a part")
    };
    let binned = |part: std::ops::Range<usize>| {
        View::new(&bins[part.clone()], &[part.len()]).expect("a part")
    };
    let at = Reduction::new(ReduceSum).at(ReduceMin);
    let in_bins = Reduction::new(ReduceSum).binned::<5>();
    let (mut streamed, mut bins_streamed) =
        (Stream::over(at.clone()), Stream::over(in_bins.clone()));
    for first in (0..3000).step_by(700) {
        let part = first..3000.min(first + 700);
        streamed.update(&(of(part.clone()), with(part.clone()))).expect("a list");
        bins_streamed.update(&(of(part.clone()), binned(part))).expect("a list");
    }
    let whole = at.run(&(of(0..3000), with(0..3000))).expect("a sum");
    assert_eq!(streamed.finish().expect("a sum"), whole);
    assert_eq!(streamed.signature().operator(), "ReduceSum at ReduceMin");
    let sums = in_bins.run(&(of(0..3000), binned(0..3000))).expect("sums");
    assert_eq!(bins_streamed.finish().expect("sums"), sums);
    assert_eq!(bins_streamed.signature().operator(), "ReduceSum in 5 bins");
    let groups = at.by_key(&bins, 7).run(&(of(0..3000), with(0..3000))).expect("sums");
    for (bin, &sum) in (0..7u8).zip(groups.data()) {
        let rows = (0..3000).filter(|&row| bins[row] == bin);
        let least = rows.clone().map(|row| keys[row]).min().expect("rows in each bin");
        let expected: f64 = rows.filter(|&row| keys[row] == least).map(|row| elements[row]).sum();
        assert_eq!(sum, expected, "bin {bin}");
    }
}

/// Each bin has the elements whose number it is; others have none.
#[test]
fn bins_of_a_second_input() {
    for shape in [[1, 30], [4, 500], [900, 3]] {
        let count = shape[0] * shape[1];
        let elements: Vec<f32> = numbers(count, 8).into_iter().map(|x| x as f32).collect();
        let bins: Vec<i32> = numbers(count, 9).into_iter().map(|x| x.cast_signed() - 20).collect();
        let views = (View::new(&elements, &shape), View::new(&bins, &shape));
        let input = (views.0.expect("all elements"), views.1.expect("all bins"));
        for (axis, level) in Level::available().flat_map(|level| [(0usize, level), (1, level)]) {
            let both = Reduction::new((ReduceSum, ReduceMax)).binned::<8>();
            let both = both.axes([i64::try_from(axis).expect("small")]).level(level);
            let (sums, largest) = both.run(&input).expect("values");
            let results = shape[1 - axis];
            assert_eq!(sums.shape().dims(), [results, 8]);
            assert_eq!(
                both.output_shape(&Shape::new(&shape).expect("small")).expect("axes"),
                *sums.shape()
            );
            for (result, bin) in
                (0..results).flat_map(|result| (0..8).map(move |bin| (result, bin)))
            {
                let is_in = |place: &usize| match axis {
                    1 => place / shape[1] == result,
                    _ => place % shape[1] == result,
                };
                let some = (0..count).filter(is_in).filter(|&place| bins[place] == bin);
                let some: Vec<f32> = some.map(|place| elements[place]).collect();
                let at = result * 8 + usize::try_from(bin).expect("small");
                assert_eq!(sums.data()[at], some.iter().sum::<f32>(), "{shape:?} {axis} {bin}");
                let most = some.into_iter().fold(f32::NEG_INFINITY, f32::max);
                assert_eq!(largest.data()[at], most, "{shape:?} {axis} {bin}");
            }
        }
    }
}
