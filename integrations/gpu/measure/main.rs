//! The time of reductions of one large matrix that stays on the device, as rows `operator,axes,seconds,bits`.
//!
//! `measure/run.sh` calls it and compares with `PyTorch` and `CuPy`. Time is that of many runs started one behind the other, divided
//! by their number, so that it is the kernels' and not that of a round trip; the least of five such times. `bits` says whether
//! results are those of the CPU, to the last bit.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use reduce_core::bounds::{Emits, Written};
use reduce_core::{Reduction, View};
use reduce_gallery::{MeanVariance, softmax};
use reduce_gpu::trace::{Trace, TraceEmit};
use reduce_gpu::{Gpu, Uploaded};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMax, ReduceSum};

/// Runs that are started before the device is waited for.
const RUNS: usize = 50;

/// Each case is timed this many times, and the least time counts.
const TIMES: usize = 5;

/// The axes that are reduced.
const AXES: [(&str, &[i64]); 3] = [("all", &[0, 1]), ("last", &[1]), ("first", &[0])];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A matrix, here and on the device.
struct Matrix<'a> {
    gpu: &'a Gpu,
    host: View<'a, f32>,
    device: Uploaded<View<'a, f32>>,
    /// All elements as a list.
    flat: (View<'a, f32>, Uploaded<View<'a, f32>>),
}

impl Matrix<'_> {
    fn reduce<Op>(&self, name: &str, op: &Op) -> Result<()>
    where
        Op: Trace<f32> + Clone,
        <Op::Result as Written>::Tensors: PartialEq,
    {
        for (axes, list) in AXES {
            // One axis is all that this operator takes.
            let (list, host, device) = match name == "argmax" && list.len() > 1 {
                true => (&[0][..], &self.flat.0, &self.flat.1),
                false => (list, &self.host, &self.device),
            };
            let reduction = Reduction::new(op.clone()).axes(list);
            let prepared = self.gpu.prepare(reduction.clone());
            let same = prepared.run(device)? == reduction.run(host)?;
            let mut seconds = f64::INFINITY;
            for _ in 0..TIMES {
                let start = Instant::now();
                for _ in 0..RUNS {
                    black_box(prepared.start(device)?);
                }
                self.gpu.wait()?;
                seconds = seconds.min(start.elapsed().as_secs_f64() / RUNS as f64);
            }
            println!("{name},{axes},{seconds:e},{same}");
        }
        Ok(())
    }

    fn emit<Op>(&self, name: &str, reduction: &Reduction<Op>) -> Result<()>
    where
        Op: TraceEmit<f32> + Emits<f32> + Clone,
    {
        for (axes, list) in AXES {
            let reduction = reduction.clone().axes(list);
            let prepared = self.gpu.prepare(reduction.clone());
            let emitted = prepared.emit(&self.device)?;
            let same = emitted.data() == reduction.emit(&self.host)?.data();
            let mut seconds = f64::INFINITY;
            for _ in 0..TIMES {
                let start = Instant::now();
                for _ in 0..RUNS {
                    black_box(prepared.emit_on_device(&self.device)?);
                }
                self.gpu.wait()?;
                seconds = seconds.min(start.elapsed().as_secs_f64() / RUNS as f64);
            }
            println!("{name},{axes},{seconds:e},{same}");
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    let side = std::env::args().nth(1).map_or(Ok(10_000), |side| side.parse::<usize>())?;
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // 24 bits, as a fraction of both signs.
        let bits = u32::try_from(random >> 40).unwrap_or(0);
        f32::from_bits(0x4000_0000 | bits >> 1) - 3.0
    };
    let data: Vec<f32> = (0..side * side).map(|_| next()).collect();
    let gpu = Gpu::new()?;
    eprintln!("{}; {}", gpu.adapter(), gpu.exactness());
    let host = View::new(&data, &[side, side])?;
    let list = View::new(&data, &[side * side])?;
    let flat = (list.clone(), gpu.upload(&list)?);
    let matrix = Matrix { gpu: &gpu, device: gpu.upload(&host)?, host: host.clone(), flat };
    matrix.reduce("sum", &ReduceSum)?;
    matrix.reduce("max", &ReduceMax)?;
    matrix.reduce("logsumexp", &ReduceLogSumExp)?;
    matrix.reduce("mean and variance", &MeanVariance)?;
    matrix.reduce("argmax", &ArgMax::default())?;
    matrix.emit("softmax", &softmax())?;
    let other = Gpu::new()?.reading_anew(false);
    let device = other.upload(&host)?;
    let matrix = Matrix { gpu: &other, device, ..matrix };
    matrix.emit("softmax that writes between", &softmax())
}
