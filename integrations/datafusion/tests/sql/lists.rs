//! The lists that are registered by one line are whole, and take no name away.

use std::collections::BTreeSet;

use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{gallery, register_gallery, register_specs, specs};

/// `ReduceSum` as a function is called.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn names(aggregates: Vec<reduce_datafusion::Aggregate>) -> Vec<AggregateUDF> {
    aggregates.into_iter().map(Into::into).collect()
}

#[test]
fn every_onnx_operator_is_a_function() {
    let there: BTreeSet<String> =
        names(specs()).iter().map(|udaf| udaf.name().to_owned()).collect();
    let onnx = reduce_specs::ONNX.ops().iter().map(|op| snake(op.schema().name));
    let short =
        ["tree_sum", "tree_mean", "prod", "l1", "l2", "sum_square", "log_sum", "log_sum_exp"];
    assert_eq!(there, onnx.chain(short.map(str::to_owned)).collect());
}

#[test]
fn every_operator_of_the_gallery_is_a_function() {
    // The names that its `lib.rs` makes public. Types of results are no aggregates. Nor is what is there to emit: the steps of
    // softmax, and norms, whose results `summary` and `l2` have. Operators of a length that is known when they run keep all
    // elements of a result at once, and groups of rows do not: `top_k` and `histogram` are there for these.
    let source = include_str!("../../../../examples/gallery/src/lib.rs");
    let public = source.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let public = public.filter_map(|line| line.split_once("::")).flat_map(|(_, names)| {
        let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
        names.filter(|name| !name.is_empty()).map(snake).collect::<Vec<_>>()
    });
    let others = [
        "exponentials",
        "shares",
        "log_softmax",
        "log_total",
        "softmax",
        "mean",
        "spread",
        "layer_norm",
        "rms_norm",
        "root_mean_square",
        "unit_length",
        "norm",
        "total",
        "top",
        "bins",
        "weighted_bins",
    ];
    let wanted: BTreeSet<String> = public.filter(|name| !others.contains(&name.as_str())).collect();
    let there: BTreeSet<String> =
        names(gallery()).iter().map(|udaf| udaf.name().to_owned()).collect();
    assert_eq!(there, wanted);
}

#[test]
fn no_function_of_datafusion_is_shadowed() {
    let ctx = SessionContext::new();
    let before: BTreeSet<String> =
        [ctx.udafs(), ctx.udfs(), ctx.udwfs()].into_iter().flatten().collect();
    register_specs(&ctx);
    register_gallery(&ctx);
    for udaf in names(specs()).iter().chain(&names(gallery())) {
        for name in udaf.aliases().iter().map(String::as_str).chain([udaf.name()]) {
            assert!(!before.contains(name), "{name} was there");
            assert!(ctx.udaf(name).is_ok(), "{name} is not there");
        }
    }
}

#[test]
fn functions_are_documented() {
    for udaf in names(specs()).iter().chain(&names(gallery())) {
        let documentation = udaf.documentation().expect("there is one");
        assert!(documentation.description.len() > 10, "{}", udaf.name());
        assert!(
            documentation.syntax_example.starts_with(udaf.name()),
            "{}",
            documentation.syntax_example
        );
    }
}
