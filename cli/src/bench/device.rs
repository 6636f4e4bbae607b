//! The operators on a device, measured beside those on the CPU.

use reduce_core::DType;
use reduce_core::nodes::AttrValue;
use reduce_specs::ONNX;

use super::cases::Case;
use super::data::Data;
use super::measure::Samples;
use super::ops::{BenchOp, Job, timed};
use crate::engine::Engine;
use crate::error::Error;
use crate::operators::{Operator, Request};

/// A device, and what its rows are called.
pub(crate) struct Device {
    engine: Box<dyn Engine>,
    pub(crate) library: String,
}

impl Device {
    pub(crate) fn new(engine: Box<dyn Engine>) -> Self {
        // A field of a row has no comma.
        let library = format!("reduce {}", engine.name().replace(',', ""));
        Device { engine, library }
    }

    /// Times an operator over data that is on the device, until its results are back. An operator is left out if it has
    /// no name for nodes, or if it reduces a single axis and the case has several.
    pub(crate) fn measure(
        &self,
        op: &BenchOp,
        data: &Data,
        job: &Job<'_>,
    ) -> Result<Option<Samples>, Error> {
        let Some(name) = op.operator else { return Ok(None) };
        let (operator, opset) = (Operator::find(name)?, ONNX.newest());
        let axes = axes(job.case);
        if operator.schema().at(opset)?.attr("axis").is_some() && axes.len() != 1 {
            return Ok(None);
        }
        // Another buffer, of other values, as on the CPU.
        let other = if op.inputs > 1 { Some(data.reversed()?) } else { None };
        let views = [Some(data), other.as_ref()].into_iter().flatten();
        let views = views.map(|data| data.view(job.case)).collect::<Result<Vec<_>, _>>()?;
        let dtypes: Vec<DType> = views.iter().map(reduce_core::AnyView::dtype).collect();
        let request = Request {
            opset,
            axes: Some(&axes),
            attrs: vec![("keepdims".to_owned(), AttrValue::Int(0))],
            skip_nan: false,
            level: job.level,
        };
        let prepared = operator.prepare(&request, &dtypes)?;
        let ready = prepared.on(&*self.engine, &dtypes)?;
        let run = ready.over(&views).map_err(Error::new)?;
        timed(job, || run().map(|_| ()).map_err(Error::new))
    }
}

/// The axes of a case, all by number.
fn axes(case: &Case) -> Vec<i64> {
    case.axes.clone().unwrap_or_else(|| (0..).zip(&case.shape).map(|(axis, _)| axis).collect())
}

#[cfg(test)]
mod tests {
    use super::axes;

    #[test]
    fn all_axes_are_named() {
        let axes_of = |case: &str| axes(&case.parse().expect(case));
        assert_eq!(axes_of("x=2x3x4:all"), [0, 1, 2]);
        assert_eq!(axes_of("x=2x3x4:-1"), [-1]);
    }
}
