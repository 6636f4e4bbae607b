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
mod reading;
mod results;
mod settings;
mod single;
mod sliding;
#[cfg(feature = "specs")]
mod specs;
mod state;
mod trial;
mod types;
mod udaf;
mod undefined;

pub use aggregate::Aggregate;
pub use codec::ReduceCodec;
#[cfg(feature = "gallery")]
pub use gallery::{gallery, register_gallery};
pub use parameters::Value;
pub use reading::Integers;
#[cfg(feature = "specs")]
pub use specs::{register_specs, specs};

use datafusion::common::Result;
use datafusion::prelude::SessionContext;

/// Registers aggregates with a session. One alone may be registered by `ctx.register_udaf(aggregate.into())`, too, which
/// does not check it.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use reduce_datafusion::{Aggregate, register};
/// use reduce_gallery::Variance;
///
/// let ctx = SessionContext::new();
/// register(&ctx, [Aggregate::of::<Variance>().name("sample_variance").with("correction", 1)])?;
/// # Ok::<(), datafusion::common::DataFusionError>(())
/// ```
///
/// # Errors
/// As [`Aggregate::check`], of the first aggregate that has a mistake. Then none is registered.
pub fn register(
    ctx: &SessionContext,
    aggregates: impl IntoIterator<Item = Aggregate>,
) -> Result<()> {
    let aggregates: Vec<Aggregate> = aggregates.into_iter().collect();
    aggregates.iter().try_for_each(Aggregate::check)?;
    aggregates.into_iter().for_each(|aggregate| ctx.register_udaf(aggregate.into()));
    Ok(())
}

/// Compiles and runs the examples of the page that goes from a slice to a cluster.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/from-slice-to-cluster.md")]
mod from_slice_to_cluster {}
