//! Exact sums: the nearest float to what long integers say, in whatever order, after any element has left.

mod big;

use big::{Big, Float, assert_nearest};
use reduce_core::numbers::{Exact, ExactFloat};
use reduce_tests::cases::Random;

fn sum_of<A: ExactFloat>(xs: &[A]) -> Exact<A> {
    let mut sum = Exact::new();
    xs.iter().for_each(|&x| sum.add(x));
    sum
}

/// Holds the sum of finite numbers against the oracle, and means of it.
#[track_caller]
fn check<A: ExactFloat + Float>(xs: &[A]) {
    let expected = xs.iter().fold(Big::ZERO, |sum, x| sum.plus(Big::of(x.wide())));
    let sum = sum_of(xs);
    assert_nearest(sum.value(), expected, 1);
    for count in [1, 2, 3, 10, xs.len().max(1), 1_000_003, 1 << 40] {
        assert_nearest(sum.mean(count), expected, count as u64);
    }
}

fn shuffled<A: Copy>(xs: &[A], random: &mut Random) -> Vec<A> {
    let mut xs = xs.to_vec();
    for end in (1..xs.len()).rev() {
        xs.swap(end, below(random, end + 1));
    }
    xs
}

fn below(random: &mut Random, end: usize) -> usize {
    usize::try_from(random.bits() % end as u64).expect("small")
}

/// Lists by what they are made of: bits with sign, exponent and fraction.
macro_rules! lists {
    ($name:ident, $float:ident, $bits:ident) => {
        fn $name(seed: u64) -> Vec<Vec<$float>> {
            const STORED: u32 = $float::MANTISSA_DIGITS - 1;
            const LAST: u64 = (1 << ($bits::BITS - 1 - STORED)) - 2;
            let mut random = Random::new(seed);
            // Of exponents as they are stored, both ends included.
            let mut some = |count: usize, least: u64, greatest: u64| -> Vec<$float> {
                let number = |_| {
                    let exponent = least + random.bits() % (greatest - least + 1);
                    let fraction = random.bits() & ((1 << STORED) - 1);
                    let sign = random.bits() << 63 >> (64 - $bits::BITS);
                    let bits = sign | exponent << STORED | fraction;
                    $float::from_bits(bits.try_into().expect("as many bits"))
                };
                (0..count).map(number).collect()
            };
            let any = some(300, 0, LAST);
            let subnormal = some(50, 0, 0);
            let largest: Vec<_> = some(9, LAST, LAST).into_iter().map($float::abs).collect();
            let negative = largest.iter().map(|x| -x).collect();
            // Of what is large, nothing is left but what is small, or the half of a step.
            let mut cancelled = [some(40, 0, LAST), some(3, 0, 9), some(1, 10, 40)].concat();
            cancelled.extend(cancelled.clone().into_iter().take(40).map(|x| -x));
            let cancelled = shuffled(&cancelled, &mut Random::new(seed));
            let opposite = |x: &$float| -x;
            let infinite_on_the_way =
                [&largest[..], &largest.iter().map(opposite).collect::<Vec<_>>()].concat();
            vec![
                any,
                subnormal,
                largest,
                negative,
                cancelled,
                infinite_on_the_way,
                some(200, LAST / 2, LAST / 2 + 9),
                some(1, 0, LAST),
                some(2, LAST / 2, LAST / 2 + 60),
                some(30, 0, 30),
            ]
        }
    };
}

lists!(lists_of_f32, f32, u32);
lists!(lists_of_f64, f64, u64);

#[test]
fn the_nearest_float_to_any_sum() {
    for seed in 0..40 {
        lists_of_f32(seed).iter().for_each(|xs| check(xs));
        lists_of_f64(seed).iter().for_each(|xs| check(xs));
    }
}

/// Halves of a step beside an even number and an odd one, in every exponent, with and without something below.
#[test]
fn ties_to_even() {
    for (one, half) in [(1.0f64, f64::EPSILON / 2.0), (1.0 + f64::EPSILON, f64::EPSILON / 2.0)] {
        for exponent in [-1000, -60, 0, 60, 1000] {
            for sign in [1.0, -1.0] {
                let scale = sign * 2f64.powi(exponent);
                let (one, half) = (one * scale, half * scale);
                for below in [0.0, 5e-324, -5e-324] {
                    check(&[one, half, below]);
                    check(&[one, -half / 2.0, below]);
                }
            }
        }
    }
    check(&[f64::MAX, f64::MAX * f64::EPSILON / 4.0]);
    // The half of a step beyond the largest number, just less, and just more.
    let half = 2f64.powi(970);
    for xs in [[f64::MAX, half, 0.0], [f64::MAX, half, -5e-324], [f64::MAX, half.next_down(), 0.0]]
    {
        check(&xs);
        check(&xs.map(|x| -x));
    }
    assert_eq!(sum_of(&[f64::MAX, half]).value(), f64::INFINITY);
    assert_eq!(sum_of(&[f64::MAX, half, -5e-324]).value(), f64::MAX);
    check(&[1.0f32, f32::EPSILON / 2.0]);
    // Just more than a half in f64, which would round it to the half.
    check(&[1.0f32, f32::EPSILON / 2.0, 1e-30]);
    assert_eq!(sum_of(&[1.0f32, f32::EPSILON / 2.0, 1e-30]).value(), 1.0 + f32::EPSILON);
}

