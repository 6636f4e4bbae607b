//! Integers, and the largest and smallest of floats, have the bits of a tensor's reduction.

use std::sync::Arc;

use datafusion::arrow::array::{AsArray, Float64Array, Int32Array, Int64Array};
use datafusion::arrow::datatypes::{Float64Type, Int32Type, Int64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use reduce_core::{Reduction, View};
use reduce_specs::{ReduceL2, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum};

use crate::random::Random;

fn context(ints: &[i64], small: &[i32], floats: &[f64]) -> Result<SessionContext> {
    let ctx = SessionContext::new_with_config(
        SessionConfig::new().with_target_partitions(3).with_batch_size(100),
    );
    reduce_datafusion::register_specs(&ctx);
    let part = |range: std::ops::Range<usize>| {
        RecordBatch::try_from_iter([
            ("i", Arc::new(Int64Array::from(ints[range.clone()].to_vec())) as _),
            ("s", Arc::new(Int32Array::from(small[range.clone()].to_vec())) as _),
            ("f", Arc::new(Float64Array::from(floats[range].to_vec())) as _),
        ])
    };
    let (third, length) = (ints.len() / 3, ints.len());
    let parts =
        vec![vec![part(0..third)?], vec![part(third..2 * third)?, part(2 * third..length)?]];
    ctx.register_table("t", Arc::new(MemTable::try_new(parts[0][0].schema(), parts)?))?;
    Ok(ctx)
}

#[tokio::test]
async fn bits_are_those_of_tensors() -> Result<()> {
    let mut random = Random(5);
    let ints: Vec<i64> = (0..5000).map(|_| random.next().cast_signed()).collect();
    let small: Vec<i32> = ints.iter().map(|&int| int as i32).collect();
    let mut floats: Vec<f64> = ints.iter().map(|&int| int as f64 * 1e-300).collect();
    floats[17] = -0.0;
    let ctx = context(&ints, &small, &floats)?;
    let calls = "reduce_sum(i), reduce_prod(i), reduce_mean(i), reduce_max(i), reduce_min(i), \
                 reduce_sum(s), reduce_prod(s), reduce_mean(s), reduce_max(f), reduce_min(f)";
    let rows = ctx.sql(&format!("SELECT {calls} FROM t")).await?.collect().await?;
    let int = |column: usize| rows[0].column(column).as_primitive::<Int64Type>().value(0);
    let short = |column: usize| rows[0].column(column).as_primitive::<Int32Type>().value(0);
    let float =
        |column: usize| rows[0].column(column).as_primitive::<Float64Type>().value(0).to_bits();
    let (i, s, f) =
        (View::new(&ints, &[5000]), View::new(&small, &[5000]), View::new(&floats, &[5000]));
    let (i, s, f) = (i.expect("whole"), s.expect("whole"), f.expect("whole"));
    let expected = |tensor: std::result::Result<reduce_core::Tensor<i64>, _>| -> i64 {
        let tensor: reduce_core::Tensor<i64> =
            tensor.map_err(|error: reduce_core::Error| error).expect("it runs");
        tensor.data()[0]
    };
    assert_eq!(int(0), expected(Reduction::new(ReduceSum).run(&i)));
    assert_eq!(int(1), expected(Reduction::new(ReduceProd).run(&i)));
    assert_eq!(int(2), expected(Reduction::new(ReduceMean).run(&i)));
    assert_eq!(int(3), expected(Reduction::new(ReduceMax).run(&i)));
    assert_eq!(int(4), expected(Reduction::new(ReduceMin).run(&i)));
    assert_eq!(short(5), Reduction::new(ReduceSum).run(&s).expect("it runs").data()[0]);
    assert_eq!(short(6), Reduction::new(ReduceProd).run(&s).expect("it runs").data()[0]);
    assert_eq!(short(7), Reduction::new(ReduceMean).run(&s).expect("it runs").data()[0]);
    assert_eq!(float(8), Reduction::new(ReduceMax).run(&f).expect("it runs").data()[0].to_bits());
    assert_eq!(float(9), Reduction::new(ReduceMin).run(&f).expect("it runs").data()[0].to_bits());
    Ok(())
}

/// Ungrouped and in one part, rows are folded by a tensor's kernels, floats too.
#[tokio::test]
async fn one_group_of_one_batch_has_the_bits_of_a_tensor() -> Result<()> {
    let mut random = Random(6);
    let floats: Vec<f64> = (0..3000).map(|_| random.next() as f64 / 1e17).collect();
    let ctx = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    reduce_datafusion::register_specs(&ctx);
    let column = Arc::new(Float64Array::from(floats.clone())) as _;
    ctx.register_batch("t", RecordBatch::try_from_iter([("f", column)])?)?;
    let rows = ctx.sql("SELECT reduce_sum(f), l2(f) FROM t").await?.collect().await?;
    let float =
        |column: usize| rows[0].column(column).as_primitive::<Float64Type>().value(0).to_bits();
    let view = View::new(&floats, &[3000]).expect("whole");
    assert_eq!(
        float(0),
        Reduction::new(ReduceSum).run(&view).expect("it runs").data()[0].to_bits()
    );
    assert_eq!(float(1), Reduction::new(ReduceL2).run(&view).expect("it runs").data()[0].to_bits());
    Ok(())
}
