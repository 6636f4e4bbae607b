//! `reduce digest`: one number for the results of each operator, the same on every machine.
//!
//! [`numbers`] computes them, and needs nothing of the command.

mod numbers;

use numbers::{DigestAnswer, DigestRequest, digest};

use crate::args::DigestArgs;
use crate::error::{Error, note};
use crate::operators::Operator;

/// The exit status if there are other bits than there should be.
const OTHER_BITS: u8 = 1;

/// The lines, and the exit status. What was run goes to the standard error.
pub(crate) fn run(args: &DigestArgs) -> Result<(String, u8), Error> {
    let DigestArgs { ops, types, quick } = args;
    let names = ops.iter().map(|name| Operator::find(name).map(|found| found.schema().name));
    let operators = names.map(|name| name.map(str::to_owned)).collect::<Result<_, _>>()?;
    let request = DigestRequest { operators, types: *types, quick: *quick };
    let DigestAnswer { page, remarks, is_equal } = digest(&request).map_err(Error::new)?;
    note(&remarks);
    Ok((page, if is_equal { 0 } else { OTHER_BITS }))
}