/// The half of the least number, and so little more that 64 bits behind the point do not show it.
#[test]
fn a_rest_decides_a_tie() {
    let least = 5e-324;
    let sum = sum_of(&[f64::from_bits(11 << 52), least]);
    for count in [(1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 63) + 2, (1 << 63) + 3] {
        let expected = Big::of(sum.value()).plus(Big::of(least));
        assert_nearest(sum.mean(count), expected, count as u64);
    }
    assert_eq!([sum.mean((1 << 63) + 1), sum.mean((1 << 63) + 2)], [least, 0.0]);
}

/// The largest fraction at the end of a chunk, of one sign: carries go up again and again.
#[test]
fn more_additions_than_a_chunk_has_room_for() {
    for exponent in [63u64, 64, 127, 1023, 1087, 2046] {
        let x = f64::from_bits((exponent << 52) | ((1 << 52) - 1));
        for sign in [1.0, -1.0] {
            let xs: Vec<f64> =
                (0..20_000).map(|place| if place % 100 == 7 { -x } else { x } * sign).collect();
            check(&xs);
        }
    }
    check(&vec![f32::MAX; 5000]);
    check(&vec![f32::from_bits(1); 5000]);
}

/// Every order and grouping: bits are equal, and so are the sums themselves.
#[test]
fn order_and_groups_change_nothing() {
    let mut random = Random::new(5);
    for xs in (0..10).flat_map(lists_of_f64) {
        let sum = sum_of(&xs);
        for _ in 0..4 {
            let shuffled = shuffled(&xs, &mut random);
            let mut merged = Exact::new();
            let mut left = shuffled.as_slice();
            while !left.is_empty() {
                let (group, rest) = left.split_at(1 + below(&mut random, left.len()));
                let group = sum_of(group);
                if random.bits().is_multiple_of(2) {
                    merged.merge(&group);
                } else {
                    let mut first = group;
                    first.merge(&merged);
                    merged = first;
                }
                left = rest;
            }
            assert_eq!(merged.value().to_bits(), sum.value().to_bits());
            assert_eq!(merged, sum);
        }
    }
}

/// Elements that leave have no effect any more, even infinities and NaN.
#[test]
fn elements_leave() {
    let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, -0.0, f64::INFINITY];
    for xs in (0..10).flat_map(lists_of_f64) {
        let mut sum = sum_of(&[&special[..], &xs].concat());
        assert!(sum.value().is_nan() && sum.mean(3).is_nan());
        special.iter().for_each(|&x| sum.remove(x));
        assert_eq!(sum, sum_of(&xs));
        for (place, &x) in xs.iter().enumerate() {
            sum.remove(x);
            assert_eq!(sum, sum_of(&xs[place + 1..]));
        }
        assert_eq!((sum, sum.value().to_bits()), (Exact::new(), 0));
    }
}

/// As additions of IEEE 754 have it.
#[test]
fn infinities_nan_and_zeros() {
    let (infinity, nan) = (f64::INFINITY, f64::NAN);
    for (xs, expected) in [
        (&[infinity, f64::MIN, infinity][..], infinity),
        (&[-infinity, f64::MAX, 1.0], -infinity),
        (&[infinity, 1.0, -infinity], nan),
        (&[infinity, nan], nan),
        (&[1.0, nan, 1.0], nan),
        (&[f64::MAX, f64::MAX], infinity),
        (&[f64::MIN, f64::MIN], -infinity),
        (&[f64::MAX, f64::MAX, f64::MIN, -infinity], -infinity),
    ] {
        let found = sum_of(xs).value();
        assert!(found == expected || (found.is_nan() && expected.is_nan()), "{xs:?}: {found}");
    }
    let (narrow, max) = (f32::INFINITY, f32::MAX);
    assert_eq!(sum_of(&[narrow, -max]).value(), narrow);
    assert!(sum_of(&[narrow, -narrow]).value().is_nan());
    assert_eq!([sum_of(&[max, max]).value(), sum_of(&[-max, -max]).value()], [narrow, -narrow]);
    for zeros in [&[][..], &[-0.0], &[0.0, -0.0], &[-0.0, -0.0], &[-1.5, 1.5]] {
        assert_eq!(sum_of::<f64>(zeros).value().to_bits(), 0, "{zeros:?}");
    }
    assert!(Exact::<f64>::new().mean(0).is_nan() && sum_of(&[1.0f32]).mean(0).is_nan());
    assert_eq!(sum_of(&[infinity]).mean(2), infinity);
}

/// Small enough for many of them, and stored whole.
#[test]
fn a_sum_is_small_and_can_be_stored() {
    assert_eq!((size_of::<Exact<f32>>(), size_of::<Exact<f64>>()), (112, 560));
    for xs in (0..5).flat_map(lists_of_f64) {
        let sum = sum_of(&[&xs[..], &[f64::INFINITY]].concat());
        let text = serde_json::to_string(&sum).expect("text");
        let mut again: Exact<f64> = serde_json::from_str(&text).expect("a sum");
        assert_eq!(again, sum);
        again.remove(f64::INFINITY);
        assert_eq!(again, sum_of(&xs));
    }
    let text = serde_json::to_string(&sum_of(&[-1.0f32])).expect("text");
    let error = serde_json::from_str::<Exact<f64>>(&text).expect_err("a sum of another type");
    assert!(error.to_string().contains("an exact sum has 34 words, and here are 6"), "{error}");
    // Additions never give these words. They wrap, and do not panic.
    let odd =
        format!(r#"{{"sum":[0,1,2,3,{},{}],"nans":0,"infinities":[0,0]}}"#, u64::MAX, 1u64 << 63);
    let mut sum: Exact<f32> = serde_json::from_str(&odd).expect("a sum");
    sum.merge(&sum.clone());
    sum.add(1.0);
    assert!(!sum.value().is_nan() && !sum.mean(3).is_nan());
}
