//! Elements to reduce, and the layouts in which they lie.

use std::cmp::Ordering;
use std::sync::Arc;

use reduce_core::{AnyView, Element, Level, Threads, View, bf16, f16};

/// Numbers without order.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        let Random(state) = self;
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(*state >> 33).expect("31 bits") % end
    }
}

/// A type of elements.
pub(crate) trait Sample: Element {
    /// An element: mostly one of a few, so that there are equal ones.
    fn sample(random: &mut Random) -> Self;

    /// Near what most elements are.
    const MIDDLE: f64;

    /// The order of two elements. NaN is the greatest, and zeros are equal.
    fn compare(&self, other: &Self) -> Ordering;
}

macro_rules! floats {
    ($($float:ty: $from:expr;)*) => {$(
        impl Sample for $float {
            fn sample(random: &mut Random) -> Self {
                let from: fn(f32) -> $float = $from;
                let eighths = f32::from(u8::try_from(random.below(160)).expect("small"));
                from(match random.below(40) {
                    0 => f32::NAN,
                    1 => f32::NEG_INFINITY,
                    2 => f32::INFINITY,
                    3 => -0.0,
                    4 => 0.0,
                    _ => eighths / 8.0 - 10.0,
                })
            }

            const MIDDLE: f64 = 0.0;

            fn compare(&self, other: &Self) -> Ordering {
                let (a, b) = (self.to_f64(), other.to_f64());
                a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
            }
        }
    )*};
}

floats! {
    f16: f16::from_f32;
    bf16: bf16::from_f32;
    f32: |x| x;
    f64: f64::from;
}

macro_rules! integers {
    ($($int:ident: $middle:literal)*) => {$(
        impl Sample for $int {
            fn sample(random: &mut Random) -> Self {
                let small = $int::try_from(random.below(20)).expect("small");
                match random.below(20) {
                    0 => $int::MIN,
                    1 => $int::MAX,
                    2 => $int::MAX - 1,
                    3 => $int::MIN + 1,
                    _ => ($int::MIN + $int::MAX) / 2 + small,
                }
            }

            const MIDDLE: f64 = $middle;

            fn compare(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        }
    )*};
}

// The middle of `u64` is no `f64`: of these, a few of the least elements lie near 0.
integers!(i8: 0.0 i16: 0.0 i32: 0.0 i64: 0.0 u8: 127.0 u16: 32767.0 u32: 2147483647.0 u64: 0.0);

/// Calls a macro with every type.
macro_rules! for_each_type {
    ($each:ident) => {
        $each! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }
    };
}

pub(crate) use for_each_type;

/// The types by their names.
pub(crate) mod types {
    pub(crate) use reduce_core::{bf16, f16};
    pub(crate) use std::primitive::*;
}

/// So many elements, without order.
pub(crate) fn elements<T: Sample>(count: usize, seed: u64) -> Vec<T> {
    let mut random = Random(seed);
    (0..count).map(|_| T::sample(&mut random)).collect()
}

/// How many elements [`layouts`] are made of.
pub(crate) const ELEMENTS: usize = 12 * 130;

/// A view, and the axes that are reduced.
pub(crate) type Lies<'a, T> = (View<'a, T>, Vec<i64>);

/// The same elements, in layouts of every kind.
pub(crate) fn layouts<T: Element>(data: &[T]) -> Vec<Lies<'_, T>> {
    let view = |shape: &[usize]| {
        View::new(&data[..shape.iter().product()], shape).expect("as many elements")
    };
    let rows = view(&[12, 130]);
    let box_of = view(&[6, 26, 10]);
    let turned = rows.permute(&[1, 0]).expect("both axes");
    vec![
        (rows.clone(), vec![1]),
        (rows.clone(), vec![0]),
        (rows.clone(), vec![0, 1]),
        (view(&[130, 12]), vec![0]),
        (view(&[400, 3]), vec![0]),
        (turned.clone(), vec![0]),
        (turned, vec![1]),
        (rows.slice(1, 0, 130, -1).expect("backwards"), vec![-1]),
        (rows.slice(1, 3, 120, 2).expect("every other"), vec![1]),
        (view(&[130]).broadcast(&[4, 130]).expect("rows alike"), vec![1]),
        (view(&[12, 1]).broadcast(&[12, 70]).expect("columns alike"), vec![1]),
        (box_of.clone(), vec![1]),
        (box_of.clone(), vec![0, 2]),
        (box_of.permute(&[2, 0, 1]).expect("all axes"), vec![0, 2]),
        (view(&[ELEMENTS]), vec![0]),
    ]
}

/// A layout in words.
pub(crate) fn words<T: Element>(view: &View<'_, T>, axes: &[i64]) -> String {
    let (name, shape, strides) = (T::DTYPE, view.shape(), view.strides());
    format!("{name} of shape {shape:?} and strides {strides:?} over {axes:?}")
}

/// The elements of each result, in row-major order.
pub(crate) fn sets<T: Element>(view: &View<'_, T>, axes: &[i64]) -> Vec<Vec<T>> {
    let shape = view.shape();
    let rank = i64::try_from(shape.rank()).expect("few axes");
    let is_reduced = |axis: usize| {
        axes.iter().any(|&named| usize::try_from(named.rem_euclid(rank)).expect("one") == axis)
    };
    let kept: usize =
        (0..shape.rank()).filter(|&axis| !is_reduced(axis)).map(|axis| shape[axis]).product();
    let mut sets = vec![Vec::new(); kept];
    for number in 0..shape.count() {
        let (mut left, mut place, mut set, mut step) = (number, view.offset(), 0, 1);
        for axis in (0..shape.rank()).rev() {
            let index = left % shape[axis];
            left /= shape[axis];
            let way = view.strides()[axis] * isize::try_from(index).expect("small");
            place = place.checked_add_signed(way).expect("in the buffer");
            if !is_reduced(axis) {
                set += index * step;
                step *= shape[axis];
            }
        }
        sets[set].push(view.data()[place]);
    }
    sets
}

/// Every CPU level, with the calling thread, two and four.
pub(crate) fn ways() -> Vec<(Level, Threads)> {
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Threads::Pool(Arc::new(pool.expect("threads")))
    };
    let threads = [Threads::One, pool(2), pool(4)];
    let levels = Level::available();
    levels.flat_map(|level| threads.clone().map(|threads| (level, threads))).collect()
}

pub(crate) fn any<'a, T: Element>(view: &View<'a, T>) -> AnyView<'a>
where
    AnyView<'a>: From<View<'a, T>>,
{
    view.clone().into()
}
