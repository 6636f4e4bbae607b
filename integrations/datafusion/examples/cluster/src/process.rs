//! A process of the cluster, seen from both of its ends.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::Result;

/// How long a process may take to end once it is told to.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// A process that this one started, and that does not outlive it.
///
/// The child's standard input is a pipe that nothing is ever written to. It closes when this value
/// is stopped or dropped, and when this process dies of whatever cause; the child ends then.
pub(crate) struct Process {
    name: String,
    child: Child,
}

impl Process {
    /// Starts this same program with other arguments; returns it and the lines it writes.
    pub(crate) fn start(
        name: &str,
        args: &[&str],
    ) -> Result<(Process, Lines<BufReader<ChildStdout>>)> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("the {name} could not be started: {error}"))?;
        let output = child.stdout.take().ok_or("a child without its output")?;
        let process = Process { name: name.to_string(), child };
        Ok((process, BufReader::new(output).lines()))
    }

    /// An error if the process has ended.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => Err(format!("the {} ended by itself: {status}", self.name).into()),
        }
    }

    /// Ends the process at once, as a crash would.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Tells the process to end, and kills it if it does not.
    pub(crate) async fn stop(mut self) {
        drop(self.child.stdin.take());
        if timeout(ENDS_WITHIN, self.child.wait()).await.is_err() {
            // Nothing is left to do about a process that cannot even be killed.
            let _ = self.child.kill().await;
        }
    }
}

/// Ends this process when the one that started it has closed its standard input, or has died.
pub(crate) fn end_with_parent() {
    std::thread::spawn(|| {
        // The end of the input means that the parent is gone, and so does an error.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(0);
    });
}

/// Returns when the user interrupts this process, or somebody asks it to end.
pub(crate) async fn interrupted() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signals) => drop(signals.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
