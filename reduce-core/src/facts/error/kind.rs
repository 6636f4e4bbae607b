//! The mistakes: one table of them, each with the values that were given, its code and its sentence.

use super::MOST_COUNTED;
use super::table::mistakes;
use super::words::{count_of, counted, did_you_mean, in_turn, one_of, spans};
use crate::facts::dtype::DType;
use crate::facts::level::Level;
use crate::facts::window::Window;

mistakes! {
    /// The sizes of a shape multiply beyond `isize::MAX`.
    "size-overflow" SizeOverflow { shape: Vec<usize> } =>
        format!("shape {shape:?} has too many elements; they must number at most {}", isize::MAX);

    /// A view is not laid out as the one a reduction was planned for.
    "other-layout" OtherLayout {
        planned: (Vec<usize>, Vec<isize>),
        found: (Vec<usize>, Vec<isize>),
    } =>
        format!(
            "the view has shape {:?} and strides {:?}; plan anew, or give one with shape {:?}, \
             strides {:?} and the same offset",
            found.0, found.1, planned.0, planned.1
        );

    /// A buffer's length is not the shape's number of elements.
    "length-mismatch" LengthMismatch { what: &'static str, expected: usize, found: usize } =>
        format!("{what} has {}; the shape has {expected}", count_of(*found));

    /// A list has one entry per axis, but not of this tensor.
    "rank-mismatch" RankMismatch { what: &'static str, expected: usize, found: usize } =>
        {
            let entries = counted(*found, "entry", "entries");
            format!("{what} has {entries}; the tensor has rank {expected}")
        };

    /// A view would reach outside its buffer.
    "view-out-of-bounds" ViewOutOfBounds {
        shape: Vec<usize>,
        strides: Vec<isize>,
        offset: usize,
        length: usize,
    } =>
        format!(
            "a view of shape {shape:?} and strides {strides:?} from element {offset} reaches \
             outside its buffer of {}",
            count_of(*length)
        );

    /// Elements of a view that is written may have one place.
    "view-overlaps" ViewOverlaps { shape: Vec<usize>, strides: Vec<isize> } =>
        format!(
            "elements of a view of shape {shape:?} and strides {strides:?} would overlap; to be \
             written, each axis must step beyond those of smaller strides"
        );

    /// A view to write to has another shape than what is written.
    "output-shape" OutputShape { expected: Vec<usize>, found: Vec<usize> } =>
        format!("the output has shape {found:?}; give one of shape {expected:?}");

    /// A list of axes is no permutation of `0..rank`.
    "not-a-permutation" NotAPermutation { axes: Vec<usize>, rank: usize } =>
        format!("{axes:?} is no permutation of the axes 0..{rank}; name each once");

    /// A slice of an axis that is not there.
    "no-such-axis" NoSuchAxis { axis: usize, rank: usize } =>
        format!("no axis {axis}; a tensor of rank {rank} has axes below {rank}");

    /// A slice beyond its axis, or with its ends exchanged.
    "bad-slice" BadSlice { axis: usize, start: usize, end: usize, size: usize } =>
        format!(
            "slice {start}..{end} of axis {axis} is not within 0..{size}, start before end; a \
             negative step walks the same range backwards"
        );

    /// A slice that would take the same index for ever.
    "zero-step" ZeroStep { axis: usize } =>
        format!("a slice of axis {axis} with step 0; use 1, or broadcast to repeat");

    /// A shape cannot be stretched to another.
    "cannot-broadcast" CannotBroadcast { from: Vec<usize>, to: Vec<usize> } =>
        format!("shape {from:?} does not broadcast to {to:?}; only sizes of 1 stretch");

    /// A result would be written to places for another type.
    "output-dtype" OutputDType { expected: DType, found: DType } =>
        format!("the output holds `{found}`; give one for `{expected}`");

    /// A result is no number of the narrower type that it would be written as.
    "narrow-output" NarrowOutput { value: i64, output: DType } =>
        format!("the result {value} is no number of `{output}`; plan an output of `{wide}`", wide = DType::I64);

    /// There are more or fewer outputs than results.
    "output-count" OutputCount { expected: usize, found: usize } =>
        format!("the number of outputs is {found}; the operator has {expected}");

    /// Inputs that are walked together do not broadcast to one shape.
    "shapes-differ" ShapesDiffer { shapes: Vec<Vec<usize>> } =>
        format!(
            "inputs of shapes {shapes:?} do not broadcast to one shape; sizes must be equal or \
             1, counted from the last axis"
        );

    /// Another number of inputs than the operator takes.
    "input-count" InputCount { expected: usize, found: usize } =>
        format!("the number of inputs is {found}; the operator takes {expected}");

    /// The spec of an operator does not say that it emits.
    "emits-nothing" EmitsNothing =>
        "the operator emits nothing; run it, or write `emits = alone` into its spec and an `Emit` beside it".to_owned();

    /// Emission by the results of an exclusive scan.
    "emits-exclusive" EmitsExclusive =>
        "an exclusive scan emits nothing; leave out `exclusive`, or run it and combine its results with the elements"
            .to_owned();

    /// A reversed scan over pieces.
    "reversed-stream" ReversedStream =>
        "a scan of pieces cannot be reversed, since results would follow from pieces to come; leave out `reversed`, or scan all \
         pieces at once"
            .to_owned();

    /// A piece of a scan has other lines than earlier ones.
    "other-piece" OtherPiece { expected: Vec<usize>, found: Vec<usize> } =>
        format!(
            "beside its first scanned axis this piece has sizes {found:?}, and earlier ones have {expected:?}; \
             pieces may differ along that axis alone"
        );

    /// Another number of inputs than the operator takes when it emits.
    "input-count" EmissionInputs { expected: Vec<usize>, found: usize } =>
        {
            let expected: Vec<String> = expected.iter().map(usize::to_string).collect();
            format!(
                "the number of inputs is {found}; to emit, the operator takes {}",
                expected.join(" or ")
            )
        };

    /// Elements that do not count are left out, which no emission by node does.
    "emits-all" EmitsAll =>
        "an emission by node is over all elements; leave out `skip_nan`, or emit by a `Reduction` of `SkipNan`".to_owned();

    /// One result was asked for, but the operator has several.
    "several-results" SeveralResults { found: usize } =>
        {
            let results = counted(*found, "result", "results");
            format!("the operator has {results}; ask for all of them with `run_all`")
        };

    /// A piece of a stream would have results of another shape than earlier ones.
    "other-result" OtherResult { expected: Vec<usize>, found: Vec<usize> } =>
        format!(
            "the result of this piece has shape {found:?}, that of earlier ones {expected:?}; \
             pieces may differ along reduced axes alone"
        );

    /// An axis outside `-rank..rank`.
    "axis-out-of-range" AxisOutOfRange { axis: i64, rank: usize } =>
        match rank {
            0 => format!(
                "axis {axis} of a rank-0 tensor; rank 0 has no axes: leave axes out, or, to an \
                 operator that reduces one axis, named or not, give a tensor of rank 1 or more"
            ),
            _ => format!(
                "axis {axis} is out of range for rank {rank}; expected -{rank}..={}",
                rank - 1
            ),
        };

    /// An axis named twice.
    "duplicate-axis" DuplicateAxis { axis: i64, position: Option<usize> } =>
        match position.filter(|&position| usize::try_from(*axis) != Ok(position)) {
            None => format!("axis {axis} is named twice; name each axis once"),
            Some(position) => format!(
                "axis {axis} names axis {position}, which is named already; name each axis once"
            ),
        };

    /// A result over no elements, for an operator or type that has none.
    "empty-set" EmptySet { dtype: DType, shape: Vec<usize> } =>
        format!(
            "no value over an empty set of {dtype}; the input of shape {shape:?} has no \
             elements along the reduced axes"
        );

    /// No element of a set counts, for an operator or type that has no value over none.
    "none-counts" NoneCounts { dtype: DType } =>
        format!(
            "no value over an empty set of {dtype}: no element of some result counts; give each \
             set an element that is chosen and is a number"
        );

    /// The operator refuses its parameters: see [`ReduceOp::refuses`](crate::ReduceOp::refuses).
    "parameters" Parameters { wrong: String } =>
        wrong.clone();

    /// The memory for a result cannot be had.
    "result-too-large" ResultTooLarge { dtype: DType, elements: usize } =>
        format!("the result has {elements} elements of {dtype}; they do not fit in memory");

    /// The memory that the work needs, beside its results, cannot be had.
    "no-memory" NoMemory { bytes: usize } =>
        format!(
            "{bytes} bytes that the work needs beside its results cannot be had; free some \
             memory, or reduce fewer elements at once"
        );

    /// The reduction did not come to its end: its [`Progress`](crate::Progress) was asked to stop it, or has a deadline.
    "stopped" Stopped { is_late: bool } =>
        match is_late {
            true => "the deadline passed before the reduction was done; give it more time or fewer \
                     elements".to_owned(),
            false => "the reduction was stopped by its `Progress`; run it again with another \
                      one".to_owned(),
        };

    /// A rank, or a list of axes, is beyond that of any tensor that is reduced.
    "rank-too-large" RankTooLarge { rank: usize, most: usize } =>
        format!("{rank} axes are more than any tensor has; name at most {most}");

    /// A stream or a group would have seen more elements than positions can count.
    "size-overflow" CountTooLarge { count: u64, more: u64 } =>
        format!(
            "{count} elements and {more} more cannot be counted; a stream or a group takes at \
             most {MOST_COUNTED} in all"
        );

    /// Axes were asked for where rows are a list: by key, or by offsets.
    "axes-of-list" AxesOfList =>
        "rows by key or by offsets are a list, which has no axes; leave out `axes` and `keepdims`".to_owned();

    /// Offsets of segments do not ascend within the list.
    "bad-offset" BadOffset { place: usize, before: usize, offset: usize, elements: usize } =>
        format!(
            "offset {offset} at place {place} does not lie between the one before it, {before}, \
             and {}; give ascending offsets",
            count_of(*elements)
        );

    /// A state is that of another operator, or of other parameters.
    "other-operator" OtherOperator { expected: String, found: String } =>
        match expected == found {
            true => format!(
                "a state of another `{found}`, whose accumulator has other fields, cannot be \
                 taken up; give it to the operator that it was made by"
            ),
            false => format!(
                "a state of `{found}` cannot go into one of `{expected}`; merge those of one \
                 operator with the same parameters"
            ),
        };

    /// A state is that of a reduction along other axes.
    "other-axes" OtherAxes { expected: Vec<usize>, found: Vec<usize> } =>
        format!(
            "a state that keeps axes {found:?} cannot go into one that keeps {expected:?}; \
             merge those of reductions along the same axes"
        );

    /// The accumulators of a state are none that an operator makes.
    "bad-state" BadState { problem: &'static str } =>
        format!("a state has {problem}; give it as it was made");

    /// The key of a row is not the number of a group.
    "key-out-of-range" KeyOutOfRange { key: i128, row: usize, groups: usize } =>
        match groups {
            0 => format!(
                "key {key} in row {row} has no group; ask for as many groups as there are keys"
            ),
            _ => format!(
                "key {key} in row {row} is out of range for {}; expected 0..={}",
                counted(*groups, "group", "groups"), groups - 1
            ),
        };

    /// No element has the key of a group, for an operator or type that has no value over none.
    "empty-group" EmptyGroup { group: usize, dtype: DType } =>
        format!(
            "no value over an empty set of {dtype}: no element that counts has key {group}; \
             number the keys without gaps"
        );

    /// The operator has no `remove`.
    "no-inverse" NoInverse =>
        "elements cannot be taken out of this operator's accumulators; write `fn remove`, or reduce the elements that are left".to_owned();

    /// The results of the operator have a length that is a parameter.
    "no-groups" NoGroups =>
        "groups hold accumulators of one size, and those of this operator have the length that a parameter says; reduce the elements of each group by themselves, or take an operator whose type says its length".to_owned();

    /// In which order elements are combined depends on which of them count.
    "no-order" NoOrder =>
        "the order of combination follows from which elements count, and these are not read; ask for that of the operator without `Masked` and `SkipNan`".to_owned();

    /// More elements are to be taken out than a group has.
    "too-few" TooFew { group: usize, count: u64, less: usize } =>
        format!(
            "{} cannot be taken out of group {group}, which has {count}; take out those that \
             were taken in",
            count_of(*less)
        );

    /// An array of a kind that tensors do not hold.
    "other-array" OtherArray { found: String } =>
        format!(
            "an array of {found} cannot be viewed as elements; cast it to integers of up to 64 \
             bits, or to floats"
        );

    /// Columns are not those of the operator's accumulators.
    "other-columns" OtherColumns { expected: Vec<DType>, found: Vec<DType> } =>
        format!(
            "columns of {} are not those of accumulators of this operator; expected {}",
            in_turn(found), in_turn(expected)
        );

    /// The CPU lacks the level asked for.
    "level-unavailable" LevelUnavailable { level: Level } =>
        format!("this CPU has no level `{level}`; use one of `Level::available()`");

    /// No operator of this name.
    "unknown-op" UnknownOp { name: String, suggestion: Option<&'static str> } =>
        format!("unknown operator `{name}`{}", did_you_mean(*suggestion));

    /// An opset that does not exist.
    "opset-out-of-range" OpsetOutOfRange { opset: u32, newest: u32 } =>
        format!("opset {opset} does not exist; expected 1..={newest}");

    /// The operator does not exist at this opset.
    "not-in-opset" NotInOpset { name: &'static str, opset: u32, versions: Window } =>
        format!("{name} does not exist at opset {opset}; it has versions {versions}");

    /// The type of the data is not allowed at this version.
    "dtype-not-allowed" DTypeNotAllowed {
        dtype: DType,
        allowed: Vec<DType>,
        elsewhere: Vec<Window>,
    } =>
        {
            let expected = one_of(allowed);
            let elsewhere = match elsewhere.as_slice() {
            [] => String::new(),
            windows => format!(" (`{dtype}` is allowed at versions {})", spans(windows)),
            };
            format!("dtype `{dtype}` is not allowed; expected {expected}{elsewhere}")
        };

    /// No attribute of this name in any version.
    "unknown-attribute" UnknownAttr {
        attr: String,
        known: Vec<&'static str>,
        suggestion: Option<&'static str>,
        elsewhere: Vec<Window>,
    } =>
        match (suggestion, elsewhere.as_slice()) {
            (None, _) => format!("unknown attribute `{attr}`; expected {}", one_of(known)),
            (_, []) => format!("unknown attribute `{attr}`{}", did_you_mean(*suggestion)),
            (_, windows) => format!(
                "unknown attribute `{attr}`{}, which versions {} have",
                did_you_mean(*suggestion), spans(windows)
            ),
        };

    /// An attribute that other versions have.
    "attribute-of-other-version" AttrOfOtherVersion {
        attr: &'static str,
        windows: Vec<Window>,
        input_here: bool,
    } =>
        match input_here {
            true => format!(
                "`{attr}` is an attribute only at versions {}; here it is an input: pass it as \
                 the second input",
                spans(windows)
            ),
            false => format!(
                "no attribute `{attr}` here; versions {} have it: leave it out or choose such \
                 an opset",
                spans(windows)
            ),
        };

    /// An attribute given twice.
    "duplicate-attribute" DuplicateAttr { attr: &'static str } =>
        format!("attribute `{attr}` is given twice; give it once");

    /// An attribute's value is of the wrong kind.
    "attribute-kind" AttrKind { attr: &'static str, expected: &'static str, found: &'static str } =>
        format!("attribute `{attr}` takes {expected}, not {found}");

    /// An attribute's value is outside its range.
    "attribute-range" AttrRange { attr: &'static str, found: String, accepted: String } =>
        format!("attribute `{attr}` is {found}; expected {accepted}");

    /// An input that this version takes as an attribute, or not at all.
    "input-of-other-version" InputOfOtherVersion { input: &'static str, windows: Vec<Window> } =>
        match windows.as_slice() {
            [] => format!("no input `{input}`; the only input is the data"),
            windows => format!(
                "`{input}` is an input only at versions {}; here it is an attribute",
                spans(windows)
            ),
        };

    /// An input is of the wrong type.
    "input-dtype" InputDType { input: &'static str, expected: DType, found: DType } =>
        format!("input `{input}` is of dtype `{found}`; expected `{expected}`");

    /// An input is of the wrong rank.
    "input-rank" InputRank { input: &'static str, expected: usize, found: usize } =>
        format!("input `{input}` has rank {found}; expected rank {expected}");

    /// Axes that are computed when the model runs were not given.
    "axes-not-given" AxesNotGiven =>
        format!("the axes are computed when the model runs; pass them with the data");

    /// Something of a node has no form at another opset.
    "no-form" NoForm { what: &'static str, reason: String } =>
        format!("`{what}` has no form at this version: {reason}");
}
