//! TEMPORARY: the core's interface by key.
use datafusion::arrow::array::{Array, ArrayRef};
use reduce_core::{AnyTensor, AnyView, DType, Error, OpSpec};
use reduce_core::schema::{OpSchema, Params};
use reduce_core::AttrValue;

#[derive(Debug)]
pub struct AnyGroups;
impl AnyGroups {
    pub fn new<Op: OpSpec>(_op: Op, _inputs: &[DType]) -> Result<AnyGroups, Error> { todo!() }
    pub fn len(&self) -> usize { todo!() }
    pub fn grow(&mut self, _groups: usize) -> Result<(), Error> { todo!() }
    pub fn update(&mut self, _values: &[AnyView<'_>], _keys: &[usize], _mask: Option<&[bool]>) -> Result<(), Error> { todo!() }
    pub fn update_one(&mut self, _values: &[AnyView<'_>], _key: usize, _mask: Option<&[bool]>) -> Result<(), Error> { todo!() }
    pub fn merge(&mut self, _state: &[AnyView<'_>], _keys: &[usize], _mask: Option<&[bool]>) -> Result<(), Error> { todo!() }
    pub fn removes(&self) -> bool { todo!() }
    pub fn remove(&mut self, _values: &[AnyView<'_>], _key: usize, _mask: Option<&[bool]>) -> Result<(), Error> { todo!() }
    pub fn state_dtypes(&self) -> Vec<DType> { todo!() }
    pub fn state(&self) -> Result<Vec<AnyTensor>, Error> { todo!() }
    pub fn finish(&self) -> Result<Vec<AnyTensor>, Error> { todo!() }
    pub fn counts(&self) -> impl Iterator<Item = u64> + '_ { std::iter::empty() }
    pub fn take_first(&mut self, _groups: usize) -> AnyGroups { todo!() }
    pub fn bytes(&self) -> usize { todo!() }
    pub fn positioned(&self) -> bool { todo!() }
}
pub fn view(_array: &dyn Array) -> Result<AnyView<'_>, Error> { todo!() }
pub fn array(_tensor: AnyTensor) -> ArrayRef { todo!() }
pub trait SchemaExt { fn params(&self, given: &[(&str, AttrValue)]) -> Result<Params, Error>; }
impl SchemaExt for OpSchema { fn params(&self, _given: &[(&str, AttrValue)]) -> Result<Params, Error> { todo!() } }
