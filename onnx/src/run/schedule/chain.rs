//! Finding chains of nodes that are one operator.
//!
//! From each reduction of the table one goes back to what is done to its elements, and forth to what is done
//! to its results. A value on the way must have one reader, and be no output. Nodes that change nothing,
//! `Identity` and casts to the type that there is, are passed through.
//!
//! Casts to wider floats and back belong to a chain too. Around what is done to the results, they change a
//! rounding. Around a whole chain, they are what the operator does anyway over the narrow type, if it computes
//! in the wide one. The standard's body of `ReduceLogSumExp` has such casts against overflow, and the operator
//! over the narrow type does not overflow.

use reduce_core::DType;

use super::super::elementwise::{Binary, Unary};
use super::super::operation::Operation;
use super::super::program::{FlatNode, Id, Program};
use super::super::types::Types;
use super::table::{After, Before, Operator, Row};
use super::{Joined, Step};

/// The chains of a program.
#[derive(Default)]
pub(super) struct Chains {
    pub(super) found: Vec<Step>,
    /// Nodes that are in none, although they stand beside a reduction, and why.
    pub(super) apart: Vec<(usize, String)>,
}

impl Chains {
    pub(super) fn find(program: &Program<'_>, types: &Types) -> Self {
        let links = Links::new(program, types);
        let mut chains = Chains::default();
        let mut is_taken = vec![false; program.nodes.len()];
        for (core, node) in program.nodes.iter().enumerate() {
            let Operation::Reduce(entry, _) = &node.operation else { continue };
            if !Row::is_core(entry.schema().name) {
                continue;
            }
            let around = Around::of(&links, core);
            let chain = around.chain(&links, entry.schema().name);
            let chain = chain.filter(|step| step.nodes.iter().all(|&place| !is_taken[place]));
            chains.apart.extend(around.apart(&links, chain.as_ref()));
            if let Some(step) = chain {
                step.nodes.iter().for_each(|&place| is_taken[place] = true);
                chains.found.push(step);
            }
        }
        chains
    }
}

/// Who gives and who reads each value.
struct Links<'p> {
    program: &'p Program<'p>,
    types: &'p Types,
    givers: Vec<Option<usize>>,
    readers: Vec<Readers>,
}

/// Who reads a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    None,
    One(usize),
    Several,
    /// It is an output of the graph.
    Caller,
}

/// A node, and those that change nothing between it and where one came from.
struct Reached {
    node: usize,
    between: Vec<usize>,
}

impl<'p> Links<'p> {
    fn new(program: &'p Program<'p>, types: &'p Types) -> Self {
        let mut givers = vec![None; program.values];
        let mut readers = vec![Readers::None; program.values];
        for (place, node) in program.nodes.iter().enumerate() {
            givers[node.output] = Some(place);
            let read = match node.operation {
                Operation::CastLike => &node.inputs[..1],
                _ => &node.inputs[..],
            };
            for &id in read.iter().flatten() {
                readers[id] = match readers[id] {
                    Readers::None => Readers::One(place),
                    Readers::One(other) if other == place => Readers::One(place),
                    _ => Readers::Several,
                };
            }
        }
        for &(_, id) in &program.outputs {
            readers[id] = Readers::Caller;
        }
        Links { program, types, givers, readers }
    }

    fn node(&self, place: usize) -> &'p FlatNode<'p> {
        &self.program.nodes[place]
    }

    fn data(&self, place: usize) -> Option<Id> {
        self.node(place).inputs.first().copied().flatten()
    }

    /// The types that a cast is from and to.
    fn cast(&self, place: usize) -> Option<(DType, DType)> {
        let node = self.node(place);
        let is_cast = matches!(node.operation, Operation::Cast(_) | Operation::CastLike);
        let from = self.data(place).and_then(|id| self.types.of(id))?;
        Some((from, self.types.of(node.output)?)).filter(|_| is_cast)
    }

    fn changes_nothing(&self, place: usize) -> bool {
        matches!(self.node(place).operation, Operation::Identity)
            || self.cast(place).is_some_and(|(from, to)| from == to)
    }

