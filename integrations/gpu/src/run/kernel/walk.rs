//! Where elements lie: text that finds the places of an element in several tensors.

use std::fmt::Write as _;

use reduce_core::backend::{Elements, Order, OrderAxis, Scattered};

use super::uniform::Uniform;

/// Numbers that are found along axes, and the names of the functions that find them.
pub(crate) struct Walk<'a> {
    kinds: Vec<Kind<'a>>,
    offsets: &'a [usize],
}

/// Places along some axes, in `tensors` tensors.
struct Kind<'a> {
    name: &'static str,
    axes: &'a [OrderAxis],
    tensors: usize,
    /// Whether places are counted from the offsets of the tensors.
    from_offsets: bool,
}

impl<'a> Walk<'a> {
    /// `kept_place_0(result)`, the place of the first element of a result in the first input, and `reduced_place_0(number)`, the way from
    /// it to another element of the result; and so on for all inputs.
    pub(crate) fn of_order(order: &'a Order) -> Self {
        let tensors = order.offsets.len();
        let kind = |name, axes, from_offsets| Kind { name, axes, tensors, from_offsets };
        let kinds = vec![kind("kept", &order.kept, true), kind("reduced", &order.reduced, false)];
        Walk { kinds, offsets: &order.offsets }
    }

    /// `element_place_0(number)`, the place of an element in the first input, and so on; of the number behind the inputs' it is the
    /// result that the element belongs to.
    pub(crate) fn of_elements(elements: &'a Elements) -> Self {
        let tensors = elements.offsets.len() + 1;
        let axes = &elements.axes;
        let kinds = vec![Kind { name: "element", axes, tensors, from_offsets: true }];
        Walk { kinds, offsets: &elements.offsets }
    }

    /// Adds sizes, strides and offsets.
    pub(crate) fn numbers(&self, uniform: &mut Uniform) {
        for Kind { name, axes, .. } in &self.kinds {
            for (index, axis) in axes.iter().enumerate() {
                uniform.add(format!("{name}{index}"), wrapped(axis.size.cast_signed()));
                for (tensor, &stride) in axis.strides.iter().enumerate() {
                    uniform.add(format!("{name}{index}_{tensor}"), wrapped(stride));
                }
            }
        }
        for (tensor, &offset) in self.offsets.iter().enumerate() {
            uniform.add(format!("offset_{tensor}"), wrapped(offset.cast_signed()));
        }
    }

    /// The functions.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for Kind { name, axes, tensors, from_offsets } in &self.kinds {
            for tensor in 0..*tensors {
                let start = match *from_offsets && tensor < self.offsets.len() {
                    true => format!("u.offset_{tensor}"),
                    false => "0u".to_owned(),
                };
                let _ = writeln!(text, "fn {name}_place_{tensor}(number: u32) -> u32 {{");
                let _ = writeln!(text, "  var place = {start};");
                let steps: Vec<(String, String)> = (0..axes.len())
                    .map(|axis| (format!("u.{name}{axis}"), format!("u.{name}{axis}_{tensor}")))
                    .collect();
                text += &digits(&steps);
                text += "  return place;\n}\n";
            }
        }
        text
    }
}

/// Statements that add to `place` each digit of `number`, of these sizes, times a step. The first digit has no upper end.
fn digits(axes: &[(String, String)]) -> String {
    let mut text = "  var left = number;\n".to_owned();
    for (index, (size, step)) in axes.iter().enumerate().rev() {
        if index == 0 {
            let _ = writeln!(text, "  place += left * {step};");
        } else {
            let _ = writeln!(text, "  place += (left % {size}) * {step};\n  left /= {size};");
        }
    }
    text
}

/// Adds sizes and steps of where results go.
pub(crate) fn scattered_numbers(scatter: &Scattered, uniform: &mut Uniform) {
    for (index, &(size, step)) in scatter.axes.iter().enumerate() {
        uniform.add(format!("scattered{index}"), wrapped(size.cast_signed()));
        uniform.add(format!("scattered{index}_0"), wrapped(step));
    }
    uniform.add("scattered_start", wrapped(scatter.start.cast_signed()));
}

/// The function `scattered(result)`: the place that a result goes to.
pub(crate) fn scattered_text(scatter: &Scattered) -> String {
    let axis = |axis| (format!("u.scattered{axis}"), format!("u.scattered{axis}_0"));
    let axes: Vec<_> = (0..scatter.axes.len()).map(axis).collect();
    let digits = digits(&axes);
    format!(
        "fn scattered(number: u32) -> u32 {{\n  var place = u.scattered_start;\n{digits}  return place;\n}}\n"
    )
}

/// A number of 32 bits that is equal modulo 2^32: places are computed so, and lie within a buffer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "modulo 2^32")]
fn wrapped(x: isize) -> u32 {
    x as u32
}
