//! Accumulators: what a reduction carries from element to element.
//!
//! A kernel folds many elements at once, each *lane* into an accumulator of its own. The lanes of a struct are
//! kept as one array per scalar field, not as an array of structs. So a combine works on whole vectors of each
//! field. `#[derive(Accumulator)]` writes that arrangement.

use std::any::Any;
use std::fmt::Debug;
use std::num::Wrapping;

use crate::machine::code::Code;
use crate::machine::{TURNED, TURNED_COLUMNS, TURNED_ROWS};
use crate::values::element::Element;
use crate::values::tuples::for_tuples;

/// A plain value that can be kept in `L` lanes.
///
/// It is implemented for scalars, for tuples and arrays of accumulators, and by `#[derive(Accumulator)]` for
/// structs of them.
///
/// ```
/// use reduce_core::Accumulator;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Accumulator)]
/// struct MinMax<A> {
///     min: A,
///     max: A,
/// }
///
/// // Two arrays of four, not four pairs.
/// let mut lanes: ([f32; 4], [f32; 4]) = MinMax { min: 1.0f32, max: 2.0 }.splat();
/// MinMax::<f32>::set(&mut lanes, 3, MinMax { min: 0.0, max: 9.0 });
/// assert_eq!(MinMax::<f32>::get(&lanes, 2), MinMax { min: 1.0, max: 2.0 });
/// assert_eq!(lanes.1, [2.0, 2.0, 2.0, 9.0]);
/// ```
///
/// An accumulator has at most 8192 bytes, and all its lanes together at most 32768, since the threads that run
/// kernels keep some dozen of them on their stacks. A kernel with a larger one does not compile:
///
/// ```compile_fail
/// use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
///
/// type Large<A> = ([u64; 2048], A);
///
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Op;
///
/// #[reduce_op(dtypes = [f32])]
/// impl<A: Num> ReduceOp<A> for Op {
///     type Acc = Large<A>;
///     type Output = A;
///     fn identity(&self) -> Large<A> { ([0; 2048], A::ZERO) }
///     fn map(&self, x: A) -> Large<A> { ([0; 2048], x) }
///     fn combine(&self, a: Large<A>, b: Large<A>) -> Large<A> { (a.0, a.1 + b.1) }
///     fn finalize(&self, acc: Large<A>, _count: usize) -> A { acc.1 }
/// }
///
/// Reduction::new(Op).run(&View::new(&[1.0f32], &[1]).unwrap()).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no accumulator",
    label = "not an accumulator",
    note = "write `#[derive(Clone, Copy, Debug, Accumulator)]` on the struct"
)]
pub trait Accumulator: Copy + Debug + Send + Sync + 'static {
    /// `L` accumulators, each scalar field in an array of its own.
    type Lanes<const L: usize>: Copy + Send + Sync;

    /// The number of scalars it consists of. Kernels take more than one for a sign that combining is much work.
    const SCALARS: usize = 1;

    /// This value in every lane.
    fn splat<const L: usize>(self) -> Self::Lanes<L>;

    /// The value in one lane.
    ///
    /// # Panics
    /// If `lane` is not less than `L`.
    fn get<const L: usize>(lanes: &Self::Lanes<L>, lane: usize) -> Self;

    /// Replaces the value in one lane.
    ///
    /// # Panics
    /// If `lane` is not less than `L`.
    fn set<const L: usize>(lanes: &mut Self::Lanes<L>, lane: usize, value: Self);

    /// Hands over each scalar in turn; `to` may replace it. So accumulators become plain arrays, one for each
    /// scalar field, and are made of these again. A number of 128 bits is handed over as two of 64, the lower
    /// half first.
    #[doc(hidden)]
    fn each_scalar(&mut self, to: &mut impl Scalars);

    /// Writes the names of its fields, in which two accumulators of the same scalars may differ.
    #[doc(hidden)]
    fn layout(_to: &mut String) {}

    /// Turns rows of lanes into columns, each scalar field in its array.
    #[doc(hidden)]
    #[inline(always)]
    fn turn(from: &Self::Lanes<TURNED>, to: &mut Self::Lanes<TURNED>, _code: impl Code) {
        for row in 0..TURNED_ROWS {
            for column in 0..TURNED_COLUMNS {
                let value = Self::get(from, row * TURNED_COLUMNS + column);
                Self::set(to, column * TURNED_ROWS + row, value);
            }
        }
    }
}

/// What takes the scalars of accumulators, or the elements of results.
#[doc(hidden)]
pub trait Scalars {
    /// Takes the next scalar, and may replace it.
    fn scalar<E: Element>(&mut self, x: &mut E);

    /// Takes the position of an element.
    #[inline(always)]
    fn position(&mut self, x: &mut u64) {
        self.scalar(x);
    }

    /// Takes a scalar of a type that another crate made for numbers of its own.
    #[inline(always)]
    fn symbol(&mut self, _x: &mut dyn Any) {}
}

/// The lanes of accumulators of type `Acc`.
pub(crate) type Lanes<Acc, const L: usize> = <Acc as Accumulator>::Lanes<L>;

/// Scalars, each with how it is handed over.
macro_rules! scalars {
    ($($scalar:ty => |$x:ident, $to:ident| $hand:expr;)*) => {$(
        scalar! {
            $scalar,
            #[inline(always)]
            fn each_scalar(&mut self, $to: &mut impl Scalars) {
                let $x = self;
                $hand
            }
        }
    )*};
}

/// Scalars that tensors store.
macro_rules! stored {
    ($($scalar:ty),* $(,)?) => { scalars! { $($scalar => |x, to| to.scalar(x);)* } };
}

