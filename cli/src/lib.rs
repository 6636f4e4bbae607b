#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! The library of the command `reduce`: parses arguments, calls `reduce-core` and `reduce-onnx`, prints.
//!
//! The exit status is 0, or 1 if a conformance test failed, a model has problems or bits are others than they should be. It is 2, with one line
//! on standard error, if the request could not be carried out. `--help` says so.
//!
//! A library with a program of one line, so that it is compiled while the operators are, and
//! not after them.

mod args;
mod arrays;
mod bench;
mod call;
mod check;
mod conformance;
mod contents;
mod descriptors;
mod digest;
mod display;
pub mod engine;
mod error;
mod explain;
mod files;
#[cfg(fuzzing)]
pub mod fuzzing;
mod help;
mod manual;
mod mapped;
mod model;
mod models;
mod operators;
mod ops;
mod place;
mod run;
mod scalar;
mod signals;
mod table;
mod threads;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use reduce_onnx::words;

use crate::args::{Cli, Command};
use crate::engine::Open;
use crate::error::Error;

/// The exit status if what was asked about has problems.
const PROBLEMS: u8 = 1;
/// The exit status of a request that could not be carried out; also clap's.
const REFUSED: u8 = 2;

/// Answers the arguments of the process, on the CPU; the exit status.
pub fn run_process() -> ExitCode {
    answer_process(None)
}

/// Answers the arguments of the process, on the CPU or, where `--gpu` asks for it, on a device; the exit status.
pub fn run_process_with(open: Open) -> ExitCode {
    answer_process(Some(open))
}

fn answer_process(open: Option<Open>) -> ExitCode {
    signals::watch();
    let outcome = match parsed() {
        Ok(cli) => answer(cli, open).and_then(|(text, status)| {
            print(&text)?;
            Ok(status)
        }),
        Err(said) => say(&said),
    };
    let status = outcome.unwrap_or_else(|error| {
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "error: {error}");
        REFUSED
    });
    ExitCode::from(status)
}

/// The arguments of the process.
fn parsed() -> Result<Cli, clap::Error> {
    let command = help::usage_first(Cli::command());
    Cli::from_arg_matches(&command.try_get_matches()?)
}

/// Returns the text to print and the exit status.
fn answer(cli: Cli, open: Option<Open>) -> Result<(String, u8), Error> {
    if let Some(Command::Run(_) | Command::Model(_) | Command::Conformance(_)) = &cli.command {
        threads::cap();
    }
    let text = match cli.command {
        None => reduce_tour::text().map_err(|error| Error::new(error.to_string()))?,
        Some(Command::Ops(args)) => ops::run(&args)?,
        Some(Command::Explain(args)) => explain::run(&args)?,
        Some(Command::Run(args)) => run::run(&args, open)?,
        Some(Command::Model(args)) => model::command(&args)?,
        Some(Command::Completions(args)) => manual::completions(&args)?,
        Some(Command::Man(args)) => manual::page(&args)?,
        // Prints by itself, as it goes along.
        Some(Command::Bench(args)) => bench::run(&args, open).map(|()| String::new())?,
        Some(Command::Conformance(args)) => return conformance::run(&args),
        Some(Command::Check(args)) => return check::run(&args),
        Some(Command::Digest(args)) => return digest::run(&args),
    };
    Ok((text, 0))
}

/// Prints what there is to say in place of an answer: help, the version, or what is wrong with the arguments.
fn say(said: &clap::Error) -> Result<u8, Error> {
    if said.use_stderr() {
        // Nobody is left to tell if standard error is closed.
        let _ = said.print();
        return Ok(REFUSED);
    }
    printed(|| said.print()).map(|()| 0)
}

/// Prints the text.
fn print(text: &str) -> Result<(), Error> {
    match text.is_empty() {
        true => Ok(()),
        false => printed(|| io::stdout().write_all(text.as_bytes())),
    }
}

/// Prints to the standard output; a reader that stops reading, such as `head`, has had enough.
fn printed(print: impl FnOnce() -> io::Result<()>) -> Result<(), Error> {
    let outcome = match descriptors::has_output() {
        true => print().and_then(|()| io::stdout().flush()),
        false => Err(place::closed()),
    };
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let reason = error::reason(&error);
            Err(Error::new(format!("standard output cannot be written: {reason}")))
        }
        _ => Ok(()),
    }
}
