//! Calls: a node of a model, in the form that its version takes.

use reduce_core::{AxesInput, Call, DType, Node, OpEntry, Problems, View};

/// What to ask of an operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The axes, or none given.
    pub axes: Option<&'a [i64]>,
    /// The attribute, or none given.
    pub keepdims: Option<bool>,
    /// The attribute, or none given.
    pub noop: Option<bool>,
    /// Whether axes that are an input are a tensor, and not known beforehand.
    pub runtime: bool,
}

impl Request<'_> {
    /// The call, with the axes as an attribute or as an input.
    ///
    /// # Errors
    /// If the operator refuses it.
    ///
    /// # Panics
    /// If a list of axes is no view.
    pub fn prepare(
        &self,
        entry: &'static OpEntry,
        opset: u32,
        dtype: DType,
    ) -> Result<Call, Problems> {
        let mut node = Node::new(opset, dtype);
        for (name, flag) in [("keepdims", self.keepdims), ("noop_with_empty_axes", self.noop)] {
            if let Some(flag) = flag {
                node = node.attr(name, i64::from(flag));
            }
        }
        let Some(axes) = self.axes else { return entry.prepare(&node) };
        if !takes_axes_input(entry, opset) {
            node.attrs.push(("axes".to_owned(), reduce_core::AttrValue::Ints(axes.to_vec())));
        } else if self.runtime {
            let tensor = View::new(axes, &[axes.len()]).expect("a list has rank 1");
            return entry.prepare(&node.axes(AxesInput::Runtime(tensor.into())));
        } else {
            node = node.axes(AxesInput::Static(axes));
        }
        entry.prepare(&node)
    }
}

/// Whether an operator takes its axes as an input at an opset.
pub fn takes_axes_input(entry: &OpEntry, opset: u32) -> bool {
    entry.schema().at(opset).is_ok_and(|version| version.axes_input)
}

/// Names a call in a message.
pub fn label(entry: &OpEntry, opset: u32, dtype: DType, request: &Request<'_>) -> String {
    format!("{}-{opset} {dtype} {request:?}", entry.schema().name)
}
