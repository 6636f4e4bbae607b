//! The arguments of the command line.
//!
//! The comments of fields and commands are the help that `--help` prints.

#![allow(
    clippy::doc_markdown,
    rustdoc::broken_intra_doc_links,
    reason = "help is plain text, without markup"
)]

mod values;

pub(crate) use values::{Attribute, AxisList, NamedFile};

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use reduce_core::Level;

use crate::bench::{Case, NameList, Seconds};
use crate::help::examples;
use crate::threads::MOST;
use values::{flag, level, opset, seconds, whole};

/// Reductions of tensors by the rules of ONNX, version by version.
///
/// Without a command: a short tour on a data set that is built in.
#[derive(Debug, Parser)]
#[command(name = "reduce", version, after_help = examples! {
    "reduce ops"
    "reduce explain ReduceMean --opset 13"
    "reduce run Mean --axes 0 x.npy"
})]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ops(OpsArgs),
    /// Explain an operator as it is at an opset
    Explain(ExplainArgs),
    Run(RunArgs),
    Model(ModelArgs),
    Conformance(ConformanceArgs),
    Check(CheckArgs),
    Bench(BenchArgs),
    Digest(DigestArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// List the operators with their versions and types
///
/// With --json, a list of objects, in the order of the table. Of each operator: name, short (the name
/// without Reduce), set (onnx or gallery), summary, inputs (their number), emits (if it sends results
/// back over the elements: the numbers of inputs beside them), results (the names of several), nan
/// (propagate, ignore or unspecified), commutative, length (of arrays as results: the parameter that
/// says it, and the most it may be, if there is a most), and versions. Of each version: since, until (or
/// null), axes (input, attribute, one or none), attributes (name, kind, default, and low and high if
/// there are limits) and dtypes (input, compute, output, and empty, which is value or error). More
/// fields may be added.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce ops"
    "reduce ops --json | jq -r '.[].name'"
})]
pub(crate) struct OpsArgs {
    /// Print all that is known as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce explain ReduceMean --opset 13"
    "reduce explain ReduceSum --opset 11,13"
    "reduce explain ReduceLogSumExp --diff"
})]
pub(crate) struct ExplainArgs {
    /// The operator, such as ReduceSum or Sum
    pub(crate) op: String,
    /// The opset a model imports; several, such as 13,18, are shown side by side [default: the newest]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_delimiter = ',')]
    #[arg(value_parser = opset)]
    pub(crate) opset: Vec<u32>,
    /// Show versions side by side, and what changed between them: those of --opset, or all
    #[arg(long)]
    pub(crate) diff: bool,
}

