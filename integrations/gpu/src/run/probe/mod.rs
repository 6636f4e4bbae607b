//! What a device computes exactly, tried when it is opened.
//!
//! This project relies on much that the languages of devices leave open. They do not say whether `fma` is fused, or
//! whether `a + b - a` is taken for `b`. They do not say whether quotients, roots and conversions are rounded to
//! nearest, or whether infinities, NaN and subnormal numbers are kept. So a kernel computes all of it from [operands]
//! that tell, and the results are held against the CPU's. The [trials] are printed as operators are: the text that is
//! tried is the text that kernels have. An operation that is off is made exact by others where there are any, and is
//! else a [weakness](Exactness::weaknesses).
//!
//! The kernel runs as it is written, and with results that no compiler may simplify. If both make the same there is nothing to keep.
//! If something is off, it runs once more with that mended.

mod operands;
mod trials;
mod verdict;

use super::device::{Device, Launch};
use super::error::DeviceError;
use super::kernel::Uniform;
use crate::graph::{Bits, Id, Type};
use crate::print::{self, Exactness, Operations};
use trials::Trials;

/// Finds out what the device computes as it should.
///
/// # Errors
/// If a kernel cannot be run.
pub(crate) fn probe(device: &Device) -> Result<Exactness, DeviceError> {
    probe_text(device, |text| text)
}

/// Does so with kernels whose text is changed.
fn probe_text(
    device: &Device,
    change: impl Fn(String) -> String,
) -> Result<Exactness, DeviceError> {
    let has_f64 = device.adapter.has_f64();
    let (trials, rows) = (Trials::new(has_f64), operands::rows(has_f64));
    let made = |exactness| {
        results(device, &trials, &rows, |uniform| change(text(&trials, uniform, exactness)))
    };
    // All of the device itself: nothing is mended.
    let native = Exactness {
        keep: false,
        f64: has_f64,
        of_f32: Operations::EXACT,
        of_f64: Operations::EXACT,
        conversions: true,
        integers: true,
        mended: true,
    };
    let (plain, kept) = (made(native)?, made(Exactness { keep: true, ..native })?);
    let types: Vec<Type> = trials.all.iter().map(|trial| trials.ty(trial)).collect();
    let is_same = |(a, b): (&Vec<Bits>, &Vec<Bits>)| {
        a.iter().zip(b).zip(&types).all(|((&a, &b), &ty)| verdict::is_same(a, b, ty))
    };
    let keep = !plain.iter().zip(&kept).all(is_same);
    let values = verdict::values(&trials, &rows);
    let found = Exactness { keep, ..verdict::verdict(&trials, &values, &kept) };
    if found.is_native() {
        return Ok(found);
    }
    let mended = verdict::verdict(&trials, &values, &made(found)?).is_native();
    Ok(Exactness { mended, ..found })
}

/// A kernel that writes the results of all trials, of the row that each thread has.
fn text(trials: &Trials, uniform: &Uniform, exactness: Exactness) -> String {
    let results: Vec<Id> = trials.all.iter().map(|trial| trial.result).collect();
    let types: Vec<Type> = trials.all.iter().map(|trial| trials.ty(trial)).collect();
    let given: usize = trials.element.iter().map(|&ty| print::words(ty)).sum();
    let given: Vec<String> =
        (0..given).map(|word| format!("given[i * {given}u + {word}u]")).collect();
    let words = print::record_to_words(&types, "r");
    let count = words.len();
    let writes: String = (0..count)
        .zip(words)
        .map(|(word, value)| format!("    made[i * {count}u + {word}u] = {value};\n"))
        .collect();
    let text = [
        uniform.text(&[]),
        print::record("Acc", &types),
        print::record("Elem", &trials.element),
        print::values(&trials.graph, &results, exactness),
        format!(
            "@group(0) @binding(1) var<storage, read_write> made: array<u32>;
@group(0) @binding(2) var<storage, read> given: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  let i = id.x;
  if (i < u.count) {{
    let r = values({});
{writes}  }}
}}
",
            print::record_from_words("Elem", &trials.element, &given)
        ),
    ]
    .concat();
    print::support(&text, exactness) + &text
}

