//! What an update takes: which rows count, and who folds them.

use super::fold::Folding;
use super::{Groups, Key};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::stream::Streams;
use crate::values::input::Input;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Takes the rows that count.
    pub(super) fn take<I, K>(
        &mut self,
        values: &I,
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error>
    where
        I: Input<Stored = T>,
        K: Key,
    {
        let shape = values.shape()?;
        self.check_keys(keys, shape.count())?;
        check_mask(mask, keys.len())?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        self.take_rows((data, 0), keys, mask)
    }

    /// Takes the rows that count; their elements begin at a place, and keys and mask were checked.
    pub(super) fn take_rows<K: Key>(
        &mut self,
        (data, first): (T::Data<'_>, usize),
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let taken = if self.has_spans(keys.len()) {
            self.take_spans((data, first), keys, mask)
        } else if self.has_parts(keys.len()) {
            self.take_parts((data, first), keys, mask)
        } else {
            self.take_blocks((data, first), keys, mask)
        };
        self.rows += keys.len() as u64;
        let fits = self.check_memory();
        taken.and(fits)
    }

    /// Takes the rows that count, alone.
    fn take_blocks<K: Key>(
        &mut self,
        (data, first): (T::Data<'_>, usize),
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (position, progress) = (self.rows, self.settings.progress.clone());
        let mut folding = self.folding()?;
        // Rows are counted block by block, however each is taken.
        folding.crew.progress = None;
        let done = |rows| match &progress {
            Some(progress) => {
                progress.add(rows);
                progress.stopped().map_or(Ok(()), Err)
            }
            None => Ok(()),
        };
        folding.take((data, first, position), keys, mask, &mut scratch, done)?;
        self.scratch = scratch;
        Ok(())
    }

    /// All groups, to be folded into.
    fn folding(&mut self) -> Result<Folding<'_, Op, T>, Error> {
        let Groups { op, settings, table, .. } = self;
        let (level, crew, all) = (settings.level.check()?, settings.crew(), table.len());
        Ok(Folding { op, table: table.open(), all, level, crew })
    }

    /// Takes the rows that count, all of one group.
    pub(super) fn take_one<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let shape = values.shape()?;
        if mask.is_some_and(|mask| mask.contains(&false)) {
            return self.take(values, &vec![group; shape.count()], mask);
        }
        self.check_keys(&[group], 1)?;
        check_mask(mask, shape.count())?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        let position = self.rows;
        self.folding()?.fold_list(group, data, 0..shape.count(), position)?;
        self.rows += shape.count() as u64;
        self.check_memory()
    }

    /// Takes the elements of each group as a list: those between two offsets, which ascend within the shape.
    pub(super) fn take_segments<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        shape: &Shape,
        offsets: &[usize],
    ) -> Result<(), Error> {
        let mut lists = T::Lists::default();
        let data = values.in_order(shape, &mut lists)?;
        let mut folding = self.folding()?;
        for (group, pair) in offsets.windows(2).enumerate() {
            folding.fold_list(group, data, pair[0]..pair[1], pair[0] as u64)?;
        }
        self.check_memory()
    }

    /// Takes the rows that count out of one group.
    pub(super) fn take_out<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        if !Op::Steps::REMOVES {
            return Err(ErrorKind::NoInverse.into());
        }
        let shape = values.shape()?;
        self.check_keys(&[group], 1)?;
        check_mask(mask, shape.count())?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        let counts = |row: &usize| mask.is_none_or(|mask| mask[*row]);
        let less = (0..shape.count()).filter(counts).count();
        let (acc, count) = self.table.of(&self.op, group);
        let Some(left) = count.checked_sub(less as u64) else {
            return Err(ErrorKind::TooFew { group, count, less }.into());
        };
        let without = |acc, row| Op::Steps::remove(&self.op, acc, T::get(data, row).wide());
        let acc = match left {
            0 => acc,
            _ => (0..shape.count()).filter(counts).fold(acc, without),
        };
        self.table.set(&self.op, group, (acc, left));
        self.check_memory()
    }

    /// Checks that there was memory for all that groups have seen.
    pub(super) fn check_memory(&mut self) -> Result<(), Error> {
        match self.table.was_short() {
            true => {
                Err(ErrorKind::ResultTooLarge { dtype: T::DTYPES[0], elements: self.len() }.into())
            }
            false => Ok(()),
        }
    }
}

/// Checks that a mask has `expected` entries.
pub(super) fn check_mask(mask: Option<&[bool]>, expected: usize) -> Result<(), Error> {
    match mask.map(<[bool]>::len) {
        Some(found) if found != expected => {
            Err(ErrorKind::LengthMismatch { what: "the mask", expected, found }.into())
        }
        _ => Ok(()),
    }
}
