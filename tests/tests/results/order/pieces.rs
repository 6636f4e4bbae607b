//! The order in which pieces and rows of groups are combined, written from `docs/numerics.md` alone: the numbers in
//! brackets are the rules there.

use std::fmt::Debug;

use reduce_core::bounds::Streams;
use reduce_core::{Groups, Reduction, Stream, View};
use reduce_specs::{ReduceProd, ReduceSum};

/// The sets of a cascade, the oldest first: an accumulator and its number of elements.
struct Cascade {
    sets: Vec<(f32, u64)>,
    combine: fn(f32, f32) -> f32,
}

impl Cascade {
    fn new(combine: fn(f32, f32) -> f32) -> Self {
        Cascade { sets: Vec::new(), combine }
    }

    /// (7)
    fn add(&mut self, piece: f32, count: u64) {
        match self.sets.pop() {
            Some((acc, before)) if before + count <= 64 => {
                self.sets.push(((self.combine)(acc, piece), before + count));
            }
            Some(newest) => {
                self.pass(newest);
                self.sets.push((piece, count));
            }
            None => self.sets.push((piece, count)),
        }
    }

    /// (7) What becomes of the newest set.
    fn pass(&mut self, (newest, count): (f32, u64)) {
        match self.sets.pop() {
            Some((acc, before)) if before + count <= 8 * 64 => {
                self.sets.push(((self.combine)(acc, newest), before + count));
            }
            Some(before) => {
                self.close(before);
                self.sets.push((newest, count));
            }
            None => self.sets.push((newest, count)),
        }
    }

    /// (8)
    fn close(&mut self, (mut acc, mut count): (f32, u64)) {
        loop {
            let rank = count.ilog2();
            let is_lower = |set: &&(f32, u64)| set.1.ilog2() <= rank;
            let lower = self.sets.iter().rev().take_while(is_lower).count();
            let lower = self.sets.split_off(self.sets.len() - lower);
            count += lower.iter().map(|set| set.1).sum::<u64>();
            match self.all(&lower) {
                Some(lower) => acc = (self.combine)(lower, acc),
                None => return self.sets.push((acc, count)),
            }
        }
    }

    /// (9) Sets, from the newest to the oldest.
    fn all(&self, sets: &[(f32, u64)]) -> Option<f32> {
        sets.iter().map(|set| set.0).rev().reduce(|newer, older| (self.combine)(older, newer))
    }
}

/// Elements whose sums and products round at every step.
fn elements(count: usize) -> Vec<f32> {
    (0..count).map(|index| 0.97 + (index * 7919 % 601) as f32 * 1e-4).collect()
}

fn list(data: &[f32]) -> View<'_, f32> {
    View::new(data, &[data.len()]).expect("a list")
}

/// Sizes of pieces: single ones, ones around 64, large ones behind small ones, and the other way round.
fn sizes() -> Vec<Vec<usize>> {
    vec![
        vec![1; 9000],
        vec![63; 50],
        vec![64; 50],
        vec![65; 90],
        (0..400).map(|piece| piece * 37 % 130 + 1).collect(),
        (0..40).map(|piece| if piece % 7 == 6 { 5000 } else { piece + 1 }).collect(),
        (0..12).map(|piece| 1 << piece).collect(),
        (0..12).map(|piece| 1 << (11 - piece)).collect(),
    ]
}

#[test]
fn streams_combine_pieces_as_documented() {
    fn compare<Op>(op: Op, combine: fn(f32, f32) -> f32)
    where
        Op: Streams<f32, Result = f32> + Copy + Debug,
    {
        for sizes in sizes() {
            let data = elements(sizes.iter().sum());
            let (mut stream, mut cascade) = (Stream::new(op), Cascade::new(combine));
            let mut first = 0;
            for size in sizes {
                let piece = list(&data[first..first + size]);
                stream.update(&piece).expect("elements");
                let of_piece = Reduction::new(op).run(&piece).expect("elements").data()[0];
                cascade.add(of_piece, size as u64);
                let expected = cascade.all(&cascade.sets).expect("pieces");
                let found = stream.finish().expect("elements").data()[0];
                first += size;
                assert_eq!(found.to_bits(), expected.to_bits(), "{op:?} behind {first} elements");
            }
        }
    }
    compare(ReduceSum, |a, b| a + b);
    compare(ReduceProd, |a, b| a * b);
}

