//! What kernels read: buffers, and elements of several inputs.

/// The buffers of a kernel, as the device binds them: `out_` behind the uniform, then `in_0` and so on, then the inputs, `input_0` and so
/// on. All of them are words.
pub(crate) fn buffers(states: usize, inputs: usize) -> String {
    let names = (0..states).map(|state| format!("in_{state}"));
    let names = names.chain((0..inputs).map(|input| format!("input_{input}")));
    let mut text = "@group(0) @binding(1) var<storage, read_write> out_: array<u32>;\n".to_owned();
    for (binding, name) in (2..).zip(names) {
        text += &format!("@group(0) @binding({binding}) var<storage, read> {name}: array<u32>;\n");
    }
    text
}

/// The place of a word of a result, of an output whose results have so many words each, behind outputs that have `before` in all. The results of
/// an output lie one behind the other.
pub(crate) fn word_of_result(before: usize, words: usize, word: usize, result: &str) -> String {
    match words {
        1 => format!("{before}u * u.results + {result}"),
        _ => format!("{before}u * u.results + {words}u * {result} + {word}u"),
    }
}

/// Statements that find the places of an element in the inputs, and the element: each scalar read from its input, or the position.
pub(crate) fn element(
    scalars: &[Option<u8>],
    place: &dyn Fn(u8) -> String,
    position: &str,
) -> (String, String) {
    let inputs = scalars.iter().flatten().max().map_or(0, |last| last + 1);
    let places = (0..inputs).map(|input| format!("  let p{input} = {};\n", place(input)));
    let scalar = |(number, input): (usize, &Option<u8>)| match input {
        Some(input) => format!("load_{number}(p{input})"),
        None => position.to_owned(),
    };
    let scalars: Vec<String> = scalars.iter().enumerate().map(scalar).collect();
    (places.collect(), format!("Elem({})", scalars.join(", ")))
}
