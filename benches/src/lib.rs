//! Kernels by name: what the benchmarks of this crate run.

pub mod compile;

use reduce_core::bounds::Reduces;
use reduce_core::{Element, Level, Planned, Reduction, Threads, View};
use reduce_gallery::softmax;
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMax, ReduceSum};

/// A reduction that is run again and again, and how much it reads.
pub struct Kernel {
    /// Operator, type and case.
    pub name: &'static str,
    /// Elements read by each run.
    pub elements: usize,
    run: Box<dyn FnMut()>,
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({}, {} elements)", self.name, self.elements)
    }
}

impl Kernel {
    /// Reduces once.
    pub fn run(&mut self) {
        (self.run)();
    }

    fn new<Op, T, O>(
        name: &'static str,
        op: Op,
        shape: &[usize],
        axis: i64,
        level: Level,
        value: impl Fn(u8) -> T,
    ) -> Self
    where
        T: Element,
        O: Element,
        Op: Reduces<T, Output = O> + Clone,
    {
        let data = values(shape, value);
        let elements = data.len();
        let shape = shape.to_vec();
        let reduction = Reduction::new(op).axes([axis]).level(level).threads(Threads::One);
        let view = View::new(&data, &shape).expect("of that shape");
        let planned: Planned<Op, T> = reduction.planned(&view).expect("an axis and a level");
        let mut output = vec![O::default(); planned.output_shape().count()];
        let run = Box::new(move || {
            let view = View::new(&data, &shape).expect("of that shape");
            planned.run_into(&view, &mut output).expect("of that layout");
            std::hint::black_box(&mut output);
        });
        Kernel { name, elements, run }
    }

    /// Softmax, which is emitted in two stages.
    fn softmax(name: &'static str, shape: &[usize], axis: i64, level: Level) -> Self {
        let data = values(shape, f32::from);
        let elements = data.len();
        let shape = shape.to_vec();
        let softmax = softmax().axes([axis]).level(level).threads(Threads::One);
        let mut output = vec![0f32; elements];
        let run = Box::new(move || {
            let view = View::new(&data, &shape).expect("of that shape");
            softmax.emit_into(&view, &mut output).expect("as many elements");
            std::hint::black_box(&mut output);
        });
        Kernel { name, elements, run }
    }
}

/// Values without order, in a range where nothing overflows.
fn values<T>(shape: &[usize], value: impl Fn(u8) -> T) -> Vec<T> {
    let hash = |index: usize| (index.wrapping_mul(0x9E37_79B9) >> 13) % 100;
    let value = |index| value(u8::try_from(hash(index)).unwrap_or(0));
    (0..shape.iter().product()).map(value).collect()
}

/// The hot kernels: one for each path, and for each way a loop can lose its
/// vectors.
pub fn kernels(level: Level) -> Vec<Kernel> {
    let f32 = f32::from;
    let f16 = |x: u8| reduce_core::f16::from_f32(x.into());
    let arg_max = ArgMax::default();
    vec![
        Kernel::new("sum f32 list", ReduceSum, &[65_536], 0, level, f32),
        Kernel::new("sum f64 list", ReduceSum, &[65_536], 0, level, f64::from),
        Kernel::new("sum i64 list", ReduceSum, &[65_536], 0, level, i64::from),
        Kernel::new("sum f16 list", ReduceSum, &[65_536], 0, level, f16),
        Kernel::new("max f32 list", ReduceMax, &[65_536], 0, level, f32),
        Kernel::new("max u8 list", ReduceMax, &[65_536], 0, level, |x| x),
        Kernel::new("arg max f32 list", arg_max, &[65_536], 0, level, f32),
        Kernel::new("log sum exp f32 list", ReduceLogSumExp, &[65_536], 0, level, f32),
        Kernel::new("sum f32 rows of 1024", ReduceSum, &[64, 1024], 1, level, f32),
        Kernel::new("sum f32 rows of 8", ReduceSum, &[8192, 8], 1, level, f32),
        Kernel::new("sum f32 rows of 64", ReduceSum, &[1024, 64], 1, level, f32),
        Kernel::new("max f32 rows of 64", ReduceMax, &[1024, 64], 1, level, f32),
        Kernel::new("sum i64 rows of 40", ReduceSum, &[1600, 40], 1, level, i64::from),
        Kernel::new("sum f16 rows of 64", ReduceSum, &[1024, 64], 1, level, f16),
        Kernel::new("arg max f32 rows of 64", arg_max, &[1024, 64], 1, level, f32),
        Kernel::new("arg max f32 rows of 200", arg_max, &[320, 200], 1, level, f32),
        Kernel::new("sum f32 columns", ReduceSum, &[64, 1024], 0, level, f32),
        Kernel::new("sum f32 3 columns", ReduceSum, &[21_845, 3], 0, level, f32),
        Kernel::new("max f32 columns", ReduceMax, &[64, 1024], 0, level, f32),
        Kernel::new("arg max f32 columns", arg_max, &[64, 1024], 0, level, f32),
        Kernel::new("log sum exp f32 columns", ReduceLogSumExp, &[64, 1024], 0, level, f32),
        Kernel::softmax("softmax f32 rows of 1024", &[64, 1024], 1, level),
        Kernel::softmax("softmax f32 rows of 8", &[8192, 8], 1, level),
        Kernel::softmax("softmax f32 columns", &[64, 1024], 0, level),
    ]
}
