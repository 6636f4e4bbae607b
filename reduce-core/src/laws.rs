//! The laws of [`ReduceOp`], tried on sample values.
//!
//! `#[reduce_op]` writes a test that calls [`check_laws`] for each storage type,
//! so a wrong identity or a combine that loses something fails in the crate of
//! the operator, with the values that show it. Results are compared after
//! `finalize`; floats within a few roundings, everything else exactly.

use std::fmt::Debug;
use std::marker::PhantomData;

use half::{bf16, f16};

use crate::element::{Element, Load, Store};
use crate::kernel::Reader;
use crate::op::{OpSpec, ReduceOp, Reduces};
use crate::schema::NanPolicy;

/// Tries every law for the row of storage type `T`.
///
/// # Panics
/// If a law does not hold, with a counter-example.
#[track_caller]
pub fn check_laws<Op, T>()
where
    T: Sample,
    Op: Reduces<T, Output: Store<Output<Op, T>> + Load<f64>>
        + ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element>,
{
    let op = Op::default();
    let types = PhantomData;
    let row = Laws::<Op::Reader, Op, T, <Op as Reduces<T>>::Output> { op: &op, types };
    let found = T::special().into_iter().chain(T::ordinary()).find_map(|x| row.identity(x));
    let found = found.or_else(|| row.splits(&T::ordinary())).or_else(|| row.nan(&T::ordinary()));
    if let Some(counter_example) = found {
        panic!("{} on {}: {counter_example}", Op::SCHEMA.name, T::DTYPE);
    }
}

/// The result of an operator for storage type `T`, before it is stored.
type Output<Op, T> = <Op as ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element>>::Output;

/// Values to try.
pub trait Sample: Element {
    /// Values whose sums, products and means round little: a law that fails on
    /// them fails in earnest.
    fn ordinary() -> Vec<Self>;

    /// Limits, infinities, NaN, subnormals.
    fn special() -> Vec<Self>;

    /// Not a number, for types that have it.
    fn nan() -> Option<Self>;

    /// How far two results may differ, relative to the larger; 0 for exact.
    const TOLERANCE: f64;
}

macro_rules! sample_floats {
    ($($float:ty: $convert:path, $tolerance:expr;)*) => {$(
        impl Sample for $float {
            fn ordinary() -> Vec<Self> {
                [-1.5, 2.0, 0.25, -0.5, 1.0, 3.0, -2.0].map($convert).to_vec()
            }

            fn special() -> Vec<Self> {
                let tiny = <$float>::from_bits(1);
                let infinities = [<$float>::INFINITY, <$float>::NEG_INFINITY, <$float>::NAN];
                let limits = [<$float>::MAX, <$float>::MIN, <$float>::MIN_POSITIVE, tiny];
                [infinities.as_slice(), &limits, &[0.0, -0.0].map($convert)].concat()
            }

            fn nan() -> Option<Self> {
                Some(<$float>::NAN)
            }

            const TOLERANCE: f64 = $tolerance;
        }
    )*};
}

sample_floats! {
    f16: f16::from_f32, 2e-3;
    bf16: bf16::from_f32, 2e-2;
    f32: f32::from, 1e-5;
    f64: f64::from, 1e-12;
}

