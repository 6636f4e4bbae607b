//! Layouts: views read what was meant. What is combined in which order is in
//! `order/`, and what comes of it in `standard/matrix.rs` and `paths/`.

use reduce_tests::cases::{LENGTHS, Layout, Row, Stored, addresses, found, ordinary};
use reduce_tests::oracle::Values;

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

fn in_buffer(stored: &Stored) -> Values {
    found(stored.buffer()).values
}