#[test]
fn groups_push_rows_as_documented() {
    let data = elements(600_000);
    // So many groups that no rule but the third holds.
    for groups in [300, 1000, 20_011] {
        let keys: Vec<usize> = (0..data.len()).map(|row| row * 7919 % 104_729 % groups).collect();
        let mut all = Groups::new(ReduceSum, groups).expect("few");
        let mut cascades: Vec<Cascade> = (0..groups).map(|_| Cascade::new(|a, b| a + b)).collect();
        for (rows, keys) in data.chunks(9001).zip(keys.chunks(9001)) {
            all.update(&list(rows), keys).expect("keys");
            for (&x, &key) in rows.iter().zip(keys) {
                cascades[key].add(x, 1);
            }
        }
        let found = all.finish().expect("sums");
        for (group, cascade) in cascades.iter().enumerate() {
            let expected = cascade.all(&cascade.sets).unwrap_or(0.0);
            assert_eq!(found.data()[group].to_bits(), expected.to_bits(), "{group} of {groups}");
        }
    }
}

#[test]
fn long_updates_are_cut_in_spans_as_documented() {
    const SPAN: usize = 1 << 18;
    for (rows, groups, has_spans) in [
        (2 * SPAN, 300, true),
        (700_000, 1024, true),
        (700_000, 1025, false),
        (2 * SPAN - 1, 300, false),
    ] {
        let data = elements(rows);
        let keys: Vec<usize> = (0..rows).map(|row| row * 7919 % 104_729 % groups).collect();
        let none = || (0..groups).map(|_| Cascade::new(|a, b| a + b)).collect::<Vec<_>>();
        let mut all = none();
        for (rows, keys) in data.chunks(SPAN).zip(keys.chunks(SPAN)) {
            let mut span = none();
            let pushed = if has_spans { &mut span } else { &mut all };
            for (&x, &key) in rows.iter().zip(keys) {
                pushed[key].add(x, 1);
            }
            for (group, of_span) in span.iter().enumerate() {
                let count = of_span.sets.iter().map(|set| set.1).sum();
                if let Some(piece) = of_span.all(&of_span.sets) {
                    all[group].add(piece, count);
                }
            }
        }
        let found = Reduction::new(ReduceSum).by_key(&keys, groups).run(&list(&data));
        let found = found.expect("sums");
        for (group, cascade) in all.iter().enumerate() {
            let expected = cascade.all(&cascade.sets).unwrap_or(0.0);
            assert_eq!(found.data()[group].to_bits(), expected.to_bits(), "{group} of {groups}");
        }
    }
}

#[test]
fn what_is_merged_is_a_piece() {
    let data = elements(20_000);
    let (mut stream, mut cascade) = (Stream::new(ReduceSum), Cascade::new(|a, b| a + b));
    let mut groups = Groups::new(ReduceSum, 2).expect("few");
    let mut first = 0;
    for size in (0..100).map(|part| part * 53 % 200 + 1) {
        let piece = list(&data[first..first + size]);
        let mut part = Stream::new(ReduceSum);
        part.update(&piece).expect("elements");
        stream.merge(&part).expect("of one shape");
        let mut one = Groups::new(ReduceSum, 1).expect("few");
        one.update_one(&piece, 0).expect("a group");
        groups.merge(&one, &[1]).expect("a group");
        cascade.add(part.finish().expect("elements").data()[0], size as u64);
        first += size;
    }
    let expected = cascade.all(&cascade.sets).expect("pieces").to_bits();
    assert_eq!(stream.finish().expect("elements").data()[0].to_bits(), expected);
    assert_eq!(groups.finish().expect("sums").data()[1].to_bits(), expected);
}
