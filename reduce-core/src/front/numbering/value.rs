//! Values by which rows are grouped.

use std::fmt::Debug;

use half::{bf16, f16};
use hashbrown::DefaultHashBuilder;
use std::hash::BuildHasher;

use crate::machine::float8::{f8e4m3fn, f8e5m2};

/// A value in a column of keys: an integer, a float, a `bool`, a `char`, a string, or an `Option` of one.
///
/// Two values are of one group if they are equal. Two floats are too if both are NaN, whatever their bits: `PostgreSQL` and
/// polars group so. Both zeros are equal. `None` is a value of its own.
#[diagnostic::on_unimplemented(
    message = "rows cannot be grouped by `{Self}`",
    label = "expected an integer, a float, a `bool`, a `char`, a string, or an `Option` of one"
)]
pub trait KeyValue: Sync {
    /// What is kept of it, and given back: `String` of a `&str`, the type itself of a number.
    type Key: KeyValue<Key = Self::Key> + Clone + Debug + Send + Sync + 'static;

    /// The value itself, or as much of it as 64 bits hold.
    #[doc(hidden)]
    fn word(&self) -> Word;

    /// Whether a key of the same word is equal; asked of values that are more than their word.
    #[doc(hidden)]
    fn is(&self, _key: &Self::Key) -> bool {
        true
    }

    /// A hash of the whole value. That of a value which is its word is the word's.
    #[doc(hidden)]
    #[inline(always)]
    fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
        self.word().hash(hashes)
    }

    /// The key to be kept.
    #[doc(hidden)]
    fn key(&self) -> Self::Key;
}

/// A key in 64 bits, as far as they go, and its kind.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub(super) bits: u64,
    /// The length of a string or a wide integer, that of [`Word::NONE`], or 0.
    pub(super) length: u32,
}

impl Word {
    /// What is not there.
    const NONE: Word = Word { bits: 0, length: u32::MAX };

    /// Bytes of the longest value that is its word.
    const BYTES: usize = size_of::<u64>();

    const fn of(bits: u64) -> Self {
        Word { bits, length: 0 }
    }

    /// The word of bytes: the first of them, and how many there are.
    #[inline(always)]
    fn of_bytes(bytes: &[u8]) -> Self {
        let mut first = [0; Self::BYTES];
        match bytes.first_chunk() {
            Some(chunk) => first = *chunk,
            None => first[..bytes.len()].copy_from_slice(bytes),
        }
        // Longer ones are told apart by their rest.
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).min(Self::NONE.length - 1);
        Word { bits: u64::from_le_bytes(first), length }
    }

    /// Whether the value is no more than this.
    #[inline(always)]
    pub(super) fn is_all(self) -> bool {
        self.length as usize <= Self::BYTES || self.length == Self::NONE.length
    }

    /// This is the word of `Some` of the value. What is not there differs by the number of `Some` around it.
    #[inline(always)]
    fn within(self) -> Self {
        match self.length == Self::NONE.length {
            true => Word { bits: self.bits + 1, ..self },
            false => self,
        }
    }

    #[inline(always)]
    pub(super) fn hash(self, hashes: &DefaultHashBuilder) -> u64 {
        hashes.hash_one(self.bits)
    }
}

macro_rules! words {
    ($($value:ty: $word:expr, $key:expr;)*) => {$(
        impl KeyValue for $value {
            type Key = Self;

            #[inline(always)]
            #[allow(
                clippy::cast_sign_loss,
                clippy::cast_lossless,
                trivial_numeric_casts,
                reason = "different values have different bits"
            )]
            fn word(&self) -> Word {
                let word: fn(Self) -> u64 = $word;
                Word::of(word(*self))
            }

            fn key(&self) -> Self {
                let key: fn(Self) -> Self = $key;
                key(*self)
            }
        }
    )*};
}

