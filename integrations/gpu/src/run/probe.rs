//! What a device computes exactly, tried when it is opened.
//!
//! WGSL lets a device do with floats what this project does not: not fuse `fma`, take `a + b - a` for `b`, round quotients and
//! roots a little off. A few small kernels find that out, by numbers that tell. What is off is then made exact by other operations.

use super::device::{Device, Launch};
use super::error::DeviceError;
use crate::print::Exactness;

/// Operands of each trial.
const TRIALS: usize = 4096;

/// What the device computes as it should.
///
/// # Errors
/// If a kernel cannot be run.
pub(crate) fn probe(device: &Device) -> Result<Exactness, DeviceError> {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    // From 1/2 to 2: nothing overflows, and everything is rounded.
    let float =
        |random: u64| f32::from_bits((126 << 23) + u32::try_from(random >> 40).unwrap_or(0));
    let operands: Vec<[f32; 3]> =
        (0..TRIALS).map(|_| [float(next()), float(next()), float(next())]).collect();
    let trial = |expression: &str, of: &dyn Fn(f32, f32, f32) -> f32| {
        holds(device, expression, &operands, of)
    };
    let two_sum = |a: f32, b: f32, _: f32| {
        let sum = a + b;
        let part = sum - a;
        (a - (sum - part)) + (b - part)
    };
    let lost = "(a - ((a + b) - ((a + b) - a))) + (b - ((a + b) - a))";
    Ok(Exactness {
        keep: !trial(lost, &two_sum)?,
        f64: device.adapter.has_f64(),
        fused_f32: trial("fma(a, b, -c)", &|a, b, c| a.mul_add(b, -c))?,
        fused_f64: false,
        division: trial("a / b", &|a, b, _| a / b)?,
        sqrt: trial("sqrt(a)", &|a, _, _| a.sqrt())?,
    })
}

/// Whether an expression of `a`, `b` and `c` has the bits that it should have.
fn holds(
    device: &Device,
    expression: &str,
    operands: &[[f32; 3]],
    of: &dyn Fn(f32, f32, f32) -> f32,
) -> Result<bool, DeviceError> {
    let text = format!(
        "struct Uniform {{ count: u32 }}
@group(0) @binding(0) var<uniform> u: Uniform;
@group(0) @binding(1) var<storage, read_write> out_: array<u32>;
@group(0) @binding(2) var<storage, read> in_0: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  let i = id.x;
  if (i < u.count) {{
    let a = in_0[3u * i];
    let b = in_0[3u * i + 1u];
    let c = in_0[3u * i + 2u];
    out_[i] = bitcast<u32>({expression});
  }}
}}
"
    );
    let input = device.upload(bytemuck::cast_slice(operands))?;
    let output = device.buffer(4 * operands.len() as u64)?;
    let count = u32::try_from(operands.len()).unwrap_or(u32::MAX);
    let uniform = vec![count, 0, 0, 0];
    let workgroups = operands.len().div_ceil(64) as u64;
    let inputs = vec![&input];
    device.run(&[Launch { text, uniform, output: &output, inputs, workgroups }])?;
    let words = device.download(&output)?;
    let expected = operands.iter().map(|&[a, b, c]| of(a, b, c).to_bits());
    Ok(words.into_iter().eq(expected))
}
