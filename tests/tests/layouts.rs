//! Layouts: views read what was meant, and the result has the same bits as that
//! of a contiguous copy in the order in which a plan walks memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use reduce_core::{AnyTensor, AnyView, Level};
use reduce_tests::cases::{
    LENGTHS, Layout, Levels, Request, Row, Stored, addresses, available, bits, found, ordinary,
    spelled, tensor,
};
use reduce_tests::oracle::{Values, sets};

fn shapes() -> Vec<Vec<usize>> {
    let lengths = LENGTHS.iter().filter(|&&n| n < 600);
    let vectors = lengths.map(|&n| vec![n]);
    let matrices = [2, 33, 257].into_iter().flat_map(|n| [vec![3, n], vec![n, 5]]);
    let others = [vec![], vec![2, 33, 3], vec![2, 1, 130], vec![3, 2, 5, 7], vec![2, 0, 3]];
    vectors.chain(matrices).chain(others).collect()
}

/// Strides and offset of every layout lead to the logical values.
#[test]
fn views_read_what_was_meant() {
    Row::for_each(|row| {
        for shape in shapes() {
            let values = ordinary(row.op, row.ty, shape.iter().product(), 7);
            for layout in Layout::ALL {
                let stored = Stored::new(layout, row.dtype, &shape, &values);
                assert_eq!(stored.view().shape().dims(), shape, "{layout:?}");
                let read = in_buffer(&stored).select(addresses(&stored.view()));
                assert_eq!(read, stored.values, "{} {shape:?} {layout:?}", row.name());
            }
        }
    });
}

/// Elements are combined in the order of their addresses, however the axes are
/// turned: an order of shape and layout alone.
#[test]
fn same_bits_as_a_contiguous_copy() {
    let levels = Levels::new("layouts");
    let reordered = AtomicUsize::new(0);
    Row::for_each(|row| {
        if !row.entry.schema().commutative {
            return;
        }
        let mut runs = 0;
        for shape in shapes() {
            let values = ordinary(row.op, row.ty, shape.iter().product(), 11);
            for layout in Layout::ALL {
                let stored = Stored::new(layout, row.dtype, &shape, &values);
                runs += compare_with_copies(row, &shape, layout, &stored, &reordered);
            }
        }
        available().into_iter().for_each(|level| levels.ran(level, runs));
    });
    levels.finish();
    let reordered = reordered.into_inner();
    assert!(reordered > 100, "the order hardly matters to these values: {reordered} results");
}

fn in_buffer(stored: &Stored) -> Values {
    found(stored.buffer()).values
}

/// The number of runs per level. Counts results that another order changes.
fn compare_with_copies(
    row: &Row,
    shape: &[usize],
    layout: Layout,
    stored: &Stored,
    reordered: &AtomicUsize,
) -> usize {
    let (view, buffer) = (stored.view(), in_buffer(stored));
    let places = addresses(&view);
    let mut runs = 0;
    for reduced in row.choices(shape.len()).into_iter().filter(|axes| !axes.is_empty()) {
        let axes = spelled(&reduced, shape.len());
        let sets = sets(shape, &reduced);
        if sets.iter().any(Vec::is_empty) {
            continue;
        }
        for level in available() {
            let results = bits(&reduce(row, &view, Some(&axes), level));
            for (set, &result) in sets.iter().zip(&results) {
                let mut walked: Vec<usize> = set.iter().map(|&index| places[index]).collect();
                let logical = buffer.select(walked.iter().copied());
                // Positions are those of the tensor: there, the order is its own.
                if !row.op.is_position() {
                    walked.sort_unstable();
                }
                let expected = reduce_list(row, &buffer.select(walked), level);
                assert_eq!(
                    expected,
                    [result],
                    "{} of {shape:?} {layout:?} over {reduced:?} at {level}",
                    row.name()
                );
                if level == Level::best() && reduce_list(row, &logical, level) != expected {
                    reordered.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        runs += 1;
    }
    runs
}

fn reduce_list(row: &Row, values: &Values, level: Level) -> Vec<u64> {
    bits(&reduce(row, &tensor(row.dtype, values, &[values.len()]).view(), None, level))
}

fn reduce(row: &Row, view: &AnyView<'_>, axes: Option<&[i64]>, level: Level) -> AnyTensor {
    let version = *row.versions().last().expect("a version");
    let request = Request { axes, ..Request::default() };
    let call = request.prepare(row.entry, version, row.dtype).expect("valid");
    request.run(&call.level(level), view).unwrap_or_else(|error| panic!("{}: {error}", row.name()))
}
