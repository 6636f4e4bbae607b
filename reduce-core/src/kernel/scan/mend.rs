//! Doubtful results of a scan.
//!
//! A line with a doubtful result is walked once more, one element after another, whatever the number of such results. Beside
//! its accumulators go those of a *second* fold, in [`Extended`](crate::numbers::Extended), and the least and the greatest
//! magnitude so far. Each doubtful result is then mended as that of a reduction over its elements is.

use super::super::ending::{Ending, Finished};
use super::super::fold::Fold;
use super::Passing;
use super::tile::DOUBTFUL;
use crate::facts::dtype::DType;
use crate::facts::order::{SCAN_BLOCKS, STEPS};
use crate::values::element::Element;
use crate::values::element::accumulator::{Accumulator, Scalars};
use crate::values::steps::{Steps, Wide};
use crate::values::stored::{Data, Stored};

/// A second fold of the elements of a line.
pub trait Second {
    /// Takes the next element.
    ///
    /// # Safety
    /// *elements*: there is one in each input.
    unsafe fn take(&mut self, data: &Data, position: u64);

    /// Writes the result of all elements so far, unless the doubtful one stands.
    ///
    /// # Safety
    /// *places*: there is one for a result.
    unsafe fn mend(&self, out: *mut u8);
}

/// How doubtful results of a scan are mended, or those of each operator of a tuple.
#[derive(Clone, Debug, Default)]
pub enum ScanMends {
    /// They stay as they are.
    #[default]
    Never,
    /// By a second fold of the operator.
    By(NewSecond),
    /// As others, over the elements that count: the function says which these are.
    Chosen(unsafe fn(&Data) -> bool, Box<ScanMends>),
    /// Each operator of a tuple has mends of its own: the bytes at which it and its result lie, how many operators it
    /// consists of, and the mends.
    Together(Vec<(usize, usize, u32, ScanMends)>),
}

/// Begins the second fold of an operator.
///
/// # Safety
/// *operator*: it is one of the fold, and lives as long.
pub(super) type NewSecond = unsafe fn(op: *const ()) -> Box<dyn Second>;

/// The second folds of an operator or a tuple, with the bit of each among the doubts, and where its result lies.
pub(super) type Seconds = Vec<(u32, usize, Box<dyn Second>)>;

/// A second fold of the elements that count.
struct OverChosen {
    counts: unsafe fn(&Data) -> bool,
    second: Box<dyn Second>,
}

impl Second for OverChosen {
    unsafe fn take(&mut self, data: &Data, position: u64) {
        // SAFETY: *elements*, which the caller keeps: there is one in each input.
        if unsafe { (self.counts)(data) } {
            // SAFETY: *elements*, which the caller keeps: those of the operator are the first inputs.
            unsafe { self.second.take(data, position) };
        }
    }

    unsafe fn mend(&self, out: *mut u8) {
        // SAFETY: *places*, which the caller keeps: there is one for a result.
        unsafe { self.second.mend(out) };
    }
}

impl ScanMends {
    /// The mends of an operator by the fold `F`, whose reader makes elements of a wider range.
    pub fn by<F, O>() -> Self
    where
        F: Fold,
        Finished<O>: Ending<F::Steps>,
    {
        ScanMends::By(second::<F::Steps, Finished<O>>)
    }

    /// Whether nothing is mended.
    pub(crate) fn are_none(&self) -> bool {
        match self {
            ScanMends::Never => true,
            ScanMends::By(_) => false,
            ScanMends::Chosen(_, mends) => mends.are_none(),
            ScanMends::Together(members) => members.iter().all(|(.., mends)| mends.are_none()),
        }
    }

    /// Begins all second folds. The first operator has bit `first`.
    ///
    /// # Safety
    /// *operator*: it is that of the mends, and lives as long as the folds.
    pub(super) unsafe fn begin(&self, op: *const (), first: u32, out_at: usize, to: &mut Seconds) {
        match self {
            ScanMends::Never => {}
            // SAFETY: *operator*, which the caller keeps: it is that of these steps.
            ScanMends::By(new) => to.push((first, out_at, unsafe { new(op) })),
            ScanMends::Chosen(counts, mends) => {
                let before = to.len();
                // SAFETY: *operator*, which the caller keeps: an adaptor that chooses lies as its operator does.
                unsafe { mends.begin(op, first, out_at, to) };
                for (bit, at, second) in to.split_off(before) {
                    to.push((bit, at, Box::new(OverChosen { counts: *counts, second })));
                }
            }
            ScanMends::Together(members) => {
                let mut first = first;
                for (op_at, at, count, mends) in members {
                    let op = op.wrapping_byte_add(*op_at);
                    // SAFETY: *operator*, which the caller keeps: the member lies there.
                    unsafe { mends.begin(op, first, out_at + at, to) };
                    first += count;
                }
            }
        }
    }
}

/// The accumulators of one lane along a line, and how many elements they have.
struct OneAlong<S: Steps> {
    groups: Option<S::Acc>,
    blocks: Option<S::Acc>,
    within: S::Acc,
    count: usize,
}

impl<S: Steps> OneAlong<S> {
    fn new(op: &S::Op) -> Self {
        OneAlong { groups: None, blocks: None, within: S::none(op), count: 0 }
    }

    /// Takes an element.
    fn take(&mut self, op: &S::Op, x: Wide<S>, position: u64) {
        let both = |first: Option<S::Acc>, second| match first {
            Some(first) => S::combine(op, first, second),
            None => second,
        };
        if self.count > 0 && self.count.is_multiple_of(STEPS) {
            self.blocks = Some(both(self.blocks, self.within));
            self.within = S::none(op);
            if self.count.is_multiple_of(STEPS * SCAN_BLOCKS) {
                self.groups = self.blocks.take().map(|blocks| both(self.groups, blocks));
            }
        }
        S::next_into(op, &mut self.within, x, position);
        self.count += 1;
    }

