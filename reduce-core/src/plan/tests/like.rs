//! Plans that are turned to combine as others do.

use super::{Path, Plan, SUM, plan_for};
use crate::plan::Needs;

/// The plan over a dense matrix, turned to combine as over one that lies transposed; and whether it does.
fn turned(needs: Needs, [rows, columns]: [usize; 2], axis: i64) -> (Plan, bool) {
    let transposed = plan_for(needs, &[columns, rows], &[rows.cast_signed(), 1], &[1 - axis]);
    let mut plan = plan_for(needs, &[rows, columns], &[columns.cast_signed(), 1], &[axis]);
    let is_like = plan.combine_like(&transposed, needs);
    assert!(!is_like || plan.strands() == transposed.strands() || !transposed.across);
    (plan, is_like)
}

#[test]
fn columns_take_the_strands_of_rows() {
    let (plan, is_like) = turned(SUM, [1500, 2000], 0);
    assert!(is_like);
    assert_eq!((plan.path(), plan.side_by_side), (Path::Columns, 64));
    // With few elements in each result, states would be as many as elements, and come from memory.
    assert!(turned(SUM, [100, 4000], 0).1);
    assert!(!turned(SUM, [100, 400_000], 0).1);
    assert!(turned(SUM, [1000, 400_000], 0).1);
    // Strands of columns know no positions.
    let positions = Needs { ordered: true, spreads: false, ..SUM };
    assert!(!turned(positions, [1500, 2000], 0).1);
}

#[test]
fn rows_take_the_strand_of_columns() {
    let (plan, is_like) = turned(SUM, [1500, 2000], 1);
    assert!(is_like);
    assert_eq!((plan.path(), plan.across), (Path::ShortRows, true));
    assert_eq!(plan.strands(), 1);
}

#[test]
fn whatever_combines_in_any_order_stays_as_it_is() {
    let selection = Needs { any_order: true, ..SUM };
    let (plan, is_like) = turned(selection, [1500, 2000], 1);
    assert!(is_like && plan.path() == Path::Lanes);
}
