//! `reduce digest` as a program of its own, for systems that the whole command is not made for: WebAssembly, and
//! processors that are emulated. It is compiled of the command's files.
//!
//! Arguments are names of operators, `--onnx` for all of ONNX, `--types` and `--quick`; the exit status is that of the command.

use std::process::ExitCode;

#[path = "../../../cli/src/digest/numbers/mod.rs"]
mod numbers;

fn main() -> ExitCode {
    let mut request = numbers::DigestRequest::default();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--onnx" => {
                let names = reduce_specs::ONNX.ops().iter().map(|entry| entry.schema().name);
                request.operators.extend(names.map(str::to_owned));
            }
            "--types" => request.types = true,
            "--quick" => request.quick = true,
            _ => request.operators.push(argument),
        }
    }
    match numbers::digest(&request) {
        Ok(answer) => {
            print!("{}", answer.page);
            eprint!("{}", answer.remarks);
            ExitCode::from(u8::from(!answer.is_equal))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
