//! Values of a graph while it runs, and how much memory all of them may take.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, DType, Element, Error as CoreError, Shape, Tensor, View};

use super::elementwise::{copied, shape_of};
use crate::error::{Error, ErrorKind};

/// Bytes that the values of any model may take together.
const FREE: usize = 256 << 20;
/// How many times the bytes of inputs and constants they may take beside that.
const FACTOR: usize = 16;

/// How many bytes are held, and how many may be: a file of a few bytes can ask for any number of elements.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    most: usize,
    held: AtomicUsize,
}

/// Bytes that are held until this is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    account: Arc<Account>,
    bytes: usize,
}

impl Budget {
    /// The budget of a model whose inputs and constants take `given` bytes. These bytes are not taken from it.
    pub(super) fn new(given: usize) -> Self {
        let most = given.saturating_mul(FACTOR).saturating_add(FREE);
        Budget(Arc::new(Account { most, held: AtomicUsize::new(0) }))
    }

    /// Holds the bytes of a tensor, before there is memory for it.
    ///
    /// # Errors
    /// If the model would hold more than it may.
    pub(super) fn lease(&self, dtype: DType, shape: &Shape) -> Result<Lease, String> {
        let account = &self.0;
        let bytes = shape.count().checked_mul(dtype.size());
        // One run has one budget, and one thread that leases.
        let held = account.held.load(Ordering::Relaxed);
        let sum = bytes.and_then(|bytes| held.checked_add(bytes));
        let (Some(bytes), Some(sum)) = (bytes, sum.filter(|&sum| sum <= account.most)) else {
            return Err(format!(
                "a result of shape {shape} of `{dtype}` would be too much: all that is held at a time may \
                 take {} bytes, {FACTOR} times what inputs and constants take, and {} MiB",
                account.most,
                FREE >> 20
            ));
        };
        account.held.store(sum, Ordering::Relaxed);
        Ok(Lease { account: Arc::clone(account), bytes })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.account.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Where the elements are.
#[derive(Debug)]
enum Elements<'a> {
    /// In a tensor that was computed, and counts.
    Computed(AnyTensor, #[allow(dead_code, reason = "held until it is dropped")] Lease),
    /// In a tensor that was given.
    Given(AnyTensor),
    /// Where the caller has them, in any layout.
    Viewed(AnyView<'a>),
    /// Where a holder has them, in any layout, and of which type.
    Held(Box<dyn Holder>, DType),
}

/// Who has elements elsewhere than in a tensor, such as in a mapped file. It is dropped with the last value of its elements, and a
/// program drops values after their last reader.
pub trait Holder: Debug + Send + Sync {
    /// All elements, in any layout. They are the same at each call.
    ///
    /// # Errors
    /// If they are not as the holder says.
    fn view(&self) -> Result<AnyView<'_>, CoreError>;
}

/// A tensor that a model reads or gives. Values of the same elements share them, whatever their shapes.
///
/// It is made of a tensor, or of a view or a [`Holder`], whose elements are read where they lie.
///
/// ```
/// use reduce_core::{DType, Tensor, View};
/// use reduce_onnx::Value;
///
/// let owned = Value::from(Tensor::new(vec![1i64, 2], &[2])?);
/// let data = [1.0f32, 2.0, 3.0, 4.0];
/// let columns = View::with_strides(&data, &[2, 2], &[1, 2], 0)?;
/// let lent = Value::from(columns);
/// assert_eq!((owned.dtype(), lent.dtype()), (DType::I64, DType::F32));
/// assert_eq!(lent.shape().to_vec(), [2, 2]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Value<'a> {
    elements: Arc<Elements<'a>>,
    shape: Shape,
}

impl<'a> Value<'a> {
    /// The elements of a holder, read where it has them.
    ///
    /// # Errors
    /// If the holder gives no view ([`ErrorKind::Inputs`]).
    pub fn held(holder: impl Holder + 'static) -> Result<Self, Error> {
        let view = holder.view();
        let view = view.map_err(|error| Error::new(ErrorKind::Inputs, error.to_string()))?;
        let (shape, dtype) = (view.shape().clone(), view.dtype());
        drop(view);
        Ok(Value { elements: Arc::new(Elements::Held(Box::new(holder), dtype)), shape })
    }

    /// A result, with what was held for it.
    pub(super) fn computed(tensor: AnyTensor, lease: Lease) -> Self {
        let shape = tensor.shape().clone();
        Value { elements: Arc::new(Elements::Computed(tensor, lease)), shape }
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        match &*self.elements {
            Elements::Computed(tensor, _) | Elements::Given(tensor) => tensor.dtype(),
            Elements::Viewed(view) => view.dtype(),
            Elements::Held(_, dtype) => *dtype,
        }
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Bytes of the elements.
    pub(super) fn bytes(&self) -> usize {
        self.shape.count().saturating_mul(self.dtype().size())
    }

    /// The elements, where they lie.
    ///
    /// # Errors
    /// It does not fail for a value that a model gave.
    pub fn view(&self) -> Result<AnyView<'_>, Error> {
        self.viewed().map_err(|problem| Error::new(ErrorKind::Invalid, problem))
    }

    /// The tensor, which is copied only if it lies otherwise.
    ///
    /// # Errors
    /// If there is no memory for a copy.
    pub fn tensor(&self) -> Result<Cow<'_, AnyTensor>, Error> {
        self.whole().map_err(|problem| Error::new(ErrorKind::Invalid, problem))
    }

    /// The elements, where they lie; an error is a sentence without its subject.
    pub(super) fn viewed(&self) -> Result<AnyView<'_>, String> {
        let view = match &*self.elements {
            Elements::Computed(tensor, _) | Elements::Given(tensor) => tensor.view(),
            Elements::Viewed(view) => view.clone(),
            Elements::Held(holder, _) => trimmed(holder.view().map_err(|error| error.to_string())?),
        };
        if *view.shape() == self.shape {
            return Ok(view);
        }
        // Only of elements in row-major order is there a value of another shape.
        let other = with_any!(AnyView, &view, v => {
            v.data().get(v.offset()..).map(|data| View::new(data, &self.shape).map(AnyView::from))
        });
        other.unwrap_or(Ok(view)).map_err(|error| error.to_string())
    }

