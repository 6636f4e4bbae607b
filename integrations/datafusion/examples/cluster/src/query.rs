//! The query of the example, and the two sessions that it is run in.

use std::net::SocketAddr;
use std::path::Path;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::config::BALLISTA_SHUFFLE_READER_FORCE_REMOTE_READ;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::data::FILES;
use crate::{Result, functions, slowly};

/// The moment of the query at which an executor is killed.
#[derive(Clone, Copy)]
pub(crate) enum Moment {
    /// While the files are read: some of the executor's tasks have ended, whose results are lost
    /// with it, and others are at work.
    Reading,
    /// While the results of all files are put together: some of them are lost with the executor.
    Merging,
}

impl Moment {
    /// Batches with `slowly` that the executor has begun by then. Its two cores read one file each
    /// at a time, of seven batches.
    pub(crate) fn batches(self) -> usize {
        match self {
            Moment::Reading => 16,
            Moment::Merging => 1,
        }
    }
}

/// The answer to the query on the Parquet files of `table`, with `slowly` where it must be slow.
pub(crate) async fn run(
    session: &SessionContext,
    table: &Path,
    slow: Option<Moment>,
) -> Result<RecordBatch> {
    let table = table.to_str().ok_or("the temporary folder's name is not UTF-8")?;
    session.register_parquet("t", table, Default::default()).await?;
    let batches = session.sql(&sql(slow)).await?.collect().await?;
    let first = batches.first().ok_or("the answer holds no rows")?;
    Ok(concat_batches(&first.schema(), &batches)?)
}

fn sql(slow: Option<Moment>) -> String {
    let rows = match slow {
        Some(Moment::Reading) => "(SELECT g, slowly(x) AS x FROM t)",
        _ => "t",
    };
    let groups = format!(
        "SELECT g, count(*) AS n, log_sum_exp(x) AS log, mean_variance(x) AS spread, \
         top_k(x, 3) AS largest, power_mean(x) AS cubic, power_mean(x, 1.0) AS mean, \
         exact_sum(x) AS sum FROM {rows} GROUP BY g"
    );
    match slow {
        Some(Moment::Merging) => {
            format!(
                "SELECT g, n, log, spread, largest, cubic, slowly(mean) AS mean, sum \
                 FROM ({groups}) ORDER BY g"
            )
        }
        _ => format!("{groups} ORDER BY g"),
    }
}

/// A session whose queries run on the cluster.
pub(crate) async fn far(scheduler: SocketAddr) -> Result<SessionContext> {
    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(FILES)
        // Executors on one machine could read each other's files, even those of a dead one.
        .set_bool(BALLISTA_SHUFFLE_READER_FORCE_REMOTE_READ, true)
        .with_ballista_logical_extension_codec(functions::logical_codec())
        .with_ballista_physical_extension_codec(functions::physical_codec());
    let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
    let mut session =
        SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?;
    // Only now: the functions of the state are not taken over.
    functions::register(&mut session, slowly::elsewhere())?;
    Ok(session)
}

/// A session whose queries run in this process.
pub(crate) fn near() -> Result<SessionContext> {
    // Ballista sets it in this way; otherwise strings would be of another type.
    let view_types = "datafusion.execution.parquet.schema_force_view_types";
    let config = SessionConfig::new().set_bool(view_types, false);
    let mut session = SessionContext::new_with_config(config);
    functions::register(&mut session, slowly::elsewhere())?;
    Ok(session)
}
