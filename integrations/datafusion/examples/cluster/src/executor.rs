//! An executor: runs tasks, keeps their results as files, serves these to whoever reads them next.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::{create_grpc_server, default_config_producer, default_session_builder};
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::flight_service::BallistaFlightService;
use tokio_stream::wrappers::TcpListenerStream;

use crate::{Result, functions, process, slowly};

/// Tasks that one executor runs at a time.
const CORES: usize = 2;

/// Runs an executor of the scheduler at `scheduler`, with its files in `folder`, on a free port.
pub(crate) async fn run(scheduler: &str, folder: &str) -> Result<()> {
    process::end_with_parent();
    let scheduler: SocketAddr = scheduler.parse()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    // The aggregates, to be found by name.
    let mut state = default_session_builder(default_config_producer())?;
    functions::register(&mut state, slowly::on_executor())?;
    let config = ExecutorProcessConfig {
        external_host: Some("127.0.0.1".into()),
        port: listener.local_addr()?.port(),
        // The port to push tasks to. This executor asks for its tasks.
        grpc_port: 0,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        scheduler_host: scheduler.ip().to_string(),
        scheduler_port: scheduler.port(),
        vcores: CORES,
        work_dir: Some(folder.to_string()),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
        override_logical_codec: Some(functions::logical_codec()),
        override_physical_codec: Some(functions::physical_codec()),
        override_arrow_flight_service: Some(data_server(listener)),
        ..ExecutorProcessConfig::default()
    };
    Ok(start_executor_process(Arc::new(config)).await?)
}

/// Ballista's own data server on a port that is open already: Ballista would bind the port by its
/// number, and another process may have taken it by then.
fn data_server(listener: TcpListener) -> Arc<ArrowFlightServerProvider> {
    Arc::new(move |folder, _address, mut shutdown, config| {
        let listener = listener.try_clone().and_then(tokio::net::TcpListener::from_std);
        tokio::spawn(async move {
            let service = FlightServiceServer::new(BallistaFlightService::new(folder));
            create_grpc_server(&config)
                .add_service(service)
                .serve_with_incoming_shutdown(TcpListenerStream::new(listener?), shutdown.recv())
                .await
                .map_err(BallistaError::TonicError)
        })
    })
}
