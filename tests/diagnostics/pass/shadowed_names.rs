//! Types, traits, macros and constants of the names that generated code uses.

#![allow(dead_code, non_camel_case_types, unused_macros, reason = "for their names")]

struct Option;
struct Result;
struct Vec;
struct Some;
struct None;
struct Default;
struct A;
struct T;
struct Self_;
struct Row;
struct Window;
struct Kernel;
struct DType;
struct OpSpec;
struct usize;
struct f32;
struct bool;
struct str;
trait Copy {}
trait Accumulator {}
macro_rules! panic {
    () => {};
}
macro_rules! assert {
    () => {};
}

const LANES: u8 = 4;
static PARAMS: u8 = 4;

#[derive(Clone, ::core::marker::Copy, Debug, reduce_core::Accumulator)]
struct Total<Sum> {
    sum: Sum,
    lanes: u8,
    lane: u8,
    value: u8,
}

#[derive(::core::default::Default)]
struct Sum {
    op: i64,
    params: i64,
    field: f64,
}

#[reduce_core::reduce_op(
    dtypes = [f32, bf16 => f32, u8 => i32],
    attrs = [axes: ints = all, op: int = 0, params: int = 0 in ..=4, field: float = 0.5],
)]
impl<A: reduce_core::Num> reduce_core::ReduceOp<A> for Sum {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> {
        Total { sum: A::ZERO, lanes: 0, lane: 0, value: 0 }
    }
    fn map(&self, x: A) -> Total<A> {
        Total { sum: x, ..self.identity_of() }
    }
    fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
        Total { sum: a.sum + b.sum, ..a }
    }
    fn finalize(&self, acc: Total<A>, _: ::core::primitive::usize) -> A {
        acc.sum
    }
}

impl Sum {
    fn identity_of<A: reduce_core::Num>(&self) -> Total<A> {
        Total { sum: A::ZERO, lanes: 0, lane: 0, value: 0 }
    }
}

pub fn main() {
    let view = reduce_core::View::new(&[1.0, 2.0], &[2]).unwrap();
    let _: &reduce_core::View<'_, ::core::primitive::f32> = &view;
    let sum = reduce_core::Reduction::new(Sum { op: 1, params: 2, field: 0.5 }).run(&view);
    assert_eq!(sum.unwrap().data(), [3.0]);
}
