//! Parameters: fields of the struct, from attributes of each kind.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{Real, ReduceOp, Tensor, View, reduce_op};

struct Power {
    exponent: i64,
    offset: f64,
    negate: bool,
    r#type: i64,
}

impl Default for Power {
    fn default() -> Self {
        Power { exponent: 1, offset: 0.0, negate: false, r#type: 0 }
    }
}

#[reduce_op(
    dtypes = [f64],
    attrs = {
        1.. => [axes: ints = all, exponent: int = 1 in 0..=4, negate: bool = false, type: int = 0],
        13.. => [offset: float = -1.5 in -2.0..=2.0],
    },
)]
impl<A: Real> ReduceOp<A> for Power {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A {
        A::ZERO
    }
    fn map(&self, x: A) -> A {
        (0..self.exponent).fold(A::ONE, |power, _| power * x)
    }
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    fn finalize(&self, acc: A, _count: usize) -> A {
        let sum = acc + A::from_f64(self.offset) + A::from_f64(if self.r#type == 3 { 3.0 } else { 0.0 });
        if self.negate { -sum } else { sum }
    }
}

static POWER: OpEntry = OpEntry::of::<Power>();

pub fn main() {
    let data = View::new(&[1.0, 2.0], &[2]).unwrap();
    let run = |node: &Node| POWER.prepare(node).unwrap().run(&data.clone().into()).unwrap();
    let scalar = |value: f64| Tensor::new(vec![value], &[]).unwrap().into();
    let node = |version| Node::new(version, reduce_core::DType::F64);
    assert_eq!(run(&node(1)), scalar(3.0));
    assert_eq!(run(&node(13)), scalar(1.5));
    assert_eq!(run(&node(1).attr("exponent", 2).attr("negate", 1)), scalar(-5.0));
    assert_eq!(run(&node(13).attr("offset", 2.0).attr("type", 3)), scalar(8.0));
    assert!(POWER.prepare(&node(1).attr("exponent", 5)).is_err());
    assert!(POWER.prepare(&node(1).attr("offset", 0.5)).is_err());
}
