//! CPUs on which it was measured how memory is best read.

/// A family of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(not(target_arch = "x86_64"), miri), allow(dead_code, reason = "not found there"))]
pub(crate) enum Cpu {
    /// AMD Zen 3.
    Zen3,
    /// AMD Zen 4: registers of 64 bytes, units of 32.
    Zen4,
    /// AMD Zen 5, and later.
    Zen5,
    /// Intel Sapphire Rapids: servers with AVX-512 in half precision.
    SapphireRapids,
    /// Intel Emerald Rapids, and later.
    EmeraldRapids,
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
        const INTEL: [u32; 3] = [0x756e_6547, 0x4965_6e69, 0x6c65_746e];
        const ZEN_3_AND_4: u32 = 0x19;
        const SAPPHIRE_RAPIDS: u32 = 0x8f;
        let vendor = __cpuid(0);
        let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        let model = (version >> 4 & 0xf) + (version >> 12 & 0xf0);
        let has_avx512 = std::arch::is_x86_feature_detected!("avx512f");
        let has_avx512_of_halves = std::arch::is_x86_feature_detected!("avx512fp16");
        match vendor {
            AMD if family == ZEN_3_AND_4 && has_avx512 => Cpu::Zen4,
            AMD if family == ZEN_3_AND_4 => Cpu::Zen3,
            AMD if family > ZEN_3_AND_4 => Cpu::Zen5,
            INTEL if has_avx512_of_halves && model == SAPPHIRE_RAPIDS => Cpu::SapphireRapids,
            INTEL if has_avx512_of_halves => Cpu::EmeraldRapids,
            _ => Cpu::Other,
        }
    })
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
pub(crate) fn cpu() -> Cpu {
    Cpu::Other
}
