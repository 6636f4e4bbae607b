//! What `tests/neon.sh` and `tests/wasm.sh` run on other architectures: results have the committed bits, at every level. These are
//! modules of `results`, which would take five times as long to build. So `cargo test` leaves this program out unless it is named.

#[path = "../results/order/digest.rs"]
mod digest;
#[path = "../results/float8.rs"]
mod float8;
#[path = "../results/levels.rs"]
mod levels;
