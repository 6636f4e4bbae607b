//! The laws of [`ReduceOp`], tried on sample values.
//!
//! `#[reduce_op]` writes a test that calls [`check_laws`] for each storage type,
//! so a wrong identity or a combine that loses something fails in the crate of
//! the operator, with the values that show it. Results are compared after
//! `finalize`; floats within a few roundings, everything else exactly.

mod remove;
mod sample;
mod selection;
mod slices;

pub use selection::check_selection;
pub use slices::check_slice_laws;

use sample::Sample;

use std::marker::PhantomData;

use crate::facts::dtype::DType;
use crate::facts::schema::NanPolicy;
use crate::front::spec::{OpSpec, Reduces};
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;
use crate::values::written::Written;

/// Tries every law for the row of storage type `T`.
///
/// # Panics
/// If a law does not hold, with a counter-example.
#[track_caller]
pub fn check_laws<Op, T>()
where
    T: Sample,
    Op: Reduces<T, Output: Store<Output<Op, T>>>
        + ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element>,
{
    let op = Op::default();
    let types = PhantomData;
    let row = Laws::<Op::Reader, Op, T, <Op as Reduces<T>>::Output> { op: &op, types };
    let mut tried = T::special().into_iter().chain(T::ordinary()).filter(is_specified::<Op, T>);
    let with_zeros = [T::ordinary(), T::zeros()].concat();
    let found = tried.find_map(|x| row.identity(x)).or_else(|| row.identity_between(&with_zeros));
    let found = found.or_else(|| row.push()).or_else(|| row.push_two());
    let found = found.or_else(|| row.push_into()).or_else(|| row.enters());
    let found = found.or_else(|| row.remove());
    let found = found.or_else(|| row.splits(&with_zeros)).or_else(|| row.nan(&T::ordinary()));
    if let Some(counter_example) = found {
        panic!("{} on {}: {counter_example}", Op::SCHEMA.name, types_of::<T>());
    }
}

/// The result of an operator for storage type `T`, before it is stored.
type Output<Op, T> = <Op as ReduceOp<<<Op as Reduces<T>>::Reader as Reader<T>>::Element>>::Output;

/// Whether an operator says what becomes of an element: of NaN it may say nothing.
#[allow(clippy::eq_op, reason = "NaN alone is not equal to itself")]
fn is_specified<Op: OpSpec, T: Sample>(x: &T) -> bool {
    Op::SCHEMA.nan != NanPolicy::Unspecified || x == x
}