/// Reduce the arrays in files, by one operator or by several at once
///
/// Operators are those of reduce ops, in capitals or small letters. Several are run in one pass: what one has read, the others
/// find in a cache. Each result has the same bits as if it were alone. Without --axes each operator reduces its own axes, all
/// or one; if these differ, a line on standard error says so. Some operators, such as Softmax and LayerNorm, send their results
/// back over the elements: what is printed then has the shape of the input.
///
/// An input is x.npy, x.npz:NAME or x.safetensors:NAME; two arrays of one file are x.npz:A,B. If a file has one array, no
/// name is needed. The standard input is -, or /dev/stdin:NAME of several arrays; it is read once. The first bytes say what a
/// pipe holds, or a file with another ending.
///
/// A .npy file may be of any byte order, in C or in Fortran order. Its dtype is float16, float32, float64, bool, int8 to
/// int64 or uint8 to uint64. There is no name for bfloat16, so it is a 2-byte void ('V2'), as numpy.save writes an array of
/// ml_dtypes.bfloat16. View what numpy.load gives as ml_dtypes.bfloat16 again.
///
/// Arrays of 64 MB or more may be larger than the memory: they are mapped and not read. Their elements must be stored as this
/// machine stores them, at a multiple of their size, not compressed, and not be bool. Members of .npz that numpy.savez wrote are
/// mostly at no such place; they are copied in pieces, if the outermost axis is kept. All others must fit in memory, once.
/// The checksum of a member of .npz is compared. Nobody may shorten the file meanwhile.
///
/// Results are printed, or written with -o. A file is as it was or complete. One that is there keeps its mode, owner and
/// extended attributes, and is not replaced if it has other names (hard links). A link is followed. The standard output is -.
/// What goes there, to a pipe or to a device is .npy, or .npz of several results. Only a program that is killed (SIGKILL) or
/// crashes (SIGSEGV) leaves a temporary file .reduce-*.tmp, beside the file or in the folder for such.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce run Sum x.npy"
    "reduce run Mean,Var,Min,Max x.npy --axes 0 -o statistics.npz"
    "reduce run Dot weights.safetensors:a weights.safetensors:b"
    "reduce run TopK x.npz:scores --axes -1 --attr k=5"
    "reduce run LayerNorm x.npy scale.npy bias.npy --axes -1 -o normed.npy"
    "zcat x.npy.gz | reduce run Sum - -o - > sum.npy"
})]
pub(crate) struct RunArgs {
    /// The operator, such as Sum or sum, or several with commas between them
    #[arg(value_name = "OPS")]
    pub(crate) op: String,
    /// The array to reduce: x.npy, x.npz:NAME, x.safetensors:NAME or -; as many as the operator takes
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The opset a model imports [default: the newest]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = opset)]
    pub(crate) opset: Option<u32>,
    /// Axes to reduce, such as 0,-1, or the one of an operator that reduces one; '' passes an empty
    /// list, no --axes passes none at all
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) axes: Option<AxisList>,
    /// The attribute keepdims, 0 or 1
    #[arg(long, value_name = "INT", allow_hyphen_values = true, value_parser = flag)]
    pub(crate) keepdims: Option<i64>,
    /// The attribute noop_with_empty_axes, 0 or 1
    #[arg(long, value_name = "INT", allow_hyphen_values = true, value_parser = flag)]
    pub(crate) noop_with_empty_axes: Option<i64>,
    /// Any other attribute: 1 is an int, 1.0 a float, [0,1] a list; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) attr: Vec<Attribute>,
    /// Reduce only the elements for which the array of bool in this file, broadcast with the input, is
    /// true; positions are those among all elements
    #[arg(long = "where", value_name = "MASK")]
    pub(crate) mask: Option<PathBuf>,
    /// Reduce only the elements that are not NaN
    #[arg(long)]
    pub(crate) skip_nan: bool,
    /// Run at this CPU level, scalar, neon, avx2 or avx512 [default: the best; all give the same bits]
    #[arg(long, value_parser = level)]
    pub(crate) level: Option<Level>,
    /// Threads that share the work [default: one for each core; any number gives the same bits]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1..=MOST))]
    pub(crate) threads: Option<u16>,
    /// Stop with an error, and without results, once this many seconds have passed since the start
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Run on the GPU, or on the first whose name has this part; the results have the same bits. The
    /// reduce of integrations/gpu/cli can
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", conflicts_with_all = ["mask", "skip_nan", "level", "threads", "timeout"])]
    pub(crate) gpu: Option<String>,
    /// Write the results to this file: .npz or .safetensors, with a name for each, or .npy; to a
    /// folder, a file NAME.npy each; or to -
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Run an ONNX model of reductions over arrays in files
///
/// The model is made of reductions and of what commonly feeds or surrounds them: constants, shapes,
/// casts, arithmetic; functions of its own are run, too. A model of other operators is refused.
/// Results are printed, or written with -o, all of them or none.
/// Chains of nodes that are one operator, such as Exp, ReduceSum and Log, are run in one pass over the
/// data. That is faster, cannot overflow on the way, and may round less often: --no-fuse leaves it.
/// All values held at a time may take 16 times the bytes of inputs and constants, and 256 MiB.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce model m.onnx --input x=x.npy"
    "reduce model m.onnx -i x=arrays.npz:x -i w=weights.safetensors:w -o results"
    "reduce model m.onnx --explain"
})]
pub(crate) struct ModelArgs {
    /// The model, an ONNX file; - is the standard input
    pub(crate) model: PathBuf,
    /// An input of the model, and its array, as in x=x.npy or x=x.npz:NAME; repeated for each
    #[arg(short, long, value_name = "NAME=FILE")]
    pub(crate) input: Vec<NamedFile>,
    /// Write each output to a file of its name in this folder, which is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Print the steps and which nodes are joined, and run nothing; needs no inputs
    #[arg(long)]
    pub(crate) explain: bool,
    /// Run every node by itself
    #[arg(long)]
    pub(crate) no_fuse: bool,
    /// Threads that share each reduction [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1..=MOST))]
    pub(crate) threads: Option<u16>,
    /// Run reductions at this CPU level, scalar, neon, avx2 or avx512 [default: the best; all give the same bits]
    #[arg(long, value_parser = level)]
    pub(crate) level: Option<Level>,
}

