//! Every operator, in all forms.

use std::num::Wrapping;

use reduce_core::{Element, Indexed, OnePass, ReduceOp, f16};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::Random;

use crate::forms::{FORMS, Kind, LARGE, LIES, Lie, check};

/// Elements near 1, so that products stay in range.
fn near_one(count: usize) -> impl Iterator<Item = f64> {
    let mut random = Random::new(count as u64);
    std::iter::repeat_with(move || random.between(0.99, 1.012)).take(count)
}

/// Elements of both signs; every 50th is special, in long lists.
fn any_floats(count: usize) -> impl Iterator<Item = f64> {
    let mut random = Random::new(count as u64 + 1);
    let specials = [-0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    (0..count).map(move |place| match place {
        _ if place % 977 == 976 => specials[place / 977 % 4],
        _ => random.between(-4.0, 4.0),
    })
}

/// All forms, layouts and orders.
fn all<Op, T, X, O, R>(op: Op, kind: &Kind<T, X, O, R>, elements: impl Fn(usize) -> Vec<T>)
where
    Op: ReduceOp<X, Output = R> + OnePass<T, Result = O> + Clone + std::fmt::Debug,
    T: Element,
    X: Copy,
    O: Element,
{
    for form in LARGE {
        check(op.clone(), kind, form, &elements(form.count()), &[Lie::InOrder]);
    }
    for form in FORMS {
        check(op.clone(), kind, form, &elements(form.count()), &LIES);
    }
}

/// All forms, and one layout of each.
fn some<Op, T, X, O, R>(op: Op, kind: &Kind<T, X, O, R>, elements: impl Fn(usize) -> Vec<T>)
where
    Op: ReduceOp<X, Output = R> + OnePass<T, Result = O> + Clone + std::fmt::Debug,
    T: Element,
    X: Copy,
    O: Element,
{
    for (number, form) in FORMS.into_iter().enumerate() {
        check(op.clone(), kind, form, &elements(form.count()), &[LIES[number % LIES.len()]]);
    }
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn operators_of_f32() {
    let kind = Kind { read: |x: f32, _| x, written: |x: f32| x, has_empty: true };
    let positive = |count| near_one(count).map(|x| x as f32).collect();
    let any = |count| any_floats(count).map(|x| x as f32).collect();
    all(ReduceSum, &kind, any);
    some(ReduceMean, &kind, any);
    some(ReduceProd, &kind, positive);
    some(ReduceL1, &kind, any);
    some(ReduceL2, &kind, positive);
    some(ReduceSumSquare, &kind, any);
    some(ReduceLogSum, &kind, positive);
    all(ReduceLogSumExp, &kind, positive);
    all(ReduceMax, &kind, any);
    some(ReduceMin, &kind, any);
}

#[test]
fn operators_of_f64() {
    let kind = Kind { read: |x: f64, _| x, written: |x: f64| x, has_empty: true };
    some(ReduceSum, &kind, |count| any_floats(count).collect());
    some(ReduceProd, &kind, |count| near_one(count).collect());
    some(ReduceLogSumExp, &kind, |count| near_one(count).collect());
    some(ReduceMax, &kind, |count| any_floats(count).collect());
}

#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded to the type")]
fn operators_of_halves_and_integers() {
    let half = Kind { read: |x: f16, _| f32::from(x), written: f16::from_f32, has_empty: true };
    some(ReduceSum, &half, |count| near_one(count).map(f16::from_f64).collect());
    some(ReduceMax, &half, |count| any_floats(count).map(f16::from_f64).collect());
    let ints = |count| any_floats(count).map(|x| (x * 1e9) as i32).collect();
    let kind =
        Kind { read: |x: i32, _| Wrapping(x), written: |x: Wrapping<i32>| x.0, has_empty: true };
    some(ReduceSum, &kind, ints);
    some(ReduceProd, &kind, ints);
    let bytes =
        Kind { read: |x: u8, _| Wrapping(x), written: |x: Wrapping<u8>| x.0, has_empty: true };
    some(ReduceMax, &bytes, |count| any_floats(count).map(|x| (x * 50.0) as u8).collect());
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn positions() {
    fn check<Op>(op: Op)
    where
        Op: ReduceOp<Indexed<f32>, Output = i64>
            + OnePass<f32, Result = i64>
            + Clone
            + std::fmt::Debug,
    {
        let kind = Kind {
            read: |value, index| Indexed { value, index },
            written: |place| place,
            has_empty: false,
        };
        // Few values, so that many are equal.
        some(op, &kind, |count| any_floats(count).map(|x| x.round() as f32).collect());
    }
    check(ArgMax::default());
    check(ArgMin { select_last_index: true });
}
