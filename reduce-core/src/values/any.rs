//! Views and tensors whose element type is known at run time.

use std::any::Any;

use crate::facts::dtype::{DType, for_storage_types, with_any};
use crate::facts::shape::Shape;
use crate::machine::bits::as_type;
use crate::values::element::Element;
use crate::values::layout::{Layout, Strided};
use crate::values::tensor::Tensor;
use crate::values::view::View;

/// Writes the two enums with one variant per storage type.
macro_rules! any {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        /// A [`View`] whose element type is known at run time.
        ///
        /// ```
        /// use reduce_core::{AnyView, DType, View};
        ///
        /// let any: AnyView = View::new(&[1i32, 2, 3], &[3])?.into();
        /// assert_eq!((any.dtype(), any.shape().dims()), (DType::I32, &[3][..]));
        /// let AnyView::I32(view) = any else { panic!("it holds i32") };
        /// assert_eq!(view.data(), [1, 2, 3]);
        /// # Ok::<(), reduce_core::Error>(())
        /// ```
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "each variant is the DType of the same name")]
        pub enum AnyView<'a> {
            $($variant(View<'a, $type>),)*
        }

        /// A [`Tensor`] whose element type is known at run time: what a [`Call`](crate::nodes::Call) gives.
        /// [`AnyTensor::downcast`] takes the tensor out.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "each variant is the DType of the same name")]
        pub enum AnyTensor {
            $($variant(Tensor<$type>),)*
        }

        impl AnyView<'_> {
            /// The type of the elements.
            pub fn dtype(&self) -> DType {
                match self {
                    $(AnyView::$variant(_) => DType::$variant,)*
                }
            }

            /// The sizes of the axes.
            pub fn shape(&self) -> &Shape {
                match self {
                    $(AnyView::$variant(view) => view.shape(),)*
                }
            }

            /// The strides, and the place of the first element.
            pub(crate) fn strided(&self) -> Strided<'_> {
                match self {
                    $(AnyView::$variant(view) => (view.strides(), view.offset()),)*
                }
            }
        }

        impl AnyTensor {
            /// The type of the elements.
            pub fn dtype(&self) -> DType {
                match self {
                    $(AnyTensor::$variant(_) => DType::$variant,)*
                }
            }

            /// The sizes of the axes.
            pub fn shape(&self) -> &Shape {
                match self {
                    $(AnyTensor::$variant(tensor) => tensor.shape(),)*
                }
            }

            /// A view of the whole tensor.
            pub fn view(&self) -> AnyView<'_> {
                match self {
                    $(AnyTensor::$variant(tensor) => AnyView::$variant(tensor.view()),)*
                }
            }
        }

        impl<'a, T: Element> From<View<'a, T>> for AnyView<'a> {
            fn from(view: View<'a, T>) -> Self {
                match T::DTYPE {
                    $(DType::$variant => AnyView::$variant(same_view(&view)),)*
                }
            }
        }

        impl<T: Element> From<Tensor<T>> for AnyTensor {
            fn from(tensor: Tensor<T>) -> Self {
                match T::DTYPE {
                    $(DType::$variant => AnyTensor::$variant(same(tensor)),)*
                }
            }
        }
    };
}

for_storage_types!(any);

impl AnyTensor {
    /// The tensor of a type, if that is what it holds.
    ///
    /// ```
    /// use reduce_core::{AnyTensor, Reduction, Tensor, View};
    /// use reduce_specs::ReduceMax;
    ///
    /// let most = Reduction::new(ReduceMax).run(&View::new(&[1i32, 3, 2], &[3])?)?;
    /// let any = AnyTensor::from(most);
    /// let any = any.downcast::<f32>().expect_err("it holds i32");
    /// let most: Tensor<i32> = any.downcast().expect("it holds i32");
    /// assert_eq!(most.data(), [3]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The tensor as it was, if it holds another type; [`AnyTensor::dtype`] says which.
    pub fn downcast<T: Element>(self) -> Result<Tensor<T>, AnyTensor> {
        match self.dtype() == T::DTYPE {
            true => Ok(with_any!(AnyTensor, self, tensor => same(tensor))),
            false => Err(self),
        }
    }
}

impl<'a> AnyView<'a> {
    /// The view, if it is of this type.
    ///
    /// ```
    /// use reduce_core::{AnyView, View};
    ///
    /// let any: AnyView = View::new(&[1i32, 2], &[2])?.into();
    /// assert!(any.downcast::<f32>().is_none());
    /// assert_eq!(any.downcast::<i32>().expect("it holds i32").data(), [1, 2]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    pub fn downcast<T: Element>(&self) -> Option<View<'a, T>> {
        (self.dtype() == T::DTYPE).then(|| with_any!(AnyView, self, view => same_view(view)))
    }
}

impl From<&AnyView<'_>> for Layout {
    fn from(view: &AnyView<'_>) -> Self {
        with_any!(AnyView, view, view => view.into())
    }
}

/// A tensor of the one type that has its run-time name.
fn same<T: Element, Same: Element>(tensor: Tensor<T>) -> Tensor<Same> {
    let mut tensor = Some(tensor);
    let same = (&mut tensor as &mut dyn Any).downcast_mut::<Option<Tensor<Same>>>();
    same.and_then(Option::take).expect("a storage type has a name of its own")
}

/// Does for a view what [`same`] does for a tensor.
fn same_view<'a, T: Element, Same: Element>(view: &View<'a, T>) -> View<'a, Same> {
    view.with_data(as_type(view.data()).expect("a storage type has a name of its own"))
}
