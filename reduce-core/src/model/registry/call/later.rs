//! What becomes known after a node was checked: the axes, and the type of the data.

use super::Call;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::{AXES, AttrKind};
use crate::facts::shape::Dims;
use crate::model::attrs::windows_of;
use crate::model::axes::{CheckedAxes, meant, read_axes};
use crate::model::validate::check_dtype;
use crate::values::any::AnyView;

impl Call {
    /// The call, with axes that were computed meanwhile. They replace axes that were known before.
    ///
    /// # Errors
    /// If this version takes no such input, or the axes are not an `i64` tensor of rank 1 with as many elements as were
    /// announced.
    pub fn with_axes(&self, axes: &AnyView<'_>) -> Result<Call, Error> {
        let listed = self.read_axes(axes).map_err(|kind| self.about(kind.into()))?;
        Ok(Call { axes: CheckedAxes::Known(meant(&listed, self.noop)), ..self.clone() })
    }

    /// The call, for data of another type. So a node may be prepared before its type is known: with any type that the operator
    /// takes, such as `f32`, which all of ONNX's take.
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_core::nodes::Node;
    /// use reduce_core::planning::Layout;
    /// use reduce_specs::ONNX;
    ///
    /// // When the model is loaded:
    /// let node = Node::new(13, DType::F32).attr("keepdims", 0);
    /// let sum = ONNX.prepare("ReduceSum", &node)?;
    /// // When the first tensor comes:
    /// let layout = Layout::new(DType::I32, &[3])?;
    /// let planned = sum.with_dtype(layout.dtype())?.plan(&[layout])?;
    /// let mut total = [0i32];
    /// planned.run(&[(&[1i32, 2, 3][..]).into()], &mut [(&mut total[..]).into()])?;
    /// assert_eq!(total, [6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the version does not allow this type.
    pub fn with_dtype(&self, dtype: DType) -> Result<Call, Error> {
        let schema = self.entry.schema();
        let mut problems = Vec::new();
        if let Ok(version) = schema.at(self.version) {
            check_dtype(schema, &version, dtype, &mut problems);
        }
        match problems.pop() {
            Some(problem) => Err(self.about(problem)),
            None => Ok(Call { dtype, ..self.clone() }),
        }
    }

    /// The axes in a tensor, if this version takes such an input.
    pub(super) fn read_axes(&self, axes: &AnyView<'_>) -> Result<Dims<i64>, ErrorKind> {
        let schema = self.entry.schema();
        if !schema.at(self.version).is_ok_and(|version| version.axes_input) {
            let windows = windows_of(schema, |attr| attr.kind == AttrKind::Input);
            return Err(ErrorKind::InputOfOtherVersion { input: AXES, windows });
        }
        let listed = read_axes(axes)?;
        match self.axes {
            CheckedAxes::Runtime { count: Some(expected), .. } if expected != listed.len() => {
                let (what, found) = ("the list of axes", listed.len());
                Err(ErrorKind::LengthMismatch { what, expected, found })
            }
            _ => Ok(listed),
        }
    }
}
