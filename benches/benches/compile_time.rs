//! How long operators take to compile, and how much code they become: crates of 1, 10 and 100
//! operators over `f32` and `f64`, each in a release build of its own, with cargo's own profile and
//! everything else built before. Beside `#[reduce_op]` stand the same operators as one would write
//! them by hand with generics, a loop over a slice in sixteen lanes: no axes, strides, threads or
//! CPU levels, which is what the difference buys.
//!
//! `cargo bench -p reduce-benches --bench compile_time` prints a table for
//! `docs/performance.md`. It writes to the folder `compile-time` among cargo's own.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Builds of which the fastest counts.
const BUILDS: usize = 3;

const NUMBERS: [usize; 3] = [1, 10, 100];

/// A way to write operators.
struct Style {
    name: &'static str,
    head: &'static str,
    /// An operator; `NUMBER` stands for its number.
    op: &'static str,
    /// Its use over `floats` and `doubles`.
    call: &'static str,
}

const STYLES: [Style; 2] = [
    Style {
        name: "#[reduce_op]",
        head: "use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};\n",
        op: r"
#[derive(Clone, Copy, Debug, Default)]
struct OpNUMBER;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<A> for OpNUMBER {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x * A::from_f64(NUMBER.5) }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, _count: usize) -> A { sum }
}
",
        call: "
    let view = View::new(&floats, &[floats.len()]).unwrap();
    std::hint::black_box(Reduction::new(OpNUMBER).run(&view).unwrap());
    let view = View::new(&doubles, &[doubles.len()]).unwrap();
    std::hint::black_box(Reduction::new(OpNUMBER).run(&view).unwrap());",
    },
    Style {
        name: "generics, slices only",
        head: r"
trait Fold<A> {
    const IDENTITY: A;
    fn map(x: A) -> A;
    fn combine(a: A, b: A) -> A;
    fn finalize(a: A, count: usize) -> A;
}

#[inline(never)]
fn reduce<Op: Fold<A>, A: Copy>(data: &[A]) -> A {
    let mut lanes = [Op::IDENTITY; 16];
    let (steps, rest) = data.as_chunks::<16>();
    for step in steps {
        for lane in 0..16 {
            lanes[lane] = Op::combine(lanes[lane], Op::map(step[lane]));
        }
    }
    let mut all = Op::IDENTITY;
    for &x in rest {
        all = Op::combine(all, Op::map(x));
    }
    Op::finalize(lanes.into_iter().fold(all, Op::combine), data.len())
}
",
        op: r"
struct OpNUMBER;

impl Fold<f32> for OpNUMBER {
    const IDENTITY: f32 = 0.0;
    fn map(x: f32) -> f32 { x * NUMBER.5 }
    fn combine(a: f32, b: f32) -> f32 { a + b }
    fn finalize(a: f32, _count: usize) -> f32 { a }
}

impl Fold<f64> for OpNUMBER {
    const IDENTITY: f64 = 0.0;
    fn map(x: f64) -> f64 { x * NUMBER.5 }
    fn combine(a: f64, b: f64) -> f64 { a + b }
    fn finalize(a: f64, _count: usize) -> f64 { a }
}
",
        call: "
    std::hint::black_box(reduce::<OpNUMBER, f32>(&floats));
    std::hint::black_box(reduce::<OpNUMBER, f64>(&doubles));",
    },
];

/// A build: its seconds, and the bytes of the program without symbols.
struct Built {
    seconds: f64,
    bytes: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let folder = target.join("compile-time");
    println!("| operators | | seconds | each | program, kB | each |");
    println!("|---|---|---|---|---|---|");
    for style in &STYLES {
        let none = build(&folder, &root, style, 0)?;
        for number in NUMBERS {
            let built = build(&folder, &root, style, number)?;
            #[allow(
                clippy::cast_precision_loss,
                reason = "small numbers, of which few digits show"
            )]
            let (count, kb) = (number as f64, |bytes: u64| bytes as f64 / 1000.0);
            let seconds = (built.seconds - none.seconds) / count;
            let bytes = kb(built.bytes.saturating_sub(none.bytes)) / count;
            let (whole, name) = (kb(built.bytes), style.name);
            println!(
                "| {number} | {name} | {:.2} | {seconds:.3} | {whole:.0} | {bytes:.1} |",
                built.seconds
            );
        }
    }
    Ok(())
}

/// The fastest of some builds of a crate with so many operators.
fn build(
    folder: &Path,
    root: &Path,
    style: &Style,
    number: usize,
) -> Result<Built, Box<dyn Error>> {
    let source = source(style, number);
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest(root))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut seconds = f64::INFINITY;
    for _ in 0..BUILDS {
        // Written anew, so that cargo compiles it anew.
        fs::write(folder.join("src/main.rs"), &source)?;
        let start = Instant::now();
        let status = Command::new(env!("CARGO"))
            .args(["build", "--release", "--quiet", "--offline"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .status()?;
        if !status.success() {
            return Err(format!("a crate of {number} operators does not compile").into());
        }
        // The first build also compiles what it needs.
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let program = folder.join("target/release/compile-time");
    Ok(Built { seconds, bytes: fs::metadata(program)?.len() })
}

fn source(style: &Style, number: usize) -> String {
    let mut source = format!("#![allow(dead_code, unused_imports)]\n{}", style.head);
    let numbered = |text: &str, number: usize| text.replace("NUMBER", &number.to_string());
    (0..number).for_each(|number| source.push_str(&numbered(style.op, number)));
    source.push_str(
        "\nfn main() {\n    let floats = vec![1.0f32; std::env::args().count() * 100];\n",
    );
    source.push_str("    let doubles = vec![1.0f64; floats.len()];");
    (0..number).for_each(|number| source.push_str(&numbered(style.call, number)));
    source.push_str("\n    std::hint::black_box((floats, doubles));\n}\n");
    source
}

fn manifest(root: &Path) -> String {
    let mut manifest = String::from("[package]\nname = \"compile-time\"\nversion = \"0.0.0\"\n");
    let core = root.join("reduce-core");
    let _ = write!(
        manifest,
        "edition = \"2024\"\n\n[dependencies]\nreduce-core = {{ path = {core:?} }}\n\n\
         [profile.release]\nstrip = true\n\n[workspace]\n"
    );
    manifest
}
