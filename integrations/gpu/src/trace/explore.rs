//! A step run for every way in which its decisions may come out, and the results joined.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arena::{Fact, arena};
use super::error::Reason;
use super::facts;
use super::join;
use super::places::{self, Known, LAST};
use crate::graph::Id;

/// The most paths of a step.
const MOST_PATHS: usize = 6000;

/// How often a run is repeated with other positions.
const OTHER_POSITIONS: u64 = 24;

/// A scalar that a step made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Value(Id),
    /// A position or a counter.
    Place(u64),
}

/// What a step is, for its tracer: a function that calls it, and gives the scalars that it made.
pub(super) type Step<'s> = &'s dyn Fn() -> Vec<Scalar>;

/// A run: its answers, and what it made.
struct Run {
    path: Vec<Fact>,
    made: Vec<Scalar>,
}

/// A way through a step, in which positions make no difference from some fact on.
enum Way {
    /// Whatever the positions are.
    Steady(Run, Vec<Id>),
    /// After these answers, the order of two positions changes what follows.
    Forked(Vec<Fact>, Id),
    /// No positions agree with the facts.
    Never,
}

/// The nodes that a step makes.
pub(super) fn explore(step: Step<'_>) -> Result<Vec<Id>, Reason> {
    let mut explorer = Explorer { step, paths: 0, seed: 0x2545_f491_4f6c_dd1d };
    let made = explorer.from(&[])?;
    made.ok_or(Reason::Unsteady)
}

struct Explorer<'s> {
    step: Step<'s>,
    paths: usize,
    seed: u64,
}

impl Explorer<'_> {
    /// What the step makes where these facts hold; nothing if they never do.
    fn from(&mut self, prefix: &[Fact]) -> Result<Option<Vec<Id>>, Reason> {
        self.paths += 1;
        if self.paths > MOST_PATHS {
            let last = prefix.last().map(|fact| fact.condition);
            let words = |id| arena(|arena| facts::in_words(&arena.graph, id));
            return Err(Reason::Paths {
                most: MOST_PATHS,
                decision: last.map_or_else(String::new, words),
            });
        }
        let start = prefix.len();
        let (path, mut made) = match self.way(prefix)? {
            Way::Never => return Ok(None),
            Way::Steady(run, made) => (run.path, Some(made)),
            Way::Forked(path, condition) => {
                let made = self.fork(&path, condition)?;
                (path, made)
            }
        };
        for index in (start..path.len()).rev() {
            let fact = path[index];
            made = self.other(&path[..index], fact, made)?;
        }
        Ok(made)
    }

    /// Both ways in which two positions may lie, behind some answers.
    fn fork(&mut self, path: &[Fact], condition: Id) -> Result<Option<Vec<Id>>, Reason> {
        let fact = Fact { condition, holds: true, is_of_places: true };
        let yes = self.from(&[path, &[fact]].concat())?;
        self.other(path, fact, yes)
    }

    /// What was made where a fact holds, and what is made where it does not.
    fn other(
        &mut self,
        path: &[Fact],
        fact: Fact,
        made: Option<Vec<Id>>,
    ) -> Result<Option<Vec<Id>>, Reason> {
        let opposite = Fact { holds: !fact.holds, ..fact };
        let other = self.from(&[path, &[opposite]].concat())?;
        let (Some(made), Some(other)) = (&made, &other) else { return Ok(made.or(other)) };
        let (yes, no) = if fact.holds { (made, other) } else { (other, made) };
        Ok(Some(arena(|arena| {
            let pairs = yes.iter().zip(no);
            pairs
                .map(|(&yes, &no)| join::select(&mut arena.graph, fact.condition, yes, no))
                .collect()
        })))
    }

    /// The first run behind a prefix, and whether the order of positions changes it.
    fn way(&mut self, prefix: &[Fact]) -> Result<Way, Reason> {
        let mut chosen = HashMap::new();
        let known = arena(|arena| Known::of(&arena.graph, prefix));
        let fixed = prefix.iter().any(|fact| fact.is_of_places);
        if fixed {
            // Positions are met in the order of slots, and not in that of the facts.
            let positions = self.positions(prefix)?;
            match known.numbers(&positions, false, &mut |_| 0) {
                Some(numbers) => chosen = numbers,
                None => return Ok(Way::Never),
            }
        }
        let run = self.run(prefix, chosen)?;
        let (positions, numbers, made) = arena(|arena| {
            let places = &arena.places;
            let positions: Vec<Id> = places.positions.iter().map(|(id, _)| *id).collect();
            let numbers: HashMap<Id, u64> = places.positions.iter().copied().collect();
            let made = run.made.iter().map(|scalar| match *scalar {
                Scalar::Value(_) => Ok(places::Made::Constant(0)),
                Scalar::Place(found) => places.made(found).ok_or(Reason::Place(found)),
            });
            made.collect::<Result<Vec<_>, _>>().map(|made| (positions, numbers, made))
        })?;
        // What differs first: answers behind it may depend on other positions too.
        let mut first: Option<(usize, HashMap<Id, u64>)> = None;
        for turn in 0..if positions.is_empty() { 0 } else { OTHER_POSITIONS } {
            let others = known.numbers(&positions, turn % 2 == 1, &mut |most| self.random(most));
            let Some(others) = others else { continue };
            let other = self.run(prefix, others.clone())?;
            if let Some(common) = differs(&run, &other, &made)
                && first.as_ref().is_none_or(|(least, _)| common < *least)
            {
                first = Some((common, others));
            }
        }
        if let Some(first) = first {
            return self.forked(prefix, (run, numbers), first, &made);
        }
        let nodes = arena(|arena| {
            let of = |(scalar, made): (&Scalar, &places::Made)| match *scalar {
                Scalar::Value(id) => id,
                Scalar::Place(_) => places::node_of(&mut arena.graph, *made),
            };
            run.made.iter().zip(&made).map(of).collect()
        });
        Ok(Way::Steady(run, nodes))
    }

    /// Finds the fact of two positions that makes a difference behind up to `common` answers. One set of numbers is
    /// changed into another one, pair by pair, until the outcome changes.
    fn forked(
        &mut self,
        prefix: &[Fact],
        (run, mut numbers): (Run, HashMap<Id, u64>),
        (common, others): (usize, HashMap<Id, u64>),
        made: &[places::Made],
    ) -> Result<Way, Reason> {
        loop {
            let (next, condition) = step_towards(&numbers, &others).ok_or(Reason::Unsteady)?;
            let other = self.run(prefix, next.clone())?;
            if let Some(common) = differs(&run, &other, made).filter(|found| *found <= common) {
                return Ok(Way::Forked(run.path[..common.max(prefix.len())].to_vec(), condition));
            }
            numbers = next;
        }
    }

    /// The positions that the step is given.
    fn positions(&mut self, prefix: &[Fact]) -> Result<Vec<Id>, Reason> {
        let _: Run = self.run(&prefix[..0], HashMap::new())?;
        Ok(arena(|arena| arena.places.positions.iter().map(|(id, _)| *id).collect()))
    }

    fn run(&self, prefix: &[Fact], chosen: HashMap<Id, u64>) -> Result<Run, Reason> {
        arena(|arena| {
            arena.prefix = prefix.to_vec();
            arena.path.clear();
            arena.places.clear();
            arena.places.chosen = chosen;
        });
        let made = catch_unwind(AssertUnwindSafe(self.step)).map_err(|panic| {
            let text = |panic: &Box<dyn std::any::Any + Send>| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| panic.downcast_ref::<String>().cloned())
            };
            match panic.downcast::<Reason>() {
                Ok(reason) => *reason,
                Err(panic) => Reason::Panicked(text(&panic).unwrap_or_default()),
            }
        })?;
        let path = arena(|arena| {
            arena.repeat_places();
            std::mem::take(&mut arena.path)
        });
        if path.len() < prefix.len() {
            return Err(Reason::Unsteady);
        }
        Ok(Run { path, made })
    }

    /// A number below another one.
    fn random(&mut self, most: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from(self.seed >> 33).unwrap_or(0) % most.max(1)
    }
}

