//! The settings of a scan, and its runs.

use super::{plan_of, scan};
use crate::facts::error::Error;
use crate::facts::shape::{Dims, Shape};
use crate::front::one_pass::OnePass;
use crate::front::reduction::{BuffersOf, Reduction, TensorsOf};
use crate::front::settings::Settings;
use crate::plan::ScanOrder;
use crate::values::element::Element;
use crate::values::input::Input;
use crate::values::layout::Strided;
use crate::values::tensor::allocate;
use crate::values::view_mut::ViewMut;
use crate::values::written::Written;

/// A reduction that is run along its axes: at each element, the result over all elements up to it. It is made by
/// [`Reduction::scanning`].
#[derive(Clone, Debug)]
pub struct Scan<Op> {
    pub(super) reduction: Reduction<Op>,
    pub(super) order: ScanOrder,
}

impl<Op> Reduction<Op> {
    /// Runs along the axes, and not over them. It is the last setting before those of a [`Scan`]; without these,
    /// [`Reduction::scan`] is shorter.
    #[must_use]
    pub fn scanning(self) -> Scan<Op> {
        Scan { reduction: self, order: ScanOrder::default() }
    }

    /// At each element, the result over all elements of its line up to it, itself included: a tensor of the input's shape,
    /// or a tuple of tensors if there are several results. A line is along the axes of the reduction; along several, elements
    /// follow one another in row-major order.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceSum};
    ///
    /// let rows = View::new(&[1i32, 2, 3, 6, 5, 4], &[2, 3])?;
    /// let sums = Reduction::new(ReduceSum).axes([1]).scan(&rows)?;
    /// assert_eq!(sums.data(), [1, 3, 6, 6, 11, 15]);
    /// let (down, places) = Reduction::new((ReduceSum, ArgMax::default())).axes([0]).scan(&rows)?;
    /// assert_eq!(down.data(), [1, 2, 3, 7, 7, 7]);
    /// assert_eq!(places.data(), [0, 0, 0, 1, 1, 1]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run`].
    pub fn scan<I: Input>(&self, input: &I) -> Result<TensorsOf<Op, I>, Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.scan_in(ScanOrder::default(), input)
    }

    /// Writes as [`Reduction::scan`] does, into a buffer, in row-major order; several results into a tuple of buffers.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceMax;
    ///
    /// let mut largest = [0.0f32; 4];
    /// Reduction::new(ReduceMax).scan_into(&View::new(&[2.0f32, 1.0, 3.0, 0.0], &[4])?, &mut largest)?;
    /// assert_eq!(largest, [2.0, 2.0, 3.0, 3.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::scan`], and if a buffer has fewer or more elements than the input. After an error a single buffer may
    /// hold some results.
    pub fn scan_into<I: Input>(&self, input: &I, output: BuffersOf<'_, Op, I>) -> Result<(), Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.scan_in_into(ScanOrder::default(), input, output)
    }

    fn scan_in<I: Input>(&self, order: ScanOrder, input: &I) -> Result<TensorsOf<Op, I>, Error>
    where
        Op: OnePass<I::Stored>,
    {
        let shape = input.shape()?;
        let mut results = allocate(shape.count())?;
        let strides = shape.row_major_strides();
        self.scan_to(order, input, (&shape, (strides.as_slice(), 0)), &mut results)?;
        Written::tensors(results, shape)
    }

    fn scan_in_into<I: Input>(
        &self,
        order: ScanOrder,
        input: &I,
        output: BuffersOf<'_, Op, I>,
    ) -> Result<(), Error>
    where
        Op: OnePass<I::Stored>,
    {
        let shape = input.shape()?;
        let strides = shape.row_major_strides();
        <<Op as OnePass<I::Stored>>::Result as Written>::check(shape.count(), &output)?;
        Written::write_into(shape.count(), output, |results| {
            self.scan_to(order, input, (&shape, (strides.as_slice(), 0)), results)
        })
    }

    /// Writes to the places that an output of the input's shape has in a buffer.
    fn scan_to<I: Input>(
        &self,
        order: ScanOrder,
        input: &I,
        (shape, out): (&Shape, Strided<'_>),
        results: &mut [<Op as OnePass<I::Stored>>::Result],
    ) -> Result<(), Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.op.check()?;
        let Settings { axes, level, mends, .. } = &self.settings;
        let (axes, level) = (axes.resolve(shape.rank())?, level.check()?);
        let plan = input.strided(shape, |inputs| {
            plan_of::<Op, I::Stored>(&self.op, (shape, &axes), inputs, out, order)
        })??;
        let crew = (level, self.settings.crew());
        scan((&self.op, *mends), &plan, input.data(), crew, results)
    }
}

