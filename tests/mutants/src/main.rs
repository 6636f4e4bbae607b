//! Mutants: does any test notice if an operator of the sources is another one, a condition always true, or a statement missing?
//!
//! All mutants are in one build. The workspace is copied, and in the copy each mutant stands beside the original, behind a
//! switch that the environment sets when a program starts. So a mutant costs a run of some tests, and no compilation.
//! Then each test is run alone, to see how long it takes and which mutants it reaches. For each mutant the tests that reach it
//! are run, the quickest first, until one fails. `docs/log/mutants.md` has the outcome.
//!
//! | run | what it does |
//! |---|---|
//! | `mutants` | all that follows |
//! | `mutants make` | copies, and finds what the compiler takes |
//! | `mutants build` | builds the tests. Before, further bugs may be written into the copy by hand, behind switches of other numbers |
//! | `mutants reach` | runs each test alone |
//! | `mutants test` | tests the mutants that were not tested yet, each with the quickest tests, up to ten seconds of them; `--seconds N`: up to so many. What survived a part of its tests is tested again |
//! | `mutants table` | prints the counts, and what no test noticed |
//!
//! `--most N` takes up to so many mutants of each area instead of 64, and `--seed N` takes others. What is known stands in
//! `target/mutants`. The file `switch.rs` is written into the copy.

mod areas;
mod compile;
mod copy;
mod find;
mod list;
mod rewrite;
mod stored;
mod table;
mod tests;

use std::io;
use std::process::ExitCode;

use list::List;
use stored::Stored;

/// What the arguments ask for.
struct Request {
    steps: Vec<String>,
    most: usize,
    seed: u64,
    /// The longest that the tests of one mutant take together without it.
    seconds: f64,
}

fn request(arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut request = Request { steps: vec![], most: 64, seed: 1, seconds: 10.0 };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u32>().ok());
        let number = match argument.as_str() {
            "--most" => number().map(|number| request.most = number as usize),
            "--seed" => number().map(|number| request.seed = number.into()),
            "--seconds" => number().map(|number| request.seconds = number.into()),
            "make" | "build" | "reach" | "test" | "table" => {
                request.steps.push(argument.clone());
                Some(())
            }
            _ => {
                return Err(format!(
                    "`{argument}` is no step; the first lines of the program say which there are"
                ));
            }
        };
        number.ok_or_else(|| format!("`{argument}` takes a number"))?;
    }
    if request.steps.is_empty() {
        request.steps = ["make", "build", "reach", "test", "table"].map(str::to_owned).to_vec();
    }
    Ok(request)
}

fn make(request: &Request) -> io::Result<()> {
    let list = List::new(request.most, request.seed)?;
    eprintln!("{} mutants of {:?}", list.mutants().count(), list.totals);
    let refused = compile::check(&list)?;
    stored::write_list(&list, &refused)
}

fn run(request: &Request) -> io::Result<()> {
    for step in &request.steps {
        match step.as_str() {
            "make" => make(request)?,
            "build" => stored::write_programs(&compile::build()?)?,
            "reach" => tests::reach(&Stored::read()?)?,
            "test" => tests::test(&Stored::read()?, request.seconds)?,
            _ => print!("{}", table::table(&Stored::read()?)),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match request(std::env::args().skip(1)) {
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
        Ok(request) => match run(&request) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
    }
}