/// The storage types, as a reader writes them.
fn types_of<T: Stored>() -> String {
    let names: Vec<String> = T::DTYPES.iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [name] => name.clone(),
        names => format!("({})", names.join(", ")),
    }
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
    O: Written + Store<Op::Output>,
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
                 finalize(map(x)) gives {alone:?}{}",
                of_zeros(found, alone)
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

    /// Tries what [`identity`](Self::identity) tries, with another element before or after. The next `combine` may ask
    /// for what `finalize` does not show, such as a flag that was lost.
    fn identity_between(&self, xs: &[T]) -> Option<String> {
        xs.windows(2).find_map(|pair| {
            let (a, b) = (|| self.fold(&pair[..1], 0), || self.fold(&pair[1..], 1));
            let (none, combine) = (|| self.op.identity(), |a, b| self.op.combine(a, b));
            let whole = self.result(combine(a(), b()), 2);
            let forms = [
                ("combine(combine(identity(), a), b)", combine(combine(none(), a()), b())),
                ("combine(combine(a, identity()), b)", combine(combine(a(), none()), b())),
                ("combine(a, combine(identity(), b))", combine(a(), combine(none(), b()))),
                ("combine(a, combine(b, identity()))", combine(a(), combine(b(), none()))),
                ("combine(combine(identity(), identity()), combine(a, b))",
                    combine(combine(none(), none()), combine(a(), b()))),
            ];
            forms.into_iter().map(|(form, acc)| (form, self.result(acc, 2))).find_map(|(form, found)| {
                (!same::<T, O>(found, whole)).then(|| {
                    format!(
                        "the identity is none: for a = map({:?}) and b = map({:?}), finalize({form}) gives \
                         {found:?}, but finalize(combine(a, b)) gives {whole:?}{}",
                        pair[0], pair[1], of_zeros(found, whole)
                    )
                })
            })
        })
    }

    /// `push(a, x)` is `combine(a, map(x))`, for every value after some ordinary ones. With an infinity, one of the two
    /// may be NaN and the other an infinity.
    fn push(&self) -> Option<String> {
        let ordinary = T::ordinary();
        let mut xs = [T::ordinary(), T::zeros(), T::special(), T::nans()].concat();
        xs.retain(is_specified::<Op, T>);
        let befores = (0..=ordinary.len()).map(|count| &ordinary[..count]);
        befores.flat_map(|before| xs.iter().map(move |&x| (before, x))).find_map(|(before, x)| {
            let x_at = || R::read(x, before.len() as u64);
            let pushed = self.op.push(self.fold(before, 0), x_at());
            let combined = match before {
                [] => self.op.map(x_at()),
                _ => self.op.combine(self.fold(before, 0), self.op.map(x_at())),
            };
            let [pushed, combined] = [pushed, combined].map(|acc| self.result(acc, before.len() + 1));
            (!same_if_finite::<T, O>(pushed, combined)).then(|| {
                format!(
                    "push is not combine: pushing {x:?} after {before:?} gives {pushed:?}, combining \
                     with its map gives {combined:?}"
                )
            })
        })
    }

    /// `push_two(a, x, y)` is `push(push(a, x), y)` to the last bit.
    fn push_two(&self) -> Option<String> {
        if !Op::PUSHES_TWO {
            return None;
        }
        let before = T::ordinary();
        let mut xs = [T::ordinary(), T::special(), T::nans()].concat();
        xs.retain(is_specified::<Op, T>);
        let pairs = xs.iter().flat_map(|&x| xs.iter().map(move |&y| (x, y)));
        let counts = 0..=before.len();
        pairs.flat_map(|pair| counts.clone().map(move |count| (count, pair))).find_map(
            |(count, (x, y))| {
                let before = &before[..count];
                let at = |x, place: usize| R::read(x, place as u64);
                let two = self.op.push_two(self.fold(before, 0), at(x, count), at(y, count + 1));
                let one = self.op.push(self.fold(before, 0), at(x, count));
                let turns = self.op.push(one, at(y, count + 1));
                let [two, turns] = [two, turns].map(|acc| self.result(acc, count + 2));
                (!identical(two, turns)).then(|| {
                    format!(
                        "push_two is not push and push: {x:?} and {y:?} at once after {before:?} \
                         give {two:?}, one after the other {turns:?}"
                    )
                })
            },
        )
    }

    /// `push_into(&mut a, x)` makes `push(a, x)` of `a`, to the last bit.
    fn push_into(&self) -> Option<String> {
        if !Op::IN_PLACE {
            return None;
        }
        self.after_some().find_map(|(before, x)| {
            let at = || R::read(x, before.len() as u64);
            let pushed = self.op.push(self.fold(before, 0), at());
            let mut acc = self.fold(before, 0);
            self.op.push_into(&mut acc, at());
            let [into, pushed] = [acc, pushed].map(|acc| self.result(acc, before.len() + 1));
            (!identical(into, pushed)).then(|| {
                format!(
                    "push_into is not push: {x:?} after {before:?} gives {into:?} in place, \
                     {pushed:?} by push"
                )
            })
        })
    }

    /// Where `enters(&a, x)` is false, `push(a, x)` is `a`.
    fn enters(&self) -> Option<String> {
        if !Op::ENTERS {
            return None;
        }
        self.after_some().find_map(|(before, x)| {
            let at = || R::read(x, before.len() as u64);
            let acc = self.fold(before, 0);
            let enters = self.op.enters(&acc, at());
            let pushed = self.op.push(acc, at());
            let [without, with] = [acc, pushed].map(|acc| self.result(acc, before.len() + 1));
            (!enters && !identical(without, with)).then(|| {
                format!(
                    "an element is lost: enters is false for {x:?} after {before:?}, but push \
                     makes {with:?} of {without:?}"
                )
            })
        })
    }

    /// Every value after some ordinary ones, and after all values.
    fn after_some(&self) -> impl Iterator<Item = (&'static [T], T)> {
        let ordinary: &'static [T] = T::ordinary().leak();
        let all: &'static [T] = [T::ordinary(), T::special(), T::nans()].concat().leak();
        let befores = (0..=ordinary.len()).map(|count| &ordinary[..count]);
        let befores = befores.chain((0..=all.len()).map(|count| &all[..count]));
        befores.flat_map(|before| all.iter().map(move |&x| (before, x)))
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
        let is_float: Vec<bool> = O::dtypes().into_iter().map(DType::is_float).collect();
        if !is_float.contains(&true) {
            return None;
        }
        let without = self.result(self.fold(xs, 0), xs.len());
        T::nans().into_iter().find_map(|nan| {
            (0..=xs.len()).find_map(|place| {
                let mut with = xs.to_vec();
                with.insert(place, nan);
                let found = self.result(self.fold(&with, 0), with.len());
                let mut floats = is_float.iter().zip(found.parts()).filter(|(is, _)| **is);
                match Op::SCHEMA.nan {
                    NanPolicy::Propagate if !floats.all(|(_, x)| x.is_nan()) => Some(format!(
                        "NaN is lost: {with:?} gives {found:?}; say `nan = ignore` if it should"
                    )),
                    NanPolicy::Ignore if !same::<T, O>(found, without) => Some(format!(
                        "NaN is not ignored: {with:?} gives {found:?}, without it {without:?}"
                    )),
                    _ => None,
                }
            })
        })
    }

    /// Folds one element after the other, the first at this position.
    fn fold(&self, xs: &[T], first: usize) -> Op::Acc {
        let mapped = (first as u64..).zip(xs).map(|(place, &x)| self.op.map(R::read(x, place)));
        mapped.reduce(|a, b| self.op.combine(a, b)).unwrap_or_else(|| self.op.identity())
    }

    fn result(&self, acc: Op::Acc, count: usize) -> O {
        O::store(self.op.finalize(acc, count))
    }
}

