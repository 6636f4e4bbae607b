//! Registries: operators found by name, types found at run time.

mod call;
mod conflicts;

pub use call::{Call, PlannedCall, PlannedCallEmission};

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind, Problems};
use crate::facts::schema::{OpSchema, Params};
use crate::front::one_pass::Operators;
use crate::front::spec::{AllTypes, KernelTypes, OpSpec, emission_for, kernel_for};
use crate::kernel::{AnyEmission, AnyKernel};
use crate::model::node::Node;
use crate::model::suggest::nearest;
use crate::model::{convert, validate};

/// An operator of a registry, its type erased. [`Registry`] has an example.
pub struct OpEntry {
    schema: OpSchema,
    /// The operator, made of its parameters, unless it refuses them.
    op: fn(&Params) -> Result<Configured, Error>,
    /// Its kernel for inputs of some types, if there is one.
    kernel: ForTypes<AnyKernel<'static>>,
    /// How it emits over inputs of some types, if its spec says that it emits. Nothing is compiled for others.
    emission: Option<ForTypes<AnyEmission>>,
    /// The types of the first input for which there are kernels.
    first_inputs: fn() -> Vec<DType>,
}

/// An operator with its parameters, and how many elements its results have, if a parameter says it.
type Configured = (AnyOp, Option<usize>);

/// An operator, its type erased.
type AnyOp = Arc<dyn Any + Send + Sync>;

/// What an operator has for inputs of some types.
type ForTypes<T> = fn(&AnyOp, &[DType]) -> Result<T, Error>;

/// The operator of an entry, which is of its type.
fn of_entry<Op: OpSpec>(op: &AnyOp) -> Arc<Op> {
    let Ok(op) = Arc::clone(op).downcast() else { unreachable!("an operator of this entry") };
    op
}

impl OpEntry {
    /// The entry of an operator, with kernels for all types of its spec.
    pub const fn of<Op: OpSpec>() -> Self {
        Self::with_types::<Op, AllTypes>()
    }

    /// The entry of an operator, with kernels for some types of its spec, a tuple. No other kernels are compiled for it, so
    /// a program is built sooner, and is smaller.
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_core::nodes::{Node, OpEntry};
    /// use reduce_specs::ReduceMean;
    ///
    /// static MEAN: OpEntry = OpEntry::with_types::<ReduceMean, (f32, i32)>();
    /// assert!(MEAN.prepare(&Node::new(13, DType::F32)).is_ok());
    /// let error = MEAN.prepare(&Node::new(13, DType::F64)).unwrap_err();
    /// assert!(error.to_string().contains("`f64`"));
    /// ```
    pub const fn with_types<Op: OpSpec, T: KernelTypes<Op>>() -> Self {
        OpEntry {
            schema: Op::SCHEMA,
            op: |params| {
                let op = Op::configure(params);
                op.check()?;
                let length = op.array_length();
                Ok((Arc::new(op), length))
            },
            kernel: |op, inputs| Ok(kernel_for::<Op, T>(inputs)?.own(of_entry(op))),
            emission: match Op::SCHEMA.emits {
                [] => None,
                _ => Some(|op, inputs| Ok(emission_for::<Op, T>(inputs)?.own(of_entry(op)))),
            },
            first_inputs: || T::ROWS.iter().map(|row| row.inputs()[0]).collect(),
        }
    }

    /// The operator's facts.
    pub fn schema(&self) -> &OpSchema {
        &self.schema
    }

    /// The node, ready to run.
    ///
    /// ```
    /// # use reduce_core::nodes::*;
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
    /// All mistakes of the node: in its opset, the type of its data, its attributes, its second input, and its
    /// axes as far as the shape is known. What is not known yet is held against the axes in
    /// [`Call::output_shape`] and [`Call::run`].
    pub fn prepare(&'static self, node: &Node) -> Result<Call, Problems> {
        let checked = validate::check(&self.schema, node)?;
        self.check_kernels(node.dtype)
            .map_err(|error| error.about(self.schema.name, checked.since))?;
        let op = (self.op)(&checked.params)?;
        Ok(Call::new(self, op, node.dtype, checked))
    }

    /// Checks that there are kernels for a type, which the version allows.
    ///
    /// # Errors
    /// If the entry was made for others.
    fn check_kernels(&self, dtype: DType) -> Result<(), Error> {
        let allowed = (self.first_inputs)();
        match allowed.contains(&dtype) {
            true => Ok(()),
            false => {
                Err(ErrorKind::DTypeNotAllowed { dtype, allowed, elsewhere: Vec::new() }.into())
            }
        }
    }

