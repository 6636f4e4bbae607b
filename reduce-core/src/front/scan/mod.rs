//! Running reductions: at each element, the result over all elements up to it.

mod backwards;
mod emission;
mod passing;
mod planned;
mod settings;
mod stream;

pub use planned::PlannedScan;
pub use settings::Scan;
pub use stream::ScanStream;

use crate::facts::axes::AxisSet;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::one_pass::{OnePass, StepsOf};
use crate::kernel::{Going, ScanKernel, ScanMends, Scanning};
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::{ScanOrder, ScanPlan};
use crate::values::element::Slot;
use crate::values::layout::Strided;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

use passing::kernel;

/// The plan of a scan over inputs and an output of one shape, and whether it begins with results over no elements.
///
/// # Errors
/// If the operator has no value for those.
fn plan_of<Op: OnePass<T>, T: Stored>(
    op: &Op,
    (shape, axes): (&Shape, &AxisSet),
    inputs: &[Strided<'_>],
    out: Strided<'_>,
    order: ScanOrder,
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
/// As [`walked`].
fn scan<Op: OnePass<T>, T: Stored>(
    (op, mended): (&Op, bool),
    plan: &ScanPlan,
    data: T::Data<'_>,
    crew: (Available, Crew<'_>),
    results: &mut [Op::Result],
) -> Result<(), Error> {
    let mends = if mended { Op::scan_mends() } else { ScanMends::Never };
    walked::<Op, T, _>(
        (op, &mends, None),
        kernel::<Op, T>(plan.reversed),
        plan,
        data,
        crew,
        results,
    )
}

/// Writes what a kernel of the operator makes of inputs that lie as the plan has them.
///
/// # Errors
/// If a set without elements that count has no value, if memory is short, or if someone who watches wants the work to stop.
#[allow(unsafe_code, reason = "buffers have their types erased")]
fn walked<Op: OnePass<T>, T: Stored, O: Slot>(
    (op, mends, going): (&Op, &ScanMends, Option<Going>),
    kernel: &ScanKernel,
    plan: &ScanPlan,
    data: T::Data<'_>,
    (level, crew): (Available, Crew<'_>),
    results: &mut [O],
) -> Result<(), Error> {
    let scanning = Scanning {
        op: std::ptr::from_ref(op).cast(),
        kernel,
        plan,
        level,
        buffers: T::buffers(data),
        out: results.as_mut_ptr().cast(),
        mends,
        going,
    };
    // SAFETY: *operator*, *types* and *sharing*: the callers in this folder give the kernel of these types, and the operator
    // and elements are of such that threads share. *buffers* and *places*: the plan was made for inputs and an output that
    // lie so; the output is borrowed alone. *states*: lines go on from states of the kernel, one for each.
    match unsafe { scanning.run(crew) }? {
        true => Ok(()),
        false => Err(ErrorKind::NoneCounts { dtype: T::DTYPES[0] }.into()),
    }
}
