//! The distinct keys of a column, each with its number.

use hashbrown::{DefaultHashBuilder, HashTable};

use super::value::{KeyValue, Word};

/// The keys of a column in the order in which they first appeared, and a hash table of their numbers.
///
/// An entry of the table holds the first 64 bits of a key and its length. So integers, floats and strings of up to eight bytes
/// are found there alone. Each table draws by chance how it hashes, so nobody can choose keys that all fall to one place. No
/// number depends on it.
#[derive(Clone, Debug)]
pub struct Distinct<K> {
    keys: Vec<K>,
    table: HashTable<Keyed>,
    hashes: DefaultHashBuilder,
}

/// A key in the table: a word, and a number in the bytes that are left.
#[derive(Clone, Copy, Debug)]
struct Keyed {
    bits: u64,
    length: u32,
    number: u32,
}

impl Keyed {
    #[inline(always)]
    fn word(&self) -> Word {
        Word { bits: self.bits, length: self.length }
    }
}

impl<K> Default for Distinct<K> {
    fn default() -> Self {
        Distinct {
            keys: Vec::new(),
            table: HashTable::new(),
            hashes: DefaultHashBuilder::default(),
        }
    }
}

impl<K: KeyValue<Key = K> + Clone> Distinct<K> {
    /// The keys, in the order of their numbers.
    pub(super) fn keys(&self) -> &[K] {
        &self.keys
    }

    pub(super) fn into_keys(self) -> Vec<K> {
        self.keys
    }

    /// The number of a key, which may be new. It is nothing if memory or numbers run out.
    #[inline(always)]
    pub(super) fn find<V: KeyValue<Key = K>>(&mut self, value: &V) -> Option<u32> {
        let (word, hash) = (value.word(), value.hash(&self.hashes));
        let is_same = |entry: &Keyed| {
            entry.word() == word && (word.is_all() || value.is(&self.keys[entry.number as usize]))
        };
        match self.table.find(hash, is_same) {
            Some(entry) => Some(entry.number),
            None => self.add(value, word, hash),
        }
    }

    /// Adds a key.
    #[cold]
    #[inline(never)]
    fn add<V: KeyValue<Key = K>>(&mut self, value: &V, word: Word, hash: u64) -> Option<u32> {
        let Distinct { keys, table, hashes } = self;
        keys.try_reserve(1).ok()?;
        // One less than 2^32 groups have numbers.
        let number = u32::try_from(keys.len()).ok().filter(|&number| number < u32::MAX)?;
        let of = |entry: &Keyed| match entry.word().is_all() {
            true => entry.word().hash(hashes),
            false => keys[entry.number as usize].hash(hashes),
        };
        let key = value.key();
        table.try_reserve(1, of).ok()?;
        let Word { bits, length } = word;
        table.insert_unique(hash, Keyed { bits, length, number }, of);
        keys.push(key);
        Some(number)
    }
}
