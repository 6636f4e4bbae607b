//! The table of CPU levels. To add a level, add its row here, and its instructions in a folder of `machine/levels/`.
//!
//! Each floor writes what it has of every level from these rows: its name, its detection, its kernels. `build.rs`
//! reads this file too, so that it holds nothing else.

/// Calls a macro once, with a row for each level that has vectors. Levels of one architecture stand slowest first.
///
/// | column | what it says |
/// |---|---|
/// | in front | the level's documentation, and its variant of `Level` |
/// | `name` | its name for users; also the value of `reduce_level` with which it is compiled |
/// | `module` | its module on each floor, of the same name |
/// | `narrow` | the module of the level whose instructions do its narrow work |
/// | `arch` | its architecture |
/// | `detect` | the macro that asks a CPU for a feature, from `std::arch`. No program can ask an engine of WebAssembly; there the macro asks what the program is compiled for |
/// | `features` | what it is asked for, and what code is compiled with |
///
/// Narrow work is what is no faster in wider vectors. The level that does it has the same architecture and no feature
/// that this one lacks; most levels do it themselves.
///
/// A macro that needs only the first columns takes the others as `$($rest:tt)*`.
macro_rules! for_levels {
    ($each:ident) => {
        $each! {
            /// aarch64 with NEON.
            Neon {
                name: "neon", module: neon, narrow: neon,
                arch: "aarch64", detect: is_aarch64_feature_detected,
                features: ["neon"],
            }
            /// WebAssembly with `simd128`, where the program is compiled for it: `-C target-feature=+simd128`.
            Simd128 {
                name: "simd128", module: simd128, narrow: simd128,
                arch: "wasm32", detect: is_wasm_feature_detected,
                features: ["simd128"],
            }
            /// x86-64 with AVX2, FMA, F16C, BMI1 and BMI2.
            Avx2 {
                name: "avx2", module: avx2, narrow: avx2,
                arch: "x86_64", detect: is_x86_feature_detected,
                features: ["avx2", "fma", "f16c", "bmi1", "bmi2"],
            }
            /// All of [`Level::Avx2`], and AVX-512 F, BW, DQ and VL.
            Avx512 {
                name: "avx512", module: avx512, narrow: avx2,
                arch: "x86_64", detect: is_x86_feature_detected,
                features: [
                    "avx2", "fma", "f16c", "bmi1", "bmi2",
                    "avx512f", "avx512bw", "avx512dq", "avx512vl"
                ],
            }
        }
    };
}

pub(crate) use for_levels;
