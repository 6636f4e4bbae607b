//! What every process of the cluster must know: the aggregates, and how plans that use them travel.
//!
//! A plan travels twice: from the client to the scheduler as a logical plan, and from the scheduler
//! to the executors as a physical plan. Either way an aggregate travels as its name, followed by
//! its parameters, which a codec adds. So all three sides have the same aggregates and the same codecs.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use reduce_datafusion::{Aggregate, ReduceCodec, gallery, specs};

use crate::power_mean::PowerMean;

/// The ONNX operators, those of the gallery, and one of this cluster's own, which cubes unless a query says
/// otherwise.
fn aggregates() -> Vec<Aggregate> {
    let own = Aggregate::of::<PowerMean>().with("p", 3.0);
    specs().into_iter().chain(gallery()).chain([own]).collect()
}

/// The aggregates as functions.
pub(crate) fn functions() -> Vec<Arc<AggregateUDF>> {
    aggregates().into_iter().map(|aggregate| Arc::new(aggregate.into())).collect()
}

/// The codec that carries these aggregates in logical plans. Ballista's own codec does the rest.
pub(crate) fn logical_codec() -> Arc<dyn LogicalExtensionCodec> {
    let inner: Arc<dyn LogicalExtensionCodec> = Arc::new(BallistaLogicalExtensionCodec::default());
    Arc::new(ReduceCodec::around(inner, aggregates()))
}

/// The codec that carries these aggregates in physical plans.
pub(crate) fn physical_codec() -> Arc<dyn PhysicalExtensionCodec> {
    let inner: Arc<dyn PhysicalExtensionCodec> =
        Arc::new(BallistaPhysicalExtensionCodec::default());
    Arc::new(ReduceCodec::around(inner, aggregates()))
}

/// Makes the aggregates, and the `slowly` of this process, known to a session.
pub(crate) fn register(session: &mut impl FunctionRegistry, slowly: ScalarUDF) -> Result<()> {
    for function in functions() {
        session.register_udaf(function)?;
    }
    session.register_udf(Arc::new(slowly))?;
    Ok(())
}
