//! Numbers that a kernel is given: its text names them, and the host lays them out.

use super::super::tiles::Tile;
use crate::graph::{Bits, Type};
use crate::print;

/// The numbers of a kernel, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uniform {
    fields: Vec<(String, u32)>,
}

impl Uniform {
    /// One more number.
    pub(crate) fn add(&mut self, name: impl Into<String>, value: u32) {
        self.fields.push((name.into(), value));
    }

    /// The numbers of a tile.
    pub(crate) fn add_tile(&mut self, tile: &Tile) {
        let (block, row, result) = tile.steps();
        for (name, value) in [
            ("tile_results", tile.results),
            ("tile_blocks", tile.blocks),
            ("tile_rows", tile.rows),
            ("tile_neighbours", tile.neighbours),
            ("tile_used", tile.used()),
            ("step_block", block),
            ("step_row", row),
            ("step_result", result),
        ] {
            self.add(name, value);
        }
    }

    /// The struct that the text reads, with room for parameters.
    pub(crate) fn text(&self, parameters: &[(Bits, Type)]) -> String {
        let fields: String =
            self.fields.iter().map(|(name, _)| format!("  {name}: u32,\n")).collect();
        let words = parameters.iter().map(|(_, ty)| print::words(*ty)).sum();
        let own = print::uniform(words);
        format!(
            "struct Uniform {{\n{fields}  {own}}}\n@group(0) @binding(0) var<uniform> u: Uniform;\n"
        )
    }

    /// Its words: the numbers, a zero, and parameters from the next multiple of 16 bytes on.
    pub(crate) fn words(&self, parameters: &[(Bits, Type)]) -> Vec<u32> {
        let mut words: Vec<u32> = self.fields.iter().map(|(_, value)| *value).collect();
        words.push(0);
        words.resize(words.len().next_multiple_of(4), 0);
        let of_parameters =
            parameters.iter().flat_map(|(bits, ty)| print::words_of_bits(*bits, *ty));
        words.extend(of_parameters);
        words.resize(words.len().next_multiple_of(4).max(words.len().min(4)), 0);
        // Room for parameters, also where there are none.
        if parameters.is_empty() {
            words.extend([0; 4]);
        }
        words
    }
}