macro_rules! sample_integers {
    ($($int:ty),*) => {$(
        impl Sample for $int {
            fn ordinary() -> Vec<Self> {
                vec![3, 1, 7, 2, 5, <$int>::MIN, 4]
            }

            fn special() -> Vec<Self> {
                vec![<$int>::MIN, <$int>::MAX, 0]
            }

            fn nan() -> Option<Self> {
                None
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

    fn special() -> Vec<Self> {
        vec![false, true]
    }

    fn nan() -> Option<Self> {
        None
    }

    const TOLERANCE: f64 = 0.0;
}

/// One row under test.
struct Laws<'a, R, Op, T, O> {
    op: &'a Op,
    types: PhantomData<(R, T, O)>,
}

impl<R, Op, T, O> Laws<'_, R, Op, T, O>
where
    R: Reader<T>,
    Op: OpSpec + ReduceOp<R::Element>,
    T: Sample,
    O: Store<Op::Output> + Load<f64>,
{
    /// `combine(identity(), a) = a = combine(a, identity())`.
    fn identity(&self, x: T) -> Option<String> {
        let map = || self.op.map(R::read(x, 1));
        let alone = self.result(map(), 1);
        let left = self.result(self.op.combine(self.op.identity(), map()), 1);
        let right = self.result(self.op.combine(map(), self.op.identity()), 1);
        let broken = |form: &str, found: O| {
            format!(
                "the identity is none: finalize({form}) gives {found:?} for x = {x:?}, but \
                 finalize(map(x)) gives {alone:?}"
            )
        };
        if !same::<T, O>(left, alone) {
            Some(broken("combine(identity(), map(x))", left))
        } else if !same::<T, O>(right, alone) {
            Some(broken("combine(map(x), identity())", right))
        } else {
            None
        }
    }

    /// Associativity and, where claimed, commutativity: however a list is split
    /// in two, the combined halves give what one element after the other gives.
    fn splits(&self, xs: &[T]) -> Option<String> {
        (1..=xs.len()).flat_map(|length| xs.windows(length)).find_map(|xs| {
            let whole = self.result(self.fold(xs, 0), xs.len());
            (1..xs.len()).find_map(|middle| {
                let (front, back) = xs.split_at(middle);
                let (a, b) = (self.fold(front, 0), self.fold(back, middle));
                let forward = self.result(self.op.combine(a, b), xs.len());
                if !same::<T, O>(forward, whole) {
                    return Some(format!(
                        "combine is not associative: the halves {front:?} and {back:?} combine to \
                         {forward:?}, but one element after the other gives {whole:?}"
                    ));
                }
                if !Op::SCHEMA.commutative {
                    return None;
                }
                let backward = self.result(self.op.combine(b, a), xs.len());
                (!same::<T, O>(backward, whole)).then(|| {
                    format!(
                        "combine is not commutative: {back:?} before {front:?} gives {backward:?}, \
                         after it {whole:?}; write `commutative = false` if the order matters"
                    )
                })
            })
        })
    }

    /// The NaN policy, with NaN at each place of a list.
    fn nan(&self, xs: &[T]) -> Option<String> {
        let nan = T::nan().filter(|_| O::DTYPE.is_float())?;
        let without = self.result(self.fold(xs, 0), xs.len());
        (0..=xs.len()).find_map(|place| {
            let mut with = xs.to_vec();
            with.insert(place, nan);
            let found = self.result(self.fold(&with, 0), with.len());
            match Op::SCHEMA.nan {
                NanPolicy::Propagate if !found.load().is_nan() => Some(format!(
                    "NaN is lost: {with:?} gives {found:?}; say `nan = ignore` if it should"
                )),
                NanPolicy::Ignore if !same::<T, O>(found, without) => Some(format!(
                    "NaN is not ignored: {with:?} gives {found:?}, without it {without:?}"
                )),
                _ => None,
            }
        })
    }

    /// One element after the other, the first at this position.
    fn fold(&self, xs: &[T], first: usize) -> Op::Acc {
        let mapped = (first as u64..).zip(xs).map(|(place, &x)| self.op.map(R::read(x, place)));
        mapped.reduce(|a, b| self.op.combine(a, b)).unwrap_or_else(|| self.op.identity())
    }

    fn result(&self, acc: Op::Acc, count: usize) -> O {
        O::store(self.op.finalize(acc, count))
    }
}

/// Equal, both NaN, or apart by a few roundings.
fn same<T: Sample, O: Load<f64> + Debug>(a: O, b: O) -> bool {
    let (x, y) = (a.load(), b.load());
    let scale = x.abs().max(y.abs()).max(1.0);
    let near = T::TOLERANCE > 0.0 && scale.is_finite() && (x - y).abs() <= T::TOLERANCE * scale;
    a == b || (x.is_nan() && y.is_nan()) || near
}