    /// Lays the elements one behind the other, in row-major order.
    pub(super) fn in_rows(&self, budget: &Budget) -> Result<Value<'a>, String> {
        if !matches!(&*self.elements, Elements::Viewed(_) | Elements::Held(..)) {
            return Ok(self.clone());
        }
        let view = self.viewed()?;
        if with_any!(AnyView, &view, v => is_in_rows(v) && v.data().len() == v.shape().count()) {
            return Ok(self.clone());
        }
        let lease = budget.lease(self.dtype(), &self.shape)?;
        Ok(Value::computed(copied(&view)?, lease))
    }

    /// Gives the elements another shape, which must have as many of them.
    pub(super) fn reshaped(&self, shape: &[usize], budget: &Budget) -> Result<Value<'a>, String> {
        let shape = shape_of(shape)?;
        if shape.count() != self.shape.count() {
            let (from, to) = (&self.shape, &shape);
            return Err(format!("shape {from} has not as many elements as shape {to}"));
        }
        let value = self.in_rows(budget)?;
        Ok(Value { shape, ..value })
    }

    /// The elements of integers of 64 bits, if there are at most `most`: sizes, axes and indices.
    pub(super) fn integers(&self, most: usize) -> Result<Vec<i64>, String> {
        let view = self.viewed()?;
        let (AnyView::I64(_), true) = (&view, self.shape.count() <= most) else {
            let (dtype, shape) = (self.dtype(), &self.shape);
            return Err(format!("wants up to {most} integers of `i64`, not {shape} of `{dtype}`"));
        };
        let tensor = copied(&view)?.downcast::<i64>().map_err(|_| "is no `i64`".to_owned())?;
        Ok(tensor.into_data())
    }

    /// The tensor, which is copied only if it lies otherwise; an error is a sentence without its subject.
    pub(super) fn whole(&self) -> Result<Cow<'_, AnyTensor>, String> {
        match &*self.elements {
            Elements::Computed(tensor, _) | Elements::Given(tensor)
                if *tensor.shape() == self.shape =>
            {
                Ok(Cow::Borrowed(tensor))
            }
            _ => copied(&self.viewed()?).map(Cow::Owned),
        }
    }
}

impl From<AnyTensor> for Value<'_> {
    fn from(tensor: AnyTensor) -> Self {
        let shape = tensor.shape().clone();
        Value { elements: Arc::new(Elements::Given(tensor)), shape }
    }
}

impl<T: Element> From<Tensor<T>> for Value<'_> {
    fn from(tensor: Tensor<T>) -> Self {
        AnyTensor::from(tensor).into()
    }
}

impl<'a, T: Element> From<View<'a, T>> for Value<'a> {
    fn from(view: View<'a, T>) -> Self {
        AnyView::from(view).into()
    }
}

impl<'a> From<AnyView<'a>> for Value<'a> {
    fn from(view: AnyView<'a>) -> Self {
        let shape = view.shape().clone();
        Value { elements: Arc::new(Elements::Viewed(trimmed(view))), shape }
    }
}

/// A view in row-major order without what lies before and behind it in its buffer; any other view as it is.
fn trimmed(view: AnyView<'_>) -> AnyView<'_> {
    let part = with_any!(AnyView, &view, v => {
        let behind = v.data().get(v.offset()..).filter(|_| is_in_rows(v));
        let own = behind.and_then(|data| data.get(..v.shape().count()));
        own.and_then(|data| View::new(data, v.shape()).map(AnyView::from).ok())
    });
    part.unwrap_or(view)
}

/// Whether elements lie one behind the other, the last axis fastest.
fn is_in_rows<T: Element>(view: &View<'_, T>) -> bool {
    let (shape, strides) = (view.shape(), view.strides());
    let mut next = 1isize;
    shape.iter().zip(strides).rev().all(|(&size, &stride)| {
        let as_expected = size == 1 || stride == next;
        next = next.wrapping_mul(isize::try_from(size).unwrap_or(isize::MAX));
        as_expected || shape.contains(&0)
    })
}
