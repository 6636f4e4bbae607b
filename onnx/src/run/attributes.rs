//! Attributes of a node. Each may be a reference to an attribute of the function around the node.

use std::collections::HashMap;

use reduce_core::nodes::AttrValue;

use crate::file;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::{AttributeProto, NodeProto};

/// What the attributes of a function are in one of its calls, by name.
pub(super) type Bindings<'m> = HashMap<&'m str, &'m AttributeProto>;

/// The attributes of a node that were not read so far.
#[derive(Debug)]
pub(crate) struct Attributes<'m>(Vec<(&'m str, &'m AttributeProto)>);

impl<'m> Attributes<'m> {
    /// The attributes of a node. One that refers to an attribute which the call leaves out is left out, too.
    pub(super) fn new(node: &'m NodeProto, bindings: &Bindings<'m>) -> Self {
        let bound = |attr: &'m AttributeProto| match attr.ref_attr_name.as_str() {
            "" => Some((attr.name.as_str(), attr)),
            name => bindings.get(name).map(|value| (attr.name.as_str(), *value)),
        };
        Attributes(node.attribute.iter().filter_map(bound).collect())
    }

    /// All that are left, with what they are.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'m str, &'m AttributeProto)> + '_ {
        self.0.iter().copied()
    }

    /// All, as `reduce-core` validates them.
    pub(super) fn values(self) -> Vec<(String, AttrValue)> {
        let value =
            |(name, attr): (&str, &AttributeProto)| (name.to_owned(), file::attribute(attr).1);
        self.0.into_iter().map(value).collect()
    }

    fn take(
        &mut self,
        name: &str,
        of: AttributeType,
    ) -> Result<Option<&'m AttributeProto>, String> {
        let Some(place) = self.0.iter().position(|(found, _)| *found == name) else {
            return Ok(None);
        };
        let (_, attr) = self.0.remove(place);
        match attr.r#type() == of {
            true => Ok(Some(attr)),
            false => Err(format!(
                "attribute `{name}` is of type {}, not {}",
                attr.r#type().as_str_name(),
                of.as_str_name()
            )),
        }
    }

    pub(super) fn int(&mut self, name: &str) -> Result<Option<i64>, String> {
        Ok(self.take(name, AttributeType::Int)?.map(|attr| attr.i))
    }

    pub(super) fn ints(&mut self, name: &str) -> Result<Option<Vec<i64>>, String> {
        Ok(self.take(name, AttributeType::Ints)?.map(|attr| attr.ints.clone()))
    }

    pub(super) fn string(&mut self, name: &str) -> Result<Option<&'m [u8]>, String> {
        Ok(self.take(name, AttributeType::String)?.map(|attr| attr.s.as_ref()))
    }

    /// That all were read.
    ///
    /// # Errors
    /// If one was not: the operator has no such attribute, or it is given twice.
    pub(super) fn finish(self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(format!("attribute `{name}` is given twice, or does not exist at this opset"))
            }
        }
    }
}
