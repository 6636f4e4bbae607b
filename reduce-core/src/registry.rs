//! Registries: operators found by name, types found at run time.

use std::fmt;

use crate::axes::Axes;
use crate::dtype::DType;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Problems};
use crate::level::Level;
use crate::op::{OpSpec, Reduces};
use crate::reduction::Reduction;
use crate::schema::validate::{self, Node};
use crate::schema::{OpSchema, Params};
use crate::shape::Shape;
use crate::tensor::{AnyTensor, AnyView};

/// The kernel of an operator for one storage type, its types erased.
pub struct Row<Op> {
    dtype: DType,
    run: RunAny<Op>,
}

/// Runs a reduction if the input is of the row's type.
type RunAny<Op> = fn(&Reduction<Op>, &AnyView<'_>) -> Option<Result<AnyTensor, Error>>;

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Element>() -> Self
    where
        Op: Reduces<T>,
    {
        Row {
            dtype: T::DTYPE,
            run: |reduction, input| {
                let view = T::view_of(input)?;
                Some(reduction.run(view).map(AnyTensor::from))
            },
        }
    }

    /// The row's result, or nothing if the input is of another type.
    pub(crate) fn run(
        &self,
        reduction: &Reduction<Op>,
        input: &AnyView<'_>,
    ) -> Option<Result<AnyTensor, Error>> {
        (self.run)(reduction, input)
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({})", self.dtype)
    }
}

/// An operator of a registry, its type erased.
pub struct OpEntry {
    schema: OpSchema,
    run: fn(&Call, &AnyView<'_>) -> Result<AnyTensor, Error>,
}

impl OpEntry {
    /// The entry of an operator.
    pub const fn of<Op: OpSpec>() -> Self {
        OpEntry {
            schema: Op::SCHEMA,
            run: |call, input| {
                let reduction = Reduction::new(Op::configure(&call.params));
                let reduction = reduction.axes(call.axes.clone()).keepdims(call.keepdims);
                reduction.level(call.level).run_any(input)
            },
        }
    }

    /// The operator's facts.
    pub fn schema(&self) -> &OpSchema {
        &self.schema
    }

    /// The node, ready to run.
    ///
    /// ```
    /// # use reduce_core::*;
    /// # #[derive(Clone, Copy, Debug, Default)]
    /// # struct Sum;
    /// # #[reduce_op(dtypes = [f32])]
    /// # impl<A: Num> ReduceOp<A> for Sum {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, acc: A, _count: usize) -> A { acc }
    /// # }
    /// static SUM: OpEntry = OpEntry::of::<Sum>();
    /// let call = SUM.prepare(&Node::new(1, DType::F32).attr("axes", [1]).attr("keepdims", 0))?;
    /// let data = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
    /// let sums = call.run(&data.into())?;
    /// assert_eq!(sums, Tensor::new(vec![3.0f32, 7.0], &[2])?.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with it: its opset, the type of its data, its
    /// attributes, its second input. Axes are held against the rank when the
    /// shape is known, in [`Call::output_shape`] and [`Call::run`].
    pub fn prepare(&'static self, node: &Node<'_>) -> Result<Call, Problems> {
        let checked = validate::check(&self.schema, node)?;
        Ok(Call {
            entry: self,
            version: checked.since,
            dtype: node.dtype,
            axes: checked.axes,
            keepdims: checked.keepdims,
            params: checked.params,
            level: Level::best(),
        })
    }
}

impl fmt::Debug for OpEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpEntry").field(&self.schema.name).finish()
    }
}

/// A validated node: an operator at a version, with its axes and flags.
#[derive(Clone, Debug)]
pub struct Call {
    entry: &'static OpEntry,
    version: u32,
    dtype: DType,
    axes: Axes,
    keepdims: bool,
    params: Params,
    level: Level,
}

impl Call {
    /// The version of the operator that governs.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Runs at this CPU level and not at the best one; for tests and benchmarks,
    /// since every level gives the same bits.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// The shape of the result for data of this shape.
    ///
    /// # Errors
    /// If an axis is out of range for the rank, or named twice.
    pub fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        let axes = self.axes.resolve(shape.rank()).map_err(|error| self.name(error))?;
        axes.output_shape(shape, self.keepdims)
    }

    /// The result.
    ///
    /// # Errors
    /// If the data is not of the type the node was validated for, an axis does
    /// not fit its rank, a result over no elements has no value, or the CPU lacks
    /// the level asked for.
    pub fn run(&self, data: &AnyView<'_>) -> Result<AnyTensor, Error> {
        if data.dtype() != self.dtype {
            let (expected, found) = (self.dtype, data.dtype());
            let kind = ErrorKind::InputDType { input: "data", expected, found };
            return Err(self.name(kind.into()));
        }
        (self.entry.run)(self, data).map_err(|error| self.name(error))
    }

    fn name(&self, error: Error) -> Error {
        error.about(self.entry.schema.name, self.version)
    }
}

/// Operators of one operator set, found by name.
#[derive(Debug)]
pub struct Registry {
    ops: &'static [OpEntry],
    newest: u32,
}

impl Registry {
    /// A registry of an operator set whose newest version is `newest`.
    pub const fn new(ops: &'static [OpEntry], newest: u32) -> Self {
        Registry { ops, newest }
    }

    /// Every operator, in the order of the registry.
    pub fn ops(&self) -> &'static [OpEntry] {
        self.ops
    }

    /// The newest opset.
    pub fn newest(&self) -> u32 {
        self.newest
    }

    /// The operator of this name.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownOp`], with the nearest name.
    pub fn op(&self, name: &str) -> Result<&'static OpEntry, Error> {
        self.ops.iter().find(|entry| entry.schema.name == name).ok_or_else(|| {
            let known = self.ops.iter().map(|entry| entry.schema.name);
            let suggestion = crate::suggest::nearest(name, known);
            ErrorKind::UnknownOp { name: name.to_owned(), suggestion }.into()
        })
    }

    /// The opset, if there is one of that number.
    ///
    /// # Errors
    /// [`ErrorKind::OpsetOutOfRange`] for 0 and beyond the newest.
    pub fn check_opset(&self, opset: u32) -> Result<u32, Error> {
        let newest = self.newest;
        if (1..=newest).contains(&opset) {
            Ok(opset)
        } else {
            Err(ErrorKind::OpsetOutOfRange { opset, newest }.into())
        }
    }

    /// The node of the operator of this name, ready to run.
    ///
    /// # Errors
    /// As [`Registry::op`], [`Registry::check_opset`] and [`OpEntry::prepare`].
    pub fn prepare(&self, name: &str, node: &Node<'_>) -> Result<Call, Problems> {
        let entry = self.op(name)?;
        self.check_opset(node.opset)?;
        entry.prepare(node)
    }
}
