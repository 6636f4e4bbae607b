//! Types of values, before any is computed: those of inputs and constants are known, and each node makes one of those
//! that it reads.

use reduce_core::DType;
use reduce_core::nodes::{AxesInput, Node};
use reduce_specs::ONNX;

use super::operation::Operation;
use super::program::{FlatNode, Program};
use super::refusal::Refusal;

/// The type of each value.
#[derive(Debug)]
pub(crate) struct Types(Vec<Option<DType>>);

impl Types {
    /// The types of all values of a program, whose inputs have these.
    ///
    /// # Errors
    /// If a reduction is not for the type that it reads.
    pub(crate) fn new(program: &Program<'_>, inputs: &[Option<DType>]) -> Result<Self, Refusal> {
        let mut types = Types(vec![None; program.values]);
        for (id, value) in &program.constants {
            types.0[*id] = Some(value.dtype());
        }
        for (input, dtype) in program.inputs.iter().zip(inputs) {
            types.0[input.id] = dtype.or(types.0[input.id]);
        }
        for node in &program.nodes {
            let result = types.result(node);
            types.0[node.output] = Some(result.map_err(|refusal| refusal.about(&node.site))?);
        }
        Ok(types)
    }

    /// The type of a value.
    pub(super) fn of(&self, id: usize) -> Option<DType> {
        self.0[id]
    }

    /// The type of an input of a node.
    pub(super) fn read(&self, node: &FlatNode<'_>, place: usize) -> Result<DType, String> {
        let id = node.inputs.get(place).copied().flatten();
        let dtype = id.and_then(|id| self.of(id));
        dtype.ok_or_else(|| {
            format!("reads input {place}, whose type is not known; give the model's inputs")
        })
    }

    fn result(&self, node: &FlatNode<'_>) -> Result<DType, Refusal> {
        Ok(match &node.operation {
            Operation::Reduce(entry, attrs) => {
                let dtype = self.read(node, 0)?;
                let mut request = Node::new(node.opset, dtype);
                request.attrs.clone_from(attrs);
                if node.inputs.get(1).copied().flatten().is_some() {
                    request.axes = AxesInput::runtime();
                }
                let name = entry.schema().name;
                let call = ONNX.prepare(name, &request);
                call.map_err(|problems| Refusal::Wrong(problems.to_string()))?.output_dtype()
            }
            Operation::Cast(dtype) => *dtype,
            Operation::CastLike => self.read(node, 1)?,
            Operation::Shape { .. } | Operation::Size => DType::I64,
            _ => self.read(node, 0)?,
        })
    }
}
