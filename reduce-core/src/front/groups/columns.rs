//! Accumulators as columns: one plain array for each scalar field, so that they can be stored, sent, and
//! taken up again.

use std::any::Any;

use super::key::groups_of;
use super::take::check_mask;
use super::{Groups, Key};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::scalars::{check_none, check_positions};
use crate::front::stream::Streams;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::element::Element;
use crate::values::element::accumulator::{Accumulator, Scalars};
use crate::values::steps::Steps;
use crate::values::stored::Stored;
use crate::values::tensor::{Tensor, collect, reserve};
use crate::values::view::View;

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// The types of the columns that [`Groups::columns`] gives.
    pub fn column_dtypes(&self) -> Vec<DType> {
        let mut kinds = Kinds(vec![DType::U64]);
        Op::Steps::none(&self.op).each_scalar(&mut kinds);
        kinds.0
    }

    /// What the groups have seen, as columns with one entry for each group. The first is the number of its
    /// elements, of type `u64`. The others are the scalar fields of the accumulators, as they were declared. Numbers of
    /// 128 bits are two columns of type `u64`, the lower half first.
    ///
    /// ```
    /// use reduce_core::{AnyView, DType, Groups, View};
    /// use reduce_gallery::MeanVariance;
    ///
    /// let mut groups = Groups::new(MeanVariance, 2)?;
    /// groups.update(&View::new(&[1.0f64, 2.0, 5.0], &[3])?, &[0, 1, 0])?;
    /// let columns = groups.columns()?;
    ///
    /// // Later, or elsewhere:
    /// let mut others = Groups::new(MeanVariance, 2)?;
    /// others.update(&View::new(&[6.0f64], &[1])?, &[1])?;
    /// let columns: Vec<AnyView> = columns.iter().map(|column| column.view()).collect();
    /// others.merge_columns(&columns, &[0, 1], None)?;
    /// let (mean, variance) = others.finish()?;
    /// assert_eq!((mean.data(), variance.data()), (&[3.0, 4.0][..], &[4.0, 4.0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub fn columns(&self) -> Result<Vec<AnyTensor>, Error> {
        let (accs, counts) = self.table.gathered(&self.op, T::DTYPES[0])?;
        let mut columns: Vec<AnyTensor> = vec![Tensor::from_list(counts).into()];
        for wanted in 0..self.column_dtypes().len() - 1 {
            let mut column = Column { wanted, next: 0, accs: &accs, column: None };
            Op::Steps::none(&self.op).each_scalar(&mut column);
            columns.extend(column.column.transpose()?);
        }
        Ok(columns)
    }

    /// Takes what other groups have seen, from the columns of their state: entry `i` goes behind what group
    /// `mapping[i]` has, if a mask is true for it.
    ///
    /// # Errors
    /// Then the groups are as they were. If memory runs out, some entries may be taken.
    ///
    /// - The columns are not those that [`Groups::columns`] gives, all of one length.
    /// - There are fewer or more numbers than entries, or a number is not that of a group.
    /// - A group and all entries together would count more than `i64::MAX` elements, or `usize::MAX` on targets of 32 bits.
    /// - An accumulator has seen elements where its number is 0, or a position beyond `i64::MAX`.
    pub fn merge_columns<K: Key>(
        &mut self,
        columns: &[AnyView<'_>],
        mapping: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let (expected, found) =
            (self.column_dtypes(), columns.iter().map(AnyView::dtype).collect::<Vec<_>>());
        if expected != found {
            return Err(ErrorKind::OtherColumns { expected, found }.into());
        }
        for column in columns {
            self.check_keys(mapping, column.shape().count())?;
        }
        check_mask(mask, mapping.len())?;
        let (accs, counts) = self.read(columns)?;
        let places = || groups_of(mapping).map(|to| to as usize).enumerate();
        let is_taken = |&(row, _): &(usize, usize)| mask.is_none_or(|mask| mask[row]);
        self.check_counts(places().filter(is_taken).map(|(row, to)| (to, counts[row])))?;
        for (row, to) in places().filter(is_taken) {
            self.table.open().add(&self.op, to, accs[row], counts[row]);
        }
        self.check_memory()
    }

    /// Accumulators and numbers of elements from the columns of their state, whose types and lengths are right.
    fn read(&self, columns: &[AnyView<'_>]) -> Result<(Vec<Op::Acc>, Vec<u64>), Error> {
        let groups = columns[0].shape().count();
        let dtype = T::DTYPES[0];
        let (mut accs, mut counts) = (reserve(groups, dtype)?, reserve(groups, dtype)?);
        if let AnyView::U64(column) = &columns[0] {
            for_each(column, |_, count| counts.push(count))?;
        }
        accs.resize(groups, Op::Steps::none(&self.op));
        for (wanted, column) in columns[1..].iter().enumerate() {
            let mut fill = Fill { wanted, next: 0, accs: &mut accs, column, failed: None };
            Op::Steps::none(&self.op).each_scalar(&mut fill);
            if let Some(error) = fill.failed {
                return Err(error);
            }
        }
        check_positions(&accs)?;
        let unseen = accs.iter().zip(&counts).filter(|(_, count)| **count == 0);
        check_none(Op::Steps::none(&self.op), unseen.map(|(acc, _)| *acc))?;
        Ok((accs, counts))
    }
}

/// Calls a function with each entry of a column.
fn for_each<E: Element>(column: &View<'_, E>, mut then: impl FnMut(usize, E)) -> Result<(), Error> {
    let mut list = Vec::new();
    let entries = column.listed(&mut list)?;
    entries.iter().enumerate().for_each(|(group, &entry)| then(group, entry));
    Ok(())
}

/// The types of the scalars.
struct Kinds(Vec<DType>);

impl Scalars for Kinds {
    fn scalar<E: Element>(&mut self, _x: &mut E) {
        self.0.push(E::DTYPE);
    }
}

/// Makes the column of one scalar, whose type is known when it is met.
struct Column<'a, Acc> {
    wanted: usize,
    next: usize,
    accs: &'a [Acc],
    column: Option<Result<AnyTensor, Error>>,
}