/// What to write if two results are infinities of opposite signs: they come of a division by 0 and by -0, which differ
/// in nothing else.
fn of_zeros<O: Written>(a: O, b: O) -> &'static str {
    let are_opposite = |(a, b): (f64, f64)| a.is_infinite() && a == -b;
    match a.parts().into_iter().zip(b.parts()).any(are_opposite) {
        true => "; if it is divided by a sum, write `sum + A::ZERO`, which makes 0 of -0",
        false => "",
    }
}

/// Whether two results are equal, both NaN, or apart by a few roundings. Each part is compared by itself.
fn same<T: Sample, O: Written>(a: O, b: O) -> bool {
    a == b || near(T::TOLERANCE, a.parts(), b.parts())
}

/// Whether two results are the same, or neither of them is finite. Each part is compared by itself.
fn same_if_finite<T: Sample, O: Written>(a: O, b: O) -> bool {
    let finite = |x: f64| if x.is_finite() { x } else { f64::NAN };
    let [of_a, of_b] = [a, b].map(|x| x.parts().into_iter().map(finite));
    a == b || near(T::TOLERANCE, of_a, of_b)
}

/// Whether numbers of two results that are not equal are both NaN, or apart by a few roundings.
fn near(
    tolerance: f64,
    a: impl IntoIterator<Item = f64>,
    b: impl IntoIterator<Item = f64>,
) -> bool {
    // Integers of 64 bits that are equal as `f64` may yet differ; but no NaN is equal.
    let mut may_differ = tolerance > 0.0;
    let near = a.into_iter().zip(b).all(|(x, y)| {
        may_differ |= x.is_nan();
        let scale = x.abs().max(y.abs()).max(1.0);
        let near = tolerance > 0.0 && scale.is_finite() && (x - y).abs() <= tolerance * scale;
        x == y || (x.is_nan() && y.is_nan()) || near
    });
    near && may_differ
}

/// Whether two results are equal, zeros with their signs, or both NaN. Each part is compared by itself.
fn identical<O: Written>(a: O, b: O) -> bool {
    let same = |(x, y): (f64, f64)| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
    // Integers of 64 bits may differ where their parts do not.
    let parts = || a.parts().into_iter().zip(b.parts());
    parts().all(same) && (a == b || parts().any(|(x, _)| x.is_nan()))
}
