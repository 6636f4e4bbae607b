//! The names of storage and compute types.

/// A storage type, by its place in [`DType::WORDS`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct DType(usize);

impl DType {
    pub(crate) const WORDS: [&'static str; 15] = [
        "f16", "bf16", "f8e4m3fn", "f8e5m2", "f32", "f64", "bool", "i8", "i16", "i32", "i64", "u8",
        "u16", "u32", "u64",
    ];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|known| *known == word).map(DType)
    }

    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self.0]
    }

    /// Whether it is a float that the language does not have.
    pub(crate) fn is_narrow(self) -> bool {
        matches!(self.word(), "f16" | "bf16" | "f8e4m3fn" | "f8e5m2")
    }

    pub(crate) fn is_bool(self) -> bool {
        self.word() == "bool"
    }

    pub(crate) fn is_float(self) -> bool {
        self.is_narrow() || matches!(self.word(), "f32" | "f64")
    }
}

/// What other languages call a type, and what it is called here.
const ALIASES: [(&str, &str); 26] = [
    ("float16", "f16"),
    ("half", "f16"),
    ("bfloat16", "bf16"),
    ("float8e4m3fn", "f8e4m3fn"),
    ("float8_e4m3fn", "f8e4m3fn"),
    ("float8e5m2", "f8e5m2"),
    ("float8_e5m2", "f8e5m2"),
    ("float", "f32"),
    ("float32", "f32"),
    ("single", "f32"),
    ("double", "f64"),
    ("float64", "f64"),
    ("boolean", "bool"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("short", "i16"),
    ("int", "i32"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("long", "i64"),
    ("uint8", "u8"),
    ("byte", "u8"),
    ("uint16", "u16"),
    ("uint", "u32"),
    ("uint32", "u32"),
    ("uint64", "u64"),
];

/// The type that another language calls so.
pub(crate) fn alias(word: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(alias, _)| *alias == word).map(|(_, known)| *known)
}

/// The type that a misspelt name of another language means. Our own names are too short to
/// tell a slip from another type.
pub(crate) fn nearest_alias(word: &str) -> Option<&'static str> {
    let aliases = ALIASES.map(|(alias, _)| alias);
    alias(crate::suggest::nearest(word, &aliases)?)
}

/// A compute type, by its place in [`Compute::WORDS`]. Integers stand for their
/// wrapping form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compute(usize);

impl Compute {
    pub(crate) const WORDS: [&'static str; 13] = [
        "f32", "f64", "bool", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
    ];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|known| *known == word).map(Compute)
    }

    /// What a storage type computes in unless the spec says otherwise; nothing
    /// for narrow floats, in which sums would lose too much.
    pub(crate) fn default_of(dtype: DType) -> Option<Self> {
        Self::parse(dtype.word())
    }

    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self.0]
    }

    /// The compute types that hold the values of a storage type: those the core can load it
    /// into.
    pub(crate) fn holding(dtype: DType) -> &'static [&'static str] {
        match dtype.word() {
            "f16" | "bf16" | "f8e4m3fn" | "f8e5m2" | "f32" => &["f32", "f64"],
            "f64" => &["f64"],
            "bool" => &["bool", "i32", "i64", "u32", "u64", "f32", "f64"],
            "i8" => &["i8", "i16", "i32", "i64", "i128", "f32", "f64"],
            "i16" => &["i16", "i32", "i64", "i128", "f32", "f64"],
            "i32" => &["i32", "i64", "i128", "f64"],
            "i64" => &["i64", "i128", "f64"],
            "u8" => &["u8", "u16", "u32", "u64", "u128", "i16", "i32", "i64", "i128", "f32", "f64"],
            "u16" => &["u16", "u32", "u64", "u128", "i32", "i64", "i128", "f32", "f64"],
            "u32" => &["u32", "u64", "u128", "i64", "i128", "f64"],
            _ => &["u64", "u128", "i128", "f64"],
        }
    }

    pub(crate) fn wraps(self) -> bool {
        !matches!(self.word(), "f32" | "f64" | "bool")
    }
}
