//! What a device cannot do.

use std::fmt;

/// Why a device cannot be opened, or cannot run a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// No adapter is there, or none of that name.
    NoAdapter {
        /// What was asked for.
        wanted: Option<String>,
        /// The names of those there are.
        names: Vec<String>,
    },
    /// The adapter gave no device.
    NotOpened {
        /// Its name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// The operator computes in a type that the device does not have.
    NoType {
        /// The operator.
        operator: String,
        /// The type.
        ty: &'static str,
        /// The device.
        adapter: String,
    },
    /// A tensor, or what is kept between passes, has more bytes than the device takes at once.
    TooLarge {
        /// Bytes that are needed.
        bytes: u64,
        /// Bytes that the device takes.
        most: u64,
    },
    /// There are more elements or axes than kernels count.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A tensor was copied to one device, and is to be reduced on another.
    OtherDevice {
        /// The device that has it.
        has: String,
        /// The device that runs the reduction.
        runs: String,
    },
    /// A kernel was not accepted, or the device was lost.
    Failed {
        /// What the driver says.
        reason: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::NoAdapter { wanted: Some(wanted), names } if !names.is_empty() => {
                write!(f, "no adapter has `{wanted}` in its name; there are: {}", names.join("; "))
            }
            DeviceError::NoAdapter { .. } => write!(
                f,
                "no Vulkan adapter is there; install the driver of the GPU, or a software device, which Debian has in \
                 `mesa-vulkan-drivers`"
            ),
            DeviceError::NotOpened { adapter, reason } => {
                write!(f, "{adapter} cannot be opened: {reason}")
            }
            DeviceError::NoType { operator, ty, adapter } => write!(
                f,
                "{operator} computes in `{ty}`, which {adapter} does not have; run it on the CPU, or on narrower elements"
            ),
            DeviceError::TooLarge { bytes, most } => write!(
                f,
                "{bytes} bytes are needed at once, and the device takes {most}; reduce the tensor in parts"
            ),
            DeviceError::TooMany { what, found, most } => {
                write!(
                    f,
                    "{found} {what}, of which kernels count {most}; reduce the tensor in parts"
                )
            }
            DeviceError::OtherDevice { has, runs } => write!(
                f,
                "the tensor is in memory of {has} that a reduction on {runs} cannot read; copy it with the `Gpu` that prepared \
                 the reduction"
            ),
            DeviceError::Failed { reason } => write!(f, "the device failed: {reason}"),
        }
    }
}

impl std::error::Error for DeviceError {}
