//! Emission in another compute type: what single precision becomes is that of the same values as `f64`,
//! rounded once.

use reduce_core::adapt::{Adapts, In};
use reduce_core::bounds::Emits;
use reduce_core::{Reduction, Threads, View, bf16, f16};
use reduce_gallery::{Exponentials, LayerNorm, LogSoftmax, Shares, softmax};

const SHAPES: [([usize; 2], i64); 8] = [
    ([7, 1000], 1),
    ([1000, 7], 0),
    ([300, 9], 1),
    ([9, 300], 0),
    ([3, 20_001], 1),
    ([200, 400], 0),
    ([2, 3], 1),
    ([1, 5], 0),
];

/// Numbers without order, between -3 and 5.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 16).expect("of 16 bits")) / 8192.0 - 3.0
    };
    (0..count).map(|_| next()).collect()
}

/// That an operator, or a chain, emits over narrow types what it does over `f64`, rounded.
fn assert_computes<Op>(reduction: &Reduction<Op>)
where
    Op: Adapts<In<f64>> + Clone + Emits<f64>,
    Op::Adapted: Emits<f32> + Emits<f16> + Emits<bf16>,
{
    for (shape, axis) in SHAPES {
        let data = numbers(shape[0] * shape[1]);
        let reduction = reduction.clone().axes([axis]);
        let emitted = |doubles: &[f64]| {
            let doubles = View::new(doubles, &shape).expect("its shape");
            reduction.emit(&doubles).expect("elements").into_data()
        };
        for threads in [Threads::One, Threads::Shared] {
            let wide = reduction.clone().computing_in::<f64>().threads(threads);
            macro_rules! check {
                ($type:ty, $of:expr, $round:expr) => {{
                    let data: Vec<$type> = data.iter().copied().map($of).collect();
                    let doubles: Vec<f64> = data.iter().copied().map(f64::from).collect();
                    let rounded: Vec<$type> = emitted(&doubles).into_iter().map($round).collect();
                    let view = View::new(&data, &shape).expect("its shape");
                    assert!(wide.emit(&view).expect("elements").data() == rounded, "{shape:?}");
                    let mut buffer = vec![<$type>::default(); data.len()];
                    wide.emit_into(&view, &mut buffer).expect("of that length");
                    assert!(buffer == rounded, "{shape:?}");
                }};
            }
            #[allow(clippy::cast_possible_truncation, reason = "rounded once")]
            {
                check!(f32, |x| x, |x| x as f32);
            }
            check!(f16, f16::from_f32, once::<f16>);
            check!(bf16, bf16::from_f32, once::<bf16>);
        }
    }
}

/// The nearest half, by a search among the neighbours of one that is near.
fn once<H: Half>(x: f64) -> H {
    #[allow(clippy::cast_possible_truncation, reason = "near is enough")]
    let near = H::near(x as f32);
    let neighbours = [-1, 0, 1].map(|step| near.bits().wrapping_add_signed(step));
    let distance = |bits: u16| (H::of(bits).wide() - x).abs();
    let nearer =
        |&a: &u16, &b: &u16| distance(a).total_cmp(&distance(b)).then((a % 2).cmp(&(b % 2)));
    H::of(
        neighbours
            .into_iter()
            .filter(|&bits| distance(bits).is_finite())
            .min_by(nearer)
            .expect("near"),
    )
}

/// A half: what its bits say.
trait Half: Copy {
    fn near(x: f32) -> Self;
    fn of(bits: u16) -> Self;
    fn bits(self) -> u16;
    fn wide(self) -> f64;
}

macro_rules! halves {
    ($($half:ty),*) => {$(
        impl Half for $half {
            fn near(x: f32) -> Self {
                Self::from_f32(x)
            }

            fn of(bits: u16) -> Self {
                Self::from_bits(bits)
            }

            fn bits(self) -> u16 {
                self.to_bits()
            }

            fn wide(self) -> f64 {
                self.to_f64()
            }
        }
    )*};
}

halves!(f16, bf16);

#[test]
fn operators() {
    assert_computes(&Reduction::new(Exponentials));
    assert_computes(&Reduction::new(Shares));
    assert_computes(&Reduction::new(LogSoftmax));
    assert_computes(&Reduction::new(LayerNorm::default()));
}

/// In between, too, nothing is rounded: a chain over `f64` computes, emits and reduces in it.
#[test]
fn one_after_another() {
    assert_computes(&softmax());
    assert_computes(&Reduction::new(LayerNorm::default()).then(LogSoftmax));
}

/// A stage may be computed in another type than the one before it.
#[test]
fn some_of_several() {
    let data = numbers(3000);
    let view = View::new(&data, &[3, 1000]).expect("its shape");
    let all = softmax().computing_in::<f64>().axes([1]).emit(&view).expect("elements");
    let first = Reduction::new(Exponentials).computing_in::<f64>().then(Shares);
    assert_eq!(first.axes([1]).emit(&view).expect("elements"), all);
}
