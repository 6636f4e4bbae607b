//! The order of combination, as numbers from which plain loops can be written.

use super::parts::Parts;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::plan::{Axis, Plan, Spread};
use crate::values::input::Input;
use crate::values::stored::Stored;

/// The order in which elements are combined, on any machine: the rules of
/// [numerics](crate::guide::numerics#order-of-combination) applied to one operator and one layout. It is made
/// by [`Reduction::order`].
///
/// The elements of a result are numbered from 0 to `count - 1`, along `reduced`, and results along `kept`, the
/// last axis fastest. A result is computed so:
///
/// 1. Its elements are cut into runs of `run` each, and each run into blocks of `block`; the last block of a
///    run may be shorter.
/// 2. Element `i` of a block goes to strand `i mod strands`. Each strand of each block starts from the identity
///    and pushes its elements in turn. If `from_first`, there is instead one strand and one block, which starts
///    from `map` of the first element and pushes the others.
/// 3. Blocks are merged strand by strand, as `combine(earlier, later)`, in a binary tree: its left part has the
///    largest power of two below the number of blocks.
/// 4. Strands are halved. The `rows` rows of `strands / rows` strands each are halved first, whole rows at a
///    time, and then the strands of the row that is left. Of `n`, number `j + h` is combined into number `j`,
///    where `h` is the largest power of two below `n`; then `h` are left.
/// 5. The result is `finalize` of the accumulator that is left, over `count` elements. Over none it is
///    `finalize(identity(), 0)`.
///
/// Operators whose accumulator is [`Indexed`](crate::Indexed) have the same result in any order.
///
/// ```
/// use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
/// # /// The sum.
/// # #[derive(Clone, Copy, Debug, Default)]
/// # struct Sum;
/// # #[reduce_op(dtypes = [f32])]
/// # impl<A: Num> ReduceOp<A> for Sum {
/// #     type Acc = A;
/// #     type Output = A;
/// #     fn identity(&self) -> A { A::ZERO }
/// #     fn map(&self, x: A) -> A { x }
/// #     fn combine(&self, a: A, b: A) -> A { a + b }
/// #     fn finalize(&self, sum: A, _count: usize) -> A { sum }
/// # }
///
/// // Neighbours in memory are of different results: each has one strand.
/// let data = vec![0.1f32; 300 * 100];
/// let matrix = View::new(&data, &[300, 100])?;
/// let order = Reduction::new(Sum).axes([0]).order(&matrix)?;
/// assert_eq!((order.results, order.count), (100, 300));
/// assert_eq!((order.strands, order.block), (1, 64));
/// assert_eq!((order.kept[0].strides[0], order.reduced[0].strides[0]), (1, 100));
///
/// // A list has 64 strands, each of which takes every 64th element.
/// let order = Reduction::new(Sum).order(&View::new(&data, &[30_000])?)?;
/// assert_eq!((order.strands, order.block), (64, 4096));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The number of results.
    pub results: usize,
    /// The number of elements of each result.
    pub count: usize,
    /// The axes along which results are numbered, the outermost first; none for one result.
    pub kept: Vec<OrderAxis>,
    /// The axes along which the elements of a result are numbered, the outermost first; none for one element.
    pub reduced: Vec<OrderAxis>,
    /// Where the first element of the first result lies in the buffer of each input, in elements.
    pub offsets: Vec<usize>,
    /// Where results go in row-major order, if not as they are numbered.
    pub scatter: Option<Scattered>,
    /// The number of strands.
    pub strands: usize,
    /// The number of rows that the strands lie in; it divides them.
    pub rows: usize,
    /// The number of elements of a block, a multiple of `strands`; it may be more than there are.
    pub block: usize,
    /// The number of elements of a run; all if there is one.
    pub run: usize,
    /// True if an accumulator starts from `map` of the first element, and not from the identity.
    pub from_first: bool,
    /// The position of the first element, for operators that take positions; those of others follow.
    pub first: u64,
}

/// An axis of an [`Order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderAxis {
    /// The number of indices.
    pub size: usize,
    /// The distance from one index to the next in the buffer of each input, in elements.
    pub strides: Vec<isize>,
}

/// Where results go: number `r` of an [`Order`] to the `r`th place along these axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scattered {
    /// Size and stride of each axis, in results; the outermost first.
    pub axes: Vec<(usize, isize)>,
    /// The place of the first result.
    pub start: usize,
}

