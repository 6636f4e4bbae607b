//! The example: one query, on the cluster and on DataFusion alone.

use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use tokio::time::timeout;

use crate::cluster::Cluster;
use crate::compare::{BOUND, compare};
use crate::data::{self, FILES, ROWS};
use crate::query::{self, Moment};
use crate::{Result, process};

/// The answer, or an error, is there within this time. Ballista itself sets no limit, and waits
/// without end for the lost results of a stage that had ended.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// Runs the example, and ends all that it has started, whatever comes of it.
pub(crate) async fn run(kill: Option<Moment>) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("reduce-cluster-").tempdir()?;
    let mut cluster = Cluster::default();
    let result = tokio::select! {
        biased;
        () = process::interrupted() => Err("interrupted".into()),
        result = run_on(&mut cluster, folder.path(), kill) => result,
    };
    cluster.stop().await;
    folder.close()?;
    result
}

async fn run_on(cluster: &mut Cluster, folder: &Path, kill: Option<Moment>) -> Result<()> {
    let table = folder.join("t");
    data::write(&table)?;
    let scheduler = cluster.start(folder).await?;
    println!("{FILES} files of {ROWS} rows, a scheduler at {scheduler}, two executors");
    let started = Instant::now();
    let far = timeout(ANSWERED_WITHIN, async {
        let session = query::far(scheduler).await?;
        let answer = query::run(&session, &table, kill);
        match kill {
            None => answer.await,
            Some(moment) => kill_meanwhile(cluster, moment, answer).await,
        }
    })
    .await
    .map_err(|_| format!("the cluster gave no answer within {ANSWERED_WITHIN:?}"))??;
    let took = started.elapsed().as_secs_f64();
    let near = query::run(&query::near()?, &table, kill).await?;
    println!("{}", pretty_format_batches(std::slice::from_ref(&far))?);
    let worst = compare(&far, &near)?;
    println!(
        "the cluster's answer, after {took:.1} s, is equal to that of DataFusion alone \
         (floats within {BOUND:.0e} relatively; the worst differs by {worst:.0e})"
    );
    Ok(())
}

/// The query's answer, though an executor is killed before it is there.
async fn kill_meanwhile(
    cluster: &mut Cluster,
    moment: Moment,
    answer: impl Future<Output = Result<RecordBatch>>,
) -> Result<RecordBatch> {
    let mut answer = pin!(answer);
    let killed = tokio::select! {
        early = &mut answer => {
            early?;
            return Err("the query ended before an executor could be killed".into());
        }
        killed = cluster.kill_one(moment.batches()) => killed?,
    };
    println!("executor {killed} is killed in its batch {}", moment.batches());
    answer.await
}
