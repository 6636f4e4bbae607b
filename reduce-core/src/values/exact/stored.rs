//! A sum as it is serialised: in words of 64 bits, which every format has.

#![allow(clippy::cast_possible_truncation, reason = "chunks are cut into words")]

use super::chunks::WIDTH;
use super::{Exact, ExactFloat};

/// What is serialised: the same for equal sums, in whatever order they were added up.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Exact")]
pub(super) struct Words {
    /// The lower half of each chunk after all carries, and the upper half of the last: an integer in two's complement.
    sum: Vec<u64>,
    nans: u64,
    infinities: [u64; 2],
}

impl<A: ExactFloat> From<Exact<A>> for Words {
    fn from(sum: Exact<A>) -> Self {
        let Exact { chunks, nans, infinities } = sum;
        let chunks = A::carried(&chunks);
        let mut words: Vec<u64> =
            chunks.as_ref().iter().map(|chunk| chunk.cast_unsigned() as u64).collect();
        words.extend(chunks.as_ref().last().map(|&chunk| (chunk.cast_unsigned() >> WIDTH) as u64));
        Words { sum: words, nans, infinities }
    }
}

impl<A: ExactFloat> TryFrom<Words> for Exact<A> {
    type Error = String;

    fn try_from(words: Words) -> Result<Self, String> {
        let Words { sum, nans, infinities } = words;
        let mut chunks = A::ZEROS;
        let expected = chunks.as_ref().len() + 1;
        let Some((&upper, lower)) = sum.split_last().filter(|_| sum.len() == expected) else {
            return Err(format!("an exact sum has {expected} words, and here are {}", sum.len()));
        };
        for (chunk, &word) in chunks.as_mut().iter_mut().zip(lower) {
            *chunk = word.into();
        }
        if let Some(last) = chunks.as_mut().last_mut() {
            *last |= i128::from(upper.cast_signed()) << WIDTH;
        }
        Ok(Exact { chunks, nans, infinities })
    }
}