/// Behind how many answers another run, whose numbers are still in the arena, did something else.
fn differs(run: &Run, other: &Run, made: &[places::Made]) -> Option<usize> {
    let common = run.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
    if common < run.path.len().max(other.path.len()) {
        return Some(common);
    }
    let is_same = |((a, b), made): ((&Scalar, &Scalar), &places::Made)| match (*a, *b) {
        (Scalar::Value(a), Scalar::Value(b)) => a == b,
        (Scalar::Place(_), Scalar::Place(found)) => {
            arena(|arena| arena.places.value(*made)) == found
        }
        _ => false,
    };
    let are_same = run.made.iter().zip(&other.made).zip(made).all(is_same);
    (!are_same).then_some(common)
}

/// Numbers that are nearer to others by the order of one pair, or by whether one is last; and the condition that changed.
fn step_towards(
    numbers: &HashMap<Id, u64>,
    others: &HashMap<Id, u64>,
) -> Option<(HashMap<Id, u64>, Id)> {
    let mut ids: Vec<Id> = numbers.keys().copied().collect();
    ids.sort_by_key(|id| (numbers[id], *id));
    let mut next = numbers.clone();
    let free = places::number(4000);
    // Those that become last go there from the end; those that were last come back to the end.
    let becomes = |id: &&Id| (numbers[*id] == LAST) != (others.get(*id) == Some(&LAST));
    if let Some(&id) = ids.iter().rev().find(becomes) {
        let greatest = ids.iter().map(|id| numbers[id]).filter(|&number| number != LAST).max();
        let number =
            if numbers[&id] == LAST { greatest.map_or(free, |most| most + free) } else { LAST };
        next.insert(id, number);
        return Some((next, arena(|arena| places::is_last(&mut arena.graph, id))));
    }
    let moving: Vec<Id> = ids.into_iter().filter(|id| numbers[id] != LAST).collect();
    let pair = moving.windows(2).find(|pair| others.get(&pair[0]) > others.get(&pair[1]))?;
    let (a, b) = (pair[0], pair[1]);
    next.insert(a, numbers[&b]);
    next.insert(b, numbers[&a]);
    let (first, second) = (a.min(b), a.max(b));
    Some((next, arena(|arena| places::is_before(&mut arena.graph, first, second))))
}
