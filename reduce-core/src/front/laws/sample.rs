//! The values on which laws are tried.

use half::{bf16, f16};

use crate::machine::float8::{f8e4m3fn, f8e5m2};
use crate::values::element::Element;
use crate::values::stored::Stored;

/// Values to try.
pub trait Sample: Stored {
    /// Values whose sums, products and means round little: a law that fails on
    /// them fails in earnest.
    fn ordinary() -> Vec<Self>;

    /// Nothing of something, such as a weight of zero: in each input once, then in all.
    fn zeros() -> Vec<Self>;

    /// Limits, infinities, NaN, subnormals.
    fn special() -> Vec<Self>;

    /// Not a number, for types that have it: in each input once.
    fn nans() -> Vec<Self>;

    /// How far two results may differ, relative to the larger; 0 for exact.
    const TOLERANCE: f64;
}

macro_rules! sample_floats {
    ($($float:ty: $convert:path, $tolerance:expr, [$($infinity:expr),*];)*) => {$(
        impl Sample for $float {
            fn ordinary() -> Vec<Self> {
                [-1.5f32, 2.0, 0.25, -0.5, 1.0, 3.0, -2.0].map($convert).to_vec()
            }

            fn zeros() -> Vec<Self> {
                [0.0f32, -0.0].map($convert).to_vec()
            }

            fn special() -> Vec<Self> {
                let tiny = <$float>::from_bits(1);
                let infinities = [$($infinity,)* <$float>::NAN];
                let limits = [<$float>::MAX, <$float>::MIN, <$float>::MIN_POSITIVE, tiny];
                [infinities.as_slice(), &limits, &[0.0f32, -0.0].map($convert)].concat()
            }

            fn nans() -> Vec<Self> {
                vec![<$float>::NAN]
            }

            const TOLERANCE: f64 = $tolerance;
        }
    )*};
}

sample_floats! {
    f16: f16::from_f32, 2e-3, [f16::INFINITY, f16::NEG_INFINITY];
    bf16: bf16::from_f32, 2e-2, [bf16::INFINITY, bf16::NEG_INFINITY];
    f8e4m3fn: f8e4m3fn::from_f32, 0.2, [];
    f8e5m2: f8e5m2::from_f32, 0.4, [f8e5m2::INFINITY, f8e5m2::from_f32(f32::NEG_INFINITY)];
    f32: f32::from, 1e-5, [f32::INFINITY, f32::NEG_INFINITY];
    f64: f64::from, 1e-12, [f64::INFINITY, f64::NEG_INFINITY];
}

macro_rules! sample_integers {
    ($($int:ty),*) => {$(
        impl Sample for $int {
            fn ordinary() -> Vec<Self> {
                vec![3, 1, 7, 2, 5, <$int>::MIN, 4]
            }

            fn zeros() -> Vec<Self> {
                vec![0]
            }

            fn special() -> Vec<Self> {
                vec![<$int>::MIN, <$int>::MAX, 0]
            }

            fn nans() -> Vec<Self> {
                Vec::new()
            }

            const TOLERANCE: f64 = 0.0;
        }
    )*};
}

sample_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Sample for bool {
    fn ordinary() -> Vec<Self> {
        vec![true, false, false, true, true]
    }

    fn zeros() -> Vec<Self> {
        vec![false]
    }

    fn special() -> Vec<Self> {
        vec![false, true]
    }

    fn nans() -> Vec<Self> {
        Vec::new()
    }

    const TOLERANCE: f64 = 0.0;
}

/// A tuple with one part replaced.
macro_rules! with {
    ($tuple:ident.$index:tt = $x:ident) => {{
        let mut tuple = $tuple;
        tuple.$index = $x;
        tuple
    }};
}

macro_rules! sample_tuples {
    ($(($first:ident . 0, $($name:ident . $index:tt),+))*) => {$(
        impl<$first: Sample + Element, $($name: Sample + Element),+> Sample
            for ($first, $($name),+)
        {
            /// Each value of the first input, with others of the others.
            fn ordinary() -> Vec<Self> {
                let first = $first::ordinary().into_iter().enumerate();
                first.map(|(place, x)| (x, $(nth(&$name::ordinary(), place + $index)),+)).collect()
            }

            fn zeros() -> Vec<Self> {
                let usual = ($first::ordinary()[0], $($name::ordinary()[0]),+);
                let mut all: Vec<Self> = Vec::new();
                all.extend($first::zeros().into_iter().map(|x| with!(usual.0 = x)));
                $(all.extend($name::zeros().into_iter().map(|x| with!(usual.$index = x)));)+
                all.push(($first::zeros()[0], $($name::zeros()[0]),+));
                all
            }

            /// Special values in one input at a time, then in all.
            fn special() -> Vec<Self> {
                let usual = ($first::ordinary()[0], $($name::ordinary()[0]),+);
                let mut all: Vec<Self> = Vec::new();
                all.extend($first::special().into_iter().map(|x| with!(usual.0 = x)));
                $(all.extend($name::special().into_iter().map(|x| with!(usual.$index = x)));)+
                let first = $first::special().into_iter().enumerate();
                all.extend(first.map(|(place, x)| (x, $(nth(&$name::special(), place)),+)));
                all
            }

            fn nans() -> Vec<Self> {
                let usual = ($first::ordinary()[0], $($name::ordinary()[0]),+);
                let mut all: Vec<Self> = Vec::new();
                all.extend($first::nans().into_iter().map(|x| with!(usual.0 = x)));
                $(all.extend($name::nans().into_iter().map(|x| with!(usual.$index = x)));)+
                all
            }

            const TOLERANCE: f64 = largest(&[$first::TOLERANCE, $($name::TOLERANCE),+]);
        }
    )*};
}

sample_tuples! {
    (A.0, B.1)
    (A.0, B.1, C.2)
    (A.0, B.1, C.2, D.3)
}

/// A value of a list that starts again at its end.
fn nth<T: Copy>(values: &[T], place: usize) -> T {
    values[place % values.len()]
}

const fn largest(numbers: &[f64]) -> f64 {
    let mut largest = numbers[0];
    let mut next = 1;
    while next < numbers.len() {
        if numbers[next] > largest {
            largest = numbers[next];
        }
        next += 1;
    }
    largest
}
