//! Operators one after another, each over what the one before it emitted.

use reduce_core::{Axes, Reduction, Threads, View, f16};
use reduce_tests::cases::{Case, addresses, available, path_cases, spelled};

use super::ops::{LessMin, PlusMax};
use super::results_of;

/// Computes by plain loops what two operators emit, one after another.
fn plus_max_less_min(values: &[f64], results: &[usize]) -> Vec<f64> {
    let count = results.iter().max().map_or(0, |most| most + 1);
    let mut most = vec![f64::NEG_INFINITY; count];
    for (&result, &x) in results.iter().zip(values) {
        most[result] = most[result].max(x);
    }
    let raised = values.iter().zip(results).map(|(x, &result)| x + most[result]);
    let raised: Vec<f64> = raised.collect();
    let mut least = vec![f64::INFINITY; count];
    for (&result, &x) in results.iter().zip(&raised) {
        least[result] = least[result].min(x);
    }
    raised.iter().zip(results).map(|(x, &result)| x - least[result]).collect()
}

/// In place where elements are stored as they are computed, and through a buffer where
/// they are not, as halves.
#[test]
fn one_after_another_on_every_layout_and_level() {
    let mut cases = 0;
    for Case { recipe, axes } in path_cases() {
        let number_at = |index: usize| f32::from(u8::try_from(index * 31 % 197).expect("small"));
        let data: Vec<f32> = (0..recipe.count()).map(number_at).collect();
        let halves: Vec<f16> = data.iter().copied().map(f16::from_f32).collect();
        let view = recipe.view(&data);
        let shape = view.shape().dims().to_vec();
        let addresses = addresses(&view.clone().into());
        let values: Vec<f64> =
            addresses.into_iter().map(|address| f64::from(data[address])).collect();
        let expected = plus_max_less_min(&values, &results_of(&shape, &axes));
        let asked = match axes.as_slice() {
            [] => Axes::none(),
            axes => Axes::of(&spelled(axes, shape.len())),
        };
        for level in available() {
            let both = Reduction::new(PlusMax).then(LessMin).axes(asked.clone()).level(level);
            let found = both.emit(&view).expect("valid");
            assert_eq!(found.shape().dims(), shape);
            let found: Vec<f64> = found.data().iter().copied().map(f64::from).collect();
            assert!(found == expected, "{recipe:?} over {axes:?} at {level}");
            let found = both.emit(&recipe.view(&halves)).expect("valid");
            let found: Vec<f64> = found.data().iter().map(|x| x.to_f64()).collect();
            assert!(found == expected, "halves of {recipe:?} over {axes:?} at {level}");
            let planned = both.planned_emission(&view).expect("valid");
            let mut found = vec![0.5; expected.len()];
            planned.emit_into(&view, &mut found).expect("of that layout");
            let found: Vec<f64> = found.into_iter().map(f64::from).collect();
            assert!(found == expected, "planned, {recipe:?} over {axes:?} at {level}");
        }
        cases += 1;
    }
    assert!(cases > 150, "{cases}");
}

/// Groups along an inner axis for each index of the outer ones, the last of them smaller;
/// by threads and without.
#[test]
fn groups_of_inner_axes() {
    for (shape, axes) in [
        (vec![3, 1000, 97], vec![2]),
        (vec![2, 3, 5, 31, 301], vec![3, 4]),
        (vec![2, 1, 700, 3, 40], vec![3, 4]),
        (vec![1, 7, 60_000], vec![0, 2]),
    ] {
        let count: usize = shape.iter().product();
        let results = results_of(&shape, &axes);
        let number_at = |index: usize| f32::from(u8::try_from(index * 31 % 197).expect("small"));
        let data: Vec<f32> = (0..count).map(number_at).collect();
        let forward = View::new(&data, &shape).expect("its shape");
        let backward = forward.slice(1, 0, shape[1], -1).expect("within");
        let axes: Vec<i64> = axes.iter().map(|&axis| i64::try_from(axis).expect("small")).collect();
        for view in [forward, backward] {
            let addresses = addresses(&view.clone().into());
            let values: Vec<f64> =
                addresses.into_iter().map(|address| f64::from(data[address])).collect();
            let expected = plus_max_less_min(&values, &results);
            for threads in [Threads::One, Threads::Shared] {
                let both = Reduction::new(PlusMax).then(LessMin).axes(Axes::of(&axes));
                let found = both.threads(threads).emit(&view).expect("valid");
                let found: Vec<f64> = found.data().iter().copied().map(f64::from).collect();
                assert!(
                    found == expected,
                    "{shape:?}, strides {:?}, over {axes:?}",
                    view.strides()
                );
            }
        }
    }
}

#[test]
fn three_one_after_another() {
    let data = [1.0f32, 2.0, 4.0, 5.0, 6.0, 9.0];
    let view = View::new(&data, &[2, 3]).expect("its shape");
    let all = Reduction::new(PlusMax).then(LessMin).then(PlusMax).axes([1]);
    assert_eq!(all.emit(&view).expect("elements").data(), [3.0, 4.0, 6.0, 4.0, 5.0, 8.0]);
    let nothing = View::new(&[0f32; 0], &[0, 3]).expect("its shape");
    assert_eq!(all.emit(&nothing).expect("nothing to emit").shape().dims(), [0, 3]);
    let error = all.emit_into(&view, &mut [0.0; 5]).expect_err("too short");
    assert_eq!(error.to_string(), "the output has 5 elements; the shape has 6");
}
