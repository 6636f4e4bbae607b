//! The least and the greatest magnitude of the elements of a result.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use super::super::{Combining, Finished, Kernel};
use super::Doubtful;
use crate::facts::dtype::{DType, with_float};
use crate::facts::schema::Empty;
use crate::machine::team::Team;
use crate::plan::{Places, Plan};
use crate::values::element::{Element, Slot, Store, Widen};
use crate::values::number::{Ordered, Real};
use crate::values::op::ReduceOp;
use crate::values::reader::{Reader, Value};
use crate::values::stored::Stored;

/// The least and the greatest magnitude; both are NaN if an element is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extremes {
    pub(super) least: f64,
    pub(super) greatest: f64,
}

/// Up to this many elements are looked at one after another, which is faster than planning a pass over them.
const ONE_BY_ONE: usize = 64;

impl Doubtful<'_> {
    /// The extremes of the elements of the first input, and whether the elements of all inputs say that the result
    /// stands. None if an input is not of floats.
    #[inline(never)]
    pub(super) fn extremes_of_all(&self, dtypes: &[DType]) -> Option<(Extremes, bool)> {
        let (mut first, mut are_finite, mut are_zero) = (None, true, true);
        for (input, &dtype) in dtypes.iter().enumerate() {
            let of_input = Extremes::of(dtype, self, input)?;
            are_finite &= of_input.greatest.is_finite();
            are_zero &= of_input.greatest == 0.0;
            first.get_or_insert(of_input);
        }
        first.map(|first| (first, !are_finite || are_zero))
    }
}

impl Extremes {
    /// The extremes of the elements that a result has in an input, if they are floats and there is enough memory to
    /// look.
    pub(super) fn of(dtype: DType, result: &Doubtful<'_>, input: usize) -> Option<Self> {
        let (least, greatest) = with_float!(
            dtype,
            T => of_type::<T, <T as Widen>::Wide>(result, input),
            else None
        )?;
        Some(Extremes { least, greatest })
    }
}

/// The least and the greatest magnitude of elements of type `T`, compared in type `A`; NaN if one is. None if there
/// is not enough memory.
fn of_type<T, A>(result: &Doubtful<'_>, input: usize) -> Option<(f64, f64)>
where
    T: Element + Widen<Wide = A>,
    A: Real + Ordered + Element + Store<A>,
    (A, A): Slot + Store<(A, A)>,
    Value<A>: Reader<A, Element = A>,
{
    let (data, lengths) = result.buffers;
    // SAFETY: *buffers* and *types*: whoever made the `Doubtful` keeps that this is the buffer of `input`, whose type
    // was matched.
    let elements = unsafe { std::slice::from_raw_parts(data[input].cast::<T>(), lengths[input]) };
    let plan = result.plan.inputs.get(input).unwrap_or(result.plan);
    if plan.count <= ONE_BY_ONE && plan.neighbours == 1 {
        let places = Places::new(&plan.reduced, plan.place(result.number));
        return Some(of_few(places.map(|place| elements[place].wide().to_f64())));
    }
    type OfBoth<T, A> = Combining<Value<A>, Both, T>;
    let kernel = const {
        &Kernel::<Both, T, (A, A)>::with::<OfBoth<T, A>, Finished<(A, A)>>(32, Empty::Identity)
    };
    let mut extremes = (A::HIGHEST, A::ZERO);
    let (out, level) = (std::slice::from_mut(&mut extremes), result.level);
    let look = |one: &Plan| kernel.bound(&Both).with_table(elements, one, out, level, Team::ALONE);
    result.kept.with(result, Some(input), kernel.needs(), look).ok()?;
    Some((extremes.0.to_f64(), extremes.1.to_f64()))
}

/// The extremes of some elements. The bits of magnitudes are compared, as whole numbers, which takes less time than
/// magnitudes do: they have the same order, and NaN is the greatest.
#[inline(always)]
fn of_few(elements: impl Iterator<Item = f64>) -> (f64, f64) {
    let magnitudes = elements.map(|x| x.abs().to_bits());
    let widened = |(least, greatest): (u64, u64), x: u64| (least.min(x), greatest.max(x));
    let (least, greatest) = magnitudes.fold((u64::MAX, 0), widened);
    let greatest = f64::from_bits(greatest);
    (if greatest.is_nan() { greatest } else { f64::from_bits(least) }, greatest)
}

/// Both magnitudes.
struct Both;

impl<A: Real + Ordered> ReduceOp<A> for Both {
    type Acc = (A, A);
    type Output = (A, A);

    #[inline(always)]
    fn identity(&self) -> (A, A) {
        (A::HIGHEST, A::ZERO)
    }

    #[inline(always)]
    fn map(&self, x: A) -> (A, A) {
        (x.abs(), x.abs())
    }

    #[inline(always)]
    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0.minimum(b.0), a.1.maximum(b.1))
    }

    #[inline(always)]
    fn finalize(&self, both: (A, A), _count: usize) -> (A, A) {
        both
    }
}
