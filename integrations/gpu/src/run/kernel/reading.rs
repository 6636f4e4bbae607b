//! What kernels read: buffers, and elements of several inputs.

use crate::graph::{Steps, Type};
use crate::print;

/// The buffers of a kernel, as the device binds them: `out_` behind the uniform, then `in_0` and so on, then the inputs, `input_0` and so
/// on, and at last what operators in front keep of results, `before_0` and so on. All of them are words.
pub(crate) fn buffers(states: usize, inputs: usize, before: usize) -> String {
    let all = [("in", states), ("input", inputs), ("before", before)];
    let names = all
        .into_iter()
        .flat_map(|(name, count)| (0..count).map(move |number| format!("{name}_{number}")));
    let mut text = "@group(0) @binding(1) var<storage, read_write> out_: array<u32>;\n".to_owned();
    for (binding, name) in (2..).zip(names) {
        text += &format!("@group(0) @binding({binding}) var<storage, read> {name}: array<u32>;\n");
    }
    text
}

/// Expressions of results of these types, read from a buffer that has them as [`word_of_result`] says.
pub(crate) fn kept(types: &[Type], buffer: &str, result: &str) -> Vec<String> {
    let mut before = 0;
    let mut values = Vec::new();
    for ty in types {
        let count = print::words(*ty);
        let word = |word| format!("{buffer}[{}]", word_of_result(before, count, word, result));
        values.push(print::from_words(*ty, &(0..count).map(word).collect::<Vec<_>>()));
        before += count;
    }
    values
}

/// The place of a word of a result. Each result of its output has `words` words, and the outputs in front have `before`
/// in all. The results of an output lie one behind the other.
pub(crate) fn word_of_result(before: usize, words: usize, word: usize, result: &str) -> String {
    match words {
        1 => format!("{before}u * u.results + {result}"),
        _ => format!("{before}u * u.results + {words}u * {result} + {word}u"),
    }
}

/// Statements that find the places of an element in the inputs, and a term for the element. Each of its scalars is read
/// from an input, or is the position. Behind them are the values that operators in front keep of the result.
pub(crate) fn element(
    steps: &Steps,
    place: &dyn Fn(u8) -> String,
    position: &str,
    result: &str,
) -> (String, String) {
    let scalars = &steps.inputs;
    let inputs = scalars.iter().flatten().max().map_or(0, |last| last + 1);
    let mut places: String =
        (0..inputs).map(|input| format!("  let p{input} = {};\n", place(input))).collect();
    let scalar = |(number, input): (usize, &Option<u8>)| match input {
        Some(input) => format!("load_{number}(p{input})"),
        None => position.to_owned(),
    };
    let mut values: Vec<String> = scalars.iter().enumerate().map(scalar).collect();
    if !steps.before.is_empty() {
        places += &format!("  let of_result = {result};\n");
    }
    for (number, types) in steps.before.iter().enumerate() {
        values.extend(kept(types, &format!("before_{number}"), "of_result"));
    }
    (places, format!("Elem({})", values.join(", ")))
}
