//! A second input: wherever its elements lie, each is read that belongs to the first one's.

use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
use reduce_tests::cases::{available, subsets};

/// The sum of products, of integers: any wrong element shows.
#[derive(Clone, Copy, Debug, Default)]
struct Dot;

#[reduce_op(dtypes = [i64, (i64, i16) => i64])]
impl<A: Num> ReduceOp<(A, A)> for Dot {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// Says how a matrix of some rows and columns lies: the strides of both, and the place of the first element.
type Layout = fn(isize, isize) -> ([isize; 2], isize);

const LAYOUTS: [(&str, Layout); 7] = [
    ("rows", |_, columns| ([columns, 1], 0)),
    ("columns", |rows, _| ([1, rows], 0)),
    ("with gaps", |_, columns| ([2 * columns + 3, 2], 1)),
    ("backwards", |rows, columns| ([-columns, -1], rows * columns - 1)),
    ("one row for all", |_, _| ([0, 1], 2)),
    ("one column for all", |_, _| ([1, 0], 3)),
    ("one element for all", |_, _| ([0, 0], 4)),
];

/// Numbers that tell every place apart.
fn number(place: usize) -> i64 {
    let mixed = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 49;
    i64::try_from(mixed).expect("15 bits") - 9000
}

#[test]
fn the_second_input_lies_anywhere() {
    for (rows, columns) in [(1, 9), (5, 3), (40, 7), (3, 300), (130, 65), (700, 17)] {
        let room = (2 * columns + 3) * (rows + 1) + rows + 8;
        let first: Vec<i64> = (0..room).map(number).collect();
        let wide: Vec<i64> = (0..room).map(|place| number(place + room)).collect();
        let narrow: Vec<i16> = wide.iter().map(|&y| i16::try_from(y).expect("15 bits")).collect();
        for (first_name, of_first) in LAYOUTS {
            for (name, of_second) in LAYOUTS {
                let place = |layout: Layout| {
                    let (strides, start) = layout(rows.cast_signed(), columns.cast_signed());
                    (strides, start.cast_unsigned())
                };
                let ((a, from_a), (b, from_b)) = (place(of_first), place(of_second));
                let shape = [rows, columns];
                let x = View::with_strides(&first, &shape, &a, from_a).expect("inside");
                let y = View::with_strides(&wide, &shape, &b, from_b).expect("inside");
                let z = View::with_strides(&narrow, &shape, &b, from_b).expect("inside");
                let at = |strides: [isize; 2], from: usize, row: usize, column: usize| {
                    let way = strides[0] * row.cast_signed() + strides[1] * column.cast_signed();
                    from.wrapping_add_signed(way)
                };
                for axes in subsets(2).into_iter().filter(|axes| !axes.is_empty()) {
                    let over = |axis: usize| axes.contains(&axis);
                    let kept = [(0, rows), (1, columns)].map(|(axis, size)| match over(axis) {
                        true => 1,
                        false => size,
                    });
                    let mut expected = vec![0i64; kept[0] * kept[1]];
                    for row in 0..rows {
                        for column in 0..columns {
                            let product = first[at(a, from_a, row, column)]
                                * wide[at(b, from_b, row, column)];
                            let result = row % kept[0] * kept[1] + column % kept[1];
                            expected[result] += product;
                        }
                    }
                    let signed: Vec<i64> =
                        axes.iter().map(|&axis| i64::try_from(axis).expect("two")).collect();
                    for level in available() {
                        let dot = Reduction::new(Dot).axes(&signed[..]).level(level);
                        let about = format!("{shape:?} over {axes:?}: {first_name}, {name}");
                        let found = dot.run(&(x.clone(), y.clone())).expect("of one shape");
                        assert_eq!(found.data(), expected, "{about}, {level:?}");
                        let found = dot.run(&(x.clone(), z.clone())).expect("of one shape");
                        assert_eq!(found.data(), expected, "{about}, i16, {level:?}");
                    }
                }
            }
        }
    }
}
