//! Calls: a node of a model, in the form that its version takes.

use reduce_core::nodes::{AxesInput, Call, Node, OpEntry};
use reduce_core::{AnyTensor, AnyView, DType, Error, Problems, View};

/// A request says what to ask of an operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The axes, or none given.
    pub axes: Option<&'a [i64]>,
    /// The attribute, or none given.
    pub keepdims: Option<bool>,
    /// The attribute, or none given.
    pub noop: Option<bool>,
    /// The attribute `select_last_index`, or none given.
    pub last: Option<bool>,
    /// Whether axes that are an input are computed, and not known beforehand.
    pub runtime: bool,
}

impl Request<'_> {
    /// The call, with the axes in the form that the version takes.
    ///
    /// # Errors
    /// If the operator refuses it.
    ///
    /// # Panics
    /// If the operator takes one axis and is not asked for exactly one.
    pub fn prepare(
        &self,
        entry: &'static OpEntry,
        opset: u32,
        dtype: DType,
    ) -> Result<Call, Problems> {
        let mut node = Node::new(opset, dtype);
        for (name, flag) in [
            ("keepdims", self.keepdims),
            ("noop_with_empty_axes", self.noop),
            ("select_last_index", self.last),
        ] {
            if let Some(flag) = flag {
                node = node.attr(name, i64::from(flag));
            }
        }
        let Some(axes) = self.axes else { return entry.prepare(&node) };
        if takes_one_axis(entry) {
            let [axis] = axes else { panic!("{} of {axes:?}", entry.schema().name) };
            node = node.attr("axis", *axis);
        } else if !takes_axes_input(entry, opset) {
            node.attrs
                .push(("axes".to_owned(), reduce_core::nodes::AttrValue::Ints(axes.to_vec())));
        } else if self.runtime {
            node = node.axes(AxesInput::runtime());
        } else {
            node = node.axes(axes.to_vec());
        }
        entry.prepare(&node)
    }

    /// The result of a call that was prepared for this request.
    ///
    /// # Errors
    /// If the operator has none.
    ///
    /// # Panics
    /// If a list of axes is no view.
    pub fn run(&self, call: &Call, data: &AnyView<'_>) -> Result<AnyTensor, Error> {
        match self.axes {
            Some(axes) if call.needs_axes() => {
                let axes = View::new(axes, &[axes.len()]).expect("a list has rank 1");
                call.run_with_axes(data, &axes.into())
            }
            _ => call.run(data),
        }
    }
}

/// Whether an operator takes its axes as an input at an opset.
pub fn takes_axes_input(entry: &OpEntry, opset: u32) -> bool {
    entry.schema().at(opset).is_ok_and(|version| version.axes_input)
}

/// Whether an operator takes one axis, and not a list of them.
pub fn takes_one_axis(entry: &OpEntry) -> bool {
    entry.schema().attrs.iter().any(|attr| attr.name == "axis")
}

/// Names a call in a message.
pub fn label(entry: &OpEntry, opset: u32, dtype: DType, request: &Request<'_>) -> String {
    format!("{}-{opset} {dtype} {request:?}", entry.schema().name)
}
