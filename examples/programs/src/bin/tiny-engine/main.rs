//! A tiny inference engine: it loads a transformer block from an `.onnx` file, and runs it over tokens.
//!
//! The file has the block as exporters write it: norms of `ReduceMean`, softmax of `ReduceMax` and `ReduceSum`, and elementwise
//! nodes around them. The engine has products and elementwise loops of its own, in plain Rust (`kernels.rs`). Each
//! reduction is prepared when the model is loaded (`graph.rs`), and planned once for each number of tokens
//! (`plan.rs`). It reads and writes memory of the engine's pool, which is never cleared (`pool.rs`).
//!
//! ```text
//! cargo run --release -p reduce-programs --bin tiny-engine -- examples/programs/data/block.onnx 4 6 4
//! ```
//!
//! Behind the file stands the number of tokens of each call.

mod graph;
mod kernels;
mod plan;
mod pool;

use std::collections::HashMap;

use reduce_programs::{Failure, noise, size};

use graph::{Action, Graph};
use plan::Plan;
use pool::Pool;

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("no model; name an `.onnx` file")?;
    let graph = Graph::open(&path)?;
    let reductions = graph.nodes.iter().filter(|node| matches!(node.action, Action::Reduce(_)));
    println!("{} nodes, {} of them reductions", graph.nodes.len(), reductions.count());

    let (mut plans, mut pool) = (HashMap::new(), Pool::default());
    for call in 2..std::env::args().len().max(3) {
        let tokens = size(call, "tokens", 4, 1..=4096)?;
        let (known, made) = (plans.contains_key(&tokens), pool.made());
        if !known {
            plans.insert(tokens, Plan::new(&graph, tokens)?);
        }
        let x: Vec<f32> = noise(1).take(tokens * graph.width).collect();
        let y = plans[&tokens].run(&graph, &x, &mut pool)?;
        let how = if known { "plan kept" } else { "planned" };
        println!("{tokens} tokens: {how}; {} new buffers", pool.made() - made);
        for (token, row) in y.chunks(graph.width).enumerate() {
            println!("  token {token} {}", shown(row));
        }
        pool.take_back(y);
    }
    Ok(())
}

fn shown(row: &[f32]) -> String {
    row.iter().map(|value| format!("{value:9.4}")).collect()
}
