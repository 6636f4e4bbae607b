//! Windows, held against plain loops over the rows of each frame.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;

use crate::cells::{Cell, agrees, rows};
use crate::oracle::{Call, expected};
use crate::random::Random;
use crate::table::{Row, context, random_rows};

/// A frame: as SQL, and the rows of it, from one to one before another, around row `at` of `number`.
type Frame = (&'static str, fn(at: usize, number: usize) -> (usize, usize));

const FRAMES: [Frame; 8] = [
    ("ROWS BETWEEN 3 PRECEDING AND CURRENT ROW", |at, _| (at.saturating_sub(3), at + 1)),
    ("ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING", |at, n| (at.saturating_sub(2), n.min(at + 3))),
    ("ROWS BETWEEN 40 PRECEDING AND 1 PRECEDING", |at, _| (at.saturating_sub(40), at)),
    ("ROWS BETWEEN 1 FOLLOWING AND 9 FOLLOWING", |at, n| (n.min(at + 1), n.min(at + 10))),
    ("ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", |at, _| (0, at + 1)),
    ("ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", |at, n| (at, n)),
    ("ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", |_, n| (0, n)),
    ("ROWS BETWEEN CURRENT ROW AND CURRENT ROW", |at, _| (at, at + 1)),
];

/// How many calls there are.
const CALLS: usize = 14;

/// Sums, whose elements can be taken out again, and others. Some have several results, inputs or parameters.
fn calls() -> [Call; CALLS] {
    [
        Call::new("reduce_sum", &["i32"], &[]),
        Call::new("reduce_sum", &["f64"], &[]),
        Call::new("tree_sum", &["i32"], &[]),
        Call::new("l2", &["i64"], &[]),
        Call::new("reduce_max", &["i64"], &[]),
        Call::new("reduce_min", &["b"], &[]),
        Call::new("log_sum_exp", &["f64"], &[]),
        Call::new("exact_sum", &["f64"], &[]),
        Call::new("variance", &["f64"], &[1.0]),
        Call::new("summary", &["f32"], &[]),
        Call::new("top_k", &["f64"], &[3.0]),
        Call::new("dot", &["f64", "g64"], &[]),
        Call::new("histogram", &["f64"], &[10.0, -4.0, 4.0]),
        Call::new("weighted_mean", &["f64", "p64", "b"], &[]),
    ]
}

/// Random rows with their number in the column that they are ordered by.
pub fn numbered(random: &mut Random, number: usize) -> Vec<Row> {
    let mut table = random_rows(random, number);
    for (place, row) in table.iter_mut().enumerate() {
        row.insert("i64", Cell::Int(place as i128));
    }
    table
}

/// A call over the frames of one kind.
pub struct Window {
    call: Call,
    frame: Frame,
    is_filtered: bool,
}

impl Window {
    pub fn random(random: &mut Random) -> Self {
        let calls = calls();
        let call = calls.into_iter().nth(random.below(CALLS)).expect("one of them");
        Window { call, frame: *random.pick(&FRAMES), is_filtered: random.once_in(3) }
    }

    pub fn sql(&self) -> String {
        let filter = if self.is_filtered { " FILTER (WHERE k > 2)" } else { "" };
        let (call, frame) = (self.call.sql(), self.frame.0);
        format!("SELECT t, i64, {call}{filter} OVER (PARTITION BY t ORDER BY i64 {frame}) FROM t")
    }

    /// Whether the found rows are those of the frames over a table.
    pub fn check(&self, found: &[Vec<Cell>], table: &[Row]) -> std::result::Result<(), String> {
        if found.len() != table.len() {
            return Err(format!("{} rows, expected {}", found.len(), table.len()));
        }
        for row in found {
            let part: Vec<&Row> = table.iter().filter(|other| other["t"] == row[0]).collect();
            let at = part.iter().position(|other| other["i64"] == row[1]);
            let at = at.ok_or_else(|| format!("there is no row {row:?}"))?;
            let (start, end) = self.frame.1(at, part.len());
            let counts =
                |row: &&&Row| !self.is_filtered || matches!(row["k"], Cell::Int(k) if k > 2);
            let members: Vec<&Row> = part[start..end].iter().filter(counts).copied().collect();
            agrees(&row[2], &expected(&self.call, &members))
                .map_err(|how| format!("at {:?}: {how}", row[1]))?;
        }
        Ok(())
    }
}

#[tokio::test]
async fn frames_give_what_plain_loops_give() -> Result<()> {
    let mut random = Random(4);
    for call in calls() {
        let table = numbered(&mut random, 120);
        let ctx = context(&mut random, &table)?;
        let plain = FRAMES.map(|frame| (frame, false));
        for (frame, is_filtered) in plain.into_iter().chain([(FRAMES[0], true), (FRAMES[4], true)])
        {
            let window = Window { call: call.clone(), frame, is_filtered };
            let sql = window.sql();
            let found = rows(&ctx, &sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
            window.check(&found, &table).unwrap_or_else(|how| panic!("{sql} {how}"));
        }
    }
    Ok(())
}

/// What enters a window must not stay in it: after a huge number has left, a small one is whole again.
#[tokio::test]
async fn a_huge_number_leaves_no_trace() -> Result<()> {
    let ctx = SessionContext::new();
    reduce_datafusion::register_specs(&ctx);
    reduce_datafusion::register_gallery(&ctx);
    for function in ["reduce_sum", "exact_sum"] {
        let sql = format!(
            "SELECT {function}(x) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) \
               FROM (VALUES (1, 1e300), (2, 0.25), (3, 0.5), (4, 'NaN'::double), (5, 1.0), (6, 2.0)) AS t(i, x) \
               ORDER BY i"
        );
        let found = rows(&ctx, &sql).await?;
        assert_eq!(found[2], [Cell::Float(0.75)], "{function}");
        assert_eq!(found[5], [Cell::Float(3.0)], "{function}");
    }
    Ok(())
}
