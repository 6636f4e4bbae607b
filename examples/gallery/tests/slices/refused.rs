//! What is refused, with an error and no panic.

use reduce_core::nodes::{Call, Node, OpEntry};
use reduce_core::{AnyGroups, DType, Error, Reduction, Tensor, View};
use reduce_gallery::{Bins, Top};

static TOP: OpEntry = OpEntry::of::<Top>();
static BINS: OpEntry = OpEntry::of::<Bins>();

#[track_caller]
fn has<T>(result: Result<T, Error>, code: &str, words: &str) {
    let Err(error) = result else { panic!("{code} was expected") };
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

fn top(k: i64) -> Call {
    TOP.prepare(&Node::new(1, DType::F32).attr("k", k).attr("axes", [1])).expect("valid")
}

#[test]
fn lengths_below_one() {
    for k in [0, -1, i64::MIN] {
        let problems = TOP.prepare(&Node::new(1, DType::F32).attr("k", k)).expect_err("no length");
        assert_eq!(problems.errors()[0].code(), "attribute-range");
        let list = View::new(&[1.0f32], &[1]).expect("a list");
        let words = "`k` is below 1, and a result has an element; give 1 or more";
        has(Reduction::new(Top { k, largest: true }).arrays(&list), "parameters", words);
        has(Reduction::new(Top { k, largest: true }).run_all(&[list.into()]), "parameters", words);
    }
}

#[test]
fn limits_that_are_none() {
    for [low, high] in [[1.0, 1.0], [2.0, 1.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
        let node = Node::new(1, DType::U8).attr("low", low).attr("high", high);
        let problems = BINS.prepare(&node).expect_err("no range");
        assert_eq!(problems.errors()[0].code(), "parameters");
    }
}

/// Lengths that fit in no memory.
#[test]
fn lengths_beyond_memory() {
    let rows = View::new(&[1.0f32, 2.0], &[1, 2]).expect("a row");
    for k in [1 << 60, i64::MAX] {
        assert!(top(k).run_all(&[rows.clone().into()], None).is_err(), "{k}");
    }
    let two = View::new(&[1.0f32, 2.0], &[2, 1]).expect("two rows");
    has(top(i64::MAX).run_all(&[two.into()], None), "size-overflow", "too many elements");
}

#[test]
fn sets_without_elements() {
    let none = View::<f32>::new(&[], &[3, 0]).expect("nothing");
    has(top(2).run_all(&[none.clone().into()], None), "empty-set", "no value over an empty set");
    let counts = Reduction::new(Bins { bins: 2, ..Bins::default() }).axes([1]).arrays(&none);
    assert_eq!(counts.expect("zeros"), Tensor::new(vec![0u64; 6], &[3, 2]).expect("six"));
    let no_rows = View::<f32>::new(&[], &[0, 3]).expect("nothing");
    let values = top(2).run_all(&[no_rows.into()], None).expect("no results").remove(0);
    assert_eq!(values.shape().dims(), [0, 1, 2]);
    let rows = View::new(&[1.0f32, 2.0, f32::NAN, f32::NAN], &[2, 2]).expect("rows");
    let found = top(2).skip_nan(true).run_all(&[rows.into()], None);
    has(found, "none-counts", "no element of some result counts");
}

#[test]
fn groups_by_key() {
    has(AnyGroups::new(Top::default(), &[DType::F32]), "no-groups", "have the length");
    has(AnyGroups::new(Top::default(), &[DType::Bool]), "dtype-not-allowed", "`bool`");
}
