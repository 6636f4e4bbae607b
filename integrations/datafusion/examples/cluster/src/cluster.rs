//! The cluster as its client sees it: a scheduler and its executors, each a process.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

use crate::Result;
use crate::process::Process;
use crate::slowly::BEGUN;

/// Executors of the cluster.
pub(crate) const EXECUTORS: usize = 2;

/// An executor that has been silent for so long is lost. A busy one speaks every five seconds.
pub(crate) const LOST_AFTER: Duration = Duration::from_secs(10);

/// How long all processes together may take until they are ready.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// The processes, in the order in which they were started.
#[derive(Default)]
pub(crate) struct Cluster {
    scheduler: Option<Process>,
    executors: Vec<Process>,
    begun: Option<UnboundedReceiver<usize>>,
}

impl Cluster {
    /// Starts the processes, whose files go to `folder`; returns the scheduler's address once all
    /// executors are known to it.
    pub(crate) async fn start(&mut self, folder: &Path) -> Result<SocketAddr> {
        timeout(READY_WITHIN, self.start_all(folder))
            .await
            .map_err(|_| format!("the cluster was not ready within {READY_WITHIN:?}"))?
    }

    async fn start_all(&mut self, folder: &Path) -> Result<SocketAddr> {
        let (scheduler, mut lines) = Process::start("scheduler", &["scheduler"])?;
        self.scheduler = Some(scheduler);
        let line = lines.next_line().await?;
        let address = line.ok_or("the scheduler ended before it had an address")?;
        let (sender, receiver) = unbounded_channel();
        self.begun = Some(receiver);
        for index in 0..EXECUTORS {
            let folder = folder.join(format!("executor-{index}"));
            std::fs::create_dir_all(&folder)?;
            let folder = folder.to_str().ok_or("the temporary folder's name is not UTF-8")?;
            self.start_executor(index, &["executor", &address, folder], sender.clone())?;
        }
        let address = address.parse()?;
        while !is_ready(address).await {
            self.check()?;
            sleep(Duration::from_millis(20)).await;
        }
        Ok(address)
    }

    fn start_executor(
        &mut self,
        index: usize,
        args: &[&str],
        begun: UnboundedSender<usize>,
    ) -> Result<()> {
        let (executor, mut lines) = Process::start(&format!("executor {index}"), args)?;
        self.executors.push(executor);
        // Read to the end, whether or not somebody listens: a full pipe would stop the executor.
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                if line == BEGUN {
                    let _ = begun.send(index);
                }
            }
        });
        Ok(())
    }

    /// An error if one of the processes has ended by itself.
    fn check(&mut self) -> Result<()> {
        self.scheduler.iter_mut().chain(&mut self.executors).try_for_each(Process::check)
    }

    /// Waits until an executor has begun `batches` batches of a query with `slowly`, and kills it.
    pub(crate) async fn kill_one(&mut self, batches: usize) -> Result<usize> {
        let mut counts = [0; EXECUTORS];
        let begun = self.begun.as_mut().ok_or("the cluster has not been started")?;
        while let Some(index) = begun.recv().await {
            counts[index] += 1;
            if counts[index] == batches {
                self.executors[index].kill().await?;
                return Ok(index);
            }
        }
        Err("all executors ended before one of them could be killed".into())
    }

    /// Ends all processes that were started.
    pub(crate) async fn stop(self) {
        for process in self.executors.into_iter().chain(self.scheduler) {
            process.stop().await;
        }
    }
}

/// Whether the scheduler says that enough executors have spoken to it.
async fn is_ready(scheduler: SocketAddr) -> bool {
    let ask = async {
        let mut stream = TcpStream::connect(scheduler).await?;
        stream
            .write_all(b"GET /readyz HTTP/1.1\r\nHost: scheduler\r\nConnection: close\r\n\r\n")
            .await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        std::io::Result::Ok(answer.starts_with("HTTP/1.1 200 "))
    };
    ask.await.unwrap_or(false)
}
