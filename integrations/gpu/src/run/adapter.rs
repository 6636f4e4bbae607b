//! Adapters: the devices that there are.

use std::fmt;

use super::error::DeviceError;

/// A device that kernels can run on.
#[derive(Clone, Debug)]
pub struct Adapter {
    inner: wgpu::Adapter,
    info: wgpu::AdapterInfo,
}

/// What kind of device it is, the fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU that another machine lends.
    Virtual,
    /// A device that nothing is known of.
    Other,
    /// The CPU itself, by a program such as Mesa's lavapipe.
    Software,
}

impl Adapter {
    /// All adapters, the fastest kinds first.
    pub fn all() -> Vec<Adapter> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let of = |inner: wgpu::Adapter| Adapter { info: inner.get_info(), inner };
        let mut adapters: Vec<Adapter> = found.into_iter().map(of).collect();
        adapters.sort_by_key(Adapter::kind);
        adapters
    }

    /// The first adapter whose name contains a text, whatever its case; the first of all if nothing is asked for.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(part: Option<&str>) -> Result<Adapter, DeviceError> {
        let adapters = Adapter::all();
        let wanted = part.map(str::to_lowercase);
        let is_wanted = |adapter: &&Adapter| {
            wanted.as_ref().is_none_or(|wanted| adapter.name().to_lowercase().contains(wanted))
        };
        if let Some(adapter) = adapters.iter().find(is_wanted) {
            return Ok(adapter.clone());
        }
        let names = adapters.iter().map(|adapter| adapter.name().to_owned()).collect();
        Err(DeviceError::NoAdapter { wanted: part.map(str::to_owned), names })
    }

    /// Its name, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The name and the version of its driver.
    pub fn driver(&self) -> String {
        format!("{} {}", self.info.driver, self.info.driver_info)
    }

    /// What kind of device it is.
    pub fn kind(&self) -> Kind {
        match self.info.device_type {
            wgpu::DeviceType::DiscreteGpu => Kind::Discrete,
            wgpu::DeviceType::IntegratedGpu => Kind::Integrated,
            wgpu::DeviceType::VirtualGpu => Kind::Virtual,
            wgpu::DeviceType::Cpu => Kind::Software,
            wgpu::DeviceType::Other => Kind::Other,
        }
    }

    /// Tells whether it computes in `f64`.
    pub fn has_f64(&self) -> bool {
        self.inner.features().contains(F64)
    }

    /// The most bytes of one tensor.
    pub fn most_bytes(&self) -> u64 {
        let limits = self.inner.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    pub(super) fn inner(&self) -> &wgpu::Adapter {
        &self.inner
    }
}

/// What is needed of a device that computes in `f64`: its arithmetic, and integers for its bits.
pub(super) const F64: wgpu::Features =
    wgpu::Features::SHADER_F64.union(wgpu::Features::SHADER_INT64);

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind() {
            Kind::Discrete => "discrete",
            Kind::Integrated => "integrated",
            Kind::Virtual => "virtual",
            Kind::Software => "software",
            Kind::Other => "of unknown kind",
        };
        write!(f, "{}, {kind}, {}", self.name(), self.driver())
    }
}
