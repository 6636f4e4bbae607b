use reduce_core::{Real, ReduceOp};

#[derive(Clone, Copy, Debug)]
pub struct Power {
    exponent: i64,
    scale: f64,
    r#dyn: bool,
}

impl Default for Power {
    fn default() -> Self {
        Power { exponent: 2, scale: 1.0, r#dyn: false }
    }
}

/// The sum of powers, scaled.
#[reduce_core::reduce_op(
    dtypes = [f32, f64],
    attrs = {
        1.. => [axis: int = -1, exponent: int = 2 in 0..=8, dyn: bool = false],
        18.. => [scale: float = 1.0 in -0.5..],
    },
)]
impl<A: Real> ReduceOp<A> for Power {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        let x = if self.r#dyn { x.abs() } else { x };
        (0..self.exponent).fold(A::ONE, |power, _| power * x)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum * A::from_f64(self.scale)
    }

    fn refuses(&self) -> Option<String> {
        self.scale.is_nan().then(|| "`scale` is no number; give one".to_owned())
    }
}
