//! Plans that travel.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use reduce_datafusion::{Aggregate, Integers, ReduceCodec, gallery, register, specs};
use reduce_gallery::{MeanVariance, Variance};

fn all() -> Vec<Aggregate> {
    let sample = Aggregate::of::<Variance>().name("sample_variance").with("correction", 1);
    specs().into_iter().chain(gallery()).chain([sample]).collect()
}

const SQL: &str = "SELECT g, reduce_sum(x), log_sum_exp(x), sample_variance(x), get_field(mean_variance(x), 'variance'), \
                   top_k(x, 2), variance(x, 1) FROM (VALUES (1, 1.0), (1, 2.5), (2, 4.0), (2, 5.0)) AS t(g, x) \
                   GROUP BY g ORDER BY g";

async fn here() -> Result<SessionContext> {
    let ctx = SessionContext::new();
    register(&ctx, all())?;
    Ok(ctx)
}

#[tokio::test]
async fn a_logical_plan_gives_the_same_elsewhere() -> Result<()> {
    let here = here().await?;
    let frame = here.sql(SQL).await?;
    let codec = ReduceCodec::logical(all());
    let bytes = logical_plan_to_bytes_with_extension_codec(frame.logical_plan(), &codec)?;
    let there = SessionContext::new();
    let plan = logical_plan_from_bytes_with_extension_codec(&bytes, &there.task_ctx(), &codec)?;
    assert_eq!(plan, *frame.logical_plan());
    let found = there.execute_logical_plan(plan).await?.collect().await?;
    assert_eq!(found, frame.collect().await?);
    Ok(())
}

#[tokio::test]
async fn a_physical_plan_gives_the_same_elsewhere() -> Result<()> {
    let here = here().await?;
    let plan = here.sql(SQL).await?.create_physical_plan().await?;
    let codec = ReduceCodec::physical(all());
    let bytes = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &codec)?;
    let there = SessionContext::new();
    let again: Arc<dyn ExecutionPlan> =
        physical_plan_from_bytes_with_extension_codec(&bytes, &there.task_ctx(), &codec)?;
    let found = collect(again, there.task_ctx()).await?;
    assert_eq!(found, collect(plan, here.task_ctx()).await?);
    Ok(())
}

#[tokio::test]
async fn a_window_travels() -> Result<()> {
    let here = here().await?;
    let sql = "SELECT x, variance(x, 1) OVER (ORDER BY x ROWS 2 PRECEDING) \
               FROM (VALUES (1.0), (2.0), (5.0)) AS t(x) ORDER BY x";
    let plan = here.sql(sql).await?.create_physical_plan().await?;
    let codec = ReduceCodec::physical(all());
    let bytes = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &codec)?;
    let there = SessionContext::new();
    let again = physical_plan_from_bytes_with_extension_codec(&bytes, &there.task_ctx(), &codec)?;
    assert_eq!(collect(again, there.task_ctx()).await?, collect(plan, here.task_ctx()).await?);
    Ok(())
}

/// Aggregates of one name: of different operators, or of one operator with another form of result.
fn others() -> [Aggregate; 5] {
    [
        Aggregate::of::<Variance>().name("spread"),
        Aggregate::of::<reduce_specs::ReduceMax>().name("spread"),
        Aggregate::of::<Variance>().name("spread").undefined_is_null(),
        Aggregate::of::<MeanVariance>().name("spread").only(1),
        Aggregate::of::<reduce_specs::ReduceSum>().name("spread").integers(Integers::Widest),
    ]
}

#[tokio::test]
async fn another_operator_of_the_same_name_is_refused() -> Result<()> {
    let sentence = "the codec knows another `spread` than the plan was made with; give both sides the same list";
    for (sender, sent) in others().into_iter().enumerate() {
        let here = SessionContext::new();
        register(&here, [sent.clone()])?;
        let frame = here.sql("SELECT spread(x) FROM (VALUES (1.0), (4.0)) AS t(x)").await?;
        let logical = logical_plan_to_bytes_with_extension_codec(
            frame.logical_plan(),
            &ReduceCodec::logical([sent.clone()]),
        )?;
        let plan = frame.create_physical_plan().await?;
        let physical =
            physical_plan_to_bytes_with_extension_codec(plan, &ReduceCodec::physical([sent]))?;
        for (reader, known) in others().into_iter().enumerate() {
            let there = SessionContext::new().task_ctx();
            let codec = ReduceCodec::logical([known.clone()]);
            let read = logical_plan_from_bytes_with_extension_codec(&logical, &there, &codec);
            let codec = ReduceCodec::physical([known]);
            let again = physical_plan_from_bytes_with_extension_codec(&physical, &there, &codec);
            for error in [read.err(), again.err()] {
                let message = error.map(|error| error.to_string());
                match message {
                    None => assert_eq!(sender, reader),
                    Some(message) => {
                        assert_ne!(sender, reader, "{message}");
                        assert!(message.contains(sentence), "{message}");
                    }
                }
            }
        }
    }
    Ok(())
}

/// Defaults travel, and an alias or what a query has to give changes no answer.
#[test]
fn what_changes_no_answer_is_not_refused() -> Result<()> {
    let sent = Aggregate::of::<Variance>().with("correction", 1);
    let mut bytes = Vec::new();
    ReduceCodec::physical([sent.clone()]).try_encode_udaf(&sent.udaf(), &mut bytes)?;
    let known = Aggregate::of::<Variance>().alias("var").required("correction");
    let read = ReduceCodec::physical([known.clone()]).try_decode_udaf("variance", &bytes)?;
    assert_eq!(*read, known.with("correction", 1).udaf());
    Ok(())
}

#[test]
fn a_function_comes_back_as_it_was() -> Result<()> {
    let codec = ReduceCodec::physical(all());
    for aggregate in all() {
        for (name, value) in [("", 0), ("correction", 2)] {
            if !name.is_empty() && aggregate.clone().udaf().name() != "variance" {
                continue;
            }
            let aggregate = if name.is_empty() {
                aggregate.clone()
            } else {
                aggregate.clone().with(name, value)
            };
            let udaf = aggregate.udaf();
            let mut bytes = Vec::new();
            codec.try_encode_udaf(&udaf, &mut bytes)?;
            assert_eq!(*codec.try_decode_udaf(udaf.name(), &bytes)?, udaf);
        }
    }
    Ok(())
}

#[test]
fn what_the_codec_does_not_know_is_said() -> Result<()> {
    let codec = ReduceCodec::logical(specs());
    let mut bytes = Vec::new();
    let unknown = Aggregate::of::<MeanVariance>().udaf();
    let message = codec.try_encode_udaf(&unknown, &mut bytes).expect_err("unknown").to_string();
    assert!(
        message.contains("the codec does not know `mean_variance`; add its aggregate"),
        "{message}"
    );
    let other = Aggregate::of::<MeanVariance>().name("reduce_sum").udaf();
    let message = codec.try_encode_udaf(&other, &mut bytes).expect_err("another").to_string();
    assert!(message.contains("the codec knows another `reduce_sum`"), "{message}");
    // What is no aggregate of this crate is the inner codec's.
    let builtin = datafusion::functions_aggregate::sum::sum_udaf();
    codec.try_encode_udaf(&builtin, &mut bytes)?;
    assert!(bytes.is_empty());
    assert!(codec.try_decode_udaf("sum", &[]).is_err());
    Ok(())
}