/// Run ONNX node tests and compare with their stored outputs
///
/// A test is a folder test_*/ that holds model.onnx and test_data_set_*/{input,output}_N.pb. It is
/// found anywhere below DIR; links are not followed. Models run as `reduce model` runs them, with chains
/// joined and once more without. Those of other operators are skipped; a folder that cannot be read
/// counts as failed. The exit status is 1 if a test fails, 2 if there is none.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce conformance onnx/backend/test/data/node"
    "reduce conformance --json DIR"
})]
pub(crate) struct ConformanceArgs {
    /// The folder to search
    pub(crate) dir: PathBuf,
    /// Print the outcome of every test as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Run at this CPU level, scalar, neon, avx2 or avx512 [default: the best; all give the same bits]
    #[arg(long, value_parser = level)]
    pub(crate) level: Option<Level>,
}

/// Check the reductions of ONNX models, opset by opset
///
/// Every node that is a reduction, in graphs within nodes and in local functions too, is held against
/// the version that its opset selects. Each problem is shown at its node, with what to do instead. What
/// only the running model knows is not judged. Elements in other files are read if axes are among
/// them, from the folder of the model alone. A file of 64 MB or more is mapped and not read; nobody may
/// shorten it meanwhile. The exit status is 1 if a model has a problem, 2 if one cannot be read.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce check model.onnx"
    "reduce check --target-opset 18 model.onnx"
    "reduce check --fix --target-opset 18 -o newer.onnx model.onnx"
})]
pub(crate) struct CheckArgs {
    /// The models; - is the standard input
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    /// Print what was found as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell also what becomes of each reduction at this opset, and which other nodes are not valid there
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = opset)]
    pub(crate) target_opset: Option<u32>,
    /// Write the model with its reductions mended, where the form of another version was used. With
    /// --target-opset they and the imports come to that opset, if all nodes are valid there. All else
    /// stays byte for byte
    #[arg(long, requires = "output", conflicts_with = "json")]
    pub(crate) fix: bool,
    /// Write it even if nodes of other operators are not valid at the opset of --target-opset, or mean
    /// something else there; they are named, and stay as they are
    #[arg(long, requires = "fix", requires = "target_opset")]
    pub(crate) leave_others: bool,
    /// Write the model of --fix to this file, which may be the model itself; - is the standard output
    #[arg(short, long, value_name = "FILE", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
}

