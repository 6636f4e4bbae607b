//! Measures what operators cost to compile. Crates of a number of them are built, each in a release build of its own,
//! with cargo's own profile and everything else built before.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to write operators.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What it is called.
    pub name: &'static str,
    /// The storage types, as `#[reduce_op]` has them.
    types: &'static str,
    head: &'static str,
    /// An operator; `NUMBER` stands for its number, and `TYPES` for the types.
    op: &'static str,
    /// Its use over a list.
    call: &'static str,
    /// The lists that it is used over.
    lists: &'static [&'static str],
}

/// A build costs this much.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Seconds that all processors worked; of the clock where the system does not count them.
    pub seconds: f64,
    /// Bytes of the program, without symbols.
    pub bytes: f64,
    /// Lines of LLVM's language that the compiler makes of the crate, before any is optimised.
    pub lines: f64,
}

impl Cost {
    /// What each operator costs of those that one build has more than another.
    #[must_use]
    pub fn of_each(self, fewer: Cost, operators: f64) -> Cost {
        Cost {
            seconds: (self.seconds - fewer.seconds) / operators,
            bytes: (self.bytes - fewer.bytes) / operators,
            lines: (self.lines - fewer.lines) / operators,
        }
    }
}

const HEAD: &str = "use reduce_core::{Real, ReduceOp, Reduction, View, bf16, f16, reduce_op};\n";

const CALL: &str = "
    let view = View::new(&LIST, &[LIST.len()]).unwrap();
    std::hint::black_box(Reduction::new(OpNUMBER).run(&view).unwrap());";

/// `#[reduce_op]` over one storage type.
pub const ONE_TYPE: Style = Style {
    name: "#[reduce_op], f32",
    types: "f32",
    head: HEAD,
    op: r"
#[derive(Clone, Copy, Debug, Default)]
struct OpNUMBER;

#[reduce_op(dtypes = [TYPES])]
impl<A: Real> ReduceOp<A> for OpNUMBER {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x * A::from_f64(NUMBER.5) }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, _count: usize) -> A { sum }
}
",
    call: CALL,
    lists: &["floats"],
};

/// The same operator is taken over two storage types.
pub const TWO_TYPES: Style = Style {
    name: "#[reduce_op], f32 and f64",
    types: "f32, f64",
    lists: &["floats", "doubles"],
    ..ONE_TYPE
};

/// The same operator is taken over four storage types.
pub const FOUR_TYPES: Style = Style {
    name: "#[reduce_op], f32, f64, f16 and bf16",
    types: "f16 => f32, bf16 => f32, f32, f64",
    lists: &["floats", "doubles", "halves", "brains"],
    ..ONE_TYPE
};

