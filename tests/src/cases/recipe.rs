//! Recipes: how a view is made of a row-major buffer, step by step, as a caller
//! would.
//!
//! The same steps are taken twice, by the crate under test and here, by
//! coordinates; so what a view reads is known without its strides.

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, DType, Element, View};

use super::layout::{join, poison};
use super::native::tensor;
use crate::oracle::Values;

/// One step of a recipe.
#[derive(Clone, Debug)]
enum Step {
    Permute(Vec<usize>),
    Slice(usize, std::ops::Range<usize>, isize),
    Broadcast(Vec<usize>),
    /// Strides from place 0 on: windows that overlap.
    Windows(Vec<usize>, Vec<usize>),
}

/// A row-major buffer, and what is done to its view.
#[derive(Clone, Debug)]
pub struct Recipe {
    stored: Vec<usize>,
    steps: Vec<Step>,
}

impl Recipe {
    /// The whole of a buffer.
    pub fn of(stored: &[usize]) -> Self {
        Recipe { stored: stored.to_vec(), steps: Vec::new() }
    }

    /// See [`View::permute`].
    #[must_use]
    pub fn permute(self, axes: &[usize]) -> Self {
        self.and(Step::Permute(axes.to_vec()))
    }

    /// See [`View::slice`].
    #[must_use]
    pub fn slice(self, axis: usize, range: std::ops::Range<usize>, step: isize) -> Self {
        self.and(Step::Slice(axis, range, step))
    }

    /// See [`View::broadcast`].
    #[must_use]
    pub fn broadcast(self, shape: &[usize]) -> Self {
        self.and(Step::Broadcast(shape.to_vec()))
    }

    /// The first step only: a view of these strides from the first element on.
    #[must_use]
    pub fn windows(self, shape: &[usize], strides: &[usize]) -> Self {
        self.and(Step::Windows(shape.to_vec(), strides.to_vec()))
    }

    fn and(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The elements of the buffer.
    pub fn count(&self) -> usize {
        self.stored.iter().product()
    }

    /// The view of a buffer.
    ///
    /// # Panics
    /// If the crate under test refuses it.
    pub fn view<'a, T: Element>(&self, buffer: &'a [T]) -> View<'a, T> {
        let whole = View::new(buffer, &self.stored);
        let view = self.steps.iter().fold(whole, |view, step| match (view?, step) {
            (view, Step::Permute(axes)) => view.permute(axes),
            (view, Step::Slice(axis, range, step)) => {
                view.slice(*axis, range.start, range.end, *step)
            }
            (view, Step::Broadcast(shape)) => view.broadcast(shape),
            (view, Step::Windows(shape, strides)) => {
                let strides: Vec<isize> = strides.iter().map(|x| x.cast_signed()).collect();
                View::with_strides(view.data(), shape, &strides, 0)
            }
        });
        view.unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// The view of a buffer of any type.
    pub fn any_view<'a>(&self, buffer: &'a AnyTensor) -> AnyView<'a> {
        with_any!(AnyTensor, buffer, tensor => self.view(tensor.data()).into())
    }

    /// What the view must read.
    pub fn walk(&self) -> Walk {
        let whole = Walk { shape: self.stored.clone(), places: (0..self.count()).collect() };
        self.steps.iter().fold(whole, |walk, step| walk.take(step))
    }
}

/// The shape of a view, and the place in the buffer of each element, last axis
/// fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// The sizes of the axes.
    pub shape: Vec<usize>,
    /// A place per element.
    pub places: Vec<usize>,
}

impl Walk {
    /// The buffer with these values in it, and poison where no element lies.
    ///
    /// # Panics
    /// If the values are not of the type.
    pub fn buffer(&self, dtype: DType, values: &Values) -> AnyTensor {
        let count = values.len();
        let mut indices = vec![count; count];
        for &place in &self.places {
            indices[place] = place;
        }
        let poisoned = join(values, &poison(dtype)).select(indices);
        tensor(dtype, &poisoned, &[count])
    }

    fn take(&self, step: &Step) -> Walk {
        match step {
            Step::Permute(axes) => {
                let shape = axes.iter().map(|&axis| self.shape[axis]).collect();
                self.at(shape, |new, old| {
                    axes.iter().zip(new).for_each(|(&axis, &index)| old[axis] = index);
                })
            }
            Step::Slice(axis, range, step) => {
                let mut shape = self.shape.clone();
                shape[*axis] = range.len().div_ceil(step.unsigned_abs());
                self.at(shape, |new, old| {
                    old.copy_from_slice(new);
                    let way = new[*axis] * step.unsigned_abs();
                    old[*axis] = if *step > 0 { range.start + way } else { range.end - 1 - way };
                })
            }
            Step::Broadcast(shape) => self.at(shape.clone(), |new, old| {
                let inner = &new[new.len() - old.len()..];
                for (axis, &index) in inner.iter().enumerate() {
                    old[axis] = if self.shape[axis] == 1 { 0 } else { index };
                }
            }),
            Step::Windows(shape, strides) => {
                let flat = Walk { shape: vec![self.places.len()], places: self.places.clone() };
                flat.at(shape.clone(), |new, old| {
                    old[0] = new.iter().zip(strides).map(|(index, stride)| index * stride).sum();
                })
            }
        }
    }

    /// A walk of another shape; `back` says which coordinates were there before.
    fn at(&self, shape: Vec<usize>, back: impl Fn(&[usize], &mut [usize])) -> Walk {
        let mut old = vec![0; self.shape.len()];
        let mut new = vec![0; shape.len()];
        let mut places = Vec::new();
        for _ in 0..shape.iter().product() {
            back(&new, &mut old);
            let place = old.iter().zip(&self.shape).fold(0, |place, (i, size)| place * size + i);
            places.push(self.places[place]);
            for (index, &size) in new.iter_mut().zip(&shape).rev() {
                *index = (*index + 1) % size;
                if *index > 0 {
                    break;
                }
            }
        }
        Walk { shape, places }
    }
}
