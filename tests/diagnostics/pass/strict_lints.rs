//! An operator in the interface of a crate that forbids every warning.

#![deny(warnings, missing_docs, missing_debug_implementations, unused_qualifications)]
#![deny(unreachable_pub, single_use_lifetimes, trivial_casts, unused_results, clippy::all)]
#![deny(clippy::pedantic, let_underscore_drop, variant_size_differences)]

use reduce_core::{Accumulator, Real, ReduceOp, Reduction, View, reduce_op};

/// A norm.
#[derive(Clone, Copy, Debug)]
pub struct Norm {
    /// The exponent.
    pub p: f64,
    /// Whether to take the root.
    pub root: bool,
}

impl Default for Norm {
    fn default() -> Self {
        Self { p: 2.0, root: true }
    }
}

/// A sum.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Total<A> {
    /// So far.
    pub sum: A,
}

/// The norm of the elements.
#[reduce_op(
    dtypes = [f16 => f32, f32, f64, i32 => f64],
    attrs = [axes: ints = all, keepdims: bool = true, p: float = 2.0 in 1.0.., root: bool = true],
)]
impl<A: Real> ReduceOp<A> for Norm {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> {
        Total { sum: A::ZERO }
    }
    fn map(&self, x: A) -> Total<A> {
        Total { sum: (x.abs().ln() * A::from_f64(self.p)).exp() }
    }
    fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
        Total { sum: a.sum + b.sum }
    }
    fn finalize(&self, acc: Total<A>, _count: usize) -> A {
        if self.root { (acc.sum.ln() / A::from_f64(self.p)).exp() } else { acc.sum }
    }
}

/// Runs it.
///
/// # Panics
/// If the norm is another.
pub fn main() {
    let view = View::new(&[3.0f32, -4.0], &[2]).unwrap();
    let norm = Reduction::new(Norm::default()).run(&view).unwrap();
    assert!((norm.data()[0] - 5.0).abs() < 1e-4);
}
