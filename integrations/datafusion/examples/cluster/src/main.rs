//! The aggregates of `reduce` on a Ballista cluster.
//!
//! `reduce-cluster` starts a scheduler and two executors as processes of their own, runs a query
//! on them, and compares the answer with that of DataFusion alone. `reduce-cluster --kill` kills
//! one executor in the middle of the query. The scheduler and the executors are this same program
//! under the subcommands `scheduler` and `executor`.

mod cluster;
mod compare;
mod data;
mod demo;
mod executor;
mod functions;
mod power_mean;
mod process;
mod query;
mod scheduler;
mod slowly;

use std::process::ExitCode;

use query::Moment;

/// What any step may end in.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const USAGE: &str = "usage: reduce-cluster [--kill [reading|merging]]
  --kill    kill one executor while the files are read (the default), or
            while the results of the files are put together";

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        [] => demo::run(None).await,
        ["--kill"] | ["--kill", "reading"] => demo::run(Some(Moment::Reading)).await,
        ["--kill", "merging"] => demo::run(Some(Moment::Merging)).await,
        ["scheduler"] => scheduler::run().await,
        ["executor", scheduler, folder] => executor::run(scheduler, folder).await,
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
