//! The machine as a value: what decides how memory is best read. A plan is given it, so that tests can
//! plan for any machine on any other.

/// The facts of a machine that a plan uses. They change how fast memory is read, and never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// From this many bytes on, what is read does not stay in the first level of cache, beside what else is
    /// there.
    pub(crate) beyond_first: usize,
    /// From this many bytes on, it comes from beyond the second level: it is fetched before it is read.
    pub(crate) beyond_second: usize,
    /// From this many bytes on, it comes from memory: the last level of cache is shared.
    pub(crate) beyond_last: usize,
    /// How far ahead in a sequence this CPU is best told what comes next, in bytes; 0 if it is best not told.
    pub(crate) ahead: usize,
}

/// Bytes of a line of the cache.
pub(crate) const LINE: usize = 64;

/// How far ahead a CPU that foresees little is told what comes next, in bytes.
pub(crate) const FAR_AHEAD: usize = 8192;

impl Machine {
    /// An unknown machine. Its sizes hold for CPUs with second levels of 512 kB to 2 MB.
    pub(crate) const UNKNOWN: Machine =
        Machine { beyond_first: 1 << 17, beyond_second: 1 << 20, beyond_last: 20 << 20, ahead: 0 };

    /// Whether the CPU looks no further ahead than the few hundred instructions that it holds, and is
    /// told what comes next.
    pub(crate) fn is_told(self) -> bool {
        self.ahead == FAR_AHEAD
    }

    /// This machine, asked once.
    ///
    /// How far ahead it fetches was measured, on sequences beyond the second level of cache. AMD's Zen 5, and
    /// Intel's servers from Emerald Rapids on, read them up to twice as fast if told 8 kB ahead. At that
    /// distance Zen 4 drops to two thirds of its speed, and Sapphire Rapids loses a tenth. Told one line ahead,
    /// Zen 4 gains a tenth on data that is not aligned to lines. Two loads share a line there, and it is asked
    /// for before the first of them waits for it. Others are left to themselves.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(crate) fn this() -> Machine {
        use std::sync::OnceLock;
        static THIS: OnceLock<Machine> = OnceLock::new();
        *THIS.get_or_init(|| {
            const AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
            const INTEL: [u32; 3] = [0x756e_6547, 0x4965_6e69, 0x6c65_746e];
            const ZEN_3_AND_4: u32 = 0x19;
            const SAPPHIRE_RAPIDS: u32 = 0x8f;
            let vendor = cpuid(0);
            let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
            let version = cpuid(1).eax;
            let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
            let model = (version >> 4 & 0xf) + (version >> 12 & 0xf0);
            let has_avx512 = std::arch::is_x86_feature_detected!("avx512f");
            let has_avx512_of_halves = std::arch::is_x86_feature_detected!("avx512fp16");
            let ahead = match vendor {
                AMD if family > ZEN_3_AND_4 => FAR_AHEAD,
                AMD if family == ZEN_3_AND_4 && has_avx512 => LINE,
                INTEL if has_avx512_of_halves && model != SAPPHIRE_RAPIDS => FAR_AHEAD,
                _ => 0,
            };
            Machine { ahead, ..Machine::UNKNOWN }
        })
    }

    /// An unknown machine.
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    pub(crate) fn this() -> Machine {
        Machine::UNKNOWN
    }
}

/// What the CPU says of itself under a number.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(
    unsafe_code,
    unused_unsafe,
    reason = "the oldest compiler that is supported takes the call for unsafe"
)]
fn cpuid(leaf: u32) -> std::arch::x86_64::CpuidResult {
    // SAFETY: every CPU of this architecture has the instruction.
    unsafe { std::arch::x86_64::__cpuid(leaf) }
}
