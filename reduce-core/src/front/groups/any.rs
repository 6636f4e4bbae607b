//! Accumulators by key whose types are known at run time.

use std::any::Any;
use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::Groups;
use super::fold::Folding;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::progress::Progress;
use crate::facts::threads::Threads;
use crate::front::reduction::Reduction;
use crate::front::settings::Settings;
use crate::front::signature::Signature;
use crate::front::spec::{EachType, OpSpec, Reduces, no_row};
use crate::front::stream::Streams;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::written::Written;

/// [`Groups`] of an operator whose types are known at run time. A query engine holds these, since it finds types in a
/// table and operators by name.
///
/// ```
/// use reduce_core::{AnyGroups, AnyView, DType, View};
/// use reduce_specs::ReduceMax;
///
/// let mut groups = AnyGroups::new(ReduceMax, &[DType::F64])?;
/// groups.grow(2)?;
/// let values: AnyView = View::new(&[1.0f64, 5.0, 3.0], &[3])?.into();
/// groups.update(&[values], &[1, 0, 1], None)?;
/// let largest = groups.finish()?.remove(0).downcast::<f64>().expect("as the input");
/// assert_eq!(largest.data(), [5.0, 3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// One thread does all the work: engines have threads of their own.
#[derive(Debug)]
pub struct AnyGroups(Box<dyn Erased>);

// They are as safe as `Groups` of any operator that is plain data. After a panic they are what `Groups::update` says.
impl UnwindSafe for AnyGroups {}
impl RefUnwindSafe for AnyGroups {}

impl AnyGroups {
    /// Groups of an operator over inputs of these types; there is none yet.
    ///
    /// # Errors
    /// If the operator takes another number of inputs, or has no row for their types. If its results have a length that is a
    /// parameter, as those of a [`ReduceSlice`](crate::bounds::ReduceSlice) have.
    pub fn new<Op: OpSpec>(op: Op, inputs: &[DType]) -> Result<Self, Error> {
        let mut find = Find { inputs, op: Some(op), found: None };
        Op::each_type(&mut find);
        find.found.unwrap_or_else(|| match Op::ROWS.iter().any(|row| row.inputs() == inputs) {
            true => Err(ErrorKind::NoGroups.into()),
            false => Err(no_row(Op::ROWS, inputs).into()),
        })
    }

    /// Groups of a reduction over inputs of types that are known, such as an operator in an adaptor; there is none yet.
    ///
    /// ```
    /// use reduce_core::{AnyGroups, Reduction, View};
    /// use reduce_specs::{ReduceMax, ReduceSum};
    ///
    /// // What each customer paid on the last day.
    /// let paid_last = Reduction::new(ReduceSum).at(ReduceMax);
    /// let mut groups = AnyGroups::of::<_, (f64, i64)>(paid_last)?;
    /// groups.grow(2)?;
    /// let (paid, days) = ([5.0f64, 1.0, 2.0], [3i64, 4, 4]);
    /// let columns = [View::new(&paid, &[3])?.into(), View::new(&days, &[3])?.into()];
    /// groups.update(&columns, &[0, 0, 1], None)?;
    /// let sums = groups.finish()?.remove(0).downcast::<f64>().expect("as the input");
    /// assert_eq!(sums.data(), [1.0, 2.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the operator refuses its parameters, or the reduction has axes.
    pub fn of<Op, T>(reduction: Reduction<Op>) -> Result<Self, Error>
    where
        Op: Streams<T>,
        T: Stored,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        let Reduction { op, settings } = reduction;
        settings.check_without_axes()?;
        // Groups that are kept take a batch whole, or not at all.
        let progress = settings.progress.as_ref().map(Progress::unstoppable);
        let settings = Settings { threads: Threads::One, progress, ..settings };
        Ok(AnyGroups(Box::new(Groups::<Op, T>::with_settings(op, settings, 0)?)))
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which groups have seen an element.
    pub fn seen(&self) -> Vec<bool> {
        self.0.seen()
    }

    /// Whether positions of rows are asked for.
    pub fn is_positioned(&self) -> bool {
        self.0.is_positioned()
    }

