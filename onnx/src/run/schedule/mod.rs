//! The schedule of a program: which nodes are run one by one, and which are joined to one reduction.

mod chain;
mod table;

use std::collections::HashMap;
use std::fmt::Write;

use reduce_core::DType;

use super::operation::Operation;
use super::program::{FlatNode, Id, Program};
use super::types::Types;
use chain::Chains;
pub(super) use table::Operator;

/// What is done, step by step.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) steps: Vec<Step>,
    /// Of each value, the last step that reads it.
    pub(super) last_reader: Vec<Option<usize>>,
    /// Nodes that might have been joined, and why they were not.
    apart: Vec<(usize, String)>,
}

/// One pass over its inputs.
#[derive(Debug)]
pub(super) struct Step {
    /// The places of its nodes in the program. The last node gives the result.
    pub(super) nodes: Vec<usize>,
    pub(super) joined: Option<Joined>,
    pub(super) inputs: Vec<Option<Id>>,
    pub(super) output: Id,
    /// The type of the result.
    pub(super) dtype: Option<DType>,
}

/// A reduction that does what several nodes do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) operator: Operator,
    /// The place of the reduction whose axes and flags count.
    pub(super) core: usize,
}

impl Schedule {
    /// The schedule of a program, with nodes joined where that is allowed.
    pub(super) fn new(program: &Program<'_>, types: &Types, joins: bool) -> Self {
        let chains = if joins { Chains::find(program, types) } else { Chains::default() };
        let is_joined: HashMap<usize, usize> = chains
            .found
            .iter()
            .enumerate()
            .flat_map(|(chain, step)| step.nodes.iter().map(move |&node| (node, chain)))
            .collect();
        let mut found: Vec<Option<Step>> = chains.found.into_iter().map(Some).collect();
        let mut steps = Vec::with_capacity(program.nodes.len());
        for (place, node) in program.nodes.iter().enumerate() {
            match is_joined.get(&place) {
                None => steps.push(alone(place, node, types)),
                // A chain is run where its last node stands: all that it reads is there by then.
                Some(&chain) => {
                    let step = found[chain].take_if(|step| step.nodes.last() == Some(&place));
                    steps.extend(step);
                }
            }
        }
        let mut last_reader = vec![None; program.values];
        for (number, step) in steps.iter().enumerate() {
            for id in step.inputs.iter().flatten() {
                last_reader[*id] = Some(number);
            }
        }
        Schedule { steps, last_reader, apart: chains.apart }
    }

    /// Whether any nodes are joined.
    pub(super) fn joins(&self) -> bool {
        self.steps.iter().any(|step| step.joined.is_some())
    }

    /// The schedule in words: a line for each step, and one for each node that might have been joined.
    pub(super) fn explain(&self, program: &Program<'_>, types: &Types) -> String {
        let site = |place: &usize| program.nodes[*place].site.to_string();
        let mut text = String::new();
        let width = self.steps.len().to_string().len();
        for (number, step) in self.steps.iter().enumerate() {
            let _ = write!(text, "step {:>width$}: ", number + 1);
            let sites: Vec<String> = step.nodes.iter().map(site).collect();
            let _ = match &step.joined {
                None => writeln!(text, "{}", sites.join(", ")),
                Some(joined) => {
                    let dtype = step.inputs.iter().flatten().next().and_then(|id| types.of(*id));
                    let dtype = dtype.map_or_else(String::new, |dtype| format!(" of {dtype}"));
                    let operator = joined.operator.name();
                    writeln!(text, "{operator}{dtype} in one pass, for {}", sites.join(", "))
                }
            };
        }
        for (place, reason) in &self.apart {
            let _ = writeln!(text, "not joined: {}, {reason}", site(place));
        }
        text
    }
}

fn alone(place: usize, node: &FlatNode<'_>, types: &Types) -> Step {
    let mut inputs = node.inputs.clone();
    if matches!(node.operation, Operation::CastLike) {
        // Of the second one the type is known.
        inputs.truncate(1);
    }
    let (output, dtype) = (node.output, types.of(node.output));
    Step { nodes: vec![place], joined: None, inputs, output, dtype }
}
