//! Running reductions: at each element, the result over all elements up to it.

mod passing;
mod planned;
mod settings;

pub use planned::PlannedScan;
pub use settings::Scan;

use crate::facts::axes::AxisSet;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::one_pass::{OnePass, StepsOf};
use crate::kernel::Scanning;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::ScanPlan;
use crate::values::layout::Strided;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

use passing::kernel;

/// The plan of a scan over inputs and an output of one shape, and whether it begins with results over no elements.
///
/// # Errors
/// If the operator has no value for those.
fn planned<Op: OnePass<T>, T: Stored>(
    op: &Op,
    (shape, axes): (&Shape, &AxisSet),
    inputs: &[Strided<'_>],
    out: Strided<'_>,
    order: crate::plan::ScanOrder,
) -> Result<ScanPlan, Error> {
    let none = StepsOf::<Op, T>::none(op);
    if order.exclusive && shape.count() > 0 && Op::lacks_value(none, 0) {
        let (dtype, shape) = (T::DTYPES[0], shape.to_vec());
        return Err(ErrorKind::EmptySet { dtype, shape }.into());
    }
    Ok(ScanPlan::new((shape, axes), inputs, out, order))
}

/// Writes the results of a plan over inputs that lie as it has them.
///
/// # Errors
/// If no element of a set counts and the operator has no value for that, if there is not enough memory, or someone who
/// watches wants the work to stop.
#[allow(unsafe_code, reason = "buffers have their types erased")]
fn scan<Op: OnePass<T>, T: Stored>(
    op: &Op,
    plan: &ScanPlan,
    data: T::Data<'_>,
    (level, crew): (Available, Crew<'_>),
    results: &mut [Op::Result],
) -> Result<(), Error> {
    let scanning = Scanning {
        op: std::ptr::from_ref(op).cast(),
        kernel: kernel::<Op, T>(),
        plan,
        level,
        buffers: T::buffers(data),
        out: results.as_mut_ptr().cast(),
    };
    // SAFETY: *operator*, *types* and *sharing*, by the types of this function. *buffers* and *places*: the plan was made for
    // inputs and an output that lie so, as the callers in this folder see to; the output is borrowed alone.
    let scanned = unsafe { scanning.run(crew) }?;
    match scanned.lacks {
        true => Err(ErrorKind::NoneCounts { dtype: T::DTYPES[0] }.into()),
        false => Ok(()),
    }
}