    /// As [`Groups::grow`].
    ///
    /// # Errors
    /// As [`Groups::grow`].
    pub fn grow(&mut self, groups: usize) -> Result<(), Error> {
        self.0.grow(groups)
    }

    /// Takes rows, those for which a mask is true if there is one: one view for each input.
    ///
    /// # Errors
    /// As [`Groups::update_masked`], and if the views are of other types.
    pub fn update(
        &mut self,
        values: &[AnyView<'_>],
        keys: &[usize],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.0.update(values, keys, mask)
    }

    /// Takes rows that are all of one group.
    ///
    /// # Errors
    /// As [`AnyGroups::update`].
    pub fn update_one(
        &mut self,
        values: &[AnyView<'_>],
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.0.update_one(values, group, mask)
    }

    /// As [`Groups::removes`].
    pub fn removes(&self) -> bool {
        self.0.removes()
    }

    /// Takes rows out of a group again, those for which a mask is true if there is one.
    ///
    /// # Errors
    /// As [`Groups::remove`], and if the mask is not of their length.
    pub fn remove(
        &mut self,
        values: &[AnyView<'_>],
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.0.remove(values, group, mask)
    }

    /// As [`Groups::signature`].
    pub fn signature(&self) -> Signature {
        self.0.signature()
    }

    /// As [`Groups::merge_one`].
    ///
    /// # Errors
    /// As [`Groups::merge_one`], and if the others have other types.
    pub fn merge_one(&mut self, other: &AnyGroups, from: usize, group: usize) -> Result<(), Error> {
        self.0.merge_one(&*other.0, from, group)
    }

    /// As [`Groups::merge_columns`].
    ///
    /// # Errors
    /// As [`Groups::merge_columns`].
    pub fn merge_columns(
        &mut self,
        columns: &[AnyView<'_>],
        mapping: &[usize],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        self.0.merge_columns(columns, mapping, mask)
    }

    /// As [`Groups::column_dtypes`].
    pub fn column_dtypes(&self) -> Vec<DType> {
        self.0.column_dtypes()
    }

    /// As [`Groups::columns`].
    ///
    /// # Errors
    /// As [`Groups::columns`].
    pub fn columns(&self) -> Result<Vec<AnyTensor>, Error> {
        self.0.columns()
    }

    /// A tensor for each of the operator's results, with one entry for each group along the first axis. The
    /// entry of a group that has seen nothing is the value over no elements or, if there is none, zero:
    /// [`AnyGroups::seen`] tells.
    ///
    /// # Errors
    /// If the results do not fit in memory.
    pub fn finish(&self) -> Result<Vec<AnyTensor>, Error> {
        self.0.finish()
    }

    /// Takes out the first `groups` groups. The others move up.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub fn take_first(&mut self, groups: usize) -> Result<AnyGroups, Error> {
        self.0.take_first(groups).map(AnyGroups)
    }

    /// Bytes of memory that the groups take.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Looks for the row of some types.
struct Find<'a, Op> {
    inputs: &'a [DType],
    op: Option<Op>,
    found: Option<Result<AnyGroups, Error>>,
}

impl<Op: OpSpec> EachType<Op> for Find<'_, Op> {
    fn of_type<T: Stored>(&mut self)
    where
        Op: Reduces<T>,
        for<'a> T::Views<'a>: Input<Stored = T>,
    {
        if T::DTYPES == self.inputs
            && let Some(op) = self.op.take()
        {
            self.found = Some(AnyGroups::of::<Op, T>(Reduction::new(op)));
        }
    }
}

/// Groups without their types.
trait Erased: Any + Debug + Send + Sync {
    fn len(&self) -> usize;
    fn seen(&self) -> Vec<bool>;
    fn is_positioned(&self) -> bool;
    fn signature(&self) -> Signature;
    fn grow(&mut self, groups: usize) -> Result<(), Error>;
    fn update(
        &mut self,
        values: &[AnyView<'_>],
        keys: &[usize],
        mask: Mask<'_>,
    ) -> Result<(), Error>;
    fn update_one(
        &mut self,
        values: &[AnyView<'_>],
        group: usize,
        mask: Mask<'_>,
    ) -> Result<(), Error>;
    fn merge_one(&mut self, other: &dyn Erased, from: usize, group: usize) -> Result<(), Error>;
    fn merge_columns(
        &mut self,
        columns: &[AnyView<'_>],
        mapping: &[usize],
        mask: Mask<'_>,
    ) -> Result<(), Error>;
    fn removes(&self) -> bool;
    fn remove(&mut self, values: &[AnyView<'_>], group: usize, mask: Mask<'_>)
    -> Result<(), Error>;
    fn column_dtypes(&self) -> Vec<DType>;
    fn columns(&self) -> Result<Vec<AnyTensor>, Error>;
    fn finish(&self) -> Result<Vec<AnyTensor>, Error>;
    fn take_first(&mut self, groups: usize) -> Result<Box<dyn Erased>, Error>;
    fn bytes(&self) -> usize;
}

/// Which rows count, if not all do.
type Mask<'a> = Option<&'a [bool]>;

impl<Op: Streams<T>, T: Stored> Erased for Groups<Op, T>
where
    for<'a> T::Views<'a>: Input<Stored = T>,
{
    fn len(&self) -> usize {
        Groups::len(self)
    }

    fn seen(&self) -> Vec<bool> {
        Groups::seen(self).collect()
    }

    fn is_positioned(&self) -> bool {
        Folding::<Op, T>::POSITIONED
    }

    fn signature(&self) -> Signature {
        Groups::signature(self)
    }

    fn grow(&mut self, groups: usize) -> Result<(), Error> {
        Groups::grow(self, groups)
    }

    fn update(
        &mut self,
        values: &[AnyView<'_>],
        keys: &[usize],
        mask: Mask<'_>,
    ) -> Result<(), Error> {
        self.take(&typed::<T>(values)?, keys, mask)
    }

    fn update_one(
        &mut self,
        values: &[AnyView<'_>],
        group: usize,
        mask: Mask<'_>,
    ) -> Result<(), Error> {
        self.take_one(&typed::<T>(values)?, group, mask)
    }

    fn merge_one(&mut self, other: &dyn Erased, from: usize, group: usize) -> Result<(), Error> {
        match (other as &dyn Any).downcast_ref::<Self>() {
            Some(other) => Groups::merge_one(self, other, from, group),
            None => {
                let (expected, found) = (Groups::column_dtypes(self), other.column_dtypes());
                self.signature().check(&other.signature())?;
                Err(ErrorKind::OtherColumns { expected, found }.into())
            }
        }
    }

    fn merge_columns(
        &mut self,
        columns: &[AnyView<'_>],
        mapping: &[usize],
        mask: Mask<'_>,
    ) -> Result<(), Error> {
        Groups::merge_columns(self, columns, mapping, mask)
    }

    fn removes(&self) -> bool {
        Groups::removes(self)
    }

    fn remove(
        &mut self,
        values: &[AnyView<'_>],
        group: usize,
        mask: Mask<'_>,
    ) -> Result<(), Error> {
        self.take_out(&typed::<T>(values)?, group, mask)
    }

    fn column_dtypes(&self) -> Vec<DType> {
        Groups::column_dtypes(self)
    }

    fn columns(&self) -> Result<Vec<AnyTensor>, Error> {
        Groups::columns(self)
    }

    fn finish(&self) -> Result<Vec<AnyTensor>, Error> {
        let results = self.results(|group| match self.lacks_result(group) {
            true => Op::Result::blank(),
            false => self.result(group),
        });
        results.map(Op::Result::any)
    }

    fn take_first(&mut self, groups: usize) -> Result<Box<dyn Erased>, Error> {
        Ok(Box::new(Groups::take_first(self, groups)?))
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.scratch.bytes()
    }
}

/// Views of the types of a row.
fn typed<'a, T: Stored>(values: &[AnyView<'a>]) -> Result<T::Views<'a>, Error> {
    T::views(values).ok_or_else(|| {
        let found = values.iter().map(AnyView::dtype).collect();
        ErrorKind::OtherColumns { expected: T::DTYPES.to_vec(), found }.into()
    })
}
