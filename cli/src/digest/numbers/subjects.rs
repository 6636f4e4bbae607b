//! What numbers are made of: operators over inputs of some types.

use reduce_core::DType;
use reduce_core::nodes::{Call, Node, OpEntry};
use reduce_core::schema::ResultLength;
use reduce_gallery::by_name::GALLERY;
use reduce_specs::ONNX;

/// The value of a parameter that says how long results are.
const LENGTH: i64 = 3;

/// An operator over inputs of some types.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    entry: &'static OpEntry,
    /// The types of the inputs.
    pub(super) dtypes: Vec<DType>,
    /// The newest opset at which it takes them.
    opset: u32,
    /// Whether its results are sent back over the elements.
    pub(super) emits: bool,
}

impl Subject {
    /// The operator's name.
    pub(super) fn operator(&self) -> &'static str {
        self.entry.schema().name
    }

    /// The name of its line, such as `Dot f16,f32`.
    pub(super) fn name(&self) -> String {
        let names: Vec<&str> = self.dtypes.iter().map(|dtype| dtype.name()).collect();
        format!("{} {}", self.operator(), names.join(","))
    }

    /// The operator over these axes, at its newest version; nothing if it reduces one axis, and they are not one.
    ///
    /// # Errors
    /// The sentence says why the operator refuses this.
    pub(super) fn call(&self, axes: &[i64]) -> Result<Option<Call>, String> {
        let version = self.entry.schema().at(self.opset).map_err(|error| error.to_string())?;
        let mut node = Node::new(self.opset, self.dtypes[0]);
        node = match *axes {
            _ if version.axes_input => node.axes(axes.to_vec()),
            [axis] if version.attr("axis").is_some() => node.attr("axis", axis),
            _ if version.attr("axis").is_some() => return Ok(None),
            _ => node.attr("axes", axes.to_vec()),
        };
        let length = self.entry.schema().dtypes.first().map(|row| row.length);
        if let Some(ResultLength::Parameter(name)) = length {
            node = node.attr(name, LENGTH);
        }
        let call = self.entry.prepare(&node);
        call.map(Some).map_err(|problems| format!("{}: {problems}", self.name()))
    }
}

/// All of them: the operators of ONNX, and then those of the gallery.
pub(super) fn subjects() -> Vec<Subject> {
    let onnx = ONNX.ops().iter().flat_map(of_onnx);
    let families =
        GALLERY.iter().flat_map(|family| family.members.first().map(|first| (family, first)));
    let gallery = families.flat_map(|(family, first)| {
        (first.rows)().into_iter().flat_map(|dtypes| of_gallery(&first.entry, dtypes, family.emits))
    });
    onnx.chain(gallery).collect()
}

/// An operator of ONNX, over each type that it takes at some opset.
fn of_onnx(entry: &'static OpEntry) -> Vec<Subject> {
    let mut all: Vec<Subject> = Vec::new();
    for row in entry.schema().dtypes {
        let opset = row.window.last().unwrap_or(ONNX.newest());
        match all.iter_mut().find(|subject| subject.dtypes == [row.input]) {
            Some(subject) => subject.opset = subject.opset.max(opset),
            None => all.push(Subject { entry, dtypes: vec![row.input], opset, emits: false }),
        }
    }
    all
}

/// An operator of the gallery over inputs of some types; one that emits, also with inputs beside them.
fn of_gallery(entry: &'static OpEntry, dtypes: &[DType], emits: bool) -> Vec<Subject> {
    let beside = if emits { entry.schema().emits } else { &[0] };
    let subject = |beside: &usize| {
        let others = std::iter::repeat_n(dtypes[0], *beside);
        let dtypes = dtypes.iter().copied().chain(others).collect();
        Subject { entry, dtypes, opset: ONNX.newest(), emits }
    };
    beside.iter().map(subject).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{GALLERY, ONNX, Subject, subjects};

    #[test]
    fn every_operator_is_there_with_every_type() {
        let subjects = subjects();
        let operators: BTreeSet<&str> = subjects.iter().map(Subject::operator).collect();
        assert_eq!(operators.len(), ONNX.ops().len() + GALLERY.len());
        let names: BTreeSet<String> = subjects.iter().map(Subject::name).collect();
        assert_eq!(names.len(), subjects.len());
        for entry in ONNX.ops() {
            for row in entry.schema().dtypes {
                let name = format!("{} {}", entry.schema().name, row.input.name());
                assert!(names.contains(&name), "{name}");
            }
        }
    }

    #[test]
    fn every_operator_takes_an_axis() {
        for subject in subjects() {
            assert!(subject.call(&[0]).expect("valid").is_some(), "{}", subject.name());
        }
    }
}
