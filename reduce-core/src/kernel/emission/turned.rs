//! Turned inputs: those whose neighbours belong to the next line, and not to the same one.
//!
//! A tensor that was transposed is walked so: an output that lies in row-major order has a line for each row, and the
//! elements of a row lie apart. Taken one by one, each would be computed without vectors. Therefore a *tile* of a few
//! lines is first transposed into a room, in which the elements of a line are neighbours, and is emitted from there.
//! Softmax over a transposed matrix is 3.5 to 5 times as fast so, at AVX-512 (`docs/log/kernels.md`).

#![allow(unsafe_code, reason = "the types of elements are erased")]

use std::mem::MaybeUninit;

use super::super::micro::{Emission, INPUTS, Ways};
use super::stage::Stage;
use crate::machine::bits::Bits;
use crate::machine::level::Available;
use crate::machine::transpose;

/// A tile has up to this many lines. As many neighbours of an input fill a line of the cache, if they have four bytes.
pub(super) const TILE_LINES: usize = 16;

/// A tile has up to this many elements of each line.
const TILE_COUNT: usize = 64;

/// Room for a tile of elements of up to eight bytes.
type Tile = [u64; TILE_LINES * TILE_COUNT];

/// Which inputs of a plane are turned.
#[derive(Clone, Copy)]
pub(super) struct TurnedInputs([bool; INPUTS]);

impl TurnedInputs {
    /// The inputs that are turned, if there are some, and all others lie as vectors want them. The ways go to the next
    /// element of a line, and to the next line.
    pub(super) fn of(stage: &Stage, ways: &Ways, next: &Ways) -> Option<Self> {
        let mut turned = [false; INPUTS];
        for input in 0..stage.inputs {
            let size = stage.elements[input].cast_signed();
            turned[input] = next[input] == size && ways[input] > size;
            let is_repeated = input > 0 && ways[input] == 0;
            if !(turned[input] || is_repeated || ways[input] == size) {
                return None;
            }
        }
        turned.contains(&true).then_some(TurnedInputs(turned))
    }

    /// Emits over lines, tile by tile.
    ///
    /// # Safety
    /// *operator*, *elements* and *places*, as for the microkernel of the stage. The lines lie as these inputs do.
    pub(super) unsafe fn emit(
        self,
        stage: &Stage,
        (level, op): (Available, *const ()),
        emission: &Emission,
    ) {
        let mut rooms = [const { MaybeUninit::<Tile>::uninit() }; INPUTS];
        let mut tiles = rooms.iter_mut().zip(self.0);
        let mut tiles: [Option<&mut Tile>; INPUTS] = std::array::from_fn(|_| {
            let (room, is_turned) = tiles.next()?;
            is_turned.then(|| room.write([0; TILE_LINES * TILE_COUNT]))
        });
        // Tiles are equally wide, so that none is too narrow for vectors.
        let count = emission.count.div_ceil(emission.count.div_ceil(TILE_COUNT));
        for line in (0..emission.lines).step_by(TILE_LINES) {
            for first in (0..emission.count).step_by(count) {
                let mut part = part(emission, stage, (line, TILE_LINES), (first, count));
                for (input, tile) in tiles.iter_mut().enumerate() {
                    let Some(tile) = tile else { continue };
                    // SAFETY: *elements*, which the caller keeps: the input is turned.
                    unsafe { turn(stage.elements[input], level, input, &mut part, tile) };
                }
                // SAFETY: *operator*, *elements* and *places*, which the caller keeps; what is turned is in the tile.
                unsafe { (stage.emit)(level, op, &part) };
            }
        }
    }
}

/// The emission over up to `lines` lines from a line on, and up to `count` elements of each from an element on.
fn part(
    emission: &Emission,
    stage: &Stage,
    (line, lines): (usize, usize),
    (first, count): (usize, usize),
) -> Emission {
    let on = |way: isize, next: isize| {
        let along = way.wrapping_mul(first.cast_signed());
        along.wrapping_add(next.wrapping_mul(line.cast_signed()))
    };
    let mut data = emission.data;
    for (input, data) in data.iter_mut().enumerate() {
        *data = data.wrapping_offset(on(emission.ways[input], emission.next[input]));
    }
    Emission {
        data,
        results: emission.results.wrapping_offset(on(emission.result_way, emission.next_result)),
        out: emission.out.wrapping_offset(on(stage.emitted.1.cast_signed(), emission.next_out)),
        count: count.min(emission.count - first),
        lines: lines.min(emission.lines - line),
        ..*emission
    }
}

/// Transposes the elements of a turned input into a tile, from which they are then read. They have some size in bytes.
///
/// # Safety
/// *elements*: there is one for each place of the lines, which lie as in a turned input.
unsafe fn turn(size: usize, level: Available, input: usize, part: &mut Emission, tile: &mut Tile) {
    match size {
        // SAFETY: *elements*, which the caller keeps, of a byte.
        1 => unsafe { turn_as::<u8>(level, input, part, tile) },
        // SAFETY: *elements*, as above, of two bytes.
        2 => unsafe { turn_as::<u16>(level, input, part, tile) },
        // SAFETY: *elements*, as above, of four bytes.
        4 => unsafe { turn_as::<u32>(level, input, part, tile) },
        // SAFETY: *elements*, as above, of eight bytes: there is no other size.
        _ => unsafe { turn_as::<u64>(level, input, part, tile) },
    }
}

/// As [`turn`], of elements with the size of a type.
///
/// # Safety
/// As [`turn`].
unsafe fn turn_as<N: Bits>(level: Available, input: usize, part: &mut Emission, tile: &mut Tile) {
    let (count, lines) = (part.count, part.lines);
    let apart = part.ways[input].unsigned_abs() / size_of::<N>();
    let spanned = (count - 1) * apart + lines;
    // SAFETY: *elements*, which the caller keeps: the first and the last of these are elements of the input, whose
    // buffer has all between them.
    let from = unsafe { std::slice::from_raw_parts(part.data[input].cast::<N>(), spanned) };
    // SAFETY: *room*: a tile has eight bytes for each element, and any bytes are a number.
    let to = unsafe {
        std::slice::from_raw_parts_mut(tile.as_mut_ptr().cast::<N>(), TILE_LINES * TILE_COUNT)
    };
    transpose(level, from, apart, count, lines, to, TILE_COUNT, part.ahead);
    part.data[input] = tile.as_ptr().cast();
    part.ways[input] = size_of::<N>().cast_signed();
    part.next[input] = (TILE_COUNT * size_of::<N>()).cast_signed();
}
