//! Types of values in graphs.

/// The bits of a value of any type, in the lowest places; all others are 0.
pub type Bits = u128;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// A wrapping integer.
    Int(Int),
    /// `bool`
    Flag,
    /// A position or a counter: a `u64` of the operator, and 32 bits of the device, whose last value stands for `u64::MAX`.
    Place,
}

/// An integer: `Wrapping` of one of Rust's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int {
    /// Its width: 8, 16, 32, 64 or 128.
    pub bits: u8,
    /// Whether it has a sign, in two's complement.
    pub signed: bool,
}

impl Type {
    /// The unsigned integer of 32 bits.
    pub const U32: Type = Type::Int(Int { bits: 32, signed: false });

    /// How many bits a value has.
    pub fn bits(self) -> u32 {
        match self {
            Type::F32 => 32,
            Type::F64 | Type::Place => 64,
            Type::Int(int) => int.bits.into(),
            Type::Flag => 1,
        }
    }

    /// The unsigned integer as wide as a float.
    #[must_use]
    pub fn pattern(self) -> Type {
        let bits = if self == Type::F64 { 64 } else { 32 };
        Type::Int(Int { bits, signed: false })
    }

    /// Whether a value of these bits is a float and no number.
    pub fn is_nan(self, bits: Bits) -> bool {
        match self {
            Type::F32 => bits & 0x7fff_ffff > 0x7f80_0000,
            Type::F64 => bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000,
            _ => false,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }
}

impl Int {
    /// The bits that an integer of this width has.
    pub fn mask(self) -> Bits {
        Bits::MAX >> (128 - u32::from(self.bits))
    }

    /// Bits with a sign where there is one: as an `i128`, which wraps beyond its largest.
    pub fn value(self, bits: Bits) -> i128 {
        let unused = 128 - u32::from(self.bits);
        let raised = (bits << unused).cast_signed();
        if self.signed {
            raised >> unused
        } else {
            (raised.cast_unsigned() >> unused).cast_signed()
        }
    }
}
