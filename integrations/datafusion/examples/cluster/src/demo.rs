//! The example: one query, on the cluster and on DataFusion alone.

use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::config::BALLISTA_SHUFFLE_READER_FORCE_REMOTE_READ;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use tokio::time::timeout;

use crate::cluster::Cluster;
use crate::compare::{BOUND, compare};
use crate::data::{self, FILES, ROWS};
use crate::{Result, functions, slowly};

/// The answer, or an error, is there within this time.
const ANSWERED_WITHIN: Duration = Duration::from_secs(120);

/// Batches that an executor has begun when it is killed. Its two cores read one file each, of seven
/// batches: some of its tasks have ended, whose results are lost with it, and others are at work.
const BATCHES: usize = 16;

/// Runs the example, and ends all that it has started, whatever comes of it.
pub async fn run(kill: bool) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("reduce-cluster-").tempdir()?;
    let mut cluster = Cluster::default();
    let result = tokio::select! {
        biased;
        () = interrupted() => Err("interrupted".into()),
        result = run_on(&mut cluster, folder.path(), kill) => result,
    };
    cluster.stop().await;
    folder.close()?;
    result
}

async fn run_on(cluster: &mut Cluster, folder: &Path, kill: bool) -> Result<()> {
    let table = folder.join("t");
    data::write(&table)?;
    let scheduler = cluster.start(folder).await?;
    println!("{FILES} files of {ROWS} rows, a scheduler at {scheduler}, two executors");
    let started = Instant::now();
    let far = far_session(scheduler).await?;
    let query = query(&far, &table, kill);
    let far = timeout(ANSWERED_WITHIN, async {
        if kill { query_and_kill(cluster, query).await } else { query.await }
    })
    .await
    .map_err(|_| format!("the cluster gave no answer within {ANSWERED_WITHIN:?}"))??;
    let took = started.elapsed();
    let mut near = near_session();
    functions::register(&mut near, slowly::elsewhere())?;
    let near = self::query(&near, &table, kill).await?;
    println!("{}", pretty_format_batches(std::slice::from_ref(&far))?);
    let worst = compare(&far, &near)?;
    println!(
        "the cluster's answer, after {:.1} s, is equal to that of DataFusion alone \
         (floats within {BOUND:.0e} relatively; the worst differs by {worst:.0e})",
        took.as_secs_f64()
    );
    Ok(())
}

/// The query's answer, though an executor is killed before it is there.
async fn query_and_kill(
    cluster: &mut Cluster,
    query: impl Future<Output = Result<RecordBatch>>,
) -> Result<RecordBatch> {
    let mut query = pin!(query);
    let killed = tokio::select! {
        answer = &mut query => {
            answer?;
            return Err("the query ended before an executor could be killed".into());
        }
        killed = cluster.kill_one(BATCHES) => killed?,
    };
    println!("executor {killed} is killed after it has begun {BATCHES} batches");
    query.await
}

async fn query(session: &SessionContext, table: &Path, slowly: bool) -> Result<RecordBatch> {
    let table = table.to_str().ok_or("the temporary folder's name is not UTF-8")?;
    session.register_parquet("t", table, Default::default()).await?;
    let from = if slowly { "(SELECT g, slowly(x) AS x FROM t)" } else { "t" };
    let sql = format!(
        "SELECT g, count(*) AS n, count(x) AS known, avg(x) AS mean, power_mean(x) AS cubic \
         FROM {from} GROUP BY g ORDER BY g"
    );
    let batches = session.sql(&sql).await?.collect().await?;
    let first = batches.first().ok_or("the answer holds no rows")?;
    Ok(concat_batches(&first.schema(), &batches)?)
}

/// A session whose queries run on the cluster.
async fn far_session(scheduler: SocketAddr) -> Result<SessionContext> {
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
fn near_session() -> SessionContext {
    // As Ballista sets it: otherwise strings would be of another type.
    let view_types = "datafusion.execution.parquet.schema_force_view_types";
    SessionContext::new_with_config(SessionConfig::new().set_bool(view_types, false))
}

/// Returns when the user interrupts this process, or somebody asks it to end.
async fn interrupted() {
    #[cfg(unix)]
    let ended = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => signals.recv().await.is_some(),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let ended = std::future::pending::<bool>();
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = ended => {}
    }
}