    /// The node with the same meaning at another opset, up or down.
    ///
    /// Axes move between attribute and input. Attributes that the other version does not
    /// have are left out, if their value is what it does anyway. A version without the attribute of
    /// a parameter takes the value of the operator's `Default`, which a schema does
    /// not know: it must agree with the attribute's default.
    ///
    /// ```
    /// # use reduce_core::nodes::*;
    /// # use reduce_core::*;
    /// # #[derive(Clone, Copy, Debug, Default)]
    /// # struct Sum;
    /// # #[reduce_op(versions = [1, 13], dtypes = [f32],
    /// #     attrs = { 1..=12 => [axes: ints = all], 13.. => [axes: input = all] })]
    /// # impl<A: Num> ReduceOp<A> for Sum {
    /// #     type Acc = A;
    /// #     type Output = A;
    /// #     fn identity(&self) -> A { A::ZERO }
    /// #     fn map(&self, x: A) -> A { x }
    /// #     fn combine(&self, a: A, b: A) -> A { a + b }
    /// #     fn finalize(&self, acc: A, _count: usize) -> A { acc }
    /// # }
    /// static SUM: OpEntry = OpEntry::of::<Sum>();
    /// let old = Node::new(12, DType::F32).attr("axes", [0, -1]);
    /// let new = SUM.convert(&old, 13)?;
    /// assert_eq!(new, Node::new(13, DType::F32).axes([0, -1]));
    /// assert_eq!(SUM.convert(&new, 12)?, old);
    /// # Ok::<(), Problems>(())
    /// ```
    ///
    /// # Errors
    /// If the node is not valid where it is, or something of it has no form at the other opset. These have
    /// none:
    ///
    /// * a type that is not allowed there,
    /// * axes that are computed when the model runs, where an attribute is wanted,
    /// * an attribute that the other version lacks and that is not its default,
    /// * one result for each element, without `noop_with_empty_axes`.
    pub fn convert(&self, node: &Node, opset: u32) -> Result<Node, Problems> {
        convert::convert(&self.schema, node, opset)
    }
}

impl fmt::Debug for OpEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpEntry").field(&self.schema.name).finish()
    }
}

/// Operators of one operator set, found by name. An engine has one registry, in a `static`.
///
/// ```
/// use reduce_core::nodes::{Node, OpEntry, Registry};
/// use reduce_core::{DType, View};
/// use reduce_gallery::Variance; // an operator of your own, say
/// use reduce_specs::ReduceMax;
///
/// static OPS: [OpEntry; 2] = [OpEntry::of::<ReduceMax>(), OpEntry::of::<Variance>()];
/// static ENGINE: Registry = Registry::new(&OPS, 28);
///
/// let node = Node::new(13, DType::F32).attr("axes", [1]).attr("keepdims", 0);
/// let call = ENGINE.prepare("ReduceMax", &node)?;
/// let data = View::new(&[1.0f32, 5.0, 3.0, 4.0], &[2, 2])?;
/// let largest = call.run(&data.into())?.downcast::<f32>().expect("as the data");
/// assert_eq!(largest.data(), [5.0, 4.0]);
///
/// // The same node at a later opset, where its axes are an input.
/// let newer = ENGINE.convert("ReduceMax", &node, 18)?;
/// assert_eq!(newer, Node::new(18, DType::F32).axes([1]).attr("keepdims", 0));
///
/// let unknown = ENGINE.op("ReduceMx").unwrap_err();
/// assert_eq!(unknown.to_string(), "unknown operator `ReduceMx`; did you mean `ReduceMax`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Registry {
    ops: &'static [OpEntry],
    newest: u32,
}

impl Registry {
    /// A registry of an operator set whose newest version is `newest`.
    ///
    /// # Panics
    /// If two operators have one name, or one begins after the newest version: at compile
    /// time in a `static` or `const`, which is where a registry belongs.
    #[track_caller]
    pub const fn new(ops: &'static [OpEntry], newest: u32) -> Self {
        conflicts::check(ops, newest);
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
            let suggestion = nearest(name, known);
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

    /// The node of the operator of this name, ready to run. Keep the [`Call`] beside the node, and run it
    /// as often as you like.
    ///
    /// # Errors
    /// If [`Registry::op`], [`Registry::check_opset`] or [`OpEntry::prepare`] fails.
    pub fn prepare(&self, name: &str, node: &Node) -> Result<Call, Problems> {
        let entry = self.op(name)?;
        self.check_opset(node.opset)?;
        entry.prepare(node)
    }

    /// The node of the operator of this name at another opset.
    ///
    /// # Errors
    /// If [`Registry::op`], [`Registry::check_opset`] or [`OpEntry::convert`] fails.
    pub fn convert(&self, name: &str, node: &Node, opset: u32) -> Result<Node, Problems> {
        let entry = self.op(name)?;
        self.check_opset(node.opset)?;
        self.check_opset(opset)?;
        entry.convert(node, opset)
    }
}
