//! Windows that slide, and windows that only grow.

use datafusion::common::Result;

/// DataFusion's function, and ours.
const PAIRS: [(&str, &str); 4] = [
    ("sum(x)", "tree_sum(x)"),
    ("sum(x)", "exact_sum(x)"),
    ("var_pop(x)", "variance(x)"),
    ("max(x)", "reduce_max(x)"),
];

/// From how far back a frame begins.
const FRAMES: [&str; 4] =
    ["9 PRECEDING", "999 PRECEDING", "99999 PRECEDING", "UNBOUNDED PRECEDING"];

/// A window has a result for each row, which takes longer than a row of a group.
const MOST_ROWS: usize = 200_000;

pub(crate) async fn measure(rows: usize) -> Result<()> {
    let rows = rows.min(MOST_ROWS);
    let ctx = super::context(rows, 1)?;
    println!("{rows} rows in windows");
    for (theirs, ours) in PAIRS {
        for frame in FRAMES {
            let over = format!("OVER (ROWS BETWEEN {frame} AND CURRENT ROW)");
            let sql = |call: &str| format!("SELECT {call} {over} FROM t");
            let name = format!("{frame}: {theirs}, {ours}");
            super::race(&ctx, &name, [sql(theirs), sql(ours)], rows).await?;
        }
    }
    Ok(())
}
