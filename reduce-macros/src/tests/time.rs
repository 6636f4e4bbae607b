//! How long an expansion takes: parsing, checks and tokens.

use std::hint::black_box;
use std::time::Instant;

use super::{Written, written};

/// A release build takes less than 2 ms for each operator; the fastest of some tries, since
/// others may be using the machine.
#[test]
fn an_expansion_takes_little_time() {
    let most = if cfg!(debug_assertions) { 20 } else { 2 };
    let specs = written("golden");
    assert!(specs.len() >= 10, "{} specs", specs.len());
    for Written { path, args, block } in specs {
        let time = |_| {
            let start = Instant::now();
            black_box(crate::pipeline::reduce_op(args.clone(), &block));
            start.elapsed()
        };
        let fastest = (0..20).map(time).min().expect("some tries");
        println!("{}: {fastest:?}", path.display());
        assert!(fastest.as_millis() < most, "{}: {fastest:?}", path.display());
    }
}
