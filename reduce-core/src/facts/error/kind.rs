//! The mistakes, each with the values that were given.

use crate::facts::dtype::DType;
use crate::facts::level::Level;
use crate::facts::window::Window;

/// Every mistake a caller can make, with the values that were given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The sizes of a shape multiply beyond `isize::MAX`.
    SizeOverflow {
        /// The sizes given.
        shape: Vec<usize>,
    },
    /// A view is not laid out as the one a reduction was planned for.
    OtherLayout {
        /// The shape and strides of the plan.
        planned: (Vec<usize>, Vec<isize>),
        /// The shape and strides of the view.
        found: (Vec<usize>, Vec<isize>),
    },
    /// A buffer's length is not the shape's number of elements.
    LengthMismatch {
        /// What the buffer is.
        what: &'static str,
        /// The number of elements the shape has.
        expected: usize,
        /// The number of elements given.
        found: usize,
    },
    /// A list has one entry per axis, but not of this tensor.
    RankMismatch {
        /// What the list is.
        what: &'static str,
        /// The tensor's rank.
        expected: usize,
        /// The list's length.
        found: usize,
    },
    /// A view would reach outside its buffer.
    ViewOutOfBounds {
        /// The view's sizes.
        shape: Vec<usize>,
        /// The view's strides, in elements.
        strides: Vec<isize>,
        /// The place of its first element.
        offset: usize,
        /// The buffer's number of elements.
        length: usize,
    },
    /// Elements of a view that is written may have one place.
    ViewOverlaps {
        /// The view's sizes.
        shape: Vec<usize>,
        /// The view's strides, in elements.
        strides: Vec<isize>,
    },
    /// A view to write to has another shape than what is written.
    OutputShape {
        /// The shape that is written.
        expected: Vec<usize>,
        /// The view's shape.
        found: Vec<usize>,
    },
    /// A list of axes is no permutation of `0..rank`.
    NotAPermutation {
        /// The list given.
        axes: Vec<usize>,
        /// The tensor's rank.
        rank: usize,
    },
    /// A slice of an axis that is not there.
    NoSuchAxis {
        /// The axis given.
        axis: usize,
        /// The tensor's rank.
        rank: usize,
    },
    /// A slice beyond its axis, or with its ends exchanged.
    BadSlice {
        /// The axis.
        axis: usize,
        /// First index.
        start: usize,
        /// One past the last index.
        end: usize,
        /// The axis's size.
        size: usize,
    },
    /// A slice that would take the same index for ever.
    ZeroStep {
        /// The axis.
        axis: usize,
    },
    /// A shape cannot be stretched to another.
    CannotBroadcast {
        /// The shape there is.
        from: Vec<usize>,
        /// The shape asked for.
        to: Vec<usize>,
    },
    /// Inputs that are walked together do not broadcast to one shape.
    ShapesDiffer {
        /// The shape of each.
        shapes: Vec<Vec<usize>>,
    },
    /// Another number of inputs than the operator takes.
    InputCount {
        /// The number it takes.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// One result was asked for, but the operator has several.
    SeveralResults {
        /// The number of its results.
        found: usize,
    },
    /// A piece of a stream would have results of another shape than earlier ones.
    OtherResult {
        /// The shape of earlier results.
        expected: Vec<usize>,
        /// The shape of the new ones.
        found: Vec<usize>,
    },
    /// An axis outside `-rank..rank`.
    AxisOutOfRange {
        /// The axis given.
        axis: i64,
        /// The tensor's rank.
        rank: usize,
    },
    /// An axis named twice.
    DuplicateAxis {
        /// The second mention, as given.
        axis: i64,
        /// The axis both mentions mean, if the rank is known.
        position: Option<usize>,
    },
    /// A result over no elements, for an operator or type that has none.
    EmptySet {
        /// The type of the elements.
        dtype: DType,
        /// The sizes of the input.
        shape: Vec<usize>,
    },
    /// No element of a set counts, for an operator or type that has no value over none.
    NoneCounts {
        /// The type of the elements.
        dtype: DType,
    },
    /// The operator refuses its parameters: see [`ReduceOp::refuses`](crate::ReduceOp::refuses).
    Parameters {
        /// What is wrong, and what to do instead, in the words of the operator.
        wrong: String,
    },
    /// The memory for a result cannot be had.
    ResultTooLarge {
        /// The type of the result.
        dtype: DType,
        /// Its number of elements.
        elements: usize,
    },
    /// The memory that the work needs, beside its results, cannot be had.
    NoMemory {
        /// The bytes that were asked for.
        bytes: usize,
    },
    /// A rank, or a list of axes, is beyond that of any tensor that is reduced.
    RankTooLarge {
        /// The rank, or the length of the list.
        rank: usize,
        /// The largest rank.
        most: usize,
    },
    /// A stream or a group would have seen more elements than positions can count.
    CountTooLarge {
        /// The elements of the stream or the group, or of its state.
        count: u64,
        /// Those that were to be added.
        more: u64,
    },
    /// Axes were asked for where rows are a list: by key, or by offsets.
    AxesOfList,
    /// Offsets of segments do not ascend within the list.
    BadOffset {
        /// The place of the offset among them.
        place: usize,
        /// The offset before it.
        before: usize,
        /// The offset.
        offset: usize,
        /// The elements of the list.
        elements: usize,
    },
    /// A state is that of another operator, or of other parameters.
    OtherOperator {
        /// The operator with its parameters.
        expected: String,
        /// The operator of the state.
        found: String,
    },
    /// A state is that of a reduction along other axes.
    OtherAxes {
        /// The axes that are kept.
        expected: Vec<usize>,
        /// Those that the state keeps.
        found: Vec<usize>,
    },
    /// The accumulators of a state are none that an operator makes.
    BadState {
        /// What is wrong with them.
        problem: &'static str,
    },
    /// The key of a row is not the number of a group.
    KeyOutOfRange {
        /// The key given.
        key: i128,
        /// The row.
        row: usize,
        /// The number of groups.
        groups: usize,
    },
    /// No element has the key of a group, for an operator or type that has no value over none.
    EmptyGroup {
        /// The group.
        group: usize,
        /// The type of the elements.
        dtype: DType,
    },
    /// The operator has no `remove`.
    NoInverse,
    /// In which order elements are combined depends on which of them count.
    NoOrder,
    /// More elements are to be taken out than a group has.
    TooFew {
        /// The group.
        group: usize,
        /// The elements that it has.
        count: u64,
        /// Those that were to be taken out.
        less: usize,
    },
    /// An array of a kind that tensors do not hold.
    OtherArray {
        /// Its type.
        found: String,
    },
    /// Columns are not those of the operator's accumulators.
    OtherColumns {
        /// Their types.
        expected: Vec<DType>,
        /// The types given.
        found: Vec<DType>,
    },
    /// The CPU lacks the level asked for.
    LevelUnavailable {
        /// The level asked for.
        level: Level,
    },
    /// No operator of this name.
    UnknownOp {
        /// The name given.
        name: String,
        /// The nearest known name.
        suggestion: Option<&'static str>,
    },
    /// An opset that does not exist.
    OpsetOutOfRange {
        /// The opset given.
        opset: u32,
        /// The newest opset known.
        newest: u32,
    },
    /// The operator does not exist at this opset.
    NotInOpset {
        /// The operator.
        name: &'static str,
        /// The opset given.
        opset: u32,
        /// The versions in which it exists.
        versions: Window,
    },
    /// The type of the data is not allowed at this version.
    DTypeNotAllowed {
        /// The type given.
        dtype: DType,
        /// The types allowed at this version.
        allowed: Vec<DType>,
        /// The versions that allow the given type, if any.
        elsewhere: Vec<Window>,
    },
    /// No attribute of this name in any version.
    UnknownAttr {
        /// The name given.
        attr: String,
        /// The attributes of this version.
        known: Vec<&'static str>,
        /// The nearest name that any version has.
        suggestion: Option<&'static str>,
        /// The versions that have the suggestion, where this one does not.
        elsewhere: Vec<Window>,
    },
    /// An attribute that other versions have.
    AttrOfOtherVersion {
        /// The attribute.
        attr: &'static str,
        /// The versions that have it.
        windows: Vec<Window>,
        /// Whether this version takes it as an input instead.
        input_here: bool,
    },
    /// An attribute given twice.
    DuplicateAttr {
        /// The attribute.
        attr: &'static str,
    },
    /// An attribute's value is of the wrong kind.
    AttrKind {
        /// The attribute.
        attr: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: &'static str,
    },
    /// An attribute's value is outside its range.
    AttrRange {
        /// The attribute.
        attr: &'static str,
        /// The value given.
        found: String,
        /// The range accepted.
        accepted: String,
    },
    /// An input that this version takes as an attribute, or not at all.
    InputOfOtherVersion {
        /// The input.
        input: &'static str,
        /// The versions that take it as an input.
        windows: Vec<Window>,
    },
    /// An input is of the wrong type.
    InputDType {
        /// The input.
        input: &'static str,
        /// The type it must have.
        expected: DType,
        /// The type given.
        found: DType,
    },
    /// An input is of the wrong rank.
    InputRank {
        /// The input.
        input: &'static str,
        /// The rank it must have.
        expected: usize,
        /// The rank given.
        found: usize,
    },
    /// Axes that are computed when the model runs were not given.
    AxesNotGiven,
    /// Something of a node has no form at another opset.
    NoForm {
        /// The attribute or input.
        what: &'static str,
        /// Why it has none.
        reason: String,
    },
}
