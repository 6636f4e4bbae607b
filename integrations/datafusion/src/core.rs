//! TEMPORARY: the core's interface by key.
use datafusion::arrow::array::*;
use datafusion::arrow::datatypes::*;
use datafusion::arrow::buffer::ScalarBuffer;
use reduce_core::{AnyTensor, AnyView, DType, Error, OpSpec, View};
use reduce_core::schema::{OpSchema, Params};
use reduce_core::AttrValue;
use std::sync::Arc;

#[derive(Debug)]
pub struct AnyGroups(reduce_core::AnyGroups);
impl AnyGroups {
    pub fn new<Op: OpSpec>(op: Op, inputs: &[DType]) -> Result<AnyGroups, Error> { Ok(AnyGroups(reduce_core::AnyGroups::new(op, inputs)?)) }
    pub fn len(&self) -> usize { self.0.len() }
    pub fn grow(&mut self, groups: usize) -> Result<(), Error> { self.0.grow(groups) }
    pub fn update(&mut self, values: &[AnyView<'_>], keys: &[usize], mask: Option<&[bool]>) -> Result<(), Error> { self.0.update(values, keys, mask) }
    pub fn update_one(&mut self, values: &[AnyView<'_>], key: usize, mask: Option<&[bool]>) -> Result<(), Error> { self.0.update_one(values, key, mask) }
    pub fn merge(&mut self, state: &[AnyView<'_>], keys: &[usize], mask: Option<&[bool]>) -> Result<(), Error> { self.0.merge_state(state, keys, mask) }
    pub fn removes(&self) -> bool { false }
    pub fn remove(&mut self, _values: &[AnyView<'_>], _key: usize, _mask: Option<&[bool]>) -> Result<(), Error> { todo!() }
    pub fn state_dtypes(&self) -> Vec<DType> { self.0.state_dtypes() }
    pub fn state(&self) -> Result<Vec<AnyTensor>, Error> { self.0.state() }
    pub fn finish(&self) -> Result<Vec<AnyTensor>, Error> { self.0.finish() }
    pub fn counts(&self) -> impl Iterator<Item = u64> + '_ { self.0.counts().into_iter() }
    pub fn take_first(&mut self, groups: usize) -> AnyGroups { AnyGroups(self.0.take_first(groups).expect("memory")) }
    pub fn bytes(&self) -> usize { self.0.bytes() }
    pub fn positioned(&self) -> bool { self.0.is_positioned() }
}
macro_rules! each { ($m:ident) => { $m! { F16 Float16Type Float16, F32 Float32Type Float32, F64 Float64Type Float64, I8 Int8Type Int8, I16 Int16Type Int16, I32 Int32Type Int32, I64 Int64Type Int64, U8 UInt8Type UInt8, U16 UInt16Type UInt16, U32 UInt32Type UInt32, U64 UInt64Type UInt64 } } }
pub fn view(array: &dyn Array) -> Result<AnyView<'_>, Error> {
    macro_rules! m { ($($v:ident $t:ident $d:ident),*) => { match array.data_type() { $(DataType::$d => Ok(View::new(&array.as_primitive::<$t>().values()[..], &[array.len()])?.into()),)* other => panic!("{other}") } } }
    each!(m)
}
pub fn array(tensor: AnyTensor) -> ArrayRef {
    let dims = tensor.shape().dims().to_vec();
    macro_rules! m { ($($v:ident $t:ident $d:ident),*) => { match tensor { $(AnyTensor::$v(t) => Arc::new(PrimitiveArray::<$t>::new(ScalarBuffer::from(t.into_data()), None)) as ArrayRef,)* AnyTensor::Bool(t) => Arc::new(BooleanArray::from(t.into_data())), AnyTensor::BF16(_) => panic!() } } }
    let flat = each!(m);
    match dims.len() { 1 => flat, _ => Arc::new(FixedSizeListArray::new(Arc::new(Field::new_list_field(flat.data_type().clone(), true)), dims[1] as i32, flat, None)) }
}
pub trait SchemaExt { fn params(&self, given: &[(&str, AttrValue)]) -> Result<Params, Error>; }
impl SchemaExt for OpSchema { fn params(&self, _given: &[(&str, AttrValue)]) -> Result<Params, Error> { Ok(Params::default()) } }
