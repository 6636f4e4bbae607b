//! What other engines take apart, and put together again.

use std::any::Any;

use reduce_core::backend::{Combining, Positioned, Scalars, Selecting, Value};
use reduce_core::bounds::{Stored, Written};
use reduce_core::{
    Accumulator, Axes, DType, Element, Emit, Indexed, Num, OnePass, ReduceOp, Reduction, Shape,
    reduce_op,
};
use reduce_specs::{ArgMax, ReduceMax, ReduceSum};

/// Notes the type of each scalar, replaces it by that of its number, and notes positions apart.
#[derive(Default)]
struct Taken {
    dtypes: Vec<DType>,
    positions: Vec<u64>,
    symbols: usize,
}

impl Scalars for Taken {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        *x = E::default();
        self.dtypes.push(E::DTYPE);
    }

    fn position(&mut self, x: &mut u64) {
        self.positions.push(std::mem::replace(x, 7));
    }

    fn symbol(&mut self, x: &mut dyn Any) {
        self.symbols += usize::from(x.is::<Symbol>());
    }
}

/// The type of each scalar alone.
struct Plain(Vec<DType>);

impl Scalars for Plain {
    fn scalar<E: Element>(&mut self, _x: &mut E) {
        self.0.push(E::DTYPE);
    }
}

/// A number of this crate's own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Symbol(u8);

impl Accumulator for Symbol {
    type Lanes<const L: usize> = [Symbol; L];

    fn splat<const L: usize>(self) -> [Symbol; L] {
        [self; L]
    }

    fn get<const L: usize>(lanes: &[Symbol; L], lane: usize) -> Symbol {
        lanes[lane]
    }

    fn set<const L: usize>(lanes: &mut [Symbol; L], lane: usize, value: Symbol) {
        lanes[lane] = value;
    }

    fn each_scalar(&mut self, to: &mut impl Scalars) {
        to.symbol(self);
    }
}

#[test]
fn results_are_taken_apart_and_replaced() {
    type Result = (f32, [i64; 2], (bool, u8));
    let mut result: Result = (1.5, [3, 4], (true, 9));
    let mut taken = Taken::default();
    result.each_element(&mut taken);
    assert_eq!(taken.dtypes, Result::dtypes());
    assert_eq!(result, (0.0, [0, 0], (false, 0)));
}

#[test]
fn positions_and_symbols_are_handed_over_as_such() {
    let mut acc = (Indexed { value: 2.5f32, index: 40 }, Symbol(1), [3i8; 2]);
    let mut taken = Taken::default();
    acc.each_scalar(&mut taken);
    assert_eq!(taken.dtypes, [DType::F32, DType::I8, DType::I8]);
    assert_eq!((taken.positions, taken.symbols), (vec![40], 1));
    assert_eq!(acc, (Indexed { value: 0.0, index: 7 }, Symbol(1), [0; 2]));
    // Who knows nothing of them is handed a position as the number that it is, and no symbol.
    let mut plain = Plain(Vec::new());
    acc.each_scalar(&mut plain);
    assert_eq!(plain.0, [DType::F32, DType::U64, DType::I8, DType::I8]);
}

/// What an engine does by the fold of an operator: here, it says what that reads.
trait Described {
    fn described() -> String;
}

impl<A: Element, Op, T> Described for Combining<Value<A>, Op, T> {
    fn described() -> String {
        format!("values of {}", A::DTYPE)
    }
}

impl<A: Element, Op, T> Described for Selecting<Positioned<Value<A>>, Op, T> {
    fn described() -> String {
        format!("a selection of {}", A::DTYPE)
    }
}

impl<F: Described, G: Described> Described for (F, G) {
    fn described() -> String {
        format!("{} and {}", F::described(), G::described())
    }
}

fn described<T: Stored, Op: OnePass<T, Fold: Described>>(_op: &Op) -> String {
    Op::Fold::described()
}

#[test]
fn folds_can_be_named() {
    let ops = (Centre, ArgMax::default());
    assert_eq!(described::<f32, _>(&ops), "values of f32 and a selection of f32");
}

/// Where there is no element, an accumulator starts from the identity.
#[test]
fn an_order_of_nothing_starts_from_the_identity() {
    for (shape, from_first) in [(&[1][..], true), (&[0], false), (&[3, 0], false)] {
        let shape = Shape::new(shape).expect("small");
        let order = Reduction::new(ReduceSum).order_in_rows::<f32>(&shape).expect("sums");
        assert_eq!((order.count, order.from_first), (shape.count(), from_first), "{shape:?}");
        // Where there are elements, no axis is left along which nothing is numbered.
        assert!(
            order.count == 0 || order.kept.iter().chain(&order.reduced).all(|axis| axis.size != 1),
            "{order:?}"
        );
    }
}

/// Subtracts the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Centre;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

impl<A: Num> Emit<A> for Centre {
    type Emitted = A;

    fn emit(&self, x: A, mean: &A) -> A {
        x - *mean
    }
}

#[test]
fn a_reduction_has_parts() {
    let reduction = Reduction::new((ReduceSum, ReduceMax)).axes([0, -1]).keepdims(true);
    let parts = reduction.parts();
    assert_eq!((parts.axes, parts.keepdims), (&Axes::from([0, -1]), true));
    let (ReduceSum, ReduceMax) = parts.op;
    let chain = Reduction::new(Centre).then(ArgMax { select_last_index: true });
    let chain = chain.parts().op;
    let (Centre, last) = (chain.first(), chain.next());
    assert!(last.select_last_index);
}
