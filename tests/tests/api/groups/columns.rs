//! What groups have seen, as columns.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "small numbers, and halves of large ones"
)]

use reduce_core::{Accumulator, AnyTensor, AnyView, DType, Groups, Num, ReduceOp, View, reduce_op};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMean};

/// An accumulator of scalars of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Accumulator)]
struct Mixed<A> {
    sum: A,
    flags: [bool; 2],
    narrow: (u8, i16),
    wide: (i128, u128),
    size: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Everything;

#[reduce_op(dtypes = [i32, f64], output = i64, nan = unspecified)]
impl<A: Num> ReduceOp<A> for Everything {
    type Acc = Mixed<A>;
    type Output = std::num::Wrapping<i64>;
    fn identity(&self) -> Mixed<A> {
        Mixed { sum: A::ZERO, flags: [false; 2], narrow: (0, 0), wide: (0, 0), size: 0 }
    }
    fn map(&self, x: A) -> Mixed<A> {
        Mixed {
            sum: x,
            flags: [true, false],
            narrow: (1, -2),
            wide: (-(1 << 100), 1 << 90 | 1),
            size: 3,
        }
    }
    fn combine(&self, a: Mixed<A>, b: Mixed<A>) -> Mixed<A> {
        Mixed {
            sum: a.sum + b.sum,
            flags: [a.flags[0] | b.flags[0], a.flags[1] | b.flags[1]],
            narrow: (a.narrow.0.wrapping_add(b.narrow.0), a.narrow.1.wrapping_add(b.narrow.1)),
            wide: (a.wide.0.wrapping_add(b.wide.0), a.wide.1.wrapping_add(b.wide.1)),
            size: a.size.wrapping_add(b.size),
        }
    }
    fn finalize(&self, acc: Mixed<A>, count: usize) -> std::num::Wrapping<i64> {
        let parts = count as i64
            + i64::from(acc.narrow.0)
            + i64::from(acc.narrow.1)
            + i64::from(acc.flags[0]);
        std::num::Wrapping(
            parts + (acc.wide.0 >> 100) as i64 + (acc.wide.1 >> 90) as i64 + acc.size as i64,
        )
    }
}

#[test]
fn every_scalar_has_a_column() {
    use DType::{Bool, F64, I16, U8, U64};
    let mut groups = Groups::<_, f64>::new(Everything, 2).expect("few");
    groups
        .update(&View::new(&[1.5f64, 2.5, 4.0], &[3]).expect("a list"), &[0, 1, 0])
        .expect("keys");
    let expected = [U64, F64, Bool, Bool, U8, I16, U64, U64, U64, U64, U64];
    assert_eq!(groups.column_dtypes(), expected);
    let columns = groups.columns().expect("fits");
    assert_eq!(columns.iter().map(AnyTensor::dtype).collect::<Vec<_>>(), expected);
    let column = |place: usize| columns[place].clone().downcast::<u64>().expect("u64").into_data();
    assert_eq!(column(0), [2, 1]);
    assert_eq!(columns[1].clone().downcast::<f64>().expect("f64").data(), [5.5, 2.5]);
    assert_eq!(columns[2].clone().downcast::<bool>().expect("bool").data(), [true, true]);
    assert_eq!(columns[5].clone().downcast::<i16>().expect("i16").data(), [-4, -2]);
    let wide = -(2i128 << 100);
    assert_eq!((column(6)[0], column(7)[0]), (wide as u64, (wide >> 64) as u64));
    assert_eq!((column(8), column(9)), (vec![2, 1], vec![2 << 26, 1 << 26]));
    assert_eq!(column(10), [6, 3]);

    let mut others = Groups::<_, f64>::new(Everything, 3).expect("few");
    let views: Vec<AnyView<'_>> = columns.iter().map(AnyTensor::view).collect();
    others.merge_columns(&views, &[2, 0], None).expect("columns of the same operator");
    others.merge_columns(&views, &[2, 1], Some(&[true, false])).expect("columns");
    assert!(others.seen().eq([true, false, true]));
    let (all, found) = (groups.finish().expect("a value"), others.finish().expect("a value"));
    assert_eq!(found.data()[0], all.data()[1]);
    // Twice what it was, but for the flag.
    assert_eq!(found.data()[2], 2 * all.data()[0] - 1);
}

#[test]
fn columns_go_on_where_they_stopped() {
    let data: Vec<f64> = (0..3000u16).map(|x| f64::from(x % 89) * 0.25).collect();
    let keys: Vec<u16> = (0..3000).map(|row| row % 7).collect();
    let view = |part: std::ops::Range<usize>| {
        View::new(&data[part.clone()], &[part.len()]).expect("a list")
    };
    let ops = (ReduceMean, ReduceLogSumExp, ArgMax::default());
    let mut whole = Groups::<_, f64>::new(ops, 7).expect("few");
    whole.update(&view(0..1000), &keys[..1000]).expect("keys");
    let columns = whole.columns().expect("fits");
    let mut resumed = Groups::<_, f64>::new(ops, 7).expect("few");
    let views: Vec<AnyView<'_>> = columns.iter().map(AnyTensor::view).collect();
    resumed.merge_columns(&views, &[0, 1, 2, 3, 4, 5, 6], None).expect("columns");
    assert_eq!(resumed.finish().expect("rows"), whole.finish().expect("rows"));
    assert_eq!(resumed.columns().expect("fits"), columns);
}

#[test]
fn other_columns_are_refused() {
    let mut groups = Groups::<_, f64>::new(ReduceMean, 2).expect("few");
    let counts = View::new(&[1u64, 1], &[2]).expect("a list");
    let sums = View::new(&[1.0f64, 2.0], &[2]).expect("a list");
    let three = View::new(&[1.0f64, 2.0, 3.0], &[3]).expect("a list");
    let narrow = View::new(&[1.0f32, 2.0], &[2]).expect("a list");
    for (columns, mapping, code) in [
        (vec![counts.clone().into()], vec![0, 1], "other-columns"),
        (vec![counts.clone().into(), narrow.into()], vec![0, 1], "other-columns"),
        (vec![counts.clone().into(), three.into()], vec![0, 1], "length-mismatch"),
        (vec![counts.clone().into(), sums.clone().into()], vec![0], "length-mismatch"),
        (vec![counts.clone().into(), sums.clone().into()], vec![0, 2], "key-out-of-range"),
    ] {
        let error = groups.merge_columns(&columns, &mapping, None).expect_err("other columns");
        assert_eq!(error.code(), code);
    }
    assert!(groups.seen().eq([false, false]));
    groups.merge_columns(&[counts.into(), sums.into()], &[1, 1], None).expect("columns");
    assert!(groups.seen().eq([false, true]));
}
