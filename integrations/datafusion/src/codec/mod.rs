//! The codec carries aggregates in plans, from the process that plans to those that work.

mod fingerprint;
mod logical;
mod physical;
mod wire;

use std::fmt;
use std::sync::Arc;

use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::AggregateUDF;
use datafusion_proto::logical_plan::{DefaultLogicalExtensionCodec, LogicalExtensionCodec};
use datafusion_proto::physical_plan::{DefaultPhysicalExtensionCodec, PhysicalExtensionCodec};

use crate::aggregate::Aggregate;
use crate::udaf::Udaf;

/// A codec that knows some aggregates, and leaves all else in a plan to another codec.
///
/// A plan names a function. Both sides have the same list of aggregates, so a name is enough to find the
/// operator. Two things travel beside it. One is the parameters' defaults ([`Aggregate::with`]). The other is a *fingerprint*, a number
/// made of the operator's name, types, parameters and accumulator, and of the form of the result. Where the reader knows another
/// operator by the name, the fingerprints differ, and the plan is refused.
/// There are two of these codecs, one for each kind of plan.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use datafusion_proto::bytes::{logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec};
/// use reduce_datafusion::{ReduceCodec, register_specs, specs};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::common::Result<()> {
/// let codec = ReduceCodec::logical(specs());
/// let here = SessionContext::new();
/// register_specs(&here);
/// let plan = here.sql("SELECT reduce_sum(1.5)").await?.into_unoptimized_plan();
/// let bytes = logical_plan_to_bytes_with_extension_codec(&plan, &codec)?;
///
/// // Elsewhere, where nothing was registered:
/// let there = SessionContext::new();
/// let plan = logical_plan_from_bytes_with_extension_codec(&bytes, &there.task_ctx(), &codec)?;
/// assert_eq!(there.execute_logical_plan(plan).await?.count().await?, 1);
/// # Ok(())
/// # }
/// ```
pub struct ReduceCodec<Inner: ?Sized> {
    known: Vec<Aggregate>,
    inner: Arc<Inner>,
}

impl ReduceCodec<dyn LogicalExtensionCodec> {
    /// A codec for logical plans.
    pub fn logical(known: impl IntoIterator<Item = Aggregate>) -> Self {
        ReduceCodec::around(Arc::new(DefaultLogicalExtensionCodec {}), known)
    }
}

impl ReduceCodec<dyn PhysicalExtensionCodec> {
    /// A codec for physical plans.
    pub fn physical(known: impl IntoIterator<Item = Aggregate>) -> Self {
        ReduceCodec::around(Arc::new(DefaultPhysicalExtensionCodec {}), known)
    }
}

impl<Inner: ?Sized> ReduceCodec<Inner> {
    /// A codec that leaves all but these aggregates to another: Ballista's, for example.
    pub fn around(inner: Arc<Inner>, known: impl IntoIterator<Item = Aggregate>) -> Self {
        ReduceCodec { known: known.into_iter().collect(), inner }
    }

    fn find(&self, name: &str) -> Option<&Aggregate> {
        let is_called = |known: &&Aggregate| {
            known.name == name || known.aliases.iter().any(|alias| alias == name)
        };
        self.known.iter().find(is_called)
    }

    /// Whether a function is one of the aggregates, which is then written.
    fn encode(&self, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<bool> {
        let Some(udaf) = function.inner().downcast_ref::<Udaf>() else {
            return Ok(false);
        };
        let (aggregate, name) = (udaf.aggregate(), function.name());
        let Some(known) = self.find(name) else {
            return plan_err!(
                "the codec does not know `{name}`; add its aggregate to the codec's list"
            );
        };
        let again = known.clone().with_defaults(aggregate.defaults.clone());
        if Udaf::new(again) != *udaf {
            return plan_err!(
                "the codec knows another `{name}`; give it the aggregate that was registered"
            );
        }
        wire::write(fingerprint::of(aggregate), &aggregate.defaults, bytes);
        Ok(true)
    }

    /// The function whose bytes these are; `None` if they are another codec's.
    fn decode(&self, name: &str, bytes: &[u8]) -> Result<Option<Arc<AggregateUDF>>> {
        let written = if bytes.is_empty() { None } else { Some(wire::read(bytes)) };
        let aggregate = match (self.find(name), written) {
            (Some(known), None) => known.clone(),
            (Some(known), Some(Some(written))) if fingerprint::of(known) == written.fingerprint => {
                known.clone().with_defaults(written.defaults)
            }
            (Some(_), Some(Some(_))) => {
                return plan_err!(
                    "the codec knows another `{name}` than the plan was made with; give both sides the same list \
                     of aggregates"
                );
            }
            (None, Some(Some(_))) => {
                return plan_err!(
                    "the codec does not know `{name}`; add its aggregate to the codec's list"
                );
            }
            (None, None) | (_, Some(None)) => return Ok(None),
        };
        Ok(Some(Arc::new(aggregate.into())))
    }
}

impl<Inner: ?Sized> fmt::Debug for ReduceCodec<Inner> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.known.iter().map(|known| known.name.as_str()).collect();
        f.debug_struct("ReduceCodec").field("known", &names).finish_non_exhaustive()
    }
}
