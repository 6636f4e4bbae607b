//! From a request to `reduce-core`: where an operator's version takes its axes, and the CPU level.

use reduce_core::Level;
use reduce_core::nodes::{AttrValue, Node};
use reduce_core::schema::VersionSchema;

use crate::error::Error;

/// The node with its axes where the version takes them: as its input if it has
/// one, else as the attribute, which may be for one axis.
///
/// # Errors
/// If the version reduces one axis, and not one is given.
pub(crate) fn with_axes(
    node: Node,
    version: &VersionSchema,
    axes: Option<&[i64]>,
) -> Result<Node, Error> {
    Ok(match axes {
        None => node,
        Some(axes) if version.axes_input => node.axes(axes.to_vec()),
        Some(axes) if version.attr("axis").is_some() => match axes {
            &[axis] => node.attr("axis", AttrValue::Int(axis)),
            _ => {
                let given = axes.len();
                let sentence = "the operator reduces one axis; name one";
                return Err(Error::new(format!("{sentence}, not {given}, with --axes")));
            }
        },
        Some(axes) => node.attr("axes", AttrValue::Ints(axes.to_vec())),
    })
}

/// The level asked for, if this CPU has it.
pub(crate) fn check_level(asked: Option<Level>) -> Result<Level, Error> {
    let level = asked.unwrap_or_else(Level::best);
    if level.is_available() {
        return Ok(level);
    }
    let available: Vec<String> = Level::available().map(|level| level.to_string()).collect();
    let available = available.join(", ");
    Err(Error::new(format!("this CPU has no level `{level}`; choose one of: {available}")))
}