impl<Op> Reduction<Op> {
    /// The order in which [`Reduction::run`] combines the elements of an input. No element is read.
    ///
    /// # Errors
    /// If an axis does not fit the input, several views do not broadcast to one shape, or a result over no
    /// elements is undefined. It is an error, too, if the order depends on which elements count, as for
    /// [`Masked`](crate::Masked) and [`SkipNan`](crate::SkipNan).
    pub fn order<I: Input>(&self, input: &I) -> Result<Order, Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.parts().order(input)
    }

    /// The order over a tensor of this shape, or over one for each input of the operator. Tensors lie in
    /// row-major order and need not be in memory: one operator may emit what [another one](crate::adapt::Then)
    /// reduces.
    ///
    /// # Errors
    /// As [`Reduction::order`].
    pub fn order_in_rows<T: Stored>(&self, shape: &Shape) -> Result<Order, Error>
    where
        Op: OnePass<T>,
    {
        self.parts().order_in_rows(shape)
    }
}

impl<Op> Parts<'_, Op> {
    /// As [`Reduction::order`].
    ///
    /// # Errors
    /// As [`Reduction::order`].
    pub fn order<I: Input>(&self, input: &I) -> Result<Order, Error>
    where
        Op: OnePass<I::Stored>,
    {
        let plan = plan(*self, input)?;
        let needs = <Op as OnePass<I::Stored>>::kernel().needs();
        Ok(Order::of(&plan, I::Stored::DTYPES.len(), plan.spread(needs)))
    }

    /// As [`Reduction::order_in_rows`].
    ///
    /// # Errors
    /// As [`Reduction::order`].
    pub fn order_in_rows<T: Stored>(&self, shape: &Shape) -> Result<Order, Error>
    where
        Op: OnePass<T>,
    {
        if Op::CHOOSES {
            return Err(ErrorKind::NoOrder.into());
        }
        let (kernel, inputs) = (<Op as OnePass<T>>::kernel(), T::DTYPES.len());
        let axes = self.axes.resolve(shape.rank())?;
        let strides = shape.row_major_strides();
        let plan = Plan::new(shape, &vec![(&strides[..], 0); inputs], &axes, kernel.needs());
        if plan.count == 0 {
            kernel.bound(self.op).check_empty(&plan, || Ok(shape.clone()))?;
        }
        Ok(Order::of(&plan, inputs, plan.spread(kernel.needs())))
    }
}

/// The plan of a reduction that has an order.
///
/// # Errors
/// As [`Reduction::order`].
pub(super) fn plan<Op, I>(parts: Parts<'_, Op>, input: &I) -> Result<Plan, Error>
where
    Op: OnePass<I::Stored>,
    I: Input,
{
    if Op::CHOOSES {
        return Err(ErrorKind::NoOrder.into());
    }
    let kernel = <Op as OnePass<I::Stored>>::kernel();
    let mut plan = Plan::empty();
    let (shape, _) = plan.make_for(input, parts.axes, kernel.needs())?;
    if plan.count == 0 {
        kernel.bound(parts.op).check_empty(&plan, || Ok(shape))?;
    }
    Ok(plan)
}

impl Order {
    /// The order of a plan over `inputs` inputs.
    fn of(plan: &Plan, inputs: usize, spread: Spread) -> Self {
        let of_inputs = match plan.inputs.as_slice() {
            [] => std::slice::from_ref(plan),
            several => several,
        };
        let kept = |plan: &Plan| plan.outer.iter().copied().chain([plan.lane]).collect();
        let (kept, reduced, offsets) = match plan.outputs == 0 || plan.count == 0 {
            // A plan without elements has no axes.
            true => (still(plan.outputs, inputs), still(plan.count, inputs), vec![0; inputs]),
            false => (
                joined(of_inputs.iter().map(kept)),
                joined(of_inputs.iter().map(|plan| plan.axes_of_result().to_vec())),
                of_inputs.iter().map(|plan| plan.offset).collect(),
            ),
        };
        let scatter = plan.scatter.as_ref().map(|scatter| Scattered {
            axes: scatter.axes.iter().map(|axis| (axis.size, axis.stride)).collect(),
            start: scatter.start,
        });
        Order {
            results: plan.outputs,
            count: plan.count,
            kept,
            reduced,
            offsets,
            scatter,
            strands: spread.rows * spread.neighbours,
            rows: spread.rows,
            block: spread.block,
            run: spread.run.unwrap_or(plan.count),
            from_first: plan.takes_one_by_one() && plan.count > 0,
            first: plan.first,
        }
    }
}

/// One axis along which nothing is read.
fn still(size: usize, inputs: usize) -> Vec<OrderAxis> {
    vec![OrderAxis { size, strides: vec![0; inputs] }]
}

/// The axes of several inputs, which are of the same sizes, as one list; without those of one index.
fn joined(inputs: impl Iterator<Item = Vec<Axis>>) -> Vec<OrderAxis> {
    let mut joined: Vec<OrderAxis> = Vec::new();
    for (input, axes) in inputs.enumerate() {
        if input == 0 {
            joined
                .extend(axes.iter().map(|axis| OrderAxis { size: axis.size, strides: Vec::new() }));
        }
        for (to, axis) in joined.iter_mut().zip(axes) {
            to.strides.push(axis.stride);
        }
    }
    joined.retain(|axis| axis.size != 1);
    joined
}
