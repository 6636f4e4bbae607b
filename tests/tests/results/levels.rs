//! CPU levels: which ones this machine ran, and that they agree bit by bit on
//! values far apart, where every rounding and every order shows.

#![allow(clippy::cast_possible_truncation, reason = "random bits become exponents")]

use reduce_core::{AnyTensor, Emit, Level, Real, ReduceOp, Reduction, View, reduce_op};
use reduce_tests::cases::{
    Layout, Levels, Random, Request, Row, Stored, available, bits, found, ordinary, same_bits,
};
use reduce_tests::float::{Format, power_of_two};
use reduce_tests::oracle::{Type, Values};

/// Values over a span of exponents, of both signs.
fn wide(format: Format, exponents: std::ops::Range<i32>, count: usize, seed: u64) -> Values {
    let mut random = Random::new(seed);
    let span = exponents.len() as u64;
    let value = |_| {
        let scale = power_of_two(exponents.start + (random.bits() % span) as i32);
        format.round(random.between(-2.0, 2.0) * scale)
    };
    Values::Floats((0..count).map(value).collect())
}

/// Several kinds of values that are hard on a row.
fn hard_values(row: &Row, count: usize, seed: u64) -> Vec<Values> {
    let Type::Float { format, .. } = row.ty else {
        return vec![ordinary(row.op, row.ty, count, seed)];
    };
    let least = format.least_exponent;
    let moderate = wide(format, -8..9, count, seed);
    let tiny = wide(format, least - format.precision + 1..least + 3, count, seed);
    let everything = wide(format, least..-least, count, seed);
    let exponentials = wide(format, 0..7, count, seed);
    let mut special = wide(format, -8..9, count, seed);
    if let Values::Floats(xs) = &mut special {
        for (index, x) in [f64::INFINITY, -0.0, f64::NEG_INFINITY].into_iter().enumerate() {
            let place = count * (index + 1) / 5;
            xs[place..].iter_mut().take(1).for_each(|old| *old = x);
        }
    }
    // Which of two that are equal is kept shows the order, where rounding does not.
    let mut random = Random::new(seed);
    let zero = |_| if random.bits().is_multiple_of(2) { 0.0 } else { -0.0 };
    let zeros = Values::Floats((0..count).map(zero).collect());
    vec![moderate, tiny, everything, exponentials, special, zeros]
}

#[test]
fn every_level_gives_the_same_bits() {
    let levels = Levels::new("levels");
    Row::for_each(|row| {
        let mut finite = 0;
        for (seed, count) in (1..).zip([1, 5, 63, 64, 100, 1021, 6 * 2048 + 77, 40_009]) {
            for values in hard_values(row, count, seed) {
                for (layout, shape) in [
                    (Layout::Contiguous, vec![count]),
                    (Layout::Offset, vec![count]),
                    (Layout::Reversed, vec![count]),
                    (Layout::EverySecond, vec![count]),
                    (Layout::Transposed, vec![count / 2, 2]),
                    (Layout::Contiguous, vec![count / 7, 7]),
                ] {
                    let used = values.select(0..shape.iter().product());
                    let stored = Stored::new(layout, row.dtype, &shape, &used);
                    if !used.is_empty() {
                        finite += same_at_every_level(row, &stored, &levels);
                    }
                }
            }
        }
        assert!(finite > 20, "{}: hardly a finite result", row.name());
    });
    levels.finish();
}

/// The number of results that are finite, and other than zero.
fn same_at_every_level(row: &Row, stored: &Stored, levels: &Levels) -> usize {
    let version = *row.versions().last().expect("a version");
    let request = Request { axes: Some(&[0]), ..Request::default() };
    let call = request.prepare(row.entry, version, row.dtype).expect("valid");
    let run = |level: Level| -> AnyTensor {
        levels.ran(level, 1);
        let result = request.run(&call.clone().level(level), &stored.view());
        result.unwrap_or_else(|error| panic!("{} at {level}: {error}", row.name()))
    };
    let scalar = run(Level::Scalar);
    for level in available().into_iter().skip(1) {
        same_bits(&scalar, &run(level)).unwrap_or_else(|error| {
            panic!("{} at {level} over {:?}: {error}", row.name(), stored.view().shape())
        });
    }
    assert!(!bits(&scalar).is_empty());
    match found(&scalar).values {
        Values::Ints(xs) => xs.len(),
        Values::Floats(xs) => xs.iter().filter(|x| x.is_finite() && **x != 0.0).count(),
    }
}