    /// The node that gives a value which nobody else reads.
    fn back(&self, mut id: Id) -> Option<Reached> {
        let mut between = Vec::new();
        loop {
            let node = self.givers[id]?;
            if !matches!(self.readers[id], Readers::One(_)) {
                return None;
            }
            if !self.changes_nothing(node) {
                return Some(Reached { node, between });
            }
            between.push(node);
            id = self.data(node)?;
        }
    }

    /// The one node that reads a value.
    fn forth(&self, mut id: Id) -> Option<Reached> {
        let mut between = Vec::new();
        loop {
            let Readers::One(node) = self.readers[id] else { return None };
            if !self.changes_nothing(node) {
                return Some(Reached { node, between });
            }
            between.push(node);
            id = self.node(node).output;
        }
    }

    /// The cast from a narrower float that gives a value.
    fn widening(&self, id: Id) -> Option<(Reached, DType)> {
        let reached = self.back(id)?;
        let (from, to) = self.cast(reached.node)?;
        (widens(from, to)).then_some((reached, from))
    }

    /// The cast to this type that reads a value.
    fn casting_to(&self, id: Id, dtype: DType) -> Option<Reached> {
        self.forth(id).filter(|reached| self.cast(reached.node).is_some_and(|(_, to)| to == dtype))
    }
}

/// Whether a float of the first type is one of the second, which has more bits.
fn widens(from: DType, to: DType) -> bool {
    from.is_float() && to.is_float() && from.size() < to.size()
}

/// What stands around a reduction.
struct Around {
    core: usize,
    dtype: Option<DType>,
    before: Option<(Before, Reached)>,
    /// With casts around it, if there are any, and the value it gives.
    after: Option<(After, Vec<usize>, Id)>,
}

impl Around {
    fn of(links: &Links<'_>, core: usize) -> Self {
        let data = links.data(core);
        let before = data.and_then(|id| links.back(id));
        let before =
            before.and_then(|reached| before_of(links.node(reached.node)).zip(Some(reached)));
        let dtype = data.and_then(|id| links.types.of(id));
        Around { core, dtype, before, after: after(links, core, dtype) }
    }

    /// The longest chain, if there is one.
    fn chain(&self, links: &Links<'_>, core: &str) -> Option<Step> {
        let dtype = self.dtype?;
        let fits = |row: &&Row| {
            (row.before == Before::Nothing
                || self.before.as_ref().is_some_and(|(before, _)| *before == row.before))
                && (row.after == After::Nothing
                    || self.after.as_ref().is_some_and(|(after, ..)| *after == row.after))
        };
        Row::all(core, dtype).filter(fits).find_map(|row| self.step(links, row, dtype))
    }

    /// The chain of a row, with the casts around it.
    fn step(&self, links: &Links<'_>, row: &Row, dtype: DType) -> Option<Step> {
        let core = links.node(self.core);
        let (mut nodes, mut output) = (vec![self.core], core.output);
        let mut sources = vec![links.data(self.core)?];
        if row.before != Before::Nothing {
            let (_, reached) = self.before.as_ref()?;
            nodes.push(reached.node);
            nodes.extend(&reached.between);
            sources = links.node(reached.node).inputs.iter().flatten().copied().collect();
            if row.before == Before::Square {
                sources.truncate(1);
            }
            if sources.iter().any(|&id| links.types.of(id) != Some(dtype)) {
                return None;
            }
        }
        if row.after != After::Nothing {
            let (_, found, result) = self.after.as_ref()?;
            nodes.extend(found);
            output = *result;
        }
        let operator = row.operator()?;
        match around_all(links, &sources, output, operator, dtype) {
            Some(casts) => {
                nodes.extend(casts.nodes);
                (sources, output) = (vec![casts.source], casts.output);
            }
            None if row.length() == 1 => return None,
            None => {}
        }
        nodes.sort_unstable();
        let axes = core.inputs.get(1).copied().flatten();
        if axes.is_some_and(|axes| nodes.iter().any(|&place| links.node(place).output == axes)) {
            return None;
        }
        let inputs = sources.into_iter().map(Some).chain([axes]).collect();
        let joined = Some(Joined { operator, core: self.core });
        Some(Step { nodes, joined, inputs, output, dtype: links.types.of(output) })
    }