impl<Acc: Accumulator> Scalars for Column<'_, Acc> {
    fn scalar<E: Element>(&mut self, _x: &mut E) {
        if self.next == self.wanted {
            let scalar = |acc: &Acc| {
                let mut one =
                    OneScalar { wanted: self.wanted, next: 0, value: E::default(), put: false };
                let mut acc = *acc;
                acc.each_scalar(&mut one);
                one.value
            };
            let scalars = collect(self.accs.iter().map(scalar));
            self.column = Some(scalars.map(|scalars| Tensor::from_list(scalars).into()));
        }
        self.next += 1;
    }
}

/// Puts a column where one scalar is.
struct Fill<'a, Acc> {
    wanted: usize,
    next: usize,
    accs: &'a mut [Acc],
    column: &'a AnyView<'a>,
    failed: Option<Error>,
}

impl<Acc: Accumulator> Scalars for Fill<'_, Acc> {
    fn scalar<E: Element>(&mut self, _x: &mut E) {
        if self.next == self.wanted
            && let Some(column) = self.column.downcast::<E>()
        {
            let wanted = self.wanted;
            let filled = for_each(&column, |group, value| {
                let mut one = OneScalar { wanted, next: 0, value, put: true };
                self.accs[group].each_scalar(&mut one);
            });
            self.failed = filled.err();
        }
        self.next += 1;
    }
}

/// One scalar of an accumulator: put there, or read.
struct OneScalar<E> {
    wanted: usize,
    next: usize,
    value: E,
    put: bool,
}

impl<E: Element> Scalars for OneScalar<E> {
    #[inline(always)]
    fn scalar<X: Element>(&mut self, x: &mut X) {
        if self.next == self.wanted
            && let Some(x) = (x as &mut dyn Any).downcast_mut::<E>()
        {
            match self.put {
                true => *x = self.value,
                false => self.value = *x,
            }
        }
        self.next += 1;
    }
}
