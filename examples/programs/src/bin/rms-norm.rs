//! RMS norm in an inference loop: half precision in, half precision out, in a buffer that is there already.
//!
//! The root mean square norm of language models divides the values of each token by their root mean square. Then it
//! multiplies them by weights that are the same for all tokens. Here activations are `bf16` and weights `f32`. It is
//! one operator: the sum of squares goes back over the elements it was made of, and what is emitted is rounded once. An
//! engine makes the `Reduction` when it loads the model, and emits at every step. Here it stays on the calling thread,
//! since a step is short.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin rms-norm                 8 tokens of 4096 values, 100 steps
//! cargo run --release -p reduce-programs --bin rms-norm -- 1 4096 1000  tokens, values, steps
//! ```

use std::time::{Duration, Instant};

use reduce_core::{Emit, Real, ReduceOp, Reduction, Threads, View, bf16, reduce_op};
use reduce_programs::{Failure, noise, size};

/// The inverse of the root mean square of the first input; emits that input normed, times the second.
#[derive(Clone, Copy, Debug)]
struct RmsNorm {
    /// What is added to the mean square, so that a token of zeros stays zeros.
    epsilon: f64,
}

impl Default for RmsNorm {
    fn default() -> Self {
        RmsNorm { epsilon: 1e-5 }
    }
}

// A weight that is NaN makes what is emitted NaN, but not the result: hence `unspecified`.
#[reduce_op(dtypes = [(bf16, f32) => f32], nan = unspecified)]
impl<A: Real> ReduceOp<(A, A)> for RmsNorm {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, _weight): (A, A)) -> A {
        x * x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, squares: A, count: usize) -> A {
        (squares.div_count(count) + A::from_f64(self.epsilon)).sqrt().recip()
    }
}

impl<A: Real> Emit<(A, A)> for RmsNorm {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, (x, weight): (A, A), inverse: &A) -> A {
        x * *inverse * weight
    }
}

fn main() -> Result<(), Failure> {
    let tokens = size(1, "tokens", 8, 1..=4096)?;
    let values = size(2, "values", 4096, 1..=65536)?;
    let steps = size(3, "steps", 100, 1..=1_000_000)?;
    let weights: Vec<f32> = noise(1).take(values).map(|x| 1.0 + 0.1 * x).collect();
    let mut activations: Vec<bf16> =
        noise(2).take(tokens * values).map(|x| bf16::from_f32(3.0 * x)).collect();
    let mut normed = vec![bf16::ZERO; tokens * values];

    let norm = Reduction::new(RmsNorm::default()).axes([-1]).threads(Threads::One);
    let weights = View::new(&weights, &[values])?; // broadcast to all tokens
    let mut spent = Duration::ZERO;
    for _ in 0..steps {
        let rows = View::new(&activations, &[tokens, values])?;
        let start = Instant::now();
        norm.emit_into(&(rows, weights.clone()), &mut normed)?;
        spent += start.elapsed();
        // In place of the next layer: the last value of all comes first.
        activations.rotate_right(1);
    }
    activations.rotate_left(1);

    let shown = values.min(4);
    println!("activations  {:?}", &activations[..shown]);
    println!("normed       {:?}", &normed[..shown]);
    let square = |x: &bf16| f64::from(x.to_f32()) * f64::from(x.to_f32());
    let rms = (normed.iter().map(square).sum::<f64>() / normed.len() as f64).sqrt();
    println!("root mean square of all that was emitted: {rms:.4}");
    println!(
        "{:.1} us for each of {steps} steps of {tokens} x {values}",
        1e6 * spent.as_secs_f64() / steps as f64
    );
    Ok(())
}
