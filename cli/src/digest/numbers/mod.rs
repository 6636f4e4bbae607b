//! One number for the results of each operator, the same on every machine.
//!
//! [`subjects`] lists operators and their types, [`layouts`] the layouts of inputs and [`values`] what is in them. [`streams`] has
//! operators over elements in pieces. [`ways`] finds levels, threads and plans. [`each`] runs one operator in all of them, [`mix`] makes a number of its results, and [`page`] holds
//! the numbers against those that are committed. `docs/digest.md` says all that others need to compute the same numbers.
//!
//! This folder needs nothing else of the command, and nothing that only some systems have: `tests/digest` compiles it alone.

mod each;
mod layouts;
mod mix;
mod page;
mod streams;
mod subjects;
mod values;
mod ways;

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use each::{Choice, Finding};
use layouts::InputLayout;
use page::Page;
use streams::{Pieces, Streamed};
use subjects::Subject;
use ways::Ways;

/// Differences that are told, at most.
const TOLD: usize = 20;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct DigestRequest {
    /// Names of operators; none for all.
    pub(crate) operators: Vec<String>,
    /// Whether lines of types are printed, too.
    pub(crate) types: bool,
    /// Whether each input is reduced in one way alone.
    pub(crate) quick: bool,
}

/// What there is to say.
#[derive(Clone, Debug)]
pub(crate) struct DigestAnswer {
    /// The lines.
    pub(crate) page: String,
    /// What was run, and what is wrong.
    pub(crate) remarks: String,
    /// True if all ways gave the same bits, and the numbers are the committed ones.
    pub(crate) is_equal: bool,
}

/// What a line is made of.
#[derive(Debug)]
enum Task {
    /// An operator over the layouts.
    Whole(Subject),
    /// An operator over the streams.
    Pieces(&'static Streamed),
}

impl Task {
    fn name(&self) -> String {
        match self {
            Task::Whole(subject) => subject.name(),
            Task::Pieces(streamed) => streamed.name.to_owned(),
        }
    }

    fn operator(&self) -> &'static str {
        match self {
            Task::Whole(subject) => subject.operator(),
            Task::Pieces(streamed) => streamed.operator(),
        }
    }
}

/// What tasks are run over, and how.
#[derive(Debug)]
struct Grid {
    layouts: Vec<InputLayout>,
    pieces: Vec<Pieces>,
    ways: Ways,
    quick: bool,
}

/// Computes the numbers, and compares.
///
/// # Errors
/// The sentence says which layout or operator cannot be run at all.
pub(crate) fn digest(request: &DigestRequest) -> Result<DigestAnswer, String> {
    let DigestRequest { operators, types, quick } = request;
    let (layouts, pieces) = (layouts::layouts()?, streams::pieces()?);
    let grid = Grid { layouts, pieces, ways: Ways::of_this_machine(), quick: *quick };
    let all = subjects::subjects().into_iter().map(Task::Whole);
    let mut tasks: Vec<Task> = all.chain(streams::STREAMED.iter().map(Task::Pieces)).collect();
    let count = tasks.len();
    tasks.retain(|task| {
        operators.is_empty() || operators.iter().any(|name| name == task.operator())
    });
    let found = grid.found(&tasks)?;
    let numbers = tasks.iter().zip(&found).map(|(task, found)| (task.name(), found.digest));
    let page = Page::of(&numbers.collect::<Vec<_>>(), tasks.len() == count);
    let mut changed = page.differing(&Page::committed());
    changed.retain(|name| *types || !name.contains(' '));
    let differences = found.iter().flat_map(|found| &found.differences);
    let differences: Vec<&str> = differences.map(String::as_str).collect();
    let remarks = grid.words(&page, &found) + &told(&differences) + &compared(&changed);
    let is_equal = differences.is_empty() && changed.is_empty();
    Ok(DigestAnswer { page: page.text(*types), remarks, is_equal })
}

/// Ways that gave other bits, each in a line.
fn told(differences: &[&str]) -> String {
    let lines =
        differences.iter().take(TOLD).map(|difference| format!("other bits: {difference}\n"));
    let more = differences.len().saturating_sub(TOLD);
    let rest = (more > 0).then(|| format!("other bits: in {more} reductions more\n"));
    lines.chain(rest).collect()
}

/// Which numbers are not the committed ones, in a line.
fn compared(changed: &[&str]) -> String {
    match changed {
        [] => "the numbers are those that are committed\n".to_owned(),
        _ => format!("not the numbers that are committed: {}\n", changed.join(", ")),
    }
}

impl Grid {
    /// What was run, in a line.
    fn words(&self, page: &Page, found: &[Finding]) -> String {
        let Grid { layouts, pieces, ways, .. } = self;
        let runs: usize = found.iter().map(|found| found.runs).sum();
        let (operators, layouts, streams) = (page.operators(), layouts.len(), pieces.len());
        let (lines, ways) = (found.len(), ways.words());
        let operators =
            if operators == 1 { "1 operator".to_owned() } else { format!("{operators} operators") };
        format!(
            "{operators}, {lines} lines of types, {layouts} layouts, {streams} streams; {ways}: {runs} runs\n"
        )
    }

    /// What each task gives, in their order. Some are run at the same time where the system has threads.
    fn found(&self, tasks: &[Task]) -> Result<Vec<Finding>, String> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Finding, String>)>> = Mutex::default();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { return };
                let found = self.found_of(task, index);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((index, found));
            }
        };
        thread::scope(|scope| {
            let cores = thread::available_parallelism().map_or(1, NonZero::get);
            for _ in 1..cores {
                // Without another thread, this one does all.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, found)| found).collect()
    }

    fn found_of(&self, task: &Task, index: usize) -> Result<Finding, String> {
        let Grid { layouts, pieces, ways, quick } = self;
        let choice = if *quick { Choice::InTurn(index) } else { Choice::All };
        match task {
            Task::Whole(subject) => each::found(subject, layouts, &ways.all, choice),
            Task::Pieces(streamed) => streamed.found(pieces, &ways.unplanned, choice),
        }
    }
}
