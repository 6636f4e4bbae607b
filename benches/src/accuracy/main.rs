//! Writes data that is benign or hostile to floats, and what this project's operators make of it.
//!
//! `benches/accuracy.py` reads both, computes exact results, runs other libraries, and prints the table of
//! `docs/accuracy.md`. Arguments are a folder and the lengths of the lists. If none is given, they are 1000 and 10^6, of `f64`
//! 1000 and 10^5: exact results of so many `f64` take long.

mod data;
mod measured;
mod ways;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::data::{FACTORS, LOGITS, Scalar, VALUES};
use crate::measured::Measured;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("error: no folder was named; write `accuracy FOLDER [LENGTH..]`");
        return ExitCode::from(2);
    };
    let lengths: Result<Vec<usize>, _> = arguments.map(|length| length.parse()).collect();
    let lengths = match lengths {
        Ok(lengths) if lengths.is_empty() => [vec![1000, 1_000_000], vec![1000, 100_000]],
        Ok(lengths) if lengths.iter().all(|&length| length >= 8) => [lengths.clone(), lengths],
        _ => {
            eprintln!("error: a length is no whole number from 8 on; write `accuracy FOLDER 1000`");
            return ExitCode::from(2);
        }
    };
    match write(&folder, &lengths) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: `{}` cannot be written: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}

/// Writes all data, and `ours.csv` with all results. Lengths are those of `f32`, and those of `f64`.
fn write(folder: &Path, [single, double]: &[Vec<usize>; 2]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut lines = String::new();
    for &length in single {
        of_type::<f32>(folder, length, &mut lines)?;
    }
    for &length in double {
        of_type::<f64>(folder, length, &mut lines)?;
    }
    fs::write(folder.join("ours.csv"), lines)
}

/// Data and results of one type and length. Each line has operator, type, family, set, length, way, and a result or the file of several.
fn of_type<T: Scalar + Measured>(
    folder: &Path,
    length: usize,
    lines: &mut String,
) -> std::io::Result<()> {
    let mut seed = 0;
    for (family, sets) in [("values", VALUES), ("factors", FACTORS), ("logits", LOGITS)] {
        for set in sets {
            seed += 2;
            let case = ways::Case::<T>::new(family, set, length, seed);
            fs::write(folder.join(case.file("x")), bytes(&case.x))?;
            fs::write(folder.join(case.file("y")), bytes(&case.y))?;
            let found = match family {
                "factors" => T::products(&case),
                "logits" => T::exponentials(&case),
                _ => T::sums(&case),
            };
            for result in found {
                let value = match result.list {
                    Some(list) => {
                        let file = case.file(&format!("{}.{}", result.operator, result.way));
                        fs::write(folder.join(&file), bytes(&list))?;
                        file
                    }
                    None => format!("{:e}", result.value.to_f64()),
                };
                let (operator, way) = (result.operator, result.way);
                let place = format!("{},{family},{},{length}", T::NAME, set.name);
                lines.push_str(&format!("{operator},{place},{way},{value}\n"));
            }
        }
    }
    Ok(())
}

/// Elements one after another, each with its first byte in front.
fn bytes<T: Scalar>(list: &[T]) -> Vec<u8> {
    list.iter().flat_map(|x| x.bytes()).collect()
}
