//! `reduce model`: a graph of reductions and of what commonly feeds or surrounds them, over arrays in files.
//!
//! It is run by `reduce-onnx`. [`inputs`] and [`outputs`] are files.

mod inputs;
mod outputs;

use reduce_onnx::{Error as ModelError, Input, Program, Value};

use crate::args::ModelArgs;
use crate::arrays::Folder;
use crate::error::{Error, lines};
use crate::{call, models};
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
    let model = models::named(&args.model)?;
    let about = |error: ModelError| Error::at(&args.model, error.sentence());
    let program = Program::new(&model).map_err(about)?;
    let given = Given::named(&program, &args.input)?;
    if args.explain {
        let declared: Vec<_> = program.inputs().iter().map(Input::dtype).collect();
        let plan = program.plan(&declared, !args.no_fuse).map_err(about)?;
        return Ok(lines(&plan.explain()));
    }
    given.check_complete(&program)?;
    // A place that cannot be written to is told before the work.
    let folder = args.output.as_deref().map(|folder| Folder::claim(folder, program.output_names()));
    let folder = folder.transpose()?;
    let values = given.read(&program)?;
    let dtypes: Vec<_> = values.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    let plan = program.plan(&dtypes, !args.no_fuse).map_err(about)?.level(level);
    let results = plan.run(values).map_err(about)?;
    match folder {
        None => outputs::printed(program.output_names(), &results),
        Some(folder) => outputs::written(folder, program.output_names(), &results),
    }
}
