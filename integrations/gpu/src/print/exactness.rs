//! A device may not compute all operations as it should.

use std::fmt;

use crate::graph::Type;

/// This tells which operations a device computes as it should. It decides the text of a kernel.
///
/// Some operations that are off are mended. If quotients are not correctly rounded, they are computed in integers,
/// which is slow and exact. An operation that is not mended is a [weakness](Exactness::weaknesses): results may differ
/// from those of the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exactness {
    /// Whether results are kept from being simplified, as where `a + b - a` becomes `b`.
    pub keep: bool,
    /// Whether the device has `f64`, and integers of 64 bits for its bits.
    pub f64: bool,
    /// Operations on `f32`.
    pub of_f32: Operations,
    /// Operations on `f64`, where the device has it.
    pub of_f64: Operations,
    /// Whether conversions between floats, and from integers of 32 bits to `f32`, are rounded to nearest. They are
    /// mended.
    pub conversions: bool,
    /// Whether integers are right: products, quotients, shifts.
    pub integers: bool,
    /// Whether what is mended came out right.
    pub mended: bool,
}

/// What is as it should be of the operations on one float. The first three are mended, the others are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operations {
    /// Whether `fma` is rounded once.
    pub fused: bool,
    /// Whether quotients are correctly rounded.
    pub division: bool,
    /// Whether square roots are correctly rounded.
    pub sqrt: bool,
    /// Whether sums, differences and products are rounded to nearest, and comparisons right.
    pub arithmetic: bool,
    /// Whether whole parts, and what becomes of floats as integers, are right.
    pub whole: bool,
    /// Whether infinities, NaN and the sign of zero are kept, and comparisons with NaN false.
    pub special: bool,
    /// Whether subnormal numbers are read, computed and compared as they are, and not taken for zeros.
    pub subnormal: bool,
}

impl Operations {
    /// All as it should be.
    pub const EXACT: Operations = Operations {
        fused: true,
        division: true,
        sqrt: true,
        arithmetic: true,
        whole: true,
        special: true,
        subnormal: true,
    };
}

impl Exactness {
    /// Operations on a float.
    pub fn of(&self, float: Type) -> Operations {
        if float == Type::F64 { self.of_f64 } else { self.of_f32 }
    }

    /// Whether results have the bits of the CPU's, but for those of a NaN.
    pub fn is_exact(&self) -> bool {
        self.weaknesses().next().is_none()
    }

    /// What the device gets wrong and kernels do not mend, a sentence each. What it lacks, as `f64`, is none.
    ///
    /// ```
    /// use reduce_gpu::print::{Exactness, Operations};
    ///
    /// let of_f32 = Operations { subnormal: false, ..Operations::EXACT };
    /// let exactness = Exactness { of_f32, integers: true, mended: true, ..Exactness::default() };
    /// assert!(!exactness.is_exact());
    /// assert_eq!(exactness.to_string(), "subnormal numbers of `f32` are taken for zeros");
    /// ```
    pub fn weaknesses(&self) -> impl Iterator<Item = &'static str> + use<> {
        let (single, double) = (self.of_f32, self.of_f64);
        let of_f32 = [
            (single.arithmetic, "sums, products or comparisons of `f32` are wrong"),
            (single.whole, "whole parts of `f32` are wrong"),
            (single.special, "infinities, NaN or the sign of zero of `f32` are lost"),
            (single.subnormal, "subnormal numbers of `f32` are taken for zeros"),
        ];
        let of_f64 = [
            (double.arithmetic, "sums, products or comparisons of `f64` are wrong"),
            (double.whole, "whole parts of `f64` are wrong"),
            (double.special, "infinities, NaN or the sign of zero of `f64` are lost"),
            (double.subnormal, "subnormal numbers of `f64` are taken for zeros"),
        ]
        .map(|(right, sentence)| (right || !self.f64, sentence));
        let others = [
            (self.integers, "products, quotients or shifts of integers are wrong"),
            (
                self.mended,
                "`fma`, quotients, roots or conversions are wrong as other operations, too",
            ),
        ];
        let all = of_f32.into_iter().chain(of_f64).chain(others);
        all.filter(|(right, _)| !right).map(|(_, sentence)| sentence)
    }

    /// Whether nothing needs mending.
    pub(crate) fn is_native(&self) -> bool {
        let is_native = |of: Operations| of.fused && of.division && of.sqrt;
        self.conversions && is_native(self.of_f32) && (!self.f64 || is_native(self.of_f64))
    }

    /// Whether `f64` can stand for `f32` where that is to be exact.
    pub(super) fn has_exact_f64(&self) -> bool {
        self.f64 && self.conversions && self.of_f64.arithmetic && self.of_f64.special
    }
}

/// The [weaknesses](Exactness::weaknesses), or that there are none.
impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            return write!(f, "results have the bits of the CPU's");
        }
        let sentences: Vec<_> = self.weaknesses().collect();
        write!(f, "{}", sentences.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Exactness, Operations};

    #[test]
    fn what_is_mended_or_not_there_is_no_weakness() {
        let of_f32 = Operations { fused: false, division: false, sqrt: false, ..Operations::EXACT };
        let exactness = Exactness { of_f32, integers: true, mended: true, ..Exactness::default() };
        assert!(exactness.is_exact(), "{exactness}");
        assert_eq!(Exactness { f64: true, ..exactness }.weaknesses().count(), 4);
        assert_eq!(Exactness::default().weaknesses().count(), 6);
    }
}
