//! CPUs on which it was measured how memory is best read.

/// A family of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(not(target_arch = "x86_64"), miri), allow(dead_code, reason = "not found there"))]
pub(crate) enum Cpu {
    /// AMD Zen 4: registers of 64 bytes, units of 32.
    Zen4,
    /// AMD Zen 5, and later.
    Zen5,
    /// Not measured.
    Other,
}

/// This CPU.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn cpu() -> Cpu {
    use std::arch::x86_64::__cpuid;
    use std::sync::OnceLock;
    static CPU: OnceLock<Cpu> = OnceLock::new();
    *CPU.get_or_init(|| {
        const AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
        const ZEN_4: u32 = 0x19;
        let vendor = __cpuid(0);
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        // Zen 3 is of the same family.
        let has_avx512 = std::arch::is_x86_feature_detected!("avx512f");
        match [vendor.ebx, vendor.edx, vendor.ecx] == AMD {
            true if family == ZEN_4 && has_avx512 => Cpu::Zen4,
            true if family > ZEN_4 => Cpu::Zen5,
            _ => Cpu::Other,
        }
    })
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
pub(crate) fn cpu() -> Cpu {
    Cpu::Other
}
