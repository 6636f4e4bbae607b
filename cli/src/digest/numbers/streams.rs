//! Streams: operators over elements that come in pieces, whose sizes `pieces.txt` has.

use reduce_core::{AnyTensor, DType, Element, Error, Reduction, Stream, View};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};

use super::each::{Choice, Finding, numbers};
use super::layouts::list;
use super::values::{ValueKind, elements};
use super::ways::Way;

/// What stands in front of an operator's name in the lines of its streams.
pub(super) const STREAM: &str = "stream:";

/// The sequences of pseudo-random numbers of streams begin here, beyond those of layouts.
const FIRST_SEQUENCE: u64 = 1 << 32;

/// The pieces of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pieces {
    /// Its line, from 1 on.
    number: u64,
    kind: ValueKind,
    sizes: Vec<usize>,
    text: &'static str,
}

/// All of them, in their order.
///
/// # Errors
/// The sentence says which line cannot be read.
pub(super) fn pieces() -> Result<Vec<Pieces>, String> {
    let lines = include_str!("pieces.txt").lines().filter(|line| !line.starts_with('#'));
    let read = |(text, number)| {
        read(text, number).ok_or_else(|| format!("the pieces `{text}` cannot be read"))
    };
    lines.zip(1..).map(read).collect()
}

fn read(text: &'static str, number: u64) -> Option<Pieces> {
    let (kind, groups) = text.split_once(' ')?;
    let kind = ValueKind::named(kind)?;
    let mut sizes = Vec::new();
    for group in groups.trim().split(',') {
        let [count, size] = list(group, 'x')?[..] else { return None };
        sizes.extend(std::iter::repeat_n(size, count));
    }
    Some(Pieces { number, kind, sizes, text })
}

/// The results of a stream behind each piece of a list.
type Run = fn(&AnyTensor, &[usize], &Way) -> Result<Vec<AnyTensor>, Error>;

/// An operator over a stream of elements of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Streamed {
    pub(super) name: &'static str,
    dtype: DType,
    run: Run,
}

macro_rules! streamed {
    ($($op:ident),*) => {
        /// The operators of ONNX over floats.
        pub(super) const STREAMED: &[Streamed] = &[$(streamed!($op f32), streamed!($op f64)),*];
    };
    ($op:ident $float:ident) => {
        Streamed {
            name: concat!("stream:", stringify!($op), " ", stringify!($float)),
            dtype: $float::DTYPE,
            run: |all, sizes, way| {
                let reduction = Reduction::new($op::default());
                let reduction = reduction.level(way.level).threads(way.threads.clone());
                let mut stream = Stream::<$op, $float>::over(reduction);
                each_piece::<$float>(all, sizes, |piece| {
                    stream.update(piece)?;
                    Ok(stream.finish()?.into())
                })
            },
        }
    };
}

streamed!(
    ReduceSum,
    ReduceMean,
    ReduceProd,
    ReduceL1,
    ReduceL2,
    ReduceSumSquare,
    ReduceLogSum,
    ReduceLogSumExp,
    ReduceMax,
    ReduceMin,
    ArgMax,
    ArgMin
);

/// What is found behind each piece of a list, which is of type `T`.
fn each_piece<T: Element>(
    all: &AnyTensor,
    sizes: &[usize],
    mut found: impl FnMut(&View<'_, T>) -> Result<AnyTensor, Error>,
) -> Result<Vec<AnyTensor>, Error> {
    let all = all.view().downcast::<T>().expect("elements of the type that was asked for");
    let (mut left, mut results) = (all.data(), Vec::new());
    for &size in sizes {
        let (piece, behind) = left.split_at(size);
        results.push(found(&View::new(piece, &[size])?)?);
        left = behind;
    }
    Ok(results)
}

impl Streamed {
    /// The operator's name.
    pub(super) fn operator(&self) -> &'static str {
        let name = self.name.strip_prefix(STREAM).unwrap_or(self.name);
        name.split(' ').next().unwrap_or(name)
    }

    /// Runs the operator over all streams.
    ///
    /// # Errors
    /// The sentence says what cannot be run.
    pub(super) fn found(
        &self,
        all: &[Pieces],
        ways: &[Way],
        choice: Choice,
    ) -> Result<Finding, String> {
        let mut found = Finding::default();
        for (index, pieces) in all.iter().enumerate() {
            let count = pieces.sizes.iter().sum();
            let sequence = FIRST_SEQUENCE + 256 * pieces.number;
            let data = elements(pieces.kind, self.dtype, sequence, count);
            let run = |way: &Way| Ok(numbers(&(self.run)(&data, &pieces.sizes, way)?));
            let about = || format!("{}, pieces `{}`", self.name, pieces.text);
            found.add(choice.of(ways, index), run, about)?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{pieces, read};

    #[test]
    fn all_lines_are_read() {
        let all = pieces().expect("pieces");
        assert!(all.len() > 10);
        // More threads than one take part in a piece of more than 2^17 elements.
        assert!(all.iter().flat_map(|pieces| &pieces.sizes).any(|&size| size > 1 << 17));
        let sizes = |line| read(line, 1).map(|pieces| pieces.sizes);
        assert_eq!(sizes("near    2x3,1x500"), Some(vec![3, 3, 500]));
        assert_eq!((sizes("near 2x3,500"), sizes("near"), sizes("other 1x1")), (None, None, None));
    }
}