/// Measure the speed of the operators
///
/// Prints a row per operator, dtype and case, as soon as it is measured:
/// library,threads,op,dtype,case,bytes,n,min_s,median_s,max_s, where bytes are those of the input
/// and n is the number of samples. The library is reduce, or with --gpu also reduce and the name of the
/// device, whose rows have the data on it already. Lists are separated by commas. Without --ops, dtypes other than
/// f32, and the cases of --sweep, are for Sum alone.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce bench --ops Sum,Max --roofline"
    "reduce bench --threads 4 --html page.html"
    "reduce bench --ops Sum --case x=64x512x128:1,2"
})]
pub(crate) struct BenchArgs {
    /// Threads that share each call
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "1")]
    #[arg(value_parser = whole::<u16>(1..=MOST))]
    pub(crate) threads: u16,
    /// Seconds to spend on each measurement
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value = "0.15")]
    pub(crate) secs: Seconds,
    /// Operators, such as Sum,LogSumExp [default: all]
    #[arg(long, value_name = "LIST")]
    pub(crate) ops: Option<NameList>,
    /// Storage types, such as f32,f16 [default: f32]
    #[arg(long, value_name = "LIST")]
    pub(crate) dtypes: Option<NameList>,
    /// Named cases, such as all_1e5,last_1024x1024; '' for none [default: all, if no others are
    /// given with --case or --sweep]
    #[arg(long, value_name = "LIST")]
    pub(crate) cases: Option<NameList>,
    /// A case of one's own, such as x=64x512x128:1,2; axes are those of the view, or `all`; with :t
    /// behind, the view has the axes of the buffer in reverse order; may be repeated
    #[arg(long, value_name = "NAME=SHAPE:AXES")]
    pub(crate) case: Vec<Case>,
    /// Every row length and every number of columns from 1 to N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "300", value_parser = whole::<u16>(1..=10_000))]
    pub(crate) sweep: Option<u16>,
    /// Bytes of each case of --sweep, as f32
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "4000000")]
    #[arg(requires = "sweep", value_parser = whole::<usize>(4..=1 << 40))]
    pub(crate) bytes: usize,
    /// Measure also how fast memory can be read here, and compare
    #[arg(long)]
    pub(crate) roofline: bool,
    /// Write the rows, with the roofline, as a page to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Run at this CPU level, scalar, neon, avx2 or avx512 [default: the best; all give the same bits]
    #[arg(long, value_parser = level)]
    pub(crate) level: Option<Level>,
    /// Measure also on the GPU, or on the first whose name has this part. The reduce of
    /// integrations/gpu/cli can
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "")]
    pub(crate) gpu: Option<String>,
}

/// Print a number of the bits of all results, the same on every machine
///
/// Each operator reduces inputs of each of its types, in many layouts, at each CPU level that this machine has, by 1, 2, 3, 7 and
/// 16 threads, planned and not. The results of all these must have the same bits. A number is made of them, and held against the
/// one that is committed. The last line, all, is made of those of the operators. The standard error says what was run, and
/// what differs: the exit status is 1 then. It takes about a minute, and with --quick a few seconds: the numbers are the same.
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce digest"
    "reduce digest Sum Softmax --types"
})]
pub(crate) struct DigestArgs {
    /// Operators, such as Sum or LayerNorm [default: all]
    #[arg(value_name = "OP")]
    pub(crate) ops: Vec<String>,
    /// Print a number for each type, too, of which that of the operator is made
    #[arg(long)]
    pub(crate) types: bool,
    /// Reduce each input in one way alone: its level, threads and planning are taken in turn
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Print completions for a shell
///
/// They go into a file that the shell reads when it starts. For bash:
/// reduce completions bash > ~/.local/share/bash-completion/completions/reduce
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce completions bash > ~/.local/share/bash-completion/completions/reduce"
    "reduce completions fish > ~/.config/fish/completions/reduce.fish"
})]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the manual page
///
/// It is written for man, which reads it from a file, or at once:
/// reduce man run | man -l -
#[derive(Debug, Args)]
#[command(after_help = examples! {
    "reduce man > ~/.local/share/man/man1/reduce.1"
    "reduce man run | man -l -"
})]
pub(crate) struct ManArgs {
    /// The command whose page is wanted, such as run [default: the page of reduce itself]
    pub(crate) command: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        super::Cli::command().debug_assert();
    }
}