/// A level of another kind of CPU is refused, not run.
#[test]
fn levels_that_are_not_there_are_refused() {
    let data = View::new(&[1.0f32, 2.0], &[2]).expect("two elements");
    for level in Level::ALL {
        let reduction = Reduction::new(reduce_specs::ReduceSum).level(level);
        let result = reduction.run(&data);
        match result {
            Ok(sum) => assert!(level.is_available() && sum.data() == [3.0]),
            Err(error) => {
                assert!(!level.is_available());
                assert!(error.to_string().contains(&level.to_string()), "{error}");
            }
        }
    }
}

/// Emits a sum of functions of each element.
#[derive(Clone, Copy, Debug, Default)]
struct Functions;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<A> for Functions {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

impl<A: Real> Emit<A> for Functions {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, _sum: &A) -> A {
        let size = x.abs() + A::from_f64(0.25);
        let exponentials = x.exp() + x.exp_m1() + x.exp2() + (-size).exp_nonpositive();
        let logarithms = size.ln() + size.ln_1p() + size.log2();
        let powers = size.powf(x) + x.powi(3) + size.recip() + size.sqrt() + x.hypot(A::ONE);
        let waves = x.sin() + x.cos() + x.tanh() + (x * A::from_f64(1e5)).sin();
        let integers = x.floor() + x.round() + size.copysign(x);
        exponentials + logarithms + powers + waves + integers
    }
}

/// A sum of them of moderate numbers, so that none of them hides the others. Its bits are those that it had before.
#[test]
fn functions_have_the_same_bits_at_every_level() {
    let mut random = Random::new(7);
    let wide: Vec<f64> = (0..20_011).map(|_| random.between(-4.0, 4.0)).collect();
    let narrow: Vec<f32> = wide.iter().map(|&x| x as f32).collect();
    let shape = [wide.len()];
    let of_f32 = |level: Level| -> Vec<u32> {
        let view = View::new(&narrow, &shape).expect("a list");
        let emitted = Reduction::new(Functions).level(level).emit(&view).expect("valid");
        emitted.data().iter().map(|x| x.to_bits()).collect()
    };
    let of_f64 = |level: Level| -> Vec<u64> {
        let view = View::new(&wide, &shape).expect("a list");
        let emitted = Reduction::new(Functions).level(level).emit(&view).expect("valid");
        emitted.data().iter().map(|x| x.to_bits()).collect()
    };
    let scalar = (of_f32(Level::Scalar), of_f64(Level::Scalar));
    assert!(scalar.1.iter().all(|&bits| f64::from_bits(bits).is_finite()));
    for level in available() {
        assert!(scalar == (of_f32(level), of_f64(level)), "{level}");
    }
    // And on every architecture.
    let digests =
        [digest(scalar.0.iter().map(|&bits| bits.into())), digest(scalar.1.iter().copied())];
    assert_eq!(
        digests,
        [0x690f_12dc_9979_1b49, 0xdbf1_7085_8654_5f97],
        "other bits than before: {digests:x?}"
    );
}

/// What many bits are mixed into, so that each of them counts, and their order.
fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers
        .fold(0, |digest, bits| (digest ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

/// `x * factor + addend` of numbers of all exponents: where the result is any, where the product nearly cancels out, where it
/// is about as small as a number can be, and where it rounds to zero.
fn fused<A: Real>(count: usize, mut number: impl FnMut() -> A) -> Vec<A> {
    let one = |i| {
        let (x, factor, third) = (number(), number(), number());
        match i % 4 {
            0 => x.mul_add(factor, third),
            1 => x.mul_add(factor, -(x * factor)),
            2 => x.mul_add(A::MIN_POSITIVE / x, third * A::MIN_POSITIVE),
            _ => (x * A::MIN_POSITIVE).mul_add(factor * A::MIN_POSITIVE, A::ZERO),
        }
    };
    (0..count).map(one).collect()
}

/// On x86-64 this holds the processor's instruction to what it gave before, and elsewhere whatever is used there to the same.
#[test]
fn fused_multiply_add_has_the_bits_that_it_had() {
    let mut random = Random::new(11);
    let wide = fused(200_000, || f64::from_bits(random.bits()));
    let wide = digest(wide.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }));
    let narrow = fused(200_000, || f32::from_bits(random.bits() as u32));
    let narrow = digest(narrow.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits().into() }));
    let digests = [narrow, wide];
    assert_eq!(
        digests,
        [0xc724_d304_57b1_1cad, 0x3ab3_4412_4444_8f3e],
        "other bits than before: {digests:x?}"
    );
}
