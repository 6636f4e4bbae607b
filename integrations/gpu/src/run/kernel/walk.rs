//! Where elements lie: text that finds the places of an element in all inputs.

use std::fmt::Write as _;

use reduce_core::backend::{Order, OrderAxis};

use super::uniform::Uniform;

/// The axes of a reduction, as numbers for a kernel.
pub(crate) struct Walk<'a> {
    order: &'a Order,
    inputs: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(order: &'a Order) -> Self {
        Walk { order, inputs: order.offsets.len() }
    }

    /// Adds sizes, strides and offsets.
    pub(crate) fn numbers(&self, uniform: &mut Uniform) {
        for (kind, axes) in self.axes() {
            for (index, axis) in axes.iter().enumerate() {
                uniform.add(format!("{kind}{index}"), wrapped(axis.size.cast_signed()));
                for (input, &stride) in axis.strides.iter().enumerate() {
                    uniform.add(format!("{kind}{index}_{input}"), wrapped(stride));
                }
            }
        }
        for (input, &offset) in self.order.offsets.iter().enumerate() {
            uniform.add(format!("offset_{input}"), wrapped(offset.cast_signed()));
        }
    }

    fn axes(&self) -> [(&'static str, &[OrderAxis]); 2] {
        [("kept", &self.order.kept), ("reduced", &self.order.reduced)]
    }

    /// Functions that give the place of the first element of a result, and the way from it to another one, in each input.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (kind, axes) in self.axes() {
            let start = if kind == "kept" { "u.offset_" } else { "" };
            for input in 0..self.inputs {
                let start =
                    if start.is_empty() { "0u".to_owned() } else { format!("{start}{input}") };
                let _ = writeln!(text, "fn {kind}_place_{input}(number: u32) -> u32 {{");
                let _ = writeln!(text, "  var place = {start};\n  var left = number;");
                for index in (0..axes.len()).rev() {
                    let digit = if index == 0 {
                        "left".to_owned()
                    } else {
                        format!("left % u.{kind}{index}")
                    };
                    let _ = writeln!(text, "  place += ({digit}) * u.{kind}{index}_{input};");
                    if index > 0 {
                        let _ = writeln!(text, "  left /= u.{kind}{index};");
                    }
                }
                text += "  return place;\n}\n";
            }
        }
        text
    }
}

/// A number of 32 bits that is equal modulo 2^32: places are computed so, and lie within a buffer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "modulo 2^32")]
fn wrapped(x: isize) -> u32 {
    x as u32
}
