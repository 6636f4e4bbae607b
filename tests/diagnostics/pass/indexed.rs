//! An operator that sees the position of each element.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{Accumulator, DType, Indexed, Num, ReduceOp, Reduction, Tensor, View, reduce_op};

/// Where the last zero stands; -1 if there is none.
#[derive(Default)]
struct LastZero;

#[derive(Clone, Copy, Debug, Accumulator)]
struct Place {
    next: u64,
}

#[reduce_op(
    dtypes = [i32, u8, f16 => f32, f64],
    attrs = { 1.. => [axis: int = -1, keepdims: bool = false] },
    output = i64,
)]
impl<A: Num> ReduceOp<Indexed<A>> for LastZero {
    type Acc = Place;
    type Output = i64;
    fn identity(&self) -> Place {
        Place { next: 0 }
    }
    fn map(&self, x: Indexed<A>) -> Place {
        let is_zero = x.value == A::ZERO;
        Place { next: if is_zero { x.index + 1 } else { 0 } }
    }
    fn combine(&self, a: Place, b: Place) -> Place {
        Place { next: a.next.max(b.next) }
    }
    fn finalize(&self, last: Place, _count: usize) -> i64 {
        last.next.cast_signed() - 1
    }
}

static LAST_ZERO: OpEntry = OpEntry::of::<LastZero>();

/// Zeros at the multiples of a hundred; positions count along the axis, however
/// the data lies in memory.
fn long_axes() {
    let data: Vec<i32> = (0..1950).map(|x| (x % 650) % 100).collect();
    let rows = View::new(&data, &[3, 650]).unwrap();
    let run = |view: &View<'_, i32>, axis| {
        Reduction::new(LastZero).axes([axis]).run(view).unwrap().data().to_vec()
    };
    assert_eq!(run(&rows, 1), [600; 3]);
    assert_eq!(run(&rows.permute(&[1, 0]).unwrap(), 0), [600; 3]);
    assert_eq!(run(&rows.slice(1, 0, 650, -1).unwrap(), 1), [649; 3]);
    assert_eq!(run(&View::new(&data[1..100], &[99]).unwrap(), 0), [-1]);
}

pub fn main() {
    let data = [1.0, 0.0, 2.0, -0.0, 3.0, 4.0];
    let view = View::new(&data, &[2, 3]).unwrap();
    let run = |node: Node| LAST_ZERO.prepare(&node).unwrap().run(&view.clone().into()).unwrap();
    let node = || Node::new(1, DType::F64);
    let list =
        |values: &[i64], sizes: &[usize]| Tensor::new(values.to_vec(), sizes).unwrap().into();
    assert_eq!(run(node()), list(&[1, 0], &[2]));
    assert_eq!(run(node().attr("axis", 0).attr("keepdims", 1)), list(&[1, 0, -1], &[1, 3]));
    assert_eq!(LAST_ZERO.prepare(&node()).unwrap().output_dtype(), DType::I64);
    let bytes = View::new(&[0u8, 1, 0, 255], &[4]).unwrap();
    assert_eq!(Reduction::new(LastZero).run(&bytes).unwrap().data(), [2]);
    long_axes();
}
