//! The passes of a reduction: kernels, what they read and write, and what comes back.

use reduce_core::backend::Order;

use super::device::{Buffer, Device, Launch};
use super::error::DeviceError;
use super::kernel::{
    Mains, State, Uniform, Walk, buffers, element, scattered_numbers, scattered_text,
};
use super::tiles::{Numbers, Tile, halves, is_across, threads};
use crate::graph::{Bits, Steps, Type};
use crate::print;

/// A reduction on a device: an operator's steps, and the order for its inputs.
pub(crate) struct Reducing<'a> {
    pub(crate) device: &'a Device,
    pub(crate) steps: &'a Steps,
    /// The type of each result.
    pub(crate) results: &'a [Type],
    /// Records, steps, and the functions that read elements: `load_0(place)` and so on, one for each scalar of the element.
    pub(crate) functions: &'a dyn Fn(&str) -> String,
    pub(crate) order: &'a Order,
    pub(crate) numbers: Numbers,
}

/// The values that came back. `results` has the bits of each result for each output. `doubted` has the numbers of
/// doubted results, each with a bit for every member of a tuple that doubts it.
pub(crate) struct Came {
    pub(crate) results: Vec<Vec<Bits>>,
    pub(crate) doubted: Vec<(usize, u32)>,
}

impl Reducing<'_> {
    /// Computes results over inputs that are on the device. Behind the inputs stand the values that operators in front
    /// keep of results. The results of each output are in row-major order, and behind all outputs words tell which are
    /// doubted.
    pub(crate) fn run(&self, inputs: &[&Buffer]) -> Result<Buffer, DeviceError> {
        let Reducing { device, numbers, steps, .. } = self;
        let words = self.result_words();
        let output = device.buffer(4 * words as u64 * u64::from(numbers.results))?;
        let state_bytes = u32::try_from(4 * self.state_words()).unwrap_or(u32::MAX);
        let limits = &device.limits;
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let threads = threads(state_bytes, limits.max_compute_workgroup_storage_size, most);
        let mains = Mains {
            accumulator: &steps.accumulator,
            results: self.results,
            doubts: steps.doubts.is_some(),
            selects: &steps.selects,
            from_first: self.order.from_first,
            scatters: self.order.scatter.is_some(),
        };
        match Tile::of_fold(numbers, is_across(self.order), threads) {
            Some(tile) if tile.blocks >= numbers.blocks => {
                let text = mains.fold(&tile, State::Done);
                device.run(&[self.fold(&text, &tile, 1, &output, inputs)])?;
            }
            Some(tile) => {
                let groups = numbers.blocks.div_ceil(tile.blocks);
                let states = self.states(groups)?;
                let text = mains.fold(&tile, State::Groups);
                device.run(&[self.fold(&text, &tile, groups, &states, inputs)])?;
                self.rest(&mains, threads, (states, groups), &output, inputs)?;
            }
            None => {
                let states = self.states(numbers.blocks)?;
                self.wide(&mains, threads, &states, inputs)?;
                self.rest(&mains, threads, (states, numbers.blocks), &output, inputs)?;
            }
        }
        Ok(output)
    }

    /// The results in what a run has written.
    pub(crate) fn came(&self, output: &Buffer) -> Result<Came, DeviceError> {
        Ok(self.read(&self.device.download(output)?))
    }

    /// Which results are doubted; no others are brought back.
    pub(crate) fn doubted(&self, output: &Buffer) -> Result<Vec<usize>, DeviceError> {
        if self.steps.doubts.is_none() {
            return Ok(Vec::new());
        }
        let all = self.order.results;
        let first = (self.result_words() - 1) * all;
        let words = self.device.download_words(output, first..first + all)?;
        Ok((0..all).filter(|&result| words[result] != 0).collect())
    }

    fn fold<'b>(
        &self,
        text: &str,
        tile: &Tile,
        groups: u32,
        output: &'b Buffer,
        inputs: &[&'b Buffer],
    ) -> Launch<'b> {
        let tiles = self.numbers.results.div_ceil(tile.results);
        let mut uniform = self.uniform(groups);
        uniform.add("tiles", tiles);
        uniform.add_tile(tile);
        let workgroups = u64::from(tiles) * u64::from(groups);
        self.launch(text, &uniform, output, inputs, workgroups, true)
    }

    /// The first pass over more strands than a workgroup has threads.
    fn wide(
        &self,
        mains: &Mains<'_>,
        threads: u32,
        states: &Buffer,
        inputs: &[&Buffer],
    ) -> Result<(), DeviceError> {
        let numbers = &self.numbers;
        let tile = Tile::of_merge(1, threads);
        let uniform = self.uniform(numbers.blocks);
        let all =
            u64::from(numbers.results) * u64::from(numbers.strands) * u64::from(numbers.blocks);
        let workgroups = all.div_ceil(threads.into());
        let text = mains.fold_wide(&tile);
        self.device.run(&[self.launch(&text, &uniform, states, inputs, workgroups, true)])
    }

    /// The passes behind the first: groups of blocks merged, strands halved, results.
    fn rest(
        &self,
        mains: &Mains<'_>,
        threads: u32,
        (mut states, mut groups): (Buffer, u32),
        output: &Buffer,
        inputs: &[&Buffer],
    ) -> Result<(), DeviceError> {
        let Reducing { device, numbers, steps, .. } = self;
        while groups > 1 {
            let tile = Tile::of_merge(groups, threads);
            let next = groups.div_ceil(tile.blocks);
            let merged = self.states(next)?;
            let items = u64::from(numbers.results) * u64::from(numbers.strands);
            let tiles = items.div_ceil(tile.results.into());
            let mut uniform = self.uniform(groups);
            uniform.add("tiles", u32::try_from(tiles).unwrap_or(u32::MAX));
            uniform.add("next_groups", next);
            uniform.add_tile(&tile);
            let workgroups = tiles * u64::from(next);
            let text = mains.merge(&tile);
            device.run(&[self.launch(&text, &uniform, &merged, &[&states], workgroups, false)])?;
            (states, groups) = (merged, next);
        }
        let mut strands = numbers.strands;
        if strands > threads {
            self.halve(mains, threads, &states)?;
            strands = 1;
        }
        let tile = Tile::of_finish(numbers, strands, threads);
        let workgroups = numbers.results.div_ceil(tile.results).into();
        let mut uniform = self.uniform(1);
        uniform.add_tile(&tile);
        let mut read = vec![&states];
        let selects = !steps.selects.is_empty();
        if selects {
            read.extend(inputs);
        }
        let text = mains.finish(&tile);
        device.run(&[self.launch(&text, &uniform, output, &read, workgroups, selects)])
    }

    /// Strands halved in memory until one is left.
    fn halve(&self, mains: &Mains<'_>, threads: u32, states: &Buffer) -> Result<(), DeviceError> {
        let Reducing { device, numbers, .. } = self;
        let neighbours = numbers.neighbours();
        let tile = Tile::of_merge(1, threads);
        let rows = halves(numbers.rows).into_iter().map(|(left, half)| (left, half, neighbours));
        let last = halves(neighbours).into_iter().map(|(left, half)| (left, half, 1));
        for (left, half, width) in rows.chain(last) {
            let mut uniform = self.uniform(1);
            uniform.add("halved", (left - half) * width);
            uniform.add("apart", half * width);
            let all = u64::from(numbers.results) * u64::from((left - half) * width);
            let workgroups = all.div_ceil(threads.into());
            device.run(&[self.launch(
                &mains.halve(&tile),
                &uniform,
                states,
                &[],
                workgroups,
                false,
            )])?;
        }
        Ok(())
    }

    fn launch<'b>(
        &self,
        main: &str,
        uniform: &Uniform,
        output: &'b Buffer,
        inputs: &[&'b Buffer],
        workgroups: u64,
        loads: bool,
    ) -> Launch<'b> {
        let parameters = &self.steps.parameters;
        let mut text = uniform.text(parameters);
        // Tensors stand behind states, and what operators in front keep behind these.
        let (tensors, before) = match loads {
            true => (self.order.offsets.len(), self.steps.before.len()),
            false => (0, 0),
        };
        text += &buffers(inputs.len() - tensors - before, tensors, before);
        if loads {
            text += &Walk::of_order(self.order).text();
            text += &self.load();
        }
        text += main;
        if let Some(scatter) = self.order.scatter.as_ref().filter(|_| text.contains("scattered(")) {
            text += &scattered_text(scatter);
        }
        let text = (self.functions)(&text);
        let uniform = uniform.words(parameters);
        Launch { text, uniform, output, inputs: inputs.to_vec(), workgroups }
    }

    /// The function that reads an element: each scalar from its input, or the position.
    fn load(&self) -> String {
        let place = |input| format!("kept_place_{input}(result) + reduced_place_{input}(number)");
        let result = if self.order.scatter.is_some() { "scattered(result)" } else { "result" };
        let (places, element) = element(self.steps, &place, "u.first + number", result);
        format!("fn load(result: u32, number: u32) -> Elem {{\n{places}  return {element};\n}}\n")
    }

    fn uniform(&self, groups: u32) -> Uniform {
        let Numbers { results, count, strands, block, run, blocks_of_run, blocks, first, .. } =
            self.numbers;
        let mut uniform = Uniform::default();
        for (name, value) in [
            ("results", results),
            ("count", count),
            ("strands", strands),
            ("block", block),
            ("run", run),
            ("blocks_of_run", blocks_of_run),
            ("blocks", blocks),
            ("first", first),
            ("groups", groups),
        ] {
            uniform.add(name, value);
        }
        Walk::of_order(self.order).numbers(&mut uniform);
        if let Some(scatter) = &self.order.scatter {
            scattered_numbers(scatter, &mut uniform);
        }
        uniform
    }

    /// Room for the states of all strands in `groups` groups of blocks.
    fn states(&self, groups: u32) -> Result<Buffer, DeviceError> {
        let Numbers { results, strands, .. } = self.numbers;
        let all = u64::from(results) * u64::from(strands) * u64::from(groups);
        self.device.buffer(4 * self.state_words() as u64 * all)
    }

    fn state_words(&self) -> usize {
        self.steps.accumulator.iter().map(|ty| print::words(*ty)).sum()
    }

    fn result_words(&self) -> usize {
        let own: usize = self.results.iter().map(|ty| print::words(*ty)).sum();
        own + usize::from(self.steps.doubts.is_some())
    }

    /// Words as the bits of results.
    fn read(&self, words: &[u32]) -> Came {
        let all = self.order.results;
        let mut first = 0;
        let mut results = Vec::new();
        for ty in self.results {
            let count = print::words(*ty);
            let own = words[first * all..][..count * all].chunks_exact(count);
            results.push(own.map(|words| print::bits_of_words(words, *ty)).collect());
            first += count;
        }
        // No words are left if the operator never doubts.
        let doubts = words[first * all..].iter().copied().enumerate();
        let doubted = doubts.filter(|(_, doubts)| *doubts != 0).collect();
        Came { results, doubted }
    }
}