/// The results of each row, of a kernel whose text names the uniform.
fn results(
    device: &Device,
    trials: &Trials,
    rows: &[Vec<Bits>],
    text: impl Fn(&Uniform) -> String,
) -> Result<Vec<Vec<Bits>>, DeviceError> {
    let mut uniform = Uniform::default();
    uniform.add("count", u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let of_row = |row: &Vec<Bits>| -> Vec<u32> {
        let scalars = row.iter().zip(&trials.element);
        scalars.flat_map(|(&bits, &ty)| print::words_of_bits(bits, ty)).collect()
    };
    let given: Vec<u32> = rows.iter().flat_map(of_row).collect();
    let types: Vec<Type> = trials.all.iter().map(|trial| trials.ty(trial)).collect();
    let width: usize = types.iter().map(|&ty| print::words(ty)).sum();
    let input = device.upload(bytemuck::cast_slice(&given))?;
    let output = device.buffer(4 * (width * rows.len()) as u64)?;
    device.run(&[Launch {
        text: text(&uniform),
        uniform: uniform.words(&[]),
        output: &output,
        inputs: vec![&input],
        workgroups: rows.len().div_ceil(64) as u64,
    }])?;
    let scalars = |mut words: &[u32]| {
        let mut scalar = |ty: Type| {
            let (own, others) = words.split_at(print::words(ty));
            words = others;
            print::bits_of_words(own, ty)
        };
        types.iter().map(|&ty| scalar(ty)).collect()
    };
    Ok(device.download(&output)?.chunks_exact(width).map(scalars).collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{Exactness, probe_text};
    use crate::run::{Adapter, Device};

    fn device() -> Device {
        Device::open(Adapter::find(None).expect("an adapter")).expect("a device")
    }

    /// A part of a kernel's text, what a device makes of it instead, and what that device must not be said to do.
    type Change = (&'static str, &'static str, fn(&Exactness) -> bool);

    const CHANGES: [Change; 18] = [
        ("x.s0 / x.s1", "x.s0 * (1.0 / x.s1)", |e| e.of_f32.division),
        ("x.s3 / x.s4", "x.s3 * (1.0lf / x.s4)", |e| e.of_f64.division),
        ("sqrt(x.s0)", "keep_f32(inverseSqrt(x.s0)) * x.s0", |e| e.of_f32.sqrt),
        ("sqrt(x.s3)", "f64(sqrt(f32(x.s3)))", |e| e.of_f64.sqrt),
        ("fma(x.s0, x.s1, x.s2)", "f32(f64(x.s0) * f64(x.s1) + f64(x.s2))", |e| e.of_f32.fused),
        ("fma(x.s3, x.s4, x.s5)", "keep_f64(x.s3 * x.s4) + x.s5", |e| e.of_f64.fused),
        ("x.s0 + x.s1", "next_down(x.s0 + x.s1)", |e| e.of_f32.arithmetic),
        ("x.s3 * x.s4", "f64(f32(x.s3) * f32(x.s4))", |e| e.of_f64.arithmetic),
        ("floor(x.s0)", "trunc(x.s0)", |e| e.of_f32.whole),
        ("x.s0 < x.s1", "!(x.s1 <= x.s0)", |e| e.of_f32.special),
        ("x.s3 == x.s4", "bits_f64(x.s3).y == bits_f64(x.s4).y", |e| e.of_f64.special),
        ("-x.s0", "keep_f32(0.0) - x.s0", |e| e.of_f32.special),
        ("x.s0 - x.s1", "flushed(x.s0) - flushed(x.s1)", |e| e.of_f32.subnormal),
        ("f32_of_f64(x.s3)", "toward_zero(x.s3)", |e| e.conversions),
        ("f64_of_f32(x.s0)", "f64(flushed(x.s0))", |e| e.conversions),
        ("a / select(b, 1u, b == 0u)", "u32(f32(a) / f32(max(b, 1u)))", |e| e.integers),
        ("(error < 0.0lf) == (sum < 0.0lf)", "true", |e| e.mended),
        ("exponent -= distance", "exponent += distance", |e| e.mended),
    ];

    const WRONG: &str = "
fn flushed(x: f32) -> f32 { return select(x, 0.0, abs(x) < 1.17549435e-38); }
fn next_down(x: f32) -> f32 {
  return select(x, bitcast<f32>(bitcast<u32>(x) - 1u), abs(x) > 1e-30 && abs(x) < 1e30);
}
fn toward_zero(x: f64) -> f32 {
  return f32(f64_of_bits(bits_f64(x) & vec2<u32>(0xe0000000u, 0xffffffffu)));
}
";

    #[test]
    fn what_is_wrong_is_found() {
        let device = device();
        if !device.adapter.has_f64() {
            return;
        }
        let right = probe_text(&device, |text| text).expect("a verdict");
        for (text, wrong, promised) in CHANGES {
            let is_there = Cell::new(false);
            let found = probe_text(&device, |kernel| {
                is_there.set(is_there.get() || kernel.contains(text));
                kernel.replace(text, wrong) + WRONG
            });
            let found = found.expect("a verdict");
            assert!(is_there.get(), "no kernel has {text}");
            assert!(!promised(&found), "{wrong} for {text}: {found:?}, and right is {right:?}");
        }
    }
}
