#![doc = include_str!("../README.md")]

mod aggregate;
mod batch;
mod codec;
mod documentation;
#[cfg(feature = "gallery")]
mod gallery;
mod grouped;
mod literals;
mod operator;
mod parameters;
mod prepared;
mod results;
mod single;
mod sliding;
#[cfg(feature = "specs")]
mod specs;
mod state;
mod types;
mod udaf;

pub use aggregate::Aggregate;
pub use codec::ReduceCodec;
#[cfg(feature = "gallery")]
pub use gallery::{gallery, register_gallery};
pub use parameters::Value;
#[cfg(feature = "specs")]
pub use specs::{register_specs, specs};

use datafusion::prelude::SessionContext;

/// Registers aggregates with a session. One alone is registered by `ctx.register_udaf(aggregate.into())`.
pub fn register(ctx: &SessionContext, aggregates: impl IntoIterator<Item = Aggregate>) {
    for aggregate in aggregates {
        ctx.register_udaf(aggregate.into());
    }
}

/// Compiles and runs the examples of the page that goes from a slice to a cluster.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/from-slice-to-cluster.md")]
mod from_slice_to_cluster {}