    /// The accumulator of all elements.
    fn all(&self, op: &S::Op) -> S::Acc {
        let with = |first: Option<S::Acc>, second| match first {
            Some(first) => S::combine(op, first, second),
            None => second,
        };
        with(self.groups, with(self.blocks, self.within))
    }
}

/// The magnitudes of the elements so far, of all inputs and of the first.
#[derive(Clone, Copy, Debug)]
struct Magnitudes {
    least: f64,
    greatest: f64,
    of_first: (f64, f64),
    scalars: usize,
}

impl Magnitudes {
    const NONE: Self = Magnitudes {
        least: f64::INFINITY,
        greatest: 0.0,
        of_first: (f64::INFINITY, 0.0),
        scalars: 0,
    };
}

impl Scalars for Magnitudes {
    fn scalar<E: Element>(&mut self, x: &mut E) {
        let x = x.to_f64().abs();
        let wider = |(least, greatest): (f64, f64)| match x.is_nan() || greatest.is_nan() {
            true => (f64::NAN, f64::NAN),
            false => (least.min(x), greatest.max(x)),
        };
        (self.least, self.greatest) = wider((self.least, self.greatest));
        if self.scalars == 0 {
            self.of_first = wider(self.of_first);
        }
        self.scalars += 1;
    }
}

/// The second fold by steps `S`, whose results are written by `E`.
struct ByFold<S: Steps, E> {
    op: *const S::Op,
    along: OneAlong<S>,
    magnitudes: Magnitudes,
    ending: std::marker::PhantomData<E>,
}

/// Begins the second fold by some steps.
///
/// # Safety
/// As for [`NewSecond`].
unsafe fn second<S: Steps, E: Ending<S>>(op: *const ()) -> Box<dyn Second> {
    let op = op.cast::<S::Op>();
    // SAFETY: *operator*, which the caller keeps: it is that of these steps.
    let along = OneAlong::new(unsafe { &*op });
    let ending = std::marker::PhantomData;
    Box::new(ByFold::<S, E> { op, along, magnitudes: Magnitudes::NONE, ending })
}

impl<S: Steps, E: Ending<S>> Second for ByFold<S, E> {
    unsafe fn take(&mut self, data: &Data, position: u64) {
        // SAFETY: *elements*, which the caller keeps: there is one in each input.
        let mut x = unsafe { S::Stored::at(data, 0) }.wide();
        self.magnitudes.scalars = 0;
        x.each_scalar(&mut self.magnitudes);
        // SAFETY: *operator*, which the caller of `second` keeps.
        self.along.take(unsafe { &*self.op }, x, position);
    }

    unsafe fn mend(&self, out: *mut u8) {
        // SAFETY: *operator*, which the caller of `second` keeps.
        let op = unsafe { &*self.op };
        let Magnitudes { greatest, of_first: (least, most), .. } = self.magnitudes;
        let out = out.cast::<E::Output>();
        if S::Stored::DTYPES.iter().all(|&dtype| DType::is_float(dtype)) {
            if !greatest.is_finite() || greatest == 0.0 {
                return;
            }
            if let Some(known) = E::of_extremes(op, least, most) {
                // SAFETY: *places*, which the caller keeps: there is one for a result.
                return unsafe { out.write(known) };
            }
        }
        let result = E::store(op, self.along.all(op), self.along.count);
        // SAFETY: *places*, which the caller keeps: there is one for a result.
        unsafe { out.write(result) };
    }
}

/// A line that is walked once more.
pub(crate) struct MendedLine<'a> {
    /// How many elements it has, and where each lies, its position, and its result.
    pub(super) count: usize,
    pub(super) at: &'a dyn Fn(usize) -> (Data, u64, *mut u8),
}

/// Mends the doubtful results of a line by the second folds of an operator.
///
/// # Safety
/// *operator*, *types*, *elements* and *places*, of the steps and what is written, and of the mends.
pub(super) unsafe fn mend_line<S: Steps, W: Passing<S>>(
    op: *const (),
    mends: &ScanMends,
    line: &MendedLine<'_>,
) {
    // SAFETY: *operator*, which the caller keeps: it is that of these steps.
    let operator = unsafe { &*op.cast::<S::Op>() };
    let mut seconds = Seconds::new();
    // SAFETY: *operator*, which the caller keeps; the folds are dropped here.
    unsafe { mends.begin(op, 0, 0, &mut seconds) };
    let mut along = OneAlong::<S>::new(operator);
    for place in 0..line.count {
        let (data, position, out) = (line.at)(place);
        // SAFETY: *elements*, which the caller keeps: there is one in each input.
        let x = unsafe { S::Stored::at(&data, 0) }.wide();
        along.take(operator, x, position);
        let acc = along.all(operator);
        let is_doubtful = W::found(operator, &acc, along.count) & DOUBTFUL != 0;
        let doubts = if is_doubtful { W::doubts(operator, &acc, along.count) } else { 0 };
        for (bit, at, second) in &mut seconds {
            // SAFETY: *elements* and *places*, which the caller keeps.
            unsafe { second.take(&data, position) };
            if doubts.checked_shr(*bit).unwrap_or(0) & 1 == 1 {
                // SAFETY: *places*, which the caller keeps: there is one for a result.
                unsafe { second.mend(out.wrapping_add(*at)) };
            }
        }
    }
}
