//! The one mixing function: it makes the elements of inputs, and one number of many results.

/// What is added from one number of the generator to the next: 2^64 over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a number, so that each bit of the result depends on all of them. It is the last part of the generator
/// splitmix64 (Steele, Lea and Flood 2014). Products are modulo 2^64.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The number at a place of a sequence of pseudo-random ones.
pub(super) fn random(sequence: u64, place: u64) -> u64 {
    mix(mix(sequence).wrapping_add(place.wrapping_mul(STEP)))
}

/// One number made of many. Each bit of each of them counts, and so does their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Digest {
    /// The digest of no number.
    pub(super) const NONE: Digest = Digest(0);

    /// The digest of one number more.
    #[must_use]
    pub(super) fn and(self, number: u64) -> Self {
        Digest(mix((self.0 ^ number).wrapping_add(STEP)))
    }

    /// The digest of several numbers more.
    #[must_use]
    pub(super) fn and_all(self, numbers: &[u64]) -> Self {
        numbers.iter().copied().fold(self, Digest::and)
    }

    /// The number itself.
    pub(super) fn number(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, random};

    #[test]
    fn every_bit_and_their_order_count() {
        let of = |numbers: &[u64]| Digest::NONE.and_all(numbers);
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[0]), of(&[0, 0]));
        for bit in 0..64 {
            assert_ne!(of(&[5, 7, 9]), of(&[5, 7 ^ (1 << bit), 9]), "bit {bit}");
        }
    }

    /// The first numbers of splitmix64 from the state 0, which is what it was published with.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let numbers = [1, 2, 3].map(|place| random(0, place));
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
