#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! A macro here knows names and tokens. Numbers (lane counts, sizes, float
//! constants) and memory are the core's; what is generated only names them.

mod accumulator;
mod check;
mod diag;
mod expand;
mod model;
mod parse;
mod pipeline;
mod suggest;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes an operator of an `impl ReduceOp` block.
///
/// The block stays as it is, ordinary Rust; its functions gain
/// `#[inline(always)]`, without which they would not be compiled for the CPU
/// level of the kernel around them, and its documentation a table of the facts. Beside it the
/// macro writes the operator's
/// schema, one kernel per storage type, and a test of the laws under
/// `#[cfg(test)]`. The operator's type must implement `Default`.
///
/// ```
/// use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};
///
/// /// Root mean square.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Rms;
///
/// #[reduce_op(dtypes = [f16 => f32, f32, f64])]
/// impl<A: Real> ReduceOp<A> for Rms {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x * x }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).sqrt() }
/// }
///
/// let data = View::new(&[3.0f32, 4.0, 6.0, 8.0], &[2, 2])?;
/// let rms = Reduction::new(Rms).axes([1]).run(&data)?;
/// assert!((rms.data()[0] - 12.5f32.sqrt()).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// # Keys
///
/// | key | value | default |
/// |---|---|---|
/// | `dtypes` | `[f32, f16 => f32]`, or `{ 1.. => [..], 13.. => [..] }` | required |
/// | `name` | the operator's name in a model | the type's name |
/// | `versions` | `1..`, or the versions at which something changed: `[1, 11, 13]` | `1..` |
/// | `attrs` | `[name: kind = default]`, or by window as `dtypes` | `[axes: ints = all, keepdims: bool = true]` |
/// | `nan` | `propagate`, `ignore`, `unspecified` | `propagate` |
/// | `empty` | `identity`, `error`, or `{ floats => .., ints => .. }` | `identity` |
/// | `commutative` | `true`, `false` | `true` |
/// | `length` | of a `ReduceSlice`: the parameter that says how long results are | required there |
/// | `output` | the storage type of the result, or `(f32, i64)` of each | that of the input |
/// | `lanes` | a power of two up to 256 | the core's choice |
/// | `crate` | the path of `reduce-core` | `::reduce_core` |
///
/// `reduce_core::guide::spec_language` has the whole grammar, and `reduce_core::guide::write_an_operator` an introduction.
#[proc_macro_attribute]
pub fn reduce_op(args: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::reduce_op(args.into(), &item.into()).into()
}

/// Makes an accumulator of a struct of accumulators: in a kernel's lanes there is one array for each scalar field.
///
/// ```
/// use reduce_core::{Accumulator, Real, ReduceOp, Reduction, View, reduce_op};
///
/// #[derive(Clone, Copy, Debug, Accumulator)]
/// struct Powers<A> {
///     sum: A,
///     squares: A,
/// }
///
/// /// The mean of the squares, over the square of the mean.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Unevenness;
///
/// #[reduce_op(dtypes = [f32, f64])]
/// impl<A: Real> ReduceOp<A> for Unevenness {
///     type Acc = Powers<A>;
///     type Output = A;
///     fn identity(&self) -> Powers<A> { Powers { sum: A::ZERO, squares: A::ZERO } }
///     fn map(&self, x: A) -> Powers<A> { Powers { sum: x, squares: x * x } }
///     fn combine(&self, a: Powers<A>, b: Powers<A>) -> Powers<A> {
///         Powers { sum: a.sum + b.sum, squares: a.squares + b.squares }
///     }
///     fn finalize(&self, acc: Powers<A>, count: usize) -> A {
///         let mean = acc.sum.div_count(count);
///         acc.squares.div_count(count) / (mean * mean)
///     }
/// }
///
/// let data = View::new(&[1.0f32, 3.0], &[2])?;
/// assert_eq!(Reduction::new(Unevenness).run(&data)?.data(), [1.25]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// For structs with named fields, tuple structs and generic structs, of up to 12
/// fields; the fields are accumulators themselves. A generic parameter is taken
/// to be one: `Pair<A>` is an accumulator wherever `A` is. The struct must be
/// `Copy` and `Debug`.
///
/// `#[accumulator(crate = path)]` on the struct names `reduce-core` where it is
/// not `::reduce_core`.
#[proc_macro_derive(Accumulator, attributes(accumulator))]
pub fn derive_accumulator(item: TokenStream) -> TokenStream {
    accumulator::derive(item.into()).into()
}
