//! The laws of operators of slices.

use std::marker::PhantomData;

use super::sample::Sample;
use super::{identical, is_specified, same, types_of};
use crate::facts::dtype::DType;
use crate::facts::schema::{NanPolicy, Params, ResultLength};
use crate::front::spec::{OpSpec, ReducesSlices};
use crate::values::element::Store;
use crate::values::reader::Reader;
use crate::values::slices::{Indices, ReduceSlice};
use crate::values::written::Written;

/// Lengths of results for which the laws are tried.
const LENGTHS: [i64; 3] = [1, 3, 12];

/// Tries every law of an operator of slices for the row of storage type `T`.
///
/// # Panics
/// If a law does not hold, with a counter-example.
#[track_caller]
pub fn check_slice_laws<Op, T>()
where
    T: Sample,
    Op: ReducesSlices<T> + ReduceSlice<<<Op as ReducesSlices<T>>::Reader as Reader<T>>::Element>,
    <Op as ReducesSlices<T>>::Output: Store<EachOutput<Op, T>>,
{
    for length in LENGTHS {
        let op = with_length::<Op>(length);
        let laws = SliceLaws::<Op::Reader, Op, T, <Op as ReducesSlices<T>>::Output> {
            length: usize::try_from(length).unwrap_or(1),
            op: &op,
            types: PhantomData,
        };
        let mut xs = [T::ordinary(), T::special(), T::zeros(), T::ordinary(), T::nans()].concat();
        xs.retain(is_specified::<Op, T>);
        let found = laws.identity(&xs).or_else(|| laws.pieces(&xs));
        let found = found.or_else(|| laws.splits(&[T::ordinary(), T::zeros()].concat()));
        if let Some(counter_example) = found.or_else(|| laws.nan(&T::ordinary())) {
            panic!(
                "{} on {}, for results of {length}: {counter_example}",
                Op::SCHEMA.name,
                types_of::<T>()
            );
        }
    }
}

/// The element of a result, before it is stored.
type EachOutput<Op, T> =
    <Op as ReduceSlice<<<Op as ReducesSlices<T>>::Reader as Reader<T>>::Element>>::Output;

/// The default operator, for results of a length.
fn with_length<Op: OpSpec>(length: i64) -> Op {
    let mut params = Params::default();
    if let Some(ResultLength::Parameter(name)) = Op::SCHEMA.dtypes.first().map(|row| row.length) {
        params.give(name, &length);
    }
    Op::configure(&params)
}

/// One row under test.
struct SliceLaws<'a, R, Op, T, O> {
    op: &'a Op,
    length: usize,
    types: PhantomData<(R, T, O)>,
}

impl<R, Op, T, O> SliceLaws<'_, R, Op, T, O>
where
    R: Reader<T>,
    Op: OpSpec + ReduceSlice<R::Element>,
    T: Sample,
    O: Written + Store<Op::Output>,
{
    /// The accumulator of no elements changes nothing, on either side.
    fn identity(&self, xs: &[T]) -> Option<String> {
        (1..=xs.len()).find_map(|count| {
            let xs = &xs[..count];
            let alone = self.results(self.pushed(xs, 0), count);
            let [left, right] = [(self.none(), xs), (self.pushed(xs, 0), &xs[..0])].map(|(mut acc, later)| {
                self.op.combine(&mut acc, &self.pushed(later, count - later.len()));
                self.results(acc, count)
            });
            let broken = |form: &str, found: &[O]| {
                format!(
                    "the identity is none: {form} gives {found:?} for a of {xs:?}, but a alone gives {alone:?}"
                )
            };
            if !are(&left, &alone, identical) {
                return Some(broken("combine(identity, a)", &left));
            }
            (!are(&right, &alone, identical)).then(|| broken("combine(a, identity)", &right))
        })
    }

    /// Elements may be pushed in any number of pieces.
    fn pieces(&self, xs: &[T]) -> Option<String> {
        let whole = self.results(self.pushed(xs, 0), xs.len());
        (1..xs.len()).find_map(|first| {
            let mut acc = self.pushed(&xs[..first], 0);
            self.push(&mut acc, &xs[first..], first);
            let found = self.results(acc, xs.len());
            (!are(&found, &whole, identical)).then(|| {
                format!(
                    "push is not push and push: {:?} after {:?} gives {found:?}, all at once {whole:?}",
                    &xs[first..],
                    &xs[..first]
                )
            })
        })
    }

    /// Accumulators of two parts, combined, are that of all elements.
    fn splits(&self, xs: &[T]) -> Option<String> {
        let whole = self.results(self.pushed(xs, 0), xs.len());
        (1..xs.len()).find_map(|first| {
            let (front, back) = xs.split_at(first);
            let mut acc = self.pushed(front, 0);
            self.op.combine(&mut acc, &self.pushed(back, first));
            let found = self.results(acc, xs.len());
            (!are(&found, &whole, same::<T, O>)).then(|| {
                format!(
                    "combine is not associative: the parts {front:?} and {back:?} combine to {found:?}, but \
                     one element after the other gives {whole:?}"
                )
            })
        })
    }

    /// The NaN policy, with NaN at each place of a list.
    fn nan(&self, xs: &[T]) -> Option<String> {
        let is_float: Vec<bool> = O::dtypes().into_iter().map(DType::is_float).collect();
        let without = self.results(self.pushed(xs, 0), xs.len());
        T::nans().into_iter().find_map(|nan| {
            (0..=xs.len()).find_map(|place| {
                let mut with = xs.to_vec();
                with.insert(place, nan);
                let found = self.results(self.pushed(&with, 0), with.len());
                let keeps = |result: &O| {
                    let mut parts = is_float.iter().zip(result.parts());
                    parts.all(|(is_float, part)| !is_float || part.is_nan())
                };
                match Op::SCHEMA.nan {
                    NanPolicy::Propagate if !found.iter().all(keeps) => Some(format!(
                        "NaN is lost: {with:?} gives {found:?}; say `nan = ignore` if it should"
                    )),
                    NanPolicy::Ignore if !are(&found, &without, same::<T, O>) => Some(format!(
                        "NaN is not ignored: {with:?} gives {found:?}, without it {without:?}"
                    )),
                    _ => None,
                }
            })
        })
    }

    fn none(&self) -> Vec<Op::Cell> {
        (0..self.op.cells(self.length)).map(|index| self.op.identity(index)).collect()
    }

    /// The accumulator of some elements, the first with this index.
    fn pushed(&self, xs: &[T], first: usize) -> Vec<Op::Cell> {
        let mut acc = self.none();
        self.push(&mut acc, xs, first);
        acc
    }

    fn push(&self, acc: &mut [Op::Cell], xs: &[T], first: usize) {
        let elements: Vec<R::Element> = xs.iter().map(|&x| R::read(x, 0)).collect();
        self.op.push(acc, &elements, Indices::from(first as u64));
    }

    fn results(&self, mut acc: Vec<Op::Cell>, count: usize) -> Vec<O> {
        self.op.finish(&mut acc, count);
        (0..self.length).map(|index| O::store(self.op.finalize(&acc, index, count))).collect()
    }
}

/// Whether all elements of two results are as they should be.
fn are<O: Copy>(a: &[O], b: &[O], alike: impl Fn(O, O) -> bool) -> bool {
    a.iter().zip(b).all(|(&a, &b)| alike(a, b))
}
