//! The pass over elements in which an operator emits: a thread for each element.

use reduce_core::backend::Elements;

use super::device::{Buffer, Device, Launch};
use super::error::DeviceError;
use super::kernel::{Uniform, Walk, buffers, element, kept};
use crate::print;
use crate::trace::EmissionSteps;

/// Threads of a workgroup.
const THREADS: u32 = 256;

/// What is emitted, by an operator over all elements of some inputs.
pub(crate) struct Emission<'a> {
    pub(crate) device: &'a Device,
    pub(crate) emission: &'a EmissionSteps,
    /// The text of a kernel, of its main part.
    pub(crate) functions: &'a dyn Fn(&str) -> String,
    pub(crate) elements: &'a Elements,
    /// The number of results.
    pub(crate) results: u32,
}

impl Emission<'_> {
    /// Computes the emitted elements, in row-major order. The words of an element lie one behind the other. In
    /// `inputs`, the values that operators in front keep of results stand behind the inputs themselves.
    pub(crate) fn run(&self, kept: &Buffer, inputs: &[&Buffer]) -> Result<Buffer, DeviceError> {
        let Emission { device, emission, elements, .. } = self;
        let count = u32::try_from(elements.count).map_err(|_| DeviceError::TooMany {
            what: "elements",
            found: elements.count,
            most: u32::MAX as usize,
        })?;
        let words = print::words(emission.emitted.ty);
        let output = device.buffer(4 * words as u64 * u64::from(count))?;
        let mut uniform = Uniform::default();
        uniform.add("count", count);
        uniform.add("results", self.results);
        let walk = Walk::of_elements(elements);
        walk.numbers(&mut uniform);
        let parameters = &emission.steps.parameters;
        let mut text = uniform.text(parameters);
        let before = emission.steps.before.len();
        text += &buffers(1, inputs.len() - before, before);
        text += &walk.text();
        text += &self.main();
        device.run(&[Launch {
            text: (self.functions)(&text),
            uniform: uniform.words(parameters),
            output: &output,
            inputs: [kept].into_iter().chain(inputs.iter().copied()).collect(),
            workgroups: u64::from(count.div_ceil(THREADS)),
        }])?;
        Ok(output)
    }

    fn main(&self) -> String {
        let EmissionSteps { steps, kept, emitted, .. } = self.emission;
        let place = |input| format!("element_place_{input}(number)");
        let result = format!("element_place_{}(number)", self.elements.offsets.len());
        let (places, element) = element(steps, &place, "0u", &result);
        let kept = print::construct("Out", &self::kept(kept, "in_0", "result"));
        let words = print::to_words(emitted.ty, "emitted");
        let write = |(word, value): (usize, &String)| {
            format!("  out_[{}u * number + {word}u] = {value};\n", words.len())
        };
        let writes: String = words.iter().enumerate().map(write).collect();
        format!(
            "fn load(number: u32) -> Elem {{\n{places}  return {element};\n}}
@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) all: vec3<u32>,
  @builtin(local_invocation_index) t: u32) {{
  let number = (workgroup.y * all.x + workgroup.x) * {THREADS}u + t;
  if (number >= u.count) {{ return; }}
  let result = {result};
  let emitted = emit(load(number), {kept});
{writes}}}
"
        )
    }
}
