//! The engine's own loops, over elements at any strides. Each appends to an empty buffer what it computes.

/// Elements of a tensor: all of the buffer that they lie in, its shape, and one stride per axis.
#[derive(Clone, Copy)]
pub(crate) struct Elements<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [usize],
}

impl<'a> Elements<'a> {
    /// The elements in row-major order of a shape, repeated along axes of size 1 and along new outer axes.
    fn broadcast(self, shape: &'a [usize]) -> impl Iterator<Item = f32> + 'a {
        let new = shape.len() - self.shape.len();
        (0..shape.iter().product()).map(move |mut index: usize| {
            let mut place = 0;
            for axis in (0..shape.len()).rev() {
                if axis >= new && self.shape[axis - new] > 1 {
                    place += index % shape[axis] * self.strides[axis - new];
                }
                index /= shape[axis];
            }
            self.data[place]
        })
    }

    /// The matrix of the last two axes that has this number among all of them, which lie in row-major order.
    fn matrix(self, mut number: usize) -> (&'a [f32], [usize; 2]) {
        let outer = self.shape.len() - 2;
        let mut place = 0;
        for axis in (0..outer).rev() {
            place += number % self.shape[axis] * self.strides[axis];
            number /= self.shape[axis];
        }
        (&self.data[place..], [self.strides[outer], self.strides[outer + 1]])
    }
}

/// A function of each element.
pub(crate) fn each(function: fn(f32) -> f32, x: Elements<'_>, output: &mut Vec<f32>) {
    output.extend(x.broadcast(x.shape).map(function));
}

/// A function of two elements, which broadcast to a shape.
pub(crate) fn pairs(
    function: fn(f32, f32) -> f32,
    [a, b]: [Elements<'_>; 2],
    shape: &[usize],
    output: &mut Vec<f32>,
) {
    let pairs = a.broadcast(shape).zip(b.broadcast(shape));
    output.extend(pairs.map(|(a, b)| function(a, b)));
}

/// The products of matrices, which are the last two axes of both tensors; the others are the same, or `b` is one matrix.
pub(crate) fn products(a: Elements<'_>, b: Elements<'_>, output: &mut Vec<f32>) {
    let [rows, inner] = [a.shape[a.shape.len() - 2], a.shape[a.shape.len() - 1]];
    let columns = b.shape[b.shape.len() - 1];
    let matrices: usize = a.shape[..a.shape.len() - 2].iter().product();
    for number in 0..matrices {
        let (left, [down, right]) = a.matrix(number);
        let (other, [deep, aside]) = b.matrix(if b.shape.len() == 2 { 0 } else { number });
        for row in 0..rows {
            let row = &left[row * down..];
            for column in 0..columns {
                let terms = (0..inner).map(|k| row[k * right] * other[k * deep + column * aside]);
                output.push(terms.sum());
            }
        }
    }
}
