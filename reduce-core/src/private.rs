//! Exactly the names that `#[reduce_op]` and `#[derive(Accumulator)]` may use.
//! Outside semver: macro and core are released as a pair.

pub use half::{bf16, f16};
pub use std::string::String;

pub use crate::facts::dtype::DType;
pub use crate::facts::schema::{
    AttrDefault, AttrKind, AttrRange, AttrSchema, DTypeSchema, Empty, NanPolicy, OpSchema, Params,
};
pub use crate::facts::window::Window;
pub use crate::front::emit::{
    Ahead, DoesNotEmit, EmitsBesideExtended, EmitsExtended, EmitsNoRow, EmitsRow, Probe, each_emits,
};
pub use crate::front::laws::{check_laws, check_selection, check_slice_laws};
pub use crate::front::spec::{
    EachType, OpSpec, Reduces, ReducesSlices, Row, array_length, mends, refused, refused_slices,
};
pub use crate::kernel::{
    Combining, Emissions, EmittedAgain, Inert, KEPT, Kernel, Mends, ScanMends, Selecting,
    SliceKernel,
};
pub use crate::machine::code::Code;
pub use crate::machine::float8::{f8e4m3fn, f8e5m2};
pub use crate::values::element::Element;
pub use crate::values::element::accumulator::{Accumulator, Scalars};
pub use crate::values::extended::Extended;
pub use crate::values::int128::{Int128, Uint128};
pub use crate::values::op::ReduceOp;
pub use crate::values::reader::{AsStored, Indexed, Positioned, Value};
pub use crate::values::slices::{Indices, ReduceSlice};
pub use crate::values::stored::Stored;
pub use crate::values::written::{EachWritten, Written};

/// What is wrong with an operator's parameters, in its words.
pub type Refused = Option<String>;

/// How many elements results have, if a parameter says it.
pub type ArrayLength = Option<usize>;

/// Asks for a default.
pub fn has_default<T: Default>() {}

/// The keys of a spec, which generated code names for editors alone.
#[allow(non_upper_case_globals, reason = "as they are written")]
pub mod keys {
    /// `dtypes = [f32, f16 => f32]`, or `{ 1.. => [..], 13.. => [..] }`: what tensors may hold,
    /// and what it is computed in.
    pub const dtypes: () = ();
    /// `name = "MyOp"`: what the operator is called in a model; else the name of its type.
    pub const name: () = ();
    /// `versions = 1..`, or the versions at which something changed: `[1, 11, 13]`.
    pub const versions: () = ();
    /// `attrs = [name: kind = default in range]`, or by window as `dtypes`.
    pub const attrs: () = ();
    /// `nan = propagate`, `ignore` or `unspecified`: what becomes of a NaN among the elements.
    pub const nan: () = ();
    /// `empty = identity`, `error` or `{ floats => .., ints => .. }`: the value over no elements.
    pub const empty: () = ();
    /// `commutative = false`: the order of elements matters.
    pub const commutative: () = ();
    /// `length = k`: the parameter that says how long the results of a `ReduceSlice` are.
    pub const length: () = ();
    /// `output = i64`, or `(f32, i64)` of several: the storage type of the result.
    pub const output: () = ();
    /// `emits = alone`, `beside(2)` or `[alone, beside(2)]`: the operator sends its results back over the elements, alone
    /// or with so many other inputs beside them.
    pub const emits: () = ();
    /// `lanes = 16`: how many accumulators a block keeps.
    pub const lanes: () = ();
}
