//! Programs about models and their numbers.

use reduce_programs::noise;

use super::{numbers, printed, run};

/// Four values of one token, which are all printed.
#[test]
fn a_token_is_normed() {
    let found = printed("rms-norm", &["1", "4", "3"], "");
    let (token, normed) = (numbers(&found, "activations"), numbers(&found, "normed"));
    let mean_square = token.iter().map(|x| x * x).sum::<f64>() / 4.0;
    for ((x, weight), normed) in token.iter().zip(noise(1)).zip(&normed) {
        let exact = x * (1.0 + 0.1 * f64::from(weight)) / (mean_square + 1e-5).sqrt();
        // Half a step of `bf16`, and the rounding of `f32`.
        assert!((normed - exact).abs() <= exact.abs() * 1.001 / 256.0, "{normed}, not {exact}");
    }
    assert_eq!((token.len(), normed.len()), (4, 4));
    let rms = (normed.iter().map(|x| x * x).sum::<f64>() / 4.0).sqrt();
    assert!((numbers(&found, "root mean square of all that was emitted:")[0] - rms).abs() < 1e-3);
}

/// Experts by sorting, shares by the definition.
#[test]
fn tokens_are_routed() {
    let found = printed("route-tokens", &["6", "4"], "");
    let logits: Vec<f32> = noise(3).take(24).collect();
    let mut batches = vec![Vec::new(); 4];
    for (token, logits) in logits.chunks(4).enumerate() {
        let mut experts = [0, 1, 2, 3];
        experts.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
        let exponential = |expert: usize| f64::from(logits[expert]).exp();
        let sum = exponential(experts[0]) + exponential(experts[1]);
        for &expert in &experts[..2] {
            batches[expert].extend([token as f64, exponential(expert) / sum]);
        }
    }
    for (expert, batch) in batches.iter().enumerate() {
        let found = numbers(&found, &format!("expert  {expert}:"));
        assert_eq!(found[0], batch.len() as f64 / 2.0);
        for (found, expected) in found[1..].iter().zip(batch) {
            assert!(
                (found - expected).abs() <= 5.01e-4,
                "expert {expert}: {found}, not {expected}"
            );
        }
    }
    assert!(found.ends_with("12 places for 6 tokens; shares add up to 6\n"), "{found}");
}

/// From -1 to 3 in steps of 4/255, so that 0 is 64 and the halves of steps are rounded away from it.
#[test]
fn weights_are_quantised() {
    let found = printed("quantise", &["0.5", "-1", "3", "0"], "");
    let row = numbers(&found, "  0 ");
    assert!((row[0] - 4.0 / 255.0).abs() < 1e-8, "{found}");
    assert_eq!(row[1], 64.0);
    assert!((row[2] - 0.25).abs() < 1e-3, "3 is 191.25 steps: {found}");
    assert_eq!(row[3..], [96.0, 0.0, 255.0, 64.0]);
}

/// Weights whose distance is no `f32`, and none but zeros.
#[test]
fn extreme_weights_are_quantised() {
    let found = printed("quantise", &["-3e38", "3e38"], "");
    assert_eq!(numbers(&found, "  0 ")[3..], [0.0, 255.0], "{found}");
    assert_eq!(numbers(&printed("quantise", &["0", "0"], ""), "  0 "), [1.0, 0.0, 0.0, 0.0, 0.0]);
}

/// The sum is the same for any number of threads, near that of `f64`, and has the stated bits. The sum that is cut
/// among threads is that of a loop, if there is one thread.
#[test]
fn sums_have_the_same_bits() {
    let found = printed("same-bits", &["300000"], "");
    let sums = |line: &str| {
        line.split_whitespace()
            .filter(|word| word.starts_with("0x"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let sums: Vec<Vec<String>> = found.lines().map(sums).filter(|sums| !sums.is_empty()).collect();
    assert!(sums.len() > 8 && sums.iter().all(|of_line| of_line[0] == "0x454fcbe5"), "{found}");
    let numbers: Vec<f32> = noise(7).take(300_000).map(|x| x * x * x * x * x).collect();
    let one_by_one: f32 = numbers.iter().sum();
    assert_eq!(sums[0][1], format!("0x{:08x}", one_by_one.to_bits()));
    assert!(sums[..8].iter().any(|of_line| of_line[1] != sums[0][1]), "{found}");
    let exact: f64 = numbers.iter().map(|&x| f64::from(x)).sum();
    let bits = u32::from_str_radix(&sums[0][0][2..], 16).expect("hexadecimal");
    let magnitudes: f64 = numbers.iter().map(|&x| f64::from(x.abs())).sum();
    assert!((f64::from(f32::from_bits(bits)) - exact).abs() < magnitudes * 83.0 * 6e-8, "{found}");
}

/// Each line of the file, and what the standard says of it.
#[test]
fn nodes_are_checked() {
    let (found, complaint, succeeded) =
        run("check-nodes", &[], include_str!("../../data/nodes.txt"));
    assert_eq!((complaint.as_str(), succeeded), ("Error: 5 of 8 nodes cannot be run\n", false));
    let said = found.lines().filter_map(|line| line.strip_prefix("  "));
    let said: Vec<&str> = said.map(|line| line.split(']').next().unwrap_or(line)).collect();
    let expected = [
        "version 18; the result is f32 [BATCH, 197",
        "[attribute-of-other-version", // axes are an input since 18
        "[attribute-range",            // keepdims is 0 or 1
        "[dtype-not-allowed",          // u8 since 12
        "version 12; the result is u8 [1, 3, 1, 1",
        "[axis-out-of-range", // each of the two
        "[axis-out-of-range",
        "version 13; the result is i64 [32, 1",
        "[unknown-attribute",
        "[unknown-op",
    ];
    assert_eq!(said, expected);
}
