//! The walk over the units of a plan, through all inputs at once.
//!
//! Where there is one input, which is nearly always, drivers are compiled for one.

use super::Job;
use crate::plan::Units;

/// Where an element lies in the buffer of each input.
pub(super) type InputPlaces<const N: usize> = [usize; N];

/// The next units of one index of the outer axes, at most `units` of them: where their first element lies in each
/// input, and how many results they have.
#[inline(always)]
pub(super) fn next_of<const N: usize>(
    first: &mut Units<'_>,
    others: &mut [Units<'_>],
    units: usize,
) -> Option<(InputPlaces<N>, usize)> {
    let (place, results) = first.next_of(units)?;
    let mut places = [0; N];
    places[0] = place;
    if N > 1 {
        for (units_of, place) in others.iter_mut().zip(&mut places[1..]) {
            (*place, _) = units_of.next_of(units)?;
        }
    }
    Some((places, results))
}

impl<'a> Job<'a> {
    /// The units from number `first` on, of all inputs but the first.
    #[inline(always)]
    pub(super) fn other_units<const N: usize>(&self, first: usize) -> Vec<Units<'a>> {
        match N {
            1 => Vec::new(),
            _ => self.others.iter().map(|source| source.plan().units_from(first)).collect(),
        }
    }
}

impl Job<'_> {
    /// The places some results further on along the lane axis.
    #[inline(always)]
    pub(super) fn results_on<const N: usize>(
        &self,
        mut places: InputPlaces<N>,
        results: usize,
    ) -> InputPlaces<N> {
        for input in 0..self.inputs::<N>() {
            let way = self.source(input).plan().lane.stride.wrapping_mul(results.cast_signed());
            places[input] = places[input].wrapping_add_signed(way);
        }
        places
    }
}