impl<Op> Scan<Op> {
    /// Whether an element is left out of its own result: that is then the one over all elements before it. By default it is
    /// not. The first result of a line is that of no elements.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let list = View::new(&[1i32, 2, 3], &[3])?;
    /// let before = Reduction::new(ReduceSum).scanning().exclusive(true).run(&list)?;
    /// assert_eq!(before.data(), [0, 1, 3]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.order.exclusive = exclusive;
        self
    }

    /// Whether lines are taken from their ends: a result is then that of an element and all behind it. By default they are
    /// not. Positions are counted from the beginning of a line all the same.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceSum};
    ///
    /// let list = View::new(&[1i32, 3, 2], &[3])?;
    /// let reversed = Reduction::new((ReduceSum, ArgMax::default())).scanning().reversed(true);
    /// let (sums, places) = reversed.run(&list)?;
    /// assert_eq!((sums.data(), places.data()), (&[6, 5, 2][..], &[1, 1, 2][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn reversed(mut self, reversed: bool) -> Self {
        self.order.reversed = reversed;
        self
    }

    /// All results, as [`Reduction::scan`] gives them.
    ///
    /// # Errors
    /// As [`Reduction::scan`]; and if it is [exclusive](Scan::exclusive) and the operator lacks a value over no elements.
    pub fn run<I: Input>(&self, input: &I) -> Result<TensorsOf<Op, I>, Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.reduction.scan_in(self.order, input)
    }

    /// Writes all results as [`Reduction::scan_into`] does.
    ///
    /// # Errors
    /// As [`Scan::run`], and as [`Reduction::scan_into`].
    pub fn run_into<I: Input>(&self, input: &I, output: BuffersOf<'_, Op, I>) -> Result<(), Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.reduction.scan_in_into(self.order, input, output)
    }

    /// Writes the one result of each element into a view of the input's shape. In the buffer of the view, only the places
    /// that it names are written.
    ///
    /// ```
    /// use reduce_core::{Reduction, View, ViewMut};
    /// use reduce_specs::ReduceSum;
    ///
    /// // Behind each number, the sum up to it.
    /// let mut pairs = [1, 0, 2, 0, 3, 0];
    /// let mut sums = ViewMut::new(&mut pairs, &[3, 2])?.slice(1, 1, 2, 1)?;
    /// let numbers = View::new(&[1, 2, 3], &[3, 1])?;
    /// Reduction::new(ReduceSum).axes([0]).scanning().run_into_view(&numbers, &mut sums)?;
    /// assert_eq!(pairs, [1, 1, 2, 3, 3, 6]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scan::run`], and if the view is of another shape. After an error the view may hold some results.
    pub fn run_into_view<I: Input, O: Element>(
        &self,
        input: &I,
        output: &mut ViewMut<'_, O>,
    ) -> Result<(), Error>
    where
        Op: OnePass<I::Stored, Result = O>,
    {
        let shape = input.shape()?;
        output.check(&shape)?;
        let strides = Dims::from_slice(output.strides());
        let out = (strides.as_slice(), output.offset());
        self.reduction.scan_to(self.order, input, (&shape, out), output.data_mut())
    }
}