/// Those that are turned by the instructions of a level.
macro_rules! elements {
    ($($element:ty),* $(,)?) => {$(
        scalar! {
            $element,
            #[inline(always)]
            fn each_scalar(&mut self, to: &mut impl Scalars) {
                to.scalar(self);
            }

            #[inline(always)]
            fn turn(from: &[Self; TURNED], to: &mut [Self; TURNED], code: impl Code) {
                code.turn(from, to);
            }
        }
    )*};
}

macro_rules! scalar {
    ($scalar:ty, $($more:tt)+) => {
        impl Accumulator for $scalar {
            type Lanes<const L: usize> = [$scalar; L];

            #[inline(always)]
            fn splat<const L: usize>(self) -> [$scalar; L] {
                [self; L]
            }

            #[inline(always)]
            fn get<const L: usize>(lanes: &[$scalar; L], lane: usize) -> $scalar {
                lanes[lane]
            }

            #[inline(always)]
            fn set<const L: usize>(lanes: &mut [$scalar; L], lane: usize, value: $scalar) {
                lanes[lane] = value;
            }

            $($more)+
        }
    };
}

impl Accumulator for () {
    type Lanes<const L: usize> = ();

    const SCALARS: usize = 0;

    #[inline(always)]
    fn splat<const L: usize>(self) {}

    #[inline(always)]
    fn get<const L: usize>((): &(), _lane: usize) {}

    #[inline(always)]
    fn set<const L: usize>((): &mut (), _lane: usize, (): ()) {}

    #[inline(always)]
    fn each_scalar(&mut self, _to: &mut impl Scalars) {}
}

elements! { f32, f64, i16, i32, i64, u16, u32, u64 }
stored! { bool, i8, u8 }

scalars! {
    usize => |x, to| {
        let mut same = *x as u64;
        to.scalar(&mut same);
        *x = usize::try_from(same).unwrap_or(usize::MAX);
    };
    isize => |x, to| {
        let mut same = *x as i64;
        to.scalar(&mut same);
        *x = isize::try_from(same).unwrap_or(isize::MAX);
    };
    u128 => |x, to| *x = in_halves(*x, to);
    i128 => |x, to| *x = in_halves(x.cast_unsigned(), to).cast_signed();
}

/// Hands over a number of 128 bits.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "halves")]
fn in_halves(x: u128, to: &mut impl Scalars) -> u128 {
    let (mut low, mut high) = (x as u64, (x >> 64) as u64);
    to.scalar(&mut low);
    to.scalar(&mut high);
    u128::from(high) << 64 | u128::from(low)
}

macro_rules! wrapping {
    ($($int:ty),*) => { scalars! { $(Wrapping<$int> => |x, to| x.0.each_scalar(to);)* } };
}

wrapping! { i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize }

macro_rules! tuples {
    ($(($($name:ident . $index:tt),+))*) => {$(
        impl<$($name: Accumulator),+> Accumulator for ($($name,)+) {
            type Lanes<const L: usize> = ($($name::Lanes<L>,)+);

            const SCALARS: usize = 0 $(+ $name::SCALARS)+;

            #[inline(always)]
            fn splat<const L: usize>(self) -> Self::Lanes<L> {
                ($($name::splat(self.$index),)+)
            }

            #[inline(always)]
            fn get<const L: usize>(lanes: &Self::Lanes<L>, lane: usize) -> Self {
                ($($name::get(&lanes.$index, lane),)+)
            }

            #[inline(always)]
            fn set<const L: usize>(lanes: &mut Self::Lanes<L>, lane: usize, value: Self) {
                $($name::set(&mut lanes.$index, lane, value.$index);)+
            }

            #[inline(always)]
            fn each_scalar(&mut self, to: &mut impl Scalars) {
                $(self.$index.each_scalar(to);)+
            }

            fn layout(to: &mut String) {
                $($name::layout(to);)+
            }

            #[inline(always)]
            fn turn(from: &Self::Lanes<TURNED>, to: &mut Self::Lanes<TURNED>, code: impl Code) {
                $($name::turn(&from.$index, &mut to.$index, code);)+
            }
        }
    )*};
}

for_tuples!(tuples);

impl<A: Accumulator, const N: usize> Accumulator for [A; N] {
    type Lanes<const L: usize> = [A::Lanes<L>; N];

    const SCALARS: usize = {
        assert!(N > 0, "an accumulator holds something; write an array of at least one element");
        N * A::SCALARS
    };

    #[inline(always)]
    fn splat<const L: usize>(self) -> Self::Lanes<L> {
        let mut lanes = [self[0].splat(); N];
        for place in 1..N {
            lanes[place] = self[place].splat();
        }
        lanes
    }

    #[inline(always)]
    fn get<const L: usize>(lanes: &Self::Lanes<L>, lane: usize) -> Self {
        let mut values = [A::get(&lanes[0], lane); N];
        for place in 1..N {
            values[place] = A::get(&lanes[place], lane);
        }
        values
    }

    #[inline(always)]
    fn set<const L: usize>(lanes: &mut Self::Lanes<L>, lane: usize, value: Self) {
        for place in 0..N {
            A::set(&mut lanes[place], lane, value[place]);
        }
    }

    #[inline(always)]
    fn each_scalar(&mut self, to: &mut impl Scalars) {
        self.iter_mut().for_each(|value| value.each_scalar(to));
    }

    fn layout(to: &mut String) {
        A::layout(to);
    }

    #[inline(always)]
    fn turn(from: &Self::Lanes<TURNED>, to: &mut Self::Lanes<TURNED>, code: impl Code) {
        for place in 0..N {
            A::turn(&from[place], &mut to[place], code);
        }
    }
}
