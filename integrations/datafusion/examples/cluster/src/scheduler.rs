//! The scheduler: takes logical plans from clients, cuts them into stages, hands out tasks.

use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::utils::default_session_builder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::TcpListener;

use crate::{Result, cluster, functions, process, slowly};

/// Runs a scheduler on a free port, whose address is the first line of its output.
pub(crate) async fn run() -> Result<()> {
    process::end_with_parent();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let config = Arc::new(config(address.port()));
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await?;
    println!("{address}");
    Ok(start_grpc_service_with_listener(listener, scheduler).await?)
}

fn config(port: u16) -> SchedulerConfig {
    SchedulerConfig {
        external_host: "127.0.0.1".into(),
        bind_port: port,
        // Executors ask for work, so the scheduler needs no way to them.
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        min_ready_executors: cluster::EXECUTORS,
        executor_timeout_seconds: cluster::LOST_AFTER.as_secs(),
        no_executors_grace_period_seconds: cluster::LOST_AFTER.as_secs(),
        expire_dead_executor_interval_seconds: 1,
        // The aggregates, for planning and for the plans that come and go.
        override_session_builder: Some(Arc::new(|config| {
            let mut state = default_session_builder(config)?;
            functions::register(&mut state, slowly::elsewhere())?;
            Ok(state)
        })),
        override_logical_codec: Some(functions::logical_codec()),
        override_physical_codec: Some(functions::physical_codec()),
        ..SchedulerConfig::default()
    }
}
