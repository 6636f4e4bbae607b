//! Orders of axes, as lists of their numbers.

use std::cmp::Reverse;

use super::{Dims, Shape};

/// Sorts some of the axes in a list by a key, among the places that these have in it. Those of one key keep their
/// order, and all others their places.
pub(crate) fn sort_some<K: Ord>(
    order: &mut [usize],
    some: impl Fn(usize) -> bool,
    key: impl Fn(usize) -> K,
) {
    let places: Dims<usize> = (0..order.len()).filter(|&place| some(order[place])).collect();
    let mut sorted: Dims<usize> = places.iter().map(|&place| order[place]).collect();
    sorted.sort_by_key(|&axis| key(axis));
    for (&place, axis) in places.iter().zip(sorted) {
        order[place] = axis;
    }
}

/// Whether some axes, each of a size and a stride, lie in memory as they stand, those of larger strides in front of
/// others. Repeated ones, and ones of size 1, may stand anywhere.
pub(crate) fn stand_as_they_lie(axes: impl Iterator<Item = (usize, isize)>) -> bool {
    let lie = axes.filter(|&(size, stride)| size != 1 && stride != 0);
    lie.map(|(_, stride)| Reverse(stride.unsigned_abs())).is_sorted()
}

impl Shape {
    /// The axes as they lie in memory at these strides: those of the largest in front, repeated ones (stride 0)
    /// before all others. Axes of size 1, which lie nowhere, keep their places.
    pub(crate) fn order_in_memory(&self, strides: &[isize]) -> Dims<usize> {
        let mut order: Dims<usize> = (0..self.rank()).collect();
        let distance = |axis: usize| match strides[axis].unsigned_abs() {
            0 => usize::MAX,
            distance => distance,
        };
        sort_some(&mut order, |axis| self[axis] != 1, |axis| Reverse(distance(axis)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, stand_as_they_lie};

    #[test]
    fn axes_of_size_1_keep_their_places() {
        let shape = Shape::new(&[3, 1, 4, 2, 5]).expect("small");
        assert_eq!(shape.order_in_memory(&[4, 99, 1, 0, -12]).as_slice(), [3, 1, 4, 0, 2]);
        assert_eq!(shape.order_in_memory(&shape.row_major_strides()).as_slice(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn axes_stand_as_they_lie_if_those_that_lie_anywhere_do() {
        let axes = [(3, 12), (1, 99), (4, -3), (5, 0), (2, 1)];
        assert!(stand_as_they_lie(axes.into_iter()));
        assert!(!stand_as_they_lie(axes.into_iter().rev()));
    }
}
