//! Views as lists: their elements in row-major order.

use crate::facts::error::Error;
use crate::facts::shape::Dims;
use crate::values::element::Element;
use crate::values::tensor::reserve;
use crate::values::view::View;

impl<'a, T: Element> View<'a, T> {
    /// The elements in row-major order. If they lie so, they stay where they are; else they are copied into a
    /// list.
    ///
    /// # Errors
    /// If there is no memory for a copy.
    pub(crate) fn listed<'v>(&self, list: &'v mut Vec<T>) -> Result<&'v [T], Error>
    where
        'a: 'v,
    {
        if let Some(elements) = self.as_list() {
            return Ok(elements);
        }
        *list = reserve(self.shape().count(), T::DTYPE)?;
        self.for_each_place(|place| list.push(self.data()[place]));
        Ok(list)
    }

    /// The elements, if they lie in row-major order without gaps.
    fn as_list(&self) -> Option<&'a [T]> {
        let count = self.shape().count();
        let dense = self.shape().row_major_strides();
        let sizes = self.shape().iter().zip(self.strides().iter().zip(&dense));
        let in_order = count == 0 || sizes.into_iter().all(|(&size, (a, b))| size == 1 || a == b);
        let end = self.offset().checked_add(count)?;
        in_order.then(|| self.data().get(self.offset()..end)).flatten()
    }

    /// Calls a function with the place of each element in the buffer, in row-major order.
    fn for_each_place(&self, mut then: impl FnMut(usize)) {
        let (sizes, strides) = (self.shape(), self.strides());
        let mut index: Dims<usize> = smallvec::smallvec![0; sizes.rank()];
        let mut place = self.offset();
        for _ in 0..sizes.count() {
            then(place);
            for axis in (0..sizes.rank()).rev() {
                index[axis] += 1;
                place = place.wrapping_add_signed(strides[axis]);
                if index[axis] < sizes[axis] {
                    break;
                }
                index[axis] = 0;
                place = place.wrapping_sub(sizes[axis].wrapping_mul(strides[axis].cast_unsigned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn elements_come_in_row_major_order_whatever_the_strides() {
        let data: Vec<i32> = (0..24).collect();
        let view = View::new(&data, &[2, 3, 4]).expect("fits");
        assert!(view.as_list().is_some());
        let turned = view.permute(&[2, 0, 1]).expect("a permutation");
        let mut list = Vec::new();
        let expected: Vec<i32> = (0..4).flat_map(|k| (0..6).map(move |row| row * 4 + k)).collect();
        assert_eq!(turned.listed(&mut list).expect("fits"), expected);
        let back = view.slice(1, 0, 3, -1).and_then(|view| view.slice(2, 1, 4, 2)).expect("within");
        let expected = [9, 11, 5, 7, 1, 3, 21, 23, 17, 19, 13, 15];
        assert_eq!(back.listed(&mut list).expect("fits"), expected);
        let part = view.slice(0, 1, 2, 1).expect("within");
        assert_eq!(part.listed(&mut Vec::new()).expect("fits"), &data[12..]);
        let last = view.slice(0, 2, 2, 1).expect("no elements");
        assert_eq!(last.listed(&mut list).expect("fits"), [0; 0]);
    }
}
