//! Every operator is traced, over every type that it takes; a trace that is not the operator would be an error.

mod support;

use reduce_core::{bf16, f8e4m3fn, f8e5m2, f16};
use reduce_gallery as gallery;
use reduce_gpu::trace::Trace;
use reduce_specs as specs;

use support::operators::{gallery, standard};

#[test]
fn every_operator_is_traced() {
    let mut failed = Vec::new();
    macro_rules! each {
        ($($op:expr => [$($ty:ty),*];)*) => {$($(
            if let Err(error) = Trace::<$ty>::trace(&$op, 1000) {
                failed.push(format!("{}: {error}", stringify!($ty)));
            }
        )*)*};
    }
    standard!(each);
    gallery!(each);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
