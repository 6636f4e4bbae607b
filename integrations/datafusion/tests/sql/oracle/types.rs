//! Which type columns are made into.

use super::Call;

/// The type to compute over. It is the type of the columns, or the narrowest of the function's types that holds them.
pub fn stored(call: &Call) -> &'static str {
    let column = name(call.columns[0]);
    match call.function {
        "reduce_max" | "reduce_min" => match column {
            "i16" => "i32",
            "u16" => "u32",
            other => other,
        },
        "top_k" => match column {
            "i8" | "i16" | "u8" | "u16" => "i32",
            "u32" => "i64",
            "u64" => "f64",
            other => other,
        },
        // Of halves, only an element is a half.
        _ if call.columns.iter().any(|column| name(column) == "f64") => "f64",
        _ if column.starts_with('f') => {
            if column == "f16" {
                "f32"
            } else {
                column
            }
        }
        "reduce_sum" | "reduce_mean" | "reduce_prod" | "reduce_l1" | "reduce_l2"
        | "reduce_sum_square" => match column {
            "i8" | "i16" => "i32",
            "u8" | "u16" => "u32",
            other => other,
        },
        "tree_sum" | "sum_square" => {
            if column.starts_with('i') {
                "i64"
            } else {
                "u64"
            }
        }
        "dot" => "i64",
        _ => "f64",
    }
}

fn name(column: &'static str) -> &'static str {
    match column {
        "g32" => "f32",
        "g64" | "p64" | "q64" => "f64",
        other => other,
    }
}

/// Whether integers of a type have a sign, and their bits.
pub fn integer(stored: &str) -> Option<(bool, u32)> {
    let bits = stored.get(1..)?.parse().ok()?;
    (!stored.starts_with('f')).then_some((stored.starts_with('i'), bits))
}

/// The integer that is left of a larger one.
pub fn wrapped(value: i128, (is_signed, bits): (bool, u32)) -> i128 {
    let kept = value & ((1 << bits) - 1);
    if is_signed && kept >= 1 << (bits - 1) { kept - (1 << bits) } else { kept }
}

/// How many times a sum's terms a float may be wrong by.
pub fn precision(stored: &str) -> f64 {
    match stored {
        "f16" => 2e-3,
        "f32" => 3e-5,
        _ => 1e-11,
    }
}
