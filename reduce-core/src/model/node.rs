//! Nodes: uses of an operator in a model.

use crate::facts::dtype::DType;
use crate::facts::schema::AttrValue;
use crate::facts::shape::PartialShape;
use crate::values::any::AnyTensor;
use crate::values::tensor::Tensor;

/// Axes as a second input, which a model may leave out, hold as a constant, or
/// compute. The three are never confused: axes that are only known later do not
/// mean "all axes" until then.
///
/// ```
/// use reduce_core::nodes::{AxesInput, Node};
/// use reduce_core::{DType, View};
/// use reduce_specs::ONNX;
///
/// let node = Node::new(13, DType::I32).axes(AxesInput::runtime()).attr("keepdims", 0);
/// let call = ONNX.prepare("ReduceSum", &node)?;
/// assert!(call.needs_axes());
/// let data = View::new(&[1, 2, 3, 4], &[2, 2])?.into();
/// let sums = call.run_with_axes(&data, &View::new(&[0i64], &[1])?.into())?;
/// assert_eq!(sums.downcast::<i32>().expect("as the data").data(), [4, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AxesInput {
    /// No second input, or one with an empty name.
    #[default]
    Absent,
    /// A constant.
    Static(AnyTensor),
    /// A tensor that is computed when the model runs.
    Runtime {
        /// Its type.
        dtype: DType,
        /// Its shape, as far as it is known.
        shape: PartialShape,
    },
}

impl AxesInput {
    /// A tensor of the right type that is computed when the model runs.
    pub fn runtime() -> Self {
        AxesInput::Runtime { dtype: DType::I64, shape: PartialShape::of_rank(1) }
    }
}

impl From<Vec<i64>> for AxesInput {
    fn from(axes: Vec<i64>) -> Self {
        AxesInput::Static(Tensor::from_list(axes).into())
    }
}

impl<const N: usize> From<[i64; N]> for AxesInput {
    fn from(axes: [i64; N]) -> Self {
        axes.to_vec().into()
    }
}

impl From<AnyTensor> for AxesInput {
    fn from(axes: AnyTensor) -> Self {
        AxesInput::Static(axes)
    }
}

/// One use of an operator in a model: all that is known before it runs.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::nodes::{Node, PartialShape};
/// use reduce_specs::ONNX;
///
/// // Of a model of opset 18: the axes are the second input, and the rank of the data is known.
/// let node = Node::new(18, DType::F32)
///     .shape(PartialShape::of_rank(2))
///     .axes([-1])
///     .attr("keepdims", 0);
/// assert!(ONNX.prepare("ReduceMean", &node).is_ok());
/// // Axis 2 does not fit that rank.
/// let problems = ONNX.prepare("ReduceMean", &node.axes([2])).unwrap_err();
/// assert_eq!(problems.errors()[0].code(), "axis-out-of-range");
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The opset the model imports.
    pub opset: u32,
    /// The type of the data.
    pub dtype: DType,
    /// The shape of the data, as far as it is known.
    pub shape: PartialShape,
    /// The attributes given.
    pub attrs: Vec<(String, AttrValue)>,
    /// The second input.
    pub axes: AxesInput,
}

impl Node {
    /// A node with no attribute, no second input, and data of unknown shape.
    pub fn new(opset: u32, dtype: DType) -> Self {
        let (shape, axes) = (PartialShape::unknown(), AxesInput::Absent);
        Node { opset, dtype, shape, attrs: Vec::new(), axes }
    }

    /// Adds an attribute. [`Registry::prepare`](crate::nodes::Registry::prepare) finds whether the operator has it.
    #[must_use]
    pub fn attr(mut self, name: &str, value: impl Into<AttrValue>) -> Self {
        self.attrs.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the second input.
    #[must_use]
    pub fn axes(mut self, axes: impl Into<AxesInput>) -> Self {
        self.axes = axes.into();
        self
    }

    /// Sets what is known of the shape of the data.
    #[must_use]
    pub fn shape(mut self, shape: impl Into<PartialShape>) -> Self {
        self.shape = shape.into();
        self
    }
}
