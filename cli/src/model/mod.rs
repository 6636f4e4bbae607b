//! `reduce model`: a graph of reductions and of what commonly feeds or surrounds them.
//!
//! [`flatten`] makes a [`Program`] of a model, which is one list of nodes. [`operation`] says what each node does.
//! [`types`] finds the types of all values, and [`plan`] joins chains of nodes that are one reduction. [`run`]
//! carries out the plan, with [`elementwise`] and [`shaping`] for all that is no reduction. [`inputs`] and
//! [`outputs`] are files. `reduce conformance` runs its models in the same way.

mod attributes;
mod elementwise;
mod flatten;
mod inputs;
mod operation;
mod outputs;
mod plan;
mod program;
mod refusal;
mod run;
mod shaping;
mod support;
mod types;
mod value;

pub(crate) use plan::Plan;
pub(crate) use program::Program;
pub(crate) use refusal::Refusal;
pub(crate) use run::run;
pub(crate) use types::Types;
pub(crate) use value::Value;

use reduce_core::DType;

use crate::args::ModelArgs;
use crate::arrays::Folder;
use crate::error::Error;
use crate::{call, onnx};
use inputs::Given;

/// Prints the results, or writes them and says so; or prints the plan.
pub(crate) fn command(args: &ModelArgs) -> Result<String, Error> {
    let Some(threads) = args.threads else { return answer(args) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    let pool =
        pool.map_err(|error| Error::new(format!("there are no {threads} threads: {error}")))?;
    pool.install(|| answer(args))
}

fn answer(args: &ModelArgs) -> Result<String, Error> {
    let level = call::check_level(args.level)?;
    let file = onnx::File::named(&args.model)?;
    let about = |refusal: Refusal| Error::at(&args.model, refusal.sentence());
    let program = Program::new(&file).map_err(about)?;
    let given = Given::named(&program, &args.input)?;
    if args.explain {
        let types = Types::new(&program, &given.declared_types(&program)).map_err(about)?;
        let plan = Plan::new(&program, &types, !args.no_fuse);
        return Ok(crate::error::lines(&plan.explain(&program, &types)));
    }
    given.check_complete(&program)?;
    // A place that cannot be written to is told before the work.
    let folder = args.output.as_deref().map(|folder| Folder::claim(folder, program.output_names()));
    let folder = folder.transpose()?;
    let values = given.read(&program)?;
    let dtypes: Vec<Option<DType>> =
        values.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    let types = Types::new(&program, &dtypes).map_err(about)?;
    let plan = Plan::new(&program, &types, !args.no_fuse);
    let results = run(&program, &plan, values, level);
    let results = results.map_err(|problem| Error::at(&args.model, problem))?;
    match folder {
        None => outputs::printed(program.output_names(), &results),
        Some(folder) => outputs::written(folder, program.output_names(), &results),
    }
}

#[cfg(test)]
mod tests;
