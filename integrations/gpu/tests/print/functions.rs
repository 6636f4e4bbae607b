//! Parameters, and functions that are graphs themselves.

use reduce_gpu::graph::Body;
use reduce_gpu::graph::{Argument, Binary, Bits, Function, Graph, Int, Operation, Steps, Type};
use reduce_gpu::print;

use crate::cases::{push, steps};
use crate::device::{SOFTWARE, mapped, mapped_by};
use crate::numbers::Number;

fn argument(graph: &mut Graph, slot: u16, ty: Type) -> u32 {
    graph.add(Operation::Argument(Argument::Element, slot), ty)
}

#[test]
fn parameters_of_all_types_are_read() {
    let int = |bits, signed| Type::Int(Int { bits, signed });
    let parameters: Vec<(Bits, Type)> = vec![
        (1.5f32.bits(), Type::F32),
        (f64::NEG_INFINITY.bits(), Type::F64),
        (0xfe, int(8, true)),
        (0xffff, int(16, false)),
        (i64::MIN.bits(), int(64, true)),
        (1, Type::Flag),
        (u128::MAX - 5, int(128, false)),
        (u64::MAX.into(), Type::Place),
        ((-0.0f32).bits(), Type::F32),
    ];
    let mut steps = steps(&[Type::U32]);
    for (index, &(_, ty)) in (0..).zip(&parameters) {
        let id = steps.graph.add(Operation::Parameter(index), ty);
        push(&mut steps, id, ty);
    }
    steps.parameters = parameters.clone();
    let expected: Vec<Bits> = parameters.into_iter().map(|(bits, _)| bits).collect();
    assert_eq!(mapped(&steps, SOFTWARE, &[vec![0], vec![1]]), [expected.clone(), expected]);
}

/// `exp(x) + powi(x, 3)` and `exp(x)`, of bodies below.
fn calling() -> Steps {
    let mut steps = steps(&[Type::F32]);
    let x = argument(&mut steps.graph, 0, Type::F32);
    let exp = steps.graph.add(Operation::Call(Function::Exp, x), Type::F32);
    let three = steps.graph.constant(3, <i32 as Number>::TYPE);
    let power = steps.graph.add(Operation::Call2(Function::Powi, x, three), Type::F32);
    let sum = steps.graph.add(Operation::Binary(Binary::Add, exp, power), Type::F32);
    push(&mut steps, sum, Type::F32);
    push(&mut steps, exp, Type::F32);
    steps
}

/// As `exp` of a number 10 times its `exp2`, whose `exp2` is the number and 1, and whose `powi` is their product.
fn body(function: Function, ty: Type) -> Result<Body, String> {
    let mut graph = Graph::default();
    let x = argument(&mut graph, 0, ty);
    let mut parameters = vec![ty];
    let operation = match function {
        Function::Exp => {
            let inner = graph.add(Operation::Call(Function::Exp2, x), ty);
            let ten = graph.constant(10f32.bits(), ty);
            Operation::Binary(Binary::Mul, inner, ten)
        }
        Function::Exp2 => Operation::Binary(Binary::Add, x, graph.constant(1f32.bits(), ty)),
        Function::Powi => {
            let ty = <i32 as Number>::TYPE;
            parameters.push(ty);
            let exponent = argument(&mut graph, 1, ty);
            let exponent =
                graph.add(Operation::Unary(reduce_gpu::graph::Unary::Convert, exponent), Type::F32);
            Operation::Binary(Binary::Mul, x, exponent)
        }
        _ => return Err(format!("{function:?} is not called")),
    };
    let result = graph.add(operation, ty);
    Ok(Body { graph, result, parameters })
}

#[test]
fn functions_call_functions() {
    let results = mapped_by(&calling(), SOFTWARE, &[vec![2f32.bits()], vec![0.5f32.bits()]], body);
    let expected = [[36f32, 30.0], [16.5, 15.0]].map(|both| both.map(Number::bits).to_vec());
    assert_eq!(results, expected);
}

#[test]
fn each_function_is_asked_for_once() {
    let mut asked = Vec::new();
    let text = print::elementary(&calling(), SOFTWARE, |function, ty| {
        asked.push(function);
        body(function, ty)
    });
    asked.sort();
    assert_eq!(asked, [Function::Exp, Function::Exp2, Function::Powi]);
    assert_eq!(text.map(|text| text.matches("fn exp2_f32(x0: f32) -> f32 {").count()), Ok(1));
    let refused = print::elementary(&calling(), SOFTWARE, |_, _| Err("no body"));
    assert_eq!(refused, Err("no body"));
}

#[test]
fn what_no_result_needs_is_not_printed() {
    let mut steps = steps(&[Type::F32]);
    let x = argument(&mut steps.graph, 0, Type::F32);
    let sum = steps.graph.add(Operation::Binary(Binary::Add, x, x), Type::F32);
    steps.graph.add(Operation::Binary(Binary::Mul, sum, sum), Type::F32);
    push(&mut steps, sum, Type::F32);
    let text = print::steps(&steps, SOFTWARE);
    assert!(
        text.contains(
            "fn map_(x: Elem) -> Acc {\n  let t1 = keep_f32(x.s0 + x.s0);\n  return Acc(t1);\n}"
        ),
        "{text}"
    );
    assert!(!text.contains('*'), "{text}");
}
