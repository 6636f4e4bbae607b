//! The settings of a reduction, which depend on no operator.

use crate::facts::axes::Axes;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::level::Level;
use crate::facts::progress::Progress;
use crate::facts::shape::Shape;
use crate::facts::threads::Threads;
use crate::kernel::Settled;
use crate::machine::team::{Crew, KeptCrew};

/// The axes of a reduction, and how they are walked.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) axes: Axes,
    pub(crate) keepdims: bool,
    pub(crate) level: Level,
    pub(crate) threads: Threads,
    pub(crate) progress: Option<Progress>,
    /// Whether results that the operator doubts are computed again.
    pub(crate) mends: bool,
}

impl Default for Settings {
    /// All axes, left out of the result, at the best CPU level.
    fn default() -> Self {
        Settings {
            axes: Axes::all(),
            keepdims: false,
            level: Level::best(),
            threads: Threads::default(),
            progress: None,
            mends: true,
        }
    }
}

impl Settings {
    /// What a plan follows from, besides layouts.
    ///
    /// # Errors
    /// If the CPU lacks the level asked for.
    pub(crate) fn settled(&self, skips_nan: bool) -> Result<Settled<'_>, Error> {
        let Settings { axes, keepdims, level, mends, .. } = self;
        let level = level.check()?;
        Ok(Settled { axes, keepdims: *keepdims, level, skips_nan, mends: *mends })
    }

    /// The threads, and who watches them.
    pub(crate) fn crew(&self) -> Crew<'_> {
        Crew { threads: &self.threads, progress: self.progress.as_ref() }
    }

    /// The same, for what is planned once and runs often.
    pub(crate) fn kept_crew(&self) -> KeptCrew {
        KeptCrew { threads: self.threads.clone(), progress: self.progress.clone() }
    }

    /// Checks that no axes were chosen. Rows are a list, which has none to choose from.
    ///
    /// # Errors
    /// If axes were asked for.
    pub(crate) fn check_without_axes(&self) -> Result<(), Error> {
        match self.axes == Axes::all() && !self.keepdims {
            true => Ok(()),
            false => Err(ErrorKind::AxesOfList.into()),
        }
    }

    /// The shape of the result for an input of this shape.
    pub(crate) fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        self.axes.resolve(shape.rank())?.output_shape(shape, self.keepdims)
    }
}