    /// The neighbours that are not in a chain, and why.
    fn apart(&self, links: &Links<'_>, chain: Option<&Step>) -> Vec<(usize, String)> {
        let is_in = |place: usize| chain.is_some_and(|step| step.nodes.contains(&place));
        let mut apart = Vec::new();
        let core = &links.node(self.core).site;
        let giver = links.data(self.core).and_then(|id| links.givers[id]);
        let giver = giver.filter(|&place| before_of(links.node(place)).is_some() && !is_in(place));
        if let Some(place) = giver {
            apart.push((place, self.reason(links, links.node(place).output, &core.to_string())));
        }
        if let Readers::One(place) = links.readers[links.node(self.core).output]
            && after_of(links.node(place)).is_some()
            && !is_in(place)
        {
            apart
                .push((place, self.reason(links, links.node(self.core).output, &core.to_string())));
        }
        apart
    }

    fn reason(&self, links: &Links<'_>, between: Id, core: &str) -> String {
        match links.readers[between] {
            Readers::Several => format!("whose result more nodes than {core} read"),
            Readers::Caller => format!("whose result is an output, with {core}"),
            _ => {
                let dtype = self.dtype.map_or("this type", DType::name);
                format!(
                    "with {core}: no one operator does both over {dtype}, and what is joined already"
                )
            }
        }
    }
}

fn before_of(node: &FlatNode<'_>) -> Option<Before> {
    match node.operation {
        Operation::Unary(Unary::Exp) => Some(Before::Exp),
        Operation::Unary(Unary::Abs) => Some(Before::Abs),
        Operation::Binary(Binary::Mul) if node.inputs[0] == node.inputs[1] => Some(Before::Square),
        Operation::Binary(Binary::Mul) => Some(Before::Product),
        _ => None,
    }
}

fn after_of(node: &FlatNode<'_>) -> Option<After> {
    match node.operation {
        Operation::Unary(Unary::Log) => Some(After::Log),
        Operation::Unary(Unary::Sqrt) => Some(After::Sqrt),
        _ => None,
    }
}

/// What is done to the results of a reduction, in their type or in a wider one and back.
fn after(links: &Links<'_>, core: usize, dtype: Option<DType>) -> Option<(After, Vec<usize>, Id)> {
    let mut reached = links.forth(links.node(core).output)?;
    let mut nodes = Vec::new();
    let casts = links.cast(reached.node).filter(|&(from, to)| widens(from, to));
    if casts.is_some() {
        let wide = links.node(reached.node).output;
        nodes.push(reached.node);
        nodes.append(&mut reached.between);
        reached = links.forth(wide)?;
    }
    let after = after_of(links.node(reached.node))?;
    let mut output = links.node(reached.node).output;
    nodes.push(reached.node);
    nodes.append(&mut reached.between);
    if casts.is_some() {
        let back = links.casting_to(output, dtype?)?;
        output = links.node(back.node).output;
        nodes.push(back.node);
        nodes.extend(back.between);
    }
    Some((after, nodes, output))
}

/// Casts around a whole chain.
struct CastsAround {
    nodes: Vec<usize>,
    source: Id,
    output: Id,
}

/// The casts around a chain over elements of a wide type, if the operator does as well without them.
fn around_all(
    links: &Links<'_>,
    sources: &[Id],
    output: Id,
    operator: Operator,
    wide: DType,
) -> Option<CastsAround> {
    let &[source] = sources else { return None };
    let (first, narrow) = links.widening(source)?;
    let is_computed_so = wide == DType::F32 || operator.name() == "ReduceLogSumExp";
    let last = links.casting_to(output, narrow).filter(|_| is_computed_so)?;
    let mut nodes = vec![first.node, last.node];
    nodes.extend(first.between.iter().chain(&last.between));
    Some(CastsAround {
        nodes,
        source: links.data(first.node)?,
        output: links.node(last.node).output,
    })
}
