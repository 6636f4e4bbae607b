//! Tensors as text: nested brackets, or both ends of a long one.

use reduce_core::AnyTensor;
use reduce_core::dtypes::with_any;

use crate::scalar::Scalar;

/// Tensors up to this many elements are shown whole.
const WHOLE: usize = 200;
/// Elements shown of each end of a longer one.
const END: usize = 6;
const WIDTH: usize = 100;

/// Type and shape, as in `f32 [2, 3]`.
pub(crate) fn heading(tensor: &AnyTensor) -> String {
    format!("{} {}", tensor.dtype(), tensor.shape())
}

/// The elements, ending with a line end.
pub(crate) fn elements(tensor: &AnyTensor) -> String {
    with_any!(AnyTensor, tensor, t => show(t.data(), t.shape()))
}

fn show<T: Scalar>(data: &[T], shape: &[usize]) -> String {
    let texts = |data: &[T]| data.iter().map(|x| x.text()).collect::<Vec<_>>();
    if data.is_empty() {
        return "no elements\n".to_owned();
    }
    if data.len() > WHOLE {
        let first = texts(&data[..END]).join(", ");
        let last = texts(&data[data.len() - END..]).join(", ");
        return format!("first {END}: {first}\nlast {END}:  {last}\n");
    }
    let mut texts = texts(data);
    let widest = texts.iter().map(String::len).max().unwrap_or(0);
    if shape.len() > 1 {
        texts.iter_mut().for_each(|text| *text = format!("{text:>widest$}"));
    }
    let mut out = String::new();
    nest(&texts, shape, 1, &mut out);
    out.push('\n');
    out
}

/// Writes one pair of brackets per axis. The text inside of them begins in the column `indent`.
fn nest(texts: &[String], shape: &[usize], indent: usize, out: &mut String) {
    let Some((_, inner)) = shape.split_first() else {
        return out.push_str(&texts.join(", "));
    };
    out.push('[');
    if inner.is_empty() {
        row(texts, indent, out);
    } else {
        // Not zero: a tensor without elements is not shown this way.
        let size = inner.iter().product::<usize>().max(1);
        for (index, part) in texts.chunks(size).enumerate() {
            if index > 0 {
                out.push_str(&format!(",\n{:indent$}", ""));
            }
            nest(part, inner, indent + 1, out);
        }
    }
    out.push(']');
}

/// The innermost axis, broken into lines where it is too long.
fn row(texts: &[String], indent: usize, out: &mut String) {
    let mut column = indent;
    for (index, text) in texts.iter().enumerate() {
        if index > 0 && column + text.len() + 3 > WIDTH {
            out.push_str(&format!(",\n{:indent$}", ""));
            column = indent;
        } else if index > 0 {
            out.push_str(", ");
            column += 2;
        }
        out.push_str(text);
        column += text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::show;

    #[test]
    fn brackets_follow_the_shape() {
        assert_eq!(show(&[1.5f32], &[]), "1.5\n");
        assert_eq!(show(&[7, -8], &[2]), "[7, -8]\n");
        assert_eq!(show(&[1, 2, 30, 4], &[2, 1, 2]), "[[[ 1,  2]],\n [[30,  4]]]\n");
        assert_eq!(show::<u8>(&[], &[0, 3]), "no elements\n");
    }

    #[test]
    fn long_ones_keep_to_the_width() {
        let ends: Vec<u64> = (0..201).collect();
        assert!(show(&ends, &[201]).ends_with("last 6:  195, 196, 197, 198, 199, 200\n"));
        let wide = show(&[u64::MAX; 40], &[2, 20]);
        assert!(wide.lines().all(|line| line.len() <= 100), "{wide}");
    }
}
