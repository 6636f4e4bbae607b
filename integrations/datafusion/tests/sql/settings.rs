//! Random settings of a session: none of them may change what a query gives.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::SessionConfig;

use crate::random::Random;

/// Settings that are on or off, whose plans differ.
const SWITCHES: [&str; 16] = [
    "datafusion.execution.coalesce_batches",
    "datafusion.execution.collect_statistics",
    "datafusion.execution.enable_migration_aggregate",
    "datafusion.optimizer.enable_round_robin_repartition",
    "datafusion.optimizer.enable_distinct_aggregation_soft_limit",
    "datafusion.optimizer.enable_topk_aggregation",
    "datafusion.optimizer.enable_window_limits",
    "datafusion.optimizer.enable_window_topn",
    "datafusion.optimizer.enable_aggregate_dynamic_filter_pushdown",
    "datafusion.optimizer.enable_dynamic_filter_pushdown",
    "datafusion.optimizer.repartition_aggregations",
    "datafusion.optimizer.repartition_windows",
    "datafusion.optimizer.repartition_sorts",
    "datafusion.optimizer.prefer_existing_sort",
    "datafusion.optimizer.prefer_existing_union",
    "datafusion.optimizer.enable_sort_pushdown",
];

/// The settings of one session, and what was chosen.
#[derive(Debug)]
pub struct Settings {
    partitions: usize,
    batch_size: usize,
    /// As if groups were too many to be folded by each partition: rows are sent on as states.
    skips_partial: bool,
    switches: Vec<(&'static str, bool)>,
    /// Bytes of memory after which groups and rows go to disk.
    memory: Option<usize>,
    /// Whether the rows of each partition are sorted by `k`, and the table says so.
    pub is_sorted: bool,
}

impl Settings {
    /// Partitions and sizes of batches, and the rest as it is by default.
    pub fn plain(random: &mut Random) -> Self {
        Settings {
            partitions: 1 + random.below(4),
            batch_size: *random.pick(&[2, 7, 64, 8192]),
            skips_partial: random.once_in(2),
            switches: Vec::new(),
            memory: None,
            is_sorted: false,
        }
    }

    /// Any settings.
    pub fn any(random: &mut Random) -> Self {
        Settings {
            partitions: 1 + random.below(8),
            batch_size: *random.pick(&[1, 2, 3, 7, 64, 100, 8192]),
            switches: SWITCHES.iter().map(|&switch| (switch, random.once_in(2))).collect(),
            memory: random.once_in(3).then(|| 1 << (16 + random.below(6))),
            is_sorted: random.once_in(3),
            ..Settings::plain(random)
        }
    }

    pub fn config(&self) -> Result<SessionConfig> {
        let mut config = SessionConfig::new().with_target_partitions(self.partitions);
        config = config.with_batch_size(self.batch_size);
        let options = config.options_mut();
        if self.skips_partial {
            options.execution.skip_partial_aggregation_probe_rows_threshold = 1;
            options.execution.skip_partial_aggregation_probe_ratio_threshold = 0.0;
        }
        if self.memory.is_some() {
            // As much as is kept back by default would leave nothing.
            options.execution.sort_spill_reservation_bytes = 1 << 10;
        }
        for (switch, is_on) in &self.switches {
            options.set(switch, &is_on.to_string())?;
        }
        Ok(config)
    }

    pub fn runtime(&self) -> Result<Arc<RuntimeEnv>> {
        let runtime = RuntimeEnvBuilder::new();
        match self.memory {
            Some(bytes) => runtime.with_memory_pool(Arc::new(FairSpillPool::new(bytes))),
            None => runtime,
        }
        .build_arc()
    }

    /// Whether so little memory was given that a query may be refused for want of it.
    pub fn is_short_of_memory(&self) -> bool {
        self.memory.is_some()
    }
}