words! {
    u8: |x| x as u64, |x| x;
    u16: |x| x as u64, |x| x;
    u32: |x| x as u64, |x| x;
    u64: |x| x, |x| x;
    usize: |x| x as u64, |x| x;
    i8: |x| x as u64, |x| x;
    i16: |x| x as u64, |x| x;
    i32: |x| x as u64, |x| x;
    i64: |x| x as u64, |x| x;
    isize: |x| x as u64, |x| x;
    bool: |x| x as u64, |x| x;
    char: |x| x as u64, |x| x;
    f16: |x| x.key().to_bits() as u64, |x| if x.is_nan() { f16::NAN } else { x + f16::ZERO };
    bf16: |x| x.key().to_bits() as u64, |x| if x.is_nan() { bf16::NAN } else { x + bf16::ZERO };
    f8e4m3fn: |x| x.key().to_bits() as u64, |x| Self::from_f32(x.to_f32().key());
    f8e5m2: |x| x.key().to_bits() as u64, |x| Self::from_f32(x.to_f32().key());
    // A negative zero and zero add up to zero.
    f32: |x| x.key().to_bits() as u64, |x| if x.is_nan() { f32::NAN } else { x + 0.0 };
    f64: |x| x.key().to_bits(), |x| if x.is_nan() { f64::NAN } else { x + 0.0 };
}

macro_rules! wide {
    ($($int:ty)*) => {$(
        impl KeyValue for $int {
            type Key = Self;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the lower half")]
            fn word(&self) -> Word {
                Word { bits: *self as u64, length: <$int>::BITS / 8 }
            }

            #[inline(always)]
            fn is(&self, key: &Self) -> bool {
                self == key
            }

            #[inline(always)]
            fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
                hashes.hash_one(self)
            }

            fn key(&self) -> Self {
                *self
            }
        }
    )*};
}

wide!(u128 i128);

impl KeyValue for &str {
    type Key = String;

    #[inline(always)]
    fn word(&self) -> Word {
        Word::of_bytes(self.as_bytes())
    }

    fn is(&self, key: &String) -> bool {
        *self == key
    }

    #[inline(always)]
    fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
        match self.word() {
            word if word.is_all() => word.hash(hashes),
            _ => hashes.hash_one(self),
        }
    }

    fn key(&self) -> String {
        (*self).to_owned()
    }
}

impl KeyValue for String {
    type Key = String;

    #[inline(always)]
    fn word(&self) -> Word {
        self.as_str().word()
    }

    fn is(&self, key: &String) -> bool {
        self == key
    }

    #[inline(always)]
    fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
        KeyValue::hash(&self.as_str(), hashes)
    }

    fn key(&self) -> String {
        self.clone()
    }
}

impl<V: KeyValue> KeyValue for Option<V> {
    type Key = Option<V::Key>;

    #[inline(always)]
    fn word(&self) -> Word {
        self.as_ref().map_or(Word::NONE, |value| value.word().within())
    }

    fn is(&self, key: &Option<V::Key>) -> bool {
        match (self, key) {
            (Some(value), Some(key)) => value.is(key),
            (value, key) => value.is_none() == key.is_none(),
        }
    }

    #[inline(always)]
    fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
        match self {
            Some(value) if !value.word().is_all() => value.hash(hashes),
            _ => self.word().hash(hashes),
        }
    }

    fn key(&self) -> Option<V::Key> {
        self.as_ref().map(V::key)
    }
}

/// The numbers that the keys of several columns have in a row. They are numbered as the keys of one column are.
impl<const COLUMNS: usize> KeyValue for [u32; COLUMNS] {
    type Key = Self;

    #[inline(always)]
    fn word(&self) -> Word {
        let place = |column: usize| u64::from(self.get(column).copied().unwrap_or(0));
        let length = if COLUMNS > 2 { size_of::<Self>() } else { 0 };
        Word { bits: place(0) | place(1) << 32, length: u32::try_from(length).unwrap_or(u32::MAX) }
    }

    fn is(&self, key: &Self) -> bool {
        self == key
    }

    #[inline(always)]
    fn hash(&self, hashes: &DefaultHashBuilder) -> u64 {
        match self.word() {
            word if word.is_all() => word.hash(hashes),
            _ => hashes.hash_one(self),
        }
    }

    fn key(&self) -> Self {
        *self
    }
}
