//! What every process of the cluster must know: the aggregates, and how plans that use them travel.
//!
//! A plan travels twice: from the client to the scheduler as a logical plan, and from the scheduler
//! to the executors as a physical plan. Either way an aggregate travels as its name, followed by
//! what a codec adds. The receiver asks its codec if there is such an addition, and its list of
//! functions if there is none. So all three sides have the same functions and the same codecs.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;

use crate::codec::PowerMeanCodec;
use crate::power_mean::PowerMean;

/// The aggregates of this cluster.
pub fn functions() -> Vec<Arc<AggregateUDF>> {
    vec![Arc::new(PowerMean::new(3).into())]
}

/// How logical plans with these aggregates travel.
pub fn logical_codec() -> Arc<dyn LogicalExtensionCodec> {
    Arc::new(PowerMeanCodec(BallistaLogicalExtensionCodec::default()))
}

/// How physical plans with these aggregates travel.
pub fn physical_codec() -> Arc<dyn PhysicalExtensionCodec> {
    Arc::new(PowerMeanCodec(BallistaPhysicalExtensionCodec::default()))
}

/// Makes the aggregates, and the `slowly` of this process, known to a session.
pub fn register(session: &mut impl FunctionRegistry, slowly: ScalarUDF) -> Result<()> {
    for function in functions() {
        session.register_udaf(function)?;
    }
    session.register_udf(Arc::new(slowly))?;
    Ok(())
}