/// These are operators as one would write them by hand with generics, over two types: a loop over a slice in sixteen
/// lanes. They lack axes, strides, threads and CPU levels: the difference in cost buys these.
pub const GENERICS: Style = Style {
    name: "generics, slices only, f32 and f64",
    types: "",
    head: r"
use std::marker::PhantomData;

trait Fold<A> {
    const IDENTITY: A;
    fn map(x: A) -> A;
    fn combine(a: A, b: A) -> A;
    fn finalize(a: A, count: usize) -> A;
}

struct Run<Op>(PhantomData<Op>);

impl<Op> Run<Op> {
    #[inline(never)]
    fn over<A: Copy>(data: &[A]) -> A where Op: Fold<A> {
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
    std::hint::black_box(Run::<OpNUMBER>::over(&LIST));",
    lists: &["floats", "doubles"],
};

/// The folder that crates are written to and built in: among cargo's own.
#[derive(Debug)]
pub struct Crates {
    folder: PathBuf,
    core: PathBuf,
}

impl Crates {
    /// The folder `compile-time` in cargo's target directory.
    ///
    /// # Errors
    /// If this package's own folder is not there.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let crates = Crates { folder: target.join("compile-time"), core: root.join("reduce-core") };
        fs::create_dir_all(crates.folder.join("src"))?;
        fs::write(crates.folder.join("Cargo.toml"), crates.manifest())?;
        fs::copy(root.join("Cargo.lock"), crates.folder.join("Cargo.lock"))?;
        Ok(crates)
    }

    /// Measures what a crate of `number` operators costs: the least of `builds` builds.
    ///
    /// # Errors
    /// If it does not compile.
    pub fn cost(&self, style: Style, number: usize, builds: usize) -> Result<Cost, Box<dyn Error>> {
        let source = source(style, number);
        let mut seconds = f64::INFINITY;
        // The first build also compiles what the crate needs.
        for _ in 0..builds + 1 {
            // Written anew, so that cargo compiles it anew.
            fs::write(self.folder.join("src/main.rs"), &source)?;
            let before = seconds_of_children();
            self.cargo(&["build", "--release", "--quiet"])?;
            seconds = seconds.min(seconds_of_children() - before);
        }
        let program = self.folder.join("target/release/compile-time");
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
        let bytes = fs::metadata(program)?.len() as f64;
        Ok(Cost { seconds, bytes, lines: self.lines()? })
    }

    /// The lines of all functions of the crate.
    fn lines(&self) -> Result<f64, Box<dyn Error>> {
        const EMIT: [&str; 4] =
            ["--emit=llvm-ir", "-Cno-prepopulate-passes", "-Ccodegen-units=1", "-Cdebuginfo=0"];
        let folder = self.folder.join("target/release/deps");
        let is_ir = |path: &Path| path.extension().is_some_and(|extension| extension == "ll");
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if is_ir(&path) {
                fs::remove_file(path)?;
            }
        }
        let mut arguments = vec!["rustc", "--release", "--quiet", "--"];
        arguments.extend(EMIT);
        self.cargo(&arguments)?;
        let mut lines = 0u32;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if is_ir(&path) {
                lines += lines_of_functions(&fs::read_to_string(path)?);
            }
        }
        Ok(lines.into())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
        let status = Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .status()?;
        if status.success() { Ok(()) } else { Err("a crate of operators does not compile".into()) }
    }

    fn manifest(&self) -> String {
        let mut manifest =
            String::from("[package]\nname = \"compile-time\"\nversion = \"0.0.0\"\n");
        let core = &self.core;
        let _ = write!(
            manifest,
            "edition = \"2024\"\n\n[dependencies]\nreduce-core = {{ path = {core:?} }}\n\n\
             [profile.release]\nstrip = true\n\n[workspace]\n"
        );
        manifest
    }
}

/// The instructions of all functions: what is indented by two, and no more where a line goes on.
fn lines_of_functions(ir: &str) -> u32 {
    let is_instruction = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let mut inside = false;
    let inside_functions = ir.lines().filter(|line| {
        inside = line.starts_with("define ") || inside && *line != "}";
        inside
    });
    inside_functions.filter(is_instruction).map(|_| 1).sum()
}

/// Seconds that processors worked for the processes that this one has waited for. Linux counts them, in
/// hundredths; elsewhere it is the clock.
fn seconds_of_children() -> f64 {
    let counted = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
        // Behind the name, which may have spaces: the fourteenth and the fifteenth field.
        let (_, fields) = stat.rsplit_once(')')?;
        let of_children = fields.split_whitespace().skip(13).take(2);
        of_children.map(|field| field.parse::<f64>().ok()).sum::<Option<f64>>()
    });
    counted.map_or_else(
        || std::time::UNIX_EPOCH.elapsed().map_or(0.0, |elapsed| elapsed.as_secs_f64()),
        |hundredths| hundredths / 100.0,
    )
}

fn source(style: Style, number: usize) -> String {
    let mut source = format!("#![allow(dead_code, unused_imports)]\n{}", style.head);
    let numbered = |text: &str, number: usize| {
        text.replace("NUMBER", &number.to_string()).replace("TYPES", style.types)
    };
    (0..number).for_each(|number| source.push_str(&numbered(style.op, number)));
    source.push_str("\nfn main() {\n    let count = std::env::args().count() * 100;\n");
    source.push_str(
        "    let floats = vec![1.0f32; count];\n    let doubles = vec![1.0f64; count];\n",
    );
    if style.lists.len() > 2 {
        source.push_str("    let halves = vec![f16::ONE; count];\n");
        source.push_str("    let brains = vec![bf16::ONE; count];\n");
    }
    for number in 0..number {
        for list in style.lists {
            source.push_str(&numbered(style.call, number).replace("LIST", list));
        }
    }
    source.push_str("\n    std::hint::black_box((floats, doubles));\n}\n");
    source
}
