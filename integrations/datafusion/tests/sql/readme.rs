//! The page's table of column types and result types is what queries give.

use std::collections::{BTreeMap, BTreeSet};

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{gallery, register_gallery, register_specs, specs};

const PAGE: &str = include_str!("../../README.md");

/// Functions whose every call is refused, since they depend on the order of rows.
const REFUSED: [&str; 3] = ["arg_max", "arg_min", "polynomial_hash"];

/// The cells of the rows of a table that follows a heading, without its line of dashes.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let rest = PAGE.split(&format!("{heading}\n")).nth(1).expect("the page has the heading");
    let lines = rest.lines().skip_while(|line| !line.starts_with('|'));
    let lines =
        lines.take_while(|line| line.starts_with('|')).filter(|line| !line.contains("|---"));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What stands in backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The functions of each kind.
fn kinds() -> BTreeMap<&'static str, Vec<String>> {
    table("### Kinds of functions").iter().skip(1).map(|row| (row[0], quoted(row[1]))).collect()
}

/// A call over a column of a type.
fn call(udaf: &AggregateUDF, column: &str) -> String {
    let usage = &udaf.documentation().expect("there is one").syntax_example;
    let names = usage.split(['(', '[', ')']).nth(1).unwrap_or_default();
    let column = format!("arrow_cast(NULL, '{column}')");
    let arguments = names.split(',').map(|name| match (udaf.name(), name.trim()) {
        ("weighted_mean", "z") | ("cross_entropy", "y") => "true".to_owned(),
        (_, "x" | "y" | "z") => column.clone(),
        (_, "low") => "0".to_owned(),
        (_, "high") => "1".to_owned(),
        (_, "bins") => "10".to_owned(),
        (_, _) => "2".to_owned(),
    });
    format!("{}({})", udaf.name(), arguments.collect::<Vec<_>>().join(", "))
}

/// The types of the numbers in a result.
fn numbers(result: &DataType) -> BTreeSet<String> {
    match result {
        DataType::Struct(fields) => {
            fields.iter().flat_map(|field| numbers(field.data_type())).collect()
        }
        DataType::List(item) => numbers(item.data_type()),
        other => BTreeSet::from([other.to_string()]),
    }
}

#[test]
fn every_function_is_of_one_kind() {
    let mut named: Vec<String> = kinds().into_values().flatten().collect();
    named.sort();
    let all =
        specs().into_iter().chain(gallery()).map(|aggregate| aggregate.udaf().name().to_owned());
    let mut wanted: Vec<String> = all.filter(|name| !REFUSED.contains(&name.as_str())).collect();
    wanted.sort();
    assert_eq!(named, wanted);
}

#[tokio::test]
async fn results_have_the_types_of_the_page() -> Result<()> {
    let ctx = SessionContext::new();
    register_specs(&ctx);
    register_gallery(&ctx);
    let (kinds, rows) = (kinds(), table("### Types of results"));
    let mut compared = 0;
    for row in &rows[1..] {
        for column in quoted(row[0]) {
            for (kind, expected) in rows[0].iter().zip(row).skip(1) {
                for function in &kinds[kind] {
                    let call = call(ctx.udaf(function)?.as_ref(), &column);
                    let planned = ctx.sql(&format!("SELECT {call}")).await;
                    let found = match &planned {
                        Ok(frame) => numbers(frame.schema().field(0).data_type()),
                        Err(_) => BTreeSet::from(["refused".to_owned()]),
                    };
                    let expected = match &quoted(expected)[..] {
                        [] => "refused".to_owned(),
                        [one] => one.clone(),
                        several => panic!("{several:?}"),
                    };
                    assert_eq!(found, BTreeSet::from([expected]), "{call}");
                    compared += 1;
                }
            }
        }
    }
    // Thirteen types of columns, and each function.
    let functions: usize = kinds.values().map(Vec::len).sum();
    assert_eq!(compared, 13 * functions);
    Ok(())
}
