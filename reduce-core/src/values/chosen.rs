//! Inputs that choose: only some of their elements count.

use smallvec::SmallVec;

use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::values::input::{Chosen, Input, Layout, Strided, common, strided};
use crate::values::stored::{INPUTS, Stored};
use crate::values::view::View;

/// Views, and which of their elements count.
pub(crate) struct Choosing<'a, V> {
    pub(crate) views: V,
    pub(crate) mask: Option<&'a View<'a, bool>>,
    pub(crate) skips_nan: bool,
}

impl<V: Input> Input for Choosing<'_, V> {
    type Stored = V::Stored;
    type Views<'v>
        = V::Views<'v>
    where
        Self: 'v;

    fn shape(&self) -> Result<Shape, Error> {
        let shape = self.views.shape()?;
        match self.mask {
            Some(mask) => common(&[&shape, mask.shape()]),
            None => Ok(shape),
        }
    }

    fn strided<R>(
        &self,
        shape: &Shape,
        then: impl FnOnce(&[Strided<'_>]) -> R,
    ) -> Result<R, Error> {
        let Some(mask) = self.mask else { return self.views.strided(shape, then) };
        let (views, mask) = (self.views.views(shape)?, mask.broadcast(shape)?);
        views.strided(shape, |views| {
            let mut all: SmallVec<[Strided<'_>; INPUTS]> = SmallVec::from_slice(views);
            all.push(strided(&mask));
            then(&all)
        })
    }

    fn views(&self, shape: &Shape) -> Result<V::Views<'_>, Error> {
        self.views.views(shape)
    }

    fn data(&self) -> <V::Stored as Stored>::Data<'_> {
        self.views.data()
    }

    fn chosen(&self) -> Chosen<'_> {
        Chosen { mask: self.mask.map(View::data), skips_nan: self.skips_nan }
    }

    fn in_order<'v>(
        &'v self,
        shape: &Shape,
        lists: &'v mut <V::Stored as Stored>::Lists,
    ) -> Result<<V::Stored as Stored>::Data<'v>, Error> {
        self.views.in_order(shape, lists)
    }

    fn layouts(&self) -> Vec<Layout> {
        self.views.layouts()
    }

    fn differs_from(&self, layouts: &[Layout]) -> Option<usize> {
        self.views.differs_from(layouts)
    }
}
