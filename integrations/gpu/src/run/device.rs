//! A device: kernels by their text, buffers, and what runs one over the others.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use wgpu::BufferUsages as Usage;

use super::adapter::{Adapter, F64};
use super::error::DeviceError;

/// Words on the device.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    inner: wgpu::Buffer,
    bytes: u64,
}

/// A kernel to run: its text, what it reads, and in how many workgroups.
pub(crate) struct Launch<'a> {
    pub(crate) text: String,
    /// Words of the uniform.
    pub(crate) uniform: Vec<u32>,
    /// What it writes.
    pub(crate) output: &'a Buffer,
    /// What it reads.
    pub(crate) inputs: Vec<&'a Buffer>,
    pub(crate) workgroups: u64,
}

/// A device that was opened.
#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) adapter: Adapter,
    inner: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Mutex<HashMap<String, wgpu::ComputePipeline>>,
    pub(crate) limits: wgpu::Limits,
}

impl Device {
    pub(crate) fn open(adapter: Adapter) -> Result<Self, DeviceError> {
        let features = adapter.inner().features();
        let limits = adapter.inner().limits();
        let required_features = features & F64;
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: limits.clone(),
            required_features,
            ..Default::default()
        };
        let opened = pollster::block_on(adapter.inner().request_device(&descriptor));
        let (inner, queue) = opened.map_err(|error| DeviceError::NotOpened {
            adapter: adapter.name().to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Device { adapter, inner, queue, pipelines: Mutex::default(), limits })
    }

    /// A buffer with nothing in it.
    pub(crate) fn buffer(&self, bytes: u64) -> Result<Buffer, DeviceError> {
        self.create(bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)
    }

    fn create(&self, bytes: u64, usage: Usage) -> Result<Buffer, DeviceError> {
        let most = self.adapter.most_bytes();
        if bytes > most {
            return Err(DeviceError::TooLarge { bytes, most });
        }
        let size = bytes.next_multiple_of(4).max(16);
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        Ok(Buffer { inner: self.inner.create_buffer(&descriptor), bytes })
    }

    /// A buffer with these bytes; those behind the last whole word are followed by zeros.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer, DeviceError> {
        let buffer = self.buffer(bytes.len() as u64)?;
        let (whole, rest) = bytes.split_at(bytes.len() / 4 * 4);
        self.queue.write_buffer(&buffer.inner, 0, whole);
        if !rest.is_empty() {
            let mut word = [0; 4];
            word[..rest.len()].copy_from_slice(rest);
            self.queue.write_buffer(&buffer.inner, whole.len() as u64, &word);
        }
        Ok(buffer)
    }

    /// The words of a buffer.
    pub(crate) fn download(&self, buffer: &Buffer) -> Result<Vec<u32>, DeviceError> {
        let words = usize::try_from(buffer.bytes.div_ceil(4)).unwrap_or(0);
        self.download_words(buffer, 0..words)
    }

    /// Some of the words of a buffer.
    pub(crate) fn download_words(
        &self,
        buffer: &Buffer,
        words: Range<usize>,
    ) -> Result<Vec<u32>, DeviceError> {
        let (first, bytes) = (4 * words.start as u64, 4 * words.len() as u64);
        let back = self.create(bytes, Usage::MAP_READ | Usage::COPY_DST)?;
        let mut encoder = self.inner.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&buffer.inner, first, &back.inner, 0, bytes);
        self.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        back.inner.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody waits any more if the device was lost.
            let _ = sender.send(result);
        });
        let failed = |reason: String| DeviceError::Failed { reason };
        self.wait()?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(failed(error.to_string())),
            Err(error) => return Err(failed(error.to_string())),
        }
        let mapped = back.inner.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
        Ok(bytemuck::cast_slice(&mapped)[..words.len()].to_vec())
    }

    /// Waits until all that was submitted is done.
    pub(crate) fn wait(&self) -> Result<(), DeviceError> {
        match self.inner.poll(wgpu::PollType::wait_indefinitely()) {
            Ok(_) => Ok(()),
            Err(error) => Err(DeviceError::Failed { reason: error.to_string() }),
        }
    }

    /// Runs kernels one after the other.
    pub(crate) fn run(&self, launches: &[Launch<'_>]) -> Result<(), DeviceError> {
        let mut encoder = self.inner.create_command_encoder(&Default::default());
        for launch in launches {
            let pipeline = self.pipeline(&launch.text, launch.inputs.len())?;
            let mut words = launch.uniform.clone();
            words.resize(words.len().next_multiple_of(4), 0);
            let uniform = self.create(4 * words.len() as u64, Usage::UNIFORM | Usage::COPY_DST)?;
            self.queue.write_buffer(&uniform.inner, 0, bytemuck::cast_slice(&words));
            let buffers =
                [&uniform, launch.output].into_iter().chain(launch.inputs.iter().copied());
            let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
                .zip(buffers)
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.inner.as_entire_binding(),
                })
                .collect();
            let group = self.inner.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            let (x, y) = self.dispatch(launch.workgroups)?;
            pass.dispatch_workgroups(x, y, 1);
        }
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Spreads workgroups over two dimensions. Neither may be longer than the device allows.
    fn dispatch(&self, workgroups: u64) -> Result<(u32, u32), DeviceError> {
        let most = u64::from(self.limits.max_compute_workgroups_per_dimension);
        let rows = workgroups.div_ceil(most).max(1);
        let too_many = || DeviceError::TooMany {
            what: "workgroups",
            found: usize::try_from(workgroups).unwrap_or(usize::MAX),
            most: usize::try_from(most.saturating_mul(most)).unwrap_or(usize::MAX),
        };
        if rows > most {
            return Err(too_many());
        }
        let x = u32::try_from(workgroups.min(most)).map_err(|_| too_many())?;
        Ok((x, u32::try_from(rows).map_err(|_| too_many())?))
    }

    /// The pipeline of a kernel, compiled once.
    fn pipeline(&self, text: &str, inputs: usize) -> Result<wgpu::ComputePipeline, DeviceError> {
        let known = || self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = known().get(text) {
            return Ok(pipeline.clone());
        }
        let scope = self.inner.push_error_scope(wgpu::ErrorFilter::Validation);
        let source = wgpu::ShaderSource::Wgsl(text.into());
        let module =
            self.inner.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
        let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
            .zip([wgpu::BufferBindingType::Uniform, storage(false)])
            .chain((2..).zip(std::iter::repeat_n(storage(true), inputs)))
            .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                count: None,
                ty: wgpu::BindingType::Buffer {
                    ty,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            })
            .collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        let bindings = self.inner.create_bind_group_layout(&descriptor);
        let layout = self.inner.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&bindings)],
            ..Default::default()
        });
        let pipeline = self.inner.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                // All of it is written before it is read; to write zeros takes software devices seconds.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(DeviceError::Failed { reason: error.to_string() });
        }
        known().insert(text.to_owned(), pipeline.clone());
        Ok(pipeline)
    }
}
