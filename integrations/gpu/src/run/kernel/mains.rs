//! The main functions of the passes over a reduction.
//!
//! All of them are on records `Acc`, `Elem` and `Out`, and on functions of an operator: `identity`, `map_`, `push`, `combine`,
//! `finalize`, `doubts`; and on `load(result, element)`, which reads an element.

use super::super::tiles::{Tile, halves};
use crate::graph::Type;
use crate::print;

/// What is known of an operator where its kernels are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mains<'a> {
    pub(crate) accumulator: &'a [Type],
    pub(crate) results: &'a [Type],
    pub(crate) doubts: bool,
    pub(crate) selects: bool,
    pub(crate) from_first: bool,
    /// Whether results go elsewhere than as they are numbered: to `scattered(result)`.
    pub(crate) scatters: bool,
}

/// What a pass leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// States of groups of blocks.
    Groups,
    /// Results.
    Done,
}

/// The start of every main: the number of the workgroup.
const HEAD: &str = "fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) all: vec3<u32>, \
                    @builtin(local_invocation_index) t: u32) {
  let group = workgroup.y * all.x + workgroup.x;
";

impl Mains<'_> {
    /// A strand of a block for each thread, merged as far as the tile goes.
    pub(crate) fn fold(&self, tile: &Tile, leaves: State) -> String {
        let Tile { results, rows, neighbours, blocks, .. } = *tile;
        let place = match tile.across {
            true => format!(
                "  let neighbour = t % {neighbours}u;
  let in_tile = (t / {neighbours}u) % {results}u;
  let row = (t / {rn}u) % {rows}u;
  let part = t / {rnk}u;
",
                rn = results * neighbours,
                rnk = results * neighbours * rows,
            ),
            false => format!(
                "  let neighbour = t % {neighbours}u;
  let row = (t / {neighbours}u) % {rows}u;
  let part = (t / {strands}u) % {blocks}u;
  let in_tile = t / {sb}u;
",
                strands = tile.strands(),
                sb = tile.strands() * blocks,
            ),
        };
        let body = format!(
            "{place}  let result = (group % u.tiles) * {results}u + in_tile;
  let tile = group / u.tiles;
  let block = tile * {blocks}u + part;
  let strand = row * {neighbours}u + neighbour;
  let works = t < {used}u && result < u.results && block < u.blocks;
  var acc = identity();
  if (works) {{
    let run = block / u.blocks_of_run;
    let start = run * u.run + (block % u.blocks_of_run) * u.block;
    let end = min(start + u.block, (run + 1u) * u.run);
{elements}  }}
",
            used = tile.used(),
            elements = self.elements(&format!("{}u", tile.strands())),
        );
        let joined = Self::joined(tile, Some("u.blocks"), leaves == State::Done);
        let left = match leaves {
            State::Groups => {
                self.write_state("result", "strand", "u.groups", "tile", "works && part == 0u")
            }
            State::Done => self.write_result("works && part == 0u && strand == 0u"),
        };
        self.kernel(tile, &(body + &joined + &left))
    }

    /// A strand of a block for each thread, of more strands than a workgroup has threads.
    pub(crate) fn fold_wide(&self, tile: &Tile) -> String {
        let body = format!(
            "  let number = group * {threads}u + t;
  let strand = number % u.strands;
  let result = (number / u.strands) % u.results;
  let block = number / u.strands / u.results;
  let works = block < u.blocks;
  var acc = identity();
  if (works) {{
    let run = block / u.blocks_of_run;
    let start = run * u.run + (block % u.blocks_of_run) * u.block;
    let end = min(start + u.block, (run + 1u) * u.run);
{elements}  }}
",
            threads = tile.threads,
            elements = self.elements("u.strands"),
        );
        self.kernel(
            tile,
            &(body + &self.write_state("result", "strand", "u.groups", "block", "works")),
        )
    }

    /// The elements of a strand, from `start + strand` on.
    fn elements(&self, strands: &str) -> String {
        let push = format!(
            "    for (var i = start + strand; i < end; i += {strands}) {{ acc = push(acc, load(result, i)); }}\n"
        );
        match self.from_first {
            true => "    acc = map_(load(result, 0u));
    for (var i = 1u; i < end; i += 1u) { acc = push(acc, load(result, i)); }
"
            .to_owned(),
            false => push,
        }
    }

    /// States of groups of blocks merged by larger groups.
    pub(crate) fn merge(&self, tile: &Tile) -> String {
        let Tile { results, blocks, .. } = *tile;
        let read = self.read_state("item / u.strands", "item % u.strands", "u.groups", "block");
        let body = format!(
            "  let part = t % {blocks}u;
  let item = (group % u.tiles) * {results}u + t / {blocks}u;
  let tile = group / u.tiles;
  let block = tile * {blocks}u + part;
  let works = item < u.results * u.strands && block < u.groups;
  var acc = identity();
  if (works) {{ acc = {read}; }}
"
        );
        let write = self.write_state(
            "item / u.strands",
            "item % u.strands",
            "u.next_groups",
            "tile",
            "works && part == 0u",
        );
        self.kernel(tile, &(body + &Self::joined(tile, Some("u.groups"), false) + &write))
    }

    /// Strands halved once, in memory.
    pub(crate) fn halve(&self, tile: &Tile) -> String {
        let read = |strand: &str| self.state_of("out_", "result", strand, "1u", "0u");
        let (first, second) = (read("strand"), read("strand + u.apart"));
        let body = format!(
            "  let number = group * {threads}u + t;
  let strand = number % u.halved;
  let result = number / u.halved;
  let works = result < u.results;
  var acc = identity();
  if (works) {{ acc = combine({first}, {second}); }}
",
            threads = tile.threads,
        );
        self.kernel(tile, &(body + &self.write_state("result", "strand", "1u", "0u", "works")))
    }

    /// Strands halved until one is left, and results.
    pub(crate) fn finish(&self, tile: &Tile) -> String {
        let Tile { results, neighbours, .. } = *tile;
        let read = self.read_state("result", "strand", "1u", "0u");
        let body = format!(
            "  let strand = t % {strands}u;
  let row = strand / {neighbours}u;
  let neighbour = strand % {neighbours}u;
  let result = group * {results}u + t / {strands}u;
  let works = t < {used}u && result < u.results;
  var acc = identity();
  if (works) {{ acc = {read}; }}
",
            strands = tile.strands(),
            used = tile.used(),
        );
        let done = Self::joined(tile, None, true) + &self.write_result("works && strand == 0u");
        self.kernel(tile, &(body + &done))
    }

    /// States of a tile joined, in one loop, since a text for each turn would take the device long to compile.
    ///
    /// First the blocks, if they are counted, in a tree: part `p` takes over part `p + d`, for `d` of 1, 2, 4 and so on. Then, if
    /// `halves`, the strands of each result: rows, and what is left of them.
    fn joined(tile: &Tile, all: Option<&str>, halve: bool) -> String {
        let (block_step, row_step, neighbour_step) = tile.steps();
        let trees = all.map_or(0, |_| tile.blocks.ilog2());
        let of = |strands, step| halves(strands).into_iter().map(move |pair| (pair, step));
        let rows: Vec<_> = of(tile.rows, row_step).filter(|_| halve).collect();
        let neighbours: Vec<_> = of(tile.neighbours, neighbour_step).filter(|_| halve).collect();
        let turns = trees as usize + rows.len() + neighbours.len();
        if turns == 0 {
            return String::new();
        }
        let mut text = String::new();
        let mut branches = Vec::new();
        if let Some(all) = all.filter(|_| trees > 0) {
            branches.push((
                trees as usize,
                format!(
                    "let d = 1u << turn;
      takes = (part & (2u * d - 1u)) == 0u && part + d < {blocks}u && block + d < {all};
      other += d * {block_step}u;",
                    blocks = tile.blocks,
                ),
            ));
        }
        for (name, only, list) in [("row", "", &rows), ("neighbour", "row == 0u && ", &neighbours)]
        {
            if list.is_empty() {
                continue;
            }
            let before: usize = branches.iter().map(|(turns, _)| turns).sum();
            let numbers = |of: &dyn Fn(u32, u32, u32) -> u32| {
                let all = list.iter().map(|&((left, half), step)| of(left, half, step));
                let all: Vec<String> = all.map(|number| format!("{number}u")).collect();
                format!("array<u32, {}>({})", list.len(), all.join(", "))
            };
            text += &format!(
                "  var below_{name} = {};\n  var apart_{name} = {};\n",
                numbers(&|left, half, _| left - half),
                numbers(&|_, half, step| half * step),
            );
            branches.push((
                list.len(),
                format!(
                    "takes = {only}{name} < below_{name}[turn - {before}u];
      other += apart_{name}[turn - {before}u];"
                ),
            ));
        }
        let mut before = 0;
        let mut chosen = Vec::new();
        for (turns, statements) in branches {
            before += turns;
            chosen.push(format!("if (turn < {before}u) {{\n      {statements}\n    }}"));
        }
        text + &format!(
            "  shared_[t] = acc;
  workgroupBarrier();
  for (var turn = 0u; turn < {turns}u; turn += 1u) {{
    var takes = false;
    var other = t;
    {chosen}
    if (works && takes) {{
      acc = combine(acc, shared_[other]);
      shared_[t] = acc;
    }}
    workgroupBarrier();
  }}
",
            chosen = chosen.join(" else "),
        )
    }

    /// The words of a state: those of all results, strands and groups lie one behind the other, a word of each in turn.
    fn index(word: usize, result: &str, strand: &str, groups: &str, group: &str) -> String {
        format!("(({word}u * u.results + {result}) * u.strands + {strand}) * {groups} + {group}")
    }

    fn read_state(&self, result: &str, strand: &str, groups: &str, group: &str) -> String {
        self.state_of("in_0", result, strand, groups, group)
    }

    fn state_of(&self, of: &str, result: &str, strand: &str, groups: &str, group: &str) -> String {
        let words: usize = self.accumulator.iter().map(|ty| print::words(*ty)).sum();
        let index = |word| format!("{of}[{}]", Self::index(word, result, strand, groups, group));
        let words: Vec<String> = (0..words).map(index).collect();
        print::record_from_words("Acc", self.accumulator, &words)
    }

    fn write_state(
        &self,
        result: &str,
        strand: &str,
        groups: &str,
        group: &str,
        when: &str,
    ) -> String {
        let words = print::record_to_words(self.accumulator, "acc");
        let write = |(index, word): (usize, &String)| {
            format!("    out_[{}] = {word};\n", Self::index(index, result, strand, groups, group))
        };
        let writes: String = words.iter().enumerate().map(write).collect();
        format!("  if ({when}) {{\n{writes}  }}\n")
    }

    /// Results: a word of each in turn, at the place that it goes to, and last whether it is doubted, as results are numbered.
    fn write_result(&self, when: &str) -> String {
        let words = print::record_to_words(self.results, "made");
        let place = if self.scatters { "scattered(result)" } else { "result" };
        let mut writes = format!("    let place = {place};\n");
        for (index, word) in words.iter().enumerate() {
            writes += &format!("    out_[{index}u * u.results + place] = {word};\n");
        }
        if self.doubts {
            let index = words.len();
            writes += &format!(
                "    out_[{index}u * u.results + result] = select(0u, 1u, doubts(acc));\n"
            );
        }
        // The element at the position, and not one that is equal to it.
        let last = self.accumulator.len().saturating_sub(1);
        let again = format!(
            "    let selected = acc.s{last} - u.first;
    if (selected < u.count) {{ acc = map_(load(result, selected)); }}
"
        );
        let again = if self.selects { again } else { String::new() };
        format!("  if ({when}) {{\n{again}    let made = finalize(acc);\n{writes}  }}\n")
    }

    fn kernel(&self, tile: &Tile, body: &str) -> String {
        let threads = tile.threads;
        let shared = match body.contains("shared_") {
            true => format!("var<workgroup> shared_: array<Acc, {threads}>;\n"),
            false => String::new(),
        };
        format!("{shared}@compute @workgroup_size({threads})\n{HEAD}{body}}}\n")
    }
}
