//! Weights in eight bits: the scale and the zero point of each row, and the numbers themselves.
//!
//! The least and the greatest weight of a row say how it is mapped to 0..=255, so that 0 stays exact. One operator makes
//! both parameters in one pass, and emits the whole numbers by them. Whole numbers up to 256 are exact in `bf16` and `f16`,
//! which is what is emitted, since elements keep their type.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin quantise             4 rows of 4096 weights
//! cargo run --release -p reduce-programs --bin quantise -- 0.5 -1 3 the weights of one row
//! ```

use reduce_core::{Emit, Ordered, Real, ReduceOp, Reduction, View, bf16, reduce_op};
use reduce_programs::{Failure, noise};

/// The scale and the zero point; emits `round(x / scale) + zero point`, from 0 to 255.
#[derive(Clone, Copy, Debug, Default)]
struct Quantise;

#[reduce_op(dtypes = [f16 => f32, bf16 => f32], output = (f32, f32))]
impl<A: Real + Ordered> ReduceOp<A> for Quantise {
    /// The least and the greatest element, and 0.
    type Acc = (A, A);
    type Output = (A, A);

    fn identity(&self) -> (A, A) {
        (A::ZERO, A::ZERO)
    }

    fn map(&self, x: A) -> (A, A) {
        (x.minimum(A::ZERO), x.maximum(A::ZERO))
    }

    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0.minimum(b.0), a.1.maximum(b.1))
    }

    fn finalize(&self, (least, greatest): (A, A), _count: usize) -> (A, A) {
        // Each over 255 before they are subtracted, since their distance may be no number of the type.
        let scale = greatest / A::from_int(255) - least / A::from_int(255);
        let scale = if scale == A::ZERO { A::ONE } else { scale };
        (scale, (A::ZERO - least / scale).round())
    }
}

impl<A: Real + Ordered> Emit<A> for Quantise {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, &(scale, zero): &(A, A)) -> A {
        ((x / scale).round() + zero).maximum(A::ZERO).minimum(A::from_int(255))
    }
}

fn main() -> Result<(), Failure> {
    let given: Result<Vec<bf16>, Failure> =
        std::env::args().skip(1).map(|text| number(&text)).collect();
    let (rows, weights) = match given?.as_slice() {
        [] => (4, noise(5).take(4 * 4096).map(|x| bf16::from_f32(0.02 * x)).collect::<Vec<_>>()),
        given => (1, given.to_vec()),
    };
    let view = View::new(&weights, &[rows, weights.len() / rows])?;
    let quantise = Reduction::new(Quantise).axes([1]);
    let (scales, zeros) = quantise.run(&view)?;
    let mut levels = vec![bf16::ZERO; weights.len()];
    quantise.emit_into(&view, &mut levels)?;

    let row = weights.len() / rows;
    println!("row  scale       zero  largest error  first levels");
    for (index, (weights, levels)) in weights.chunks(row).zip(levels.chunks(row)).enumerate() {
        let (scale, zero) = (scales.data()[index], zeros.data()[index]);
        let error =
            |(x, level): (&bf16, &bf16)| (x.to_f32() - (level.to_f32() - zero) * scale).abs();
        let largest = weights.iter().zip(levels).map(error).fold(0.0, f32::max);
        println!(
            "{index:3}  {scale:.8}  {zero:4}  {:.3} scales   {:?}",
            largest / scale,
            &levels[..row.min(6)]
        );
    }
    Ok(())
}

/// A weight of the command line.
fn number(text: &str) -> Result<bf16, Failure> {
    match text.parse().map(bf16::from_f32) {
        Ok(weight) if weight.is_finite() => Ok(weight),
        _ => Err(format!("`{text}` is no weight in `bf16`; write a number, such as 0.5").into()),
    }
}
