//! The main functions of the passes over a reduction.
//!
//! All of them are on records `Acc`, `Elem` and `Out`, and on functions of an operator: `identity`, `map_`, `push`, `combine`,
//! `finalize`, `doubts`; and on `load(result, element)`, which reads an element.

use std::ops::Range;

use super::super::tiles::Tile;
use super::reading::word_of_result;
use crate::graph::Type;
use crate::print;

/// What is known of an operator where its kernels are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mains<'a> {
    pub(crate) accumulator: &'a [Type],
    pub(crate) results: &'a [Type],
    pub(crate) doubts: bool,
    /// The slots of each accumulator that is an element with its position.
    pub(crate) selects: &'a [Range<u16>],
    pub(crate) from_first: bool,
    /// Whether results go elsewhere than as they are numbered: to `scattered(result)`.
    pub(crate) scatters: bool,
}

/// The kind of values that a pass leaves.
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

/// What a thread has in the tile of its workgroup.
const PLACE: &str = "  let neighbour = t % u.tile_neighbours;
  let row = (t / u.step_row) % u.tile_rows;
  let strand = row * u.tile_neighbours + neighbour;
  let part = (t / u.step_block) % u.tile_blocks;
  let in_tile = (t / u.step_result) % u.tile_results;
";

impl Mains<'_> {
    /// A strand of a block for each thread, merged as far as the tile goes.
    pub(crate) fn fold(&self, tile: &Tile, leaves: State) -> String {
        let body = format!(
            "{PLACE}  let result = (group % u.tiles) * u.tile_results + in_tile;
  let tile = group / u.tiles;
  let block = tile * u.tile_blocks + part;
  let works = t < u.tile_used && result < u.results && block < u.blocks;
  var acc = identity();
  if (works) {{
{elements}  }}
",
            elements = self.elements(),
        );
        let joined = Self::joined(tile, "u.blocks", leaves == State::Done);
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
{elements}  }}
",
            threads = tile.threads,
            elements = self.elements(),
        );
        self.kernel(
            tile,
            &(body + &self.write_state("result", "strand", "u.groups", "block", "works")),
        )
    }

    /// The elements of a strand of a block.
    fn elements(&self) -> String {
        let turns = match self.from_first {
            true => {
                "    acc = map_(load(result, 0u));
    for (var i = 1u; i < end; i += 1u) {"
            }
            false => "    for (var i = start + strand; i < end; i += u.strands) {",
        };
        format!(
            "    let run = block / u.blocks_of_run;
    let start = run * u.run + (block % u.blocks_of_run) * u.block;
    let end = min(start + u.block, (run + 1u) * u.run);
{turns} acc = push(acc, load(result, i)); }}
"
        )
    }

    /// States of groups of blocks merged by larger groups.
    pub(crate) fn merge(&self, tile: &Tile) -> String {
        let read = self.read_state("item / u.strands", "item % u.strands", "u.groups", "block");
        let body = format!(
            "{PLACE}  let item = (group % u.tiles) * u.tile_results + in_tile;
  let tile = group / u.tiles;
  let block = tile * u.tile_blocks + part;
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
        self.kernel(tile, &(body + &Self::joined(tile, "u.groups", false) + &write))
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
        let read = self.read_state("result", "strand", "1u", "0u");
        let body = format!(
            "{PLACE}  let result = group * u.tile_results + in_tile;
  let block = 0u;
  let works = t < u.tile_used && result < u.results;
  var acc = identity();
  if (works) {{ acc = {read}; }}
"
        );
        let done = Self::joined(tile, "1u", true) + &self.write_result("works && strand == 0u");
        self.kernel(tile, &(body + &done))
    }

    /// States of a tile joined, of `all` blocks, in one loop: a text for each turn would take a device long to compile.
    ///
    /// First the blocks, in a tree: part `p` takes over part `p + d`, for `d` of 1, 2, 4 and so on. Then, if `halves`, the strands of each
    /// result: rows, and what is left of them. Of `n`, number `j + h` goes to number `j`, where `h` is the largest power of two below `n`.
    fn joined(tile: &Tile, all: &str, halves: bool) -> String {
        let strands = if halves { tile.strands() } else { 1 };
        if tile.blocks * strands == 1 {
            return String::new();
        }
        format!(
            "  var d = 1u;
  var rows = select(1u, u.tile_rows, {halves});
  var neighbours = select(1u, u.tile_neighbours, {halves});
  shared_[t] = acc;
  workgroupBarrier();
  loop {{
    var takes = works;
    var other = t;
    if (d < u.tile_blocks) {{
      takes = takes && (part & (2u * d - 1u)) == 0u && part + d < u.tile_blocks && block + d < {all};
      other += d * u.step_block;
      d <<= 1u;
    }} else if (rows > 1u) {{
      let half = 1u << (31u - countLeadingZeros(rows - 1u));
      takes = takes && row < rows - half;
      other += half * u.step_row;
      rows = half;
    }} else if (neighbours > 1u) {{
      let half = 1u << (31u - countLeadingZeros(neighbours - 1u));
      takes = takes && row == 0u && neighbour < neighbours - half;
      other += half;
      neighbours = half;
    }} else {{
      break;
    }}
    if (takes) {{
      acc = combine(acc, shared_[other]);
      shared_[t] = acc;
    }}
    workgroupBarrier();
  }}
"
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

    /// Results at the place that they go to: the words of the first output of all results, those of each one behind the other, then those of
    /// the next output. Behind them are the bits that say which are doubted, as results are numbered.
    fn write_result(&self, when: &str) -> String {
        let place = if self.scatters { "scattered(result)" } else { "result" };
        let mut writes = format!("    let place = {place};\n");
        let mut before = 0;
        for (slot, ty) in self.results.iter().enumerate() {
            let words = print::to_words(*ty, &format!("made.s{slot}"));
            let count = words.len();
            for (word, value) in words.iter().enumerate() {
                let index = word_of_result(before, count, word, "place");
                writes += &format!("    out_[{index}] = {value};\n");
            }
            before += count;
        }
        if self.doubts {
            writes += &format!("    out_[{before}u * u.results + result] = doubts(acc);\n");
        }
        let again = self.selected();
        format!("  if ({when}) {{\n{again}    let made = finalize(acc);\n{writes}  }}\n")
    }

    /// What was selected, read again: the element at the position, and not one that is equal to it.
    fn selected(&self) -> String {
        let of = |slots: &Range<u16>| {
            let replaced: String =
                slots.clone().map(|slot| format!(" acc.s{slot} = again.s{slot};")).collect();
            format!(
                "    if (acc.s{last} - u.first < u.count) {{
      let again = map_(load(result, acc.s{last} - u.first));
     {replaced}
    }}
",
                last = slots.end.saturating_sub(1),
            )
        };
        self.selects.iter().map(of).collect()
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
