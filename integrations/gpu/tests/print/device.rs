//! A device, and a kernel that applies a function to each of a list of elements.

use std::sync::OnceLock;

use reduce_gpu::graph::Body;
use reduce_gpu::graph::{Bits, Steps, Type};
use reduce_gpu::print::{self, Exactness, Operations};

/// What a test is run on: one device for all.
pub(crate) struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

/// The first device that Vulkan has.
pub(crate) fn device() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(|| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters.into_iter().next().expect("a Vulkan device, if only a software one");
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: adapter.limits(),
            required_features: wgpu::Features::SHADER_F64 | wgpu::Features::SHADER_INT64,
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
        Device { device, queue }
    })
}

/// What Mesa's software device needs.
pub(crate) const SOFTWARE: Exactness = Exactness {
    keep: true,
    f64: true,
    of_f32: Operations { fused: false, ..Operations::EXACT },
    of_f64: Operations { fused: false, ..Operations::EXACT },
    conversions: true,
    integers: true,
    mended: true,
};

/// The uniform, and a list of words as input and as output.
const HEAD: &str = "
@group(0) @binding(0) var<uniform> u: Uniform;
@group(0) @binding(1) var<storage, read> given: array<u32>;
@group(0) @binding(2) var<storage, read_write> made: array<u32>;
";

/// What `map_` makes of each element, all as bits.
pub(crate) fn mapped(
    steps: &Steps,
    exactness: Exactness,
    elements: &[Vec<Bits>],
) -> Vec<Vec<Bits>> {
    mapped_by(steps, exactness, elements, |function, _| Err(format!("no body of {function:?}")))
}

/// Does what [`mapped`] does, with elementary functions.
pub(crate) fn mapped_by(
    steps: &Steps,
    exactness: Exactness,
    elements: &[Vec<Bits>],
    body: impl FnMut(reduce_gpu::graph::Function, Type) -> Result<Body, String>,
) -> Vec<Vec<Bits>> {
    let words: Vec<u32> = elements
        .iter()
        .flat_map(|element| element.iter().zip(&steps.element))
        .flat_map(|(&bits, &ty)| print::words_of_bits(bits, ty))
        .collect();
    let width: usize = steps.element.iter().map(|&ty| print::words(ty)).sum();
    let read: Vec<String> =
        (0..width).map(|word| format!("given[i * {width}u + {word}u]")).collect();
    let read = format!("let x = {};", print::record_from_words("Elem", &steps.element, &read));
    let functions = [
        print::record("Acc", &steps.accumulator),
        print::record("Elem", &steps.element),
        print::record("Out", &[]),
        print::steps(steps, exactness),
        print::elementary(steps, exactness, body).expect("bodies of all functions"),
    ];
    let functions = functions.concat();
    let made = run(&functions, &read, steps, exactness, &words, elements.len());
    let results: usize = steps.accumulator.iter().map(|&ty| print::words(ty)).sum();
    made.chunks(results).map(|words| scalars(words, &steps.accumulator)).collect()
}

/// Words of a record as the bits of its fields.
fn scalars(mut words: &[u32], types: &[Type]) -> Vec<Bits> {
    let mut scalar = |ty: Type| {
        let (own, others) = words.split_at(print::words(ty));
        words = others;
        let bits = print::bits_of_words(own, ty);
        // A narrow integer has its sign or zeros in the rest of its word.
        assert_eq!(own, print::words_of_bits(bits, ty), "words of {ty:?}");
        bits
    };
    types.iter().map(|&ty| scalar(ty)).collect()
}

/// A kernel that reads `x`, the element `i`, by a statement, and writes the words of `map_(x)`.
pub(crate) fn run(
    functions: &str,
    read: &str,
    steps: &Steps,
    exactness: Exactness,
    given: &[u32],
    count: usize,
) -> Vec<u32> {
    let parameters: Vec<u32> =
        steps.parameters.iter().flat_map(|&(bits, ty)| print::words_of_bits(bits, ty)).collect();
    let words = print::record_to_words(&steps.accumulator, "r");
    let write: String = words
        .iter()
        .enumerate()
        .map(|(word, value)| format!("  made[i * {}u + {word}u] = {value};\n", words.len()))
        .collect();
    let mut text = format!(
        "struct Uniform {{ count: u32, {} }}{HEAD}{functions}",
        print::uniform(parameters.len())
    );
    text += &format!(
        "@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  let i = id.x;
  if (i >= u.count) {{ return; }}
  {read}
  let r = map_(x);
{write}}}
"
    );
    text += &print::support(&text, exactness);
    let mut uniform = vec![u32::try_from(count).expect("few elements"), 0, 0, 0];
    uniform.extend(parameters);
    uniform.resize((uniform.len() + 1).next_multiple_of(4), 0);
    dispatched(&text, &uniform, given, count, words.len() * count)
}

fn dispatched(text: &str, uniform: &[u32], given: &[u32], count: usize, made: usize) -> Vec<u32> {
    use wgpu::BufferUsages as Usage;
    let Device { device, queue } = device();
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    if let Some(error) = pollster::block_on(scope.pop()) {
        panic!("{error}\n{text}");
    }
    let buffer = |words: usize, usage| {
        let size = (words * 4).max(16) as u64;
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    };
    let filled = |words: &[u32], usage| {
        let buffer = buffer(words.len(), usage | Usage::COPY_DST);
        queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        buffer
    };
    let buffers = [
        filled(uniform, Usage::UNIFORM),
        filled(given, Usage::STORAGE),
        buffer(made, Usage::STORAGE | Usage::COPY_SRC),
    ];
    let entries: Vec<_> = (0..)
        .zip(&buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    let layout = &pipeline.get_bind_group_layout(0);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(u32::try_from(count.div_ceil(64)).expect("few elements"), 1, 1);
    drop(pass);
    let back = buffer(made, Usage::MAP_READ | Usage::COPY_DST);
    encoder.copy_buffer_to_buffer(&buffers[2], 0, &back, 0, back.size());
    queue.submit([encoder.finish()]);
    back.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("a result");
    bytemuck::cast_slice(&back.get_mapped_range(..).expect("mapped"))[..made].to_vec()
}
