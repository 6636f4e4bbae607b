//! Where the rows were measured.

use std::fs;
use std::thread;

use super::request::Request;

/// Facts about the machine, as names and texts.
#[derive(Debug)]
pub(crate) struct Machine(pub(crate) Vec<(&'static str, String)>);

impl Machine {
    pub(crate) fn new(request: &Request) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut facts = vec![
            ("CPU", cpu().unwrap_or_else(|| std::env::consts::ARCH.to_owned())),
            ("cores", cores.to_string()),
            ("threads", request.workers.count().to_string()),
            ("level", request.level.to_string()),
            ("seconds per measurement", request.effort.secs.to_string()),
            ("reduce", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        facts.extend(huge_pages().map(|text| ("memory in huge pages", text)));
        Machine(facts)
    }
}

/// The CPU's name, where Linux tells it.
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// How much of this program's memory is in huge pages, where Linux tells it.
fn huge_pages() -> Option<String> {
    let text = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let (huge, all) = (field("AnonHugePages:")?, field("Rss:")?);
    Some(format!("{} of {} MB", huge / 1024, all / 1024))
}
