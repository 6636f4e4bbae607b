//! The program `reduce`, with a GPU: all commands are those of `reduce-cli`, and `--gpu` of `reduce run` and `reduce bench`
//! finds a device here.

mod device;
mod library;

use std::process::ExitCode;

fn main() -> ExitCode {
    reduce_cli::run_process_with(device::open)
}
