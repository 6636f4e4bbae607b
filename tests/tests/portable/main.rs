//! What `tests/neon.sh` and `tests/wasm.sh` run on other architectures, beside the digest: results have the same bits at every level.
//! These are modules of `results`, which would take five times as long to build. So `cargo test` leaves this program out unless it is named.

#[path = "../results/float8.rs"]
mod float8;
#[path = "../results/levels.rs"]
mod levels;
