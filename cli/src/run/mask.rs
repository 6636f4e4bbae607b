//! The mask of `--where`: which elements count.

use std::path::Path;

use reduce_core::{AnyView, View};

use crate::arrays::{self, Array};
use crate::error::Error;

/// Which elements count.
pub(super) struct Mask<'a> {
    path: &'a Path,
    array: Array,
}

impl<'a> Mask<'a> {
    /// The mask in a file, for an input of a shape.
    pub(super) fn read(path: &'a Path, shape: &[usize]) -> Result<Self, Error> {
        let array = arrays::read(path)?;
        let mask = array.shape();
        let fits = |(&of_mask, &size): (&usize, &usize)| of_mask == size || of_mask == 1;
        if mask.len() > shape.len() || !mask.iter().rev().zip(shape.iter().rev()).all(fits) {
            let problem = format!(
                "a mask of shape {mask:?} does not broadcast to the input's shape {shape:?}; give one \
                 with the input's sizes, or 1 in their place"
            );
            return Err(Error::at(path, problem));
        }
        Ok(Mask { path, array })
    }

    pub(super) fn view(&self) -> Result<View<'_, bool>, Error> {
        match self.array.view()? {
            AnyView::Bool(view) => Ok(view),
            other => {
                let dtype = other.dtype();
                let problem = format!("a mask of {dtype}; save it as bool, such as `mask != 0`");
                Err(Error::at(self.path, problem))
            }
        }
    }
}
