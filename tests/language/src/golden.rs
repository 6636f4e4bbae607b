//! The specs of `tests/golden` and their written-down expansions compile, run and
//! agree; the law tests in them run with this one.

use reduce_core::nodes::{Node, OpEntry};
use reduce_core::{Accumulator, AnyTensor, DType, Element, OpSpec, Tensor, View, bf16, f16};

/// The spec, under its macros, and its expansion.
macro_rules! golden {
    ($($name:ident)*) => {$(
        mod $name {
            #![allow(
                dead_code,
                unreachable_pub,
                unused_qualifications,
                clippy::explicit_auto_deref,
                clippy::init_numbered_fields,
                clippy::needless_borrow,
                reason = "expanded code, for people to read"
            )]

            pub(crate) mod spec {
                include!(concat!("../../golden/", stringify!($name), ".in.rs"));
            }

            pub(crate) mod expansion {
                include!(concat!("../../golden/", stringify!($name), ".out.rs"));
            }
        }
    )*

        #[test]
        fn every_file_is_compiled() {
            let here = [$(stringify!($name)),*];
            let entries = std::fs::read_dir("../golden").expect("a folder");
            for entry in entries.map(|entry| entry.expect("an entry").file_name()) {
                let name = entry.to_string_lossy();
                let name = name.trim_end_matches(".in.rs").trim_end_matches(".out.rs");
                assert!(here.contains(&name), "{name} is not in the list");
            }
        }
    };
}

golden! {
    shortest all_keys windows ordered output params halves bools indexed twos
    accumulator_named accumulator_tuple accumulator_nested lengths doubts slices emits
}

/// Runs an operator as it is written down, and holds its facts against its spec.
macro_rules! assert_runs {
    ($name:ident::$op:ident at $opset:literal $(with $attr:literal = $value:literal)*:
     $data:expr => $result:expr, $shape:expr) => {{
        let expected = AnyTensor::from(Tensor::new(vec![$result], &$shape).expect("one value"));
        let node = |dtype| Node::new($opset, dtype)$(.attr($attr, $value))*;
        assert_eq!(run::<$name::expansion::$op, _>(node, &$data), expected, stringify!($name));
        assert_eq!($name::spec::$op::SCHEMA, $name::expansion::$op::SCHEMA);
    }};
}

fn run<Op: OpSpec, T: Element>(node: fn(DType) -> Node, data: &[T]) -> AnyTensor {
    let entry: &'static OpEntry = Box::leak(Box::new(OpEntry::of::<Op>()));
    let call = entry.prepare(&node(T::DTYPE)).unwrap_or_else(|problems| panic!("{problems}"));
    let view = View::new(data, &[data.len()]).expect("a vector");
    call.run(&view.into()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn each_operator_runs() {
    assert_runs!(shortest::Sum at 1: [1.0f32, 2.0, 3.0, 4.0] => 10.0f32, [1]);
    assert_runs!(all_keys::Sum at 13: [1.0f32, 2.0, 3.5] => 6.5f64, []);
    assert_runs!(twos::Largest at 18: [1.0f64, 3.5, 2.0] => 3.5f64, [1]);
    assert_runs!(all_keys::Sum at 18: [i32::MAX, 1] => 2_147_483_648.0f64, []);
    assert_runs!(windows::ReduceMean at 12: [1, 2, 4] => 2, [1]);
    assert_runs!(windows::ReduceMean at 18 with "keepdims" = 0: [u64::MAX, 3] => (1u64 << 63) + 1, []);
    assert_runs!(windows::ReduceMean at 13: [bf16::ONE, bf16::ONE] => bf16::ONE, [1]);
    assert_runs!(ordered::Last at 1: [1i64, 2, 3, 4, 5] => 5i64, [1]);
    assert_runs!(output::CountZeros at 1: [0u8, 1, 0, 2] => 2i64, [1]);
    assert_runs!(params::Power at 1 with "exponent" = 3 with "dyn" = 1: [1.0f32, -2.0] => 9.0f32, []);
    assert_runs!(params::Power at 18 with "scale" = 0.5: [1.0f64, -2.0] => 2.5f64, []);
    assert_runs!(halves::SumExp at 1: [f16::ZERO, f16::ZERO] => f16::from_f32(2.0), [1]);
    assert_runs!(bools::Any at 1: [false, true, false] => true, [1]);
    assert_runs!(indexed::FirstMax at 13: [1i32, 4, 4, -2] => 1i64, [1]);
    assert_runs!(indexed::FirstMax at 13 with "keepdims" = 0: [0u8, 0] => 0i64, []);
    assert_runs!(accumulator_nested::Dispersion at 1: [1.0f32, 2.0, 3.0, 4.0] => -70.0f32, [1]);
    assert_runs!(accumulator_nested::Dispersion at 1: [3, 4] => -24, [1]);
    assert_runs!(emits::Centre at 1: [1.0f32, 2.0, 6.0] => 3.0f32, [1]);
}

#[test]
fn an_operator_emits_alone_and_with_others_beside() {
    static CENTRE: OpEntry = OpEntry::of::<emits::expansion::Centre>();
    assert_eq!(CENTRE.schema().emits, [0, 2]);
    let call = CENTRE.prepare(&Node::new(1, DType::F32)).expect("a node");
    let view = |data| View::new(data, &[3]).expect("a vector").into();
    let inputs = [view(&[1.0f32, 2.0, 6.0]), view(&[1.0, 2.0, 3.0]), view(&[0.5, 0.5, 0.0])];
    let emitted = |inputs| call.emit(inputs).expect("emits");
    let vector = |data| AnyTensor::from(Tensor::from_list(data));
    assert_eq!(emitted(&inputs[..1]), vector(vec![-2.0f32, -1.0, 3.0]));
    assert_eq!(emitted(&inputs[..]), vector(vec![-1.5f32, -1.5, 9.0]));
}

/// Results of as many elements as a parameter says.
#[test]
fn an_operator_of_slices_runs() {
    use slices::{expansion::Powers, spec};
    let node = |dtype| Node::new(1, dtype).attr("n", 3);
    let expected = AnyTensor::from(Tensor::new(vec![2.0f64, 5.0, 14.0], &[3]).expect("three"));
    assert_eq!(run::<Powers, _>(node, &[1.0f32, 3.0]), expected);
    assert_eq!(spec::Powers::SCHEMA, Powers::SCHEMA);
}

/// A value set in one lane is there, and in no other.
fn assert_lanes<Acc: Accumulator + PartialEq>(low: Acc, high: Acc) {
    let mut lanes = low.splat::<4>();
    Acc::set(&mut lanes, 2, high);
    assert_eq!([0, 1, 2, 3].map(|lane| Acc::get(&lanes, lane)), [low, low, high, low]);
}

#[test]
fn each_accumulator_keeps_its_lanes() {
    use accumulator_named::{expansion as named_expansion, spec as named};
    use accumulator_tuple::{expansion as tuple_expansion, spec as tuple};
    assert_lanes(named::MaxSum { max: 1.0, sum: 2.0 }, named::MaxSum { max: 3.0, sum: 4.0 });
    let max_sum = |max, sum| named_expansion::MaxSum { max, sum };
    assert_lanes(max_sum(1.0, 2.0), max_sum(3.0, 4.0));
    assert_lanes(tuple::Pair(1.0, 2u8), tuple::Pair(3.0, 4));
    assert_lanes(tuple_expansion::Pair(1.0, 2u8), tuple_expansion::Pair(3.0, 4));
}
