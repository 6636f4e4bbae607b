//! The sentence of each [`ErrorKind`].

use std::fmt::{self, Display};

use super::ErrorKind;
use crate::facts::window::Window;

/// `a`, `b` or `c`, each in backticks.
fn one_of<T: Display>(items: &[T]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// `1..=17 and 20..`, without repeating a window.
fn spans(windows: &[Window]) -> String {
    let spans: Vec<String> = windows.iter().map(ToString::to_string).collect();
    spans.join(" and ")
}

/// `a, b, c`, or that there is none.
fn in_turn<T: Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    if items.is_empty() { "nothing".to_owned() } else { items.join(", ") }
}

/// A number of things: `1 entry`, `2 entries`.
fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// A number of elements.
fn elements(number: usize) -> String {
    counted(number, "element", "elements")
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`"))
}

impl Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SizeOverflow { shape } => {
                write!(
                    f,
                    "shape {shape:?} has too many elements; they must number at most {}",
                    isize::MAX
                )
            }
            Self::LengthMismatch { what, expected, found } => {
                write!(f, "{what} has {}; the shape has {expected}", elements(*found))
            }
            Self::OtherLayout { planned, found } => write!(
                f,
                "the view has shape {:?} and strides {:?}; plan anew, or give one with shape {:?}, \
                 strides {:?} and the same offset",
                found.0, found.1, planned.0, planned.1
            ),
            Self::RankMismatch { what, expected, found } => {
                let entries = counted(*found, "entry", "entries");
                write!(f, "{what} has {entries}; the tensor has rank {expected}")
            }
            Self::ViewOutOfBounds { shape, strides, offset, length } => write!(
                f,
                "a view of shape {shape:?} and strides {strides:?} from element {offset} reaches \
                 outside its buffer of {}",
                elements(*length)
            ),
            Self::ViewOverlaps { shape, strides } => write!(
                f,
                "elements of a view of shape {shape:?} and strides {strides:?} would overlap; to be \
                 written, each axis must step beyond those of smaller strides"
            ),
            Self::OutputShape { expected, found } => {
                write!(f, "the output has shape {found:?}; give one of shape {expected:?}")
            }
            Self::NotAPermutation { axes, rank } => {
                write!(f, "{axes:?} is no permutation of the axes 0..{rank}; name each once")
            }
            Self::NoSuchAxis { axis, rank } => {
                write!(f, "no axis {axis}; a tensor of rank {rank} has axes below {rank}")
            }
            Self::BadSlice { axis, start, end, size } => write!(
                f,
                "slice {start}..{end} of axis {axis} is not within 0..{size}, start before end; \
                 a negative step walks the same range backwards"
            ),
            Self::ZeroStep { axis } => {
                write!(f, "a slice of axis {axis} with step 0; use 1, or broadcast to repeat")
            }
            Self::CannotBroadcast { from, to } => {
                write!(f, "shape {from:?} does not broadcast to {to:?}; only sizes of 1 stretch")
            }
            Self::ShapesDiffer { shapes } => write!(
                f,
                "inputs of shapes {shapes:?} do not broadcast to one shape; sizes must be equal \
                 or 1, counted from the last axis"
            ),
            Self::OtherResult { expected, found } => write!(
                f,
                "the result of this piece has shape {found:?}, that of earlier ones {expected:?}; \
                 pieces may differ along reduced axes alone"
            ),
            Self::InputCount { expected, found } => {
                write!(f, "the number of inputs is {found}; the operator takes {expected}")
            }
            Self::SeveralResults { found } => {
                let results = counted(*found, "result", "results");
                write!(f, "the operator has {results}; ask for all of them with `run_all`")
            }
            Self::AxisOutOfRange { axis, rank: 0 } => write!(
                f,
                "axis {axis} of a rank-0 tensor; rank 0 has no axes: leave axes out, or, to an operator \
                 that reduces one axis, named or not, give a tensor of rank 1 or more"
            ),
            Self::AxisOutOfRange { axis, rank } => {
                write!(
                    f,
                    "axis {axis} is out of range for rank {rank}; expected -{rank}..={}",
                    rank - 1
                )
            }
            Self::DuplicateAxis { axis, position } => {
                match position.filter(|&position| usize::try_from(*axis) != Ok(position)) {
                    None => write!(f, "axis {axis} is named twice; name each axis once"),
                    Some(position) => write!(
                        f,
                        "axis {axis} names axis {position}, which is named already; name each axis once"
                    ),
                }
            }
            Self::EmptySet { dtype, shape } => write!(
                f,
                "no value over an empty set of {dtype}; the input of shape {shape:?} has no elements \
                 along the reduced axes"
            ),
            Self::NoneCounts { dtype } => write!(
                f,
                "no value over an empty set of {dtype}: of some result no element counts; leave no set \
                 without an element that is chosen and not NaN"
            ),
            Self::Parameters { wrong } => f.write_str(wrong),
            Self::ResultTooLarge { dtype, elements } => {
                write!(
                    f,
                    "the result has {elements} elements of {dtype}; they do not fit in memory"
                )
            }
            Self::NoMemory { bytes } => write!(
                f,
                "{bytes} bytes that the work needs beside its results cannot be had; free some \
                 memory, or reduce fewer elements at once"
            ),
            Self::RankTooLarge { rank, most } => {
                write!(f, "{rank} axes are more than any tensor has; name at most {most}")
            }
            Self::CountTooLarge { count, more } => write!(
                f,
                "{count} elements and {more} more cannot be counted; a stream or a group takes at most \
                 {} in all",
                i64::MAX
            ),
            Self::AxesOfList => f.write_str(
                "rows by key or by offsets are a list, which has no axes; leave out `axes` and `keepdims`",
            ),
            Self::BadOffset { place, before, offset, elements } => write!(
                f,
                "offset {offset} at place {place} does not lie between the one before it, {before}, and {}; \
                 give ascending offsets",
                self::elements(*elements)
            ),
            Self::OtherOperator { expected, found } if expected == found => write!(
                f,
                "a state of another `{found}`, whose accumulator has other fields, cannot be taken up; \
                 give it to the operator that it was made by"
            ),
            Self::OtherOperator { expected, found } => write!(
                f,
                "a state of `{found}` cannot go into one of `{expected}`; merge those of one operator \
                 with the same parameters"
            ),
            Self::OtherAxes { expected, found } => write!(
                f,
                "a state that keeps axes {found:?} cannot go into one that keeps {expected:?}; merge \
                 those of reductions along the same axes"
            ),
            Self::BadState { problem } => {
                write!(f, "a state has {problem}; give it as it was made")
            }
            Self::KeyOutOfRange { key, row, groups: 0 } => {
                write!(
                    f,
                    "key {key} in row {row} has no group; ask for as many groups as there are keys"
                )
            }
            Self::KeyOutOfRange { key, row, groups } => write!(
                f,
                "key {key} in row {row} is out of range for {}; expected 0..={}",
                counted(*groups, "group", "groups"),
                groups - 1
            ),
            Self::EmptyGroup { group, dtype } => write!(
                f,
                "no value over an empty set of {dtype}: no element that counts has key {group}; number \
                 the keys without gaps"
            ),
            Self::NoInverse => f.write_str(
                "elements cannot be taken out of this operator's accumulators; write `fn remove`, or reduce \
                 the elements that are left",
            ),
            Self::NoOrder => f.write_str(
                "the order of combination follows from which elements count, and these are not read; ask for \
                 that of the operator without `Masked` and `SkipNan`",
            ),
            Self::TooFew { group, count, less } => write!(
                f,
                "{} cannot be taken out of group {group}, which has {count}; take out those that were \
                 taken in",
                elements(*less)
            ),
            Self::OtherArray { found } => write!(
                f,
                "an array of {found} cannot be viewed as elements; cast it to integers of up to 64 bits, or \
                 to floats"
            ),
            Self::OtherColumns { expected, found } => write!(
                f,
                "columns of {} are not those of accumulators of this operator; expected {}",
                in_turn(found),
                in_turn(expected)
            ),
            Self::LevelUnavailable { level } => {
                write!(f, "this CPU has no level `{level}`; use one of `Level::available()`")
            }
            _ => self.fmt_schema(f),
        }
    }
}

impl ErrorKind {
    /// The sentences about operators, versions, attributes and inputs.
    fn fmt_schema(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOp { name, suggestion } => {
                write!(f, "unknown operator `{name}`{}", did_you_mean(*suggestion))
            }
            Self::OpsetOutOfRange { opset, newest } => {
                write!(f, "opset {opset} does not exist; expected 1..={newest}")
            }
            Self::NotInOpset { name, opset, versions } => {
                write!(f, "{name} does not exist at opset {opset}; it has versions {versions}")
            }
            Self::DTypeNotAllowed { dtype, allowed, elsewhere } => {
                write!(f, "dtype `{dtype}` is not allowed; expected {}", one_of(allowed))?;
                match elsewhere.as_slice() {
                    [] => Ok(()),
                    windows => write!(f, " (`{dtype}` is allowed at versions {})", spans(windows)),
                }
            }
            Self::UnknownAttr { attr, known, suggestion: None, .. } => {
                write!(f, "unknown attribute `{attr}`; expected {}", one_of(known))
            }
            Self::UnknownAttr { attr, suggestion, elsewhere, .. } => {
                write!(f, "unknown attribute `{attr}`{}", did_you_mean(*suggestion))?;
                match elsewhere.as_slice() {
                    [] => Ok(()),
                    windows => write!(f, ", which versions {} have", spans(windows)),
                }
            }
            Self::AttrOfOtherVersion { attr, windows, input_here: true } => write!(
                f,
                "`{attr}` is an attribute only at versions {}; here it is an input: pass it as the \
                 second input",
                spans(windows)
            ),
            Self::AttrOfOtherVersion { attr, windows, input_here: false } => write!(
                f,
                "no attribute `{attr}` here; versions {} have it: leave it out or choose such an opset",
                spans(windows)
            ),
            Self::DuplicateAttr { attr } => {
                write!(f, "attribute `{attr}` is given twice; give it once")
            }
            Self::AttrKind { attr, expected, found } => {
                write!(f, "attribute `{attr}` takes {expected}, not {found}")
            }
            Self::AttrRange { attr, found, accepted } => {
                write!(f, "attribute `{attr}` is {found}; expected {accepted}")
            }
            Self::InputOfOtherVersion { input, windows } if windows.is_empty() => {
                write!(f, "no input `{input}`; the only input is the data")
            }
            Self::InputOfOtherVersion { input, windows } => write!(
                f,
                "`{input}` is an input only at versions {}; here it is an attribute",
                spans(windows)
            ),
            Self::InputDType { input, expected, found } => {
                write!(f, "input `{input}` is of dtype `{found}`; expected `{expected}`")
            }
            Self::AxesNotGiven => {
                write!(f, "the axes are computed when the model runs; pass them with the data")
            }
            Self::NoForm { what, reason } => {
                write!(f, "`{what}` has no form at this version: {reason}")
            }
            Self::InputRank { input, expected, found } => {
                write!(f, "input `{input}` has rank {found}; expected rank {expected}")
            }
            _ => Ok(()),
        }
    }
}
