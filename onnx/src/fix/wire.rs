//! The wire format of protobuf, as far as a message is changed without being understood: its fields with
//! their numbers, and which bytes they take.
//!
//! What is written is a list of segments, each of them bytes of the source or bytes of its own. So a model
//! of any size is rewritten in the memory that its changes take.

use std::io::{self, Write};
use std::ops::Range;

/// A field of a message.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) number: u64,
    /// All its bytes, with those of its key.
    pub(super) whole: Range<usize>,
    /// The bytes of a message, a text or a list, without those of their length.
    pub(super) content: Option<Range<usize>>,
}

/// Fields of a kind that is neither used by ONNX nor by anything else today.
const GROUP: &str = "has a field of a kind that is no longer in use; it cannot be changed";
const CUT: &str = "is damaged: a field ends behind its message";

/// The fields of the message that these bytes of the source are.
pub(super) fn fields(
    source: &[u8],
    message: Range<usize>,
) -> impl Iterator<Item = Result<Field, &'static str>> {
    let (mut next, end) = (message.start, message.end);
    std::iter::from_fn(move || {
        if next >= end {
            return None;
        }
        let field = field(&source[..end], next);
        next = field.as_ref().map_or(end, |field| field.whole.end);
        Some(field)
    })
}

/// The field that begins at a byte.
fn field(source: &[u8], start: usize) -> Result<Field, &'static str> {
    let (key, at) = varint(source, start)?;
    let (end, content) = match key & 7 {
        0 => (varint(source, at)?.1, None),
        1 => (at + 8, None),
        2 => {
            let (length, at) = varint(source, at)?;
            let length = usize::try_from(length).map_err(|_| CUT)?;
            let end = at.checked_add(length).ok_or(CUT)?;
            (end, Some(at..end))
        }
        5 => (at + 4, None),
        _ => return Err(GROUP),
    };
    if end > source.len() {
        return Err(CUT);
    }
    Ok(Field { number: key >> 3, whole: start..end, content })
}

/// A number of variable length, and where it ends.
fn varint(source: &[u8], start: usize) -> Result<(u64, usize), &'static str> {
    let bytes = source.get(start..).unwrap_or_default().iter().take(10).enumerate();
    let mut value = 0;
    for (index, byte) in bytes {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok((value, start + index + 1));
        }
    }
    Err(CUT)
}

/// What is to be written.
#[derive(Debug, Default)]
pub(super) struct Segments {
    list: Vec<Segment>,
    length: usize,
}

#[derive(Debug)]
enum Segment {
    Source(Range<usize>),
    Own(Vec<u8>),
}

impl Segments {
    /// Bytes of the source.
    pub(super) fn keep(&mut self, bytes: Range<usize>) {
        self.length += bytes.len();
        match self.list.last_mut() {
            Some(Segment::Source(before)) if before.end == bytes.start => before.end = bytes.end,
            _ => self.list.push(Segment::Source(bytes)),
        }
    }

    /// Other bytes.
    fn add(&mut self, bytes: Vec<u8>) {
        self.length += bytes.len();
        self.list.push(Segment::Own(bytes));
    }

    /// A field of a number.
    pub(super) fn number(&mut self, number: u64, value: u64) {
        let mut bytes = Vec::new();
        push_varint(&mut bytes, number << 3);
        push_varint(&mut bytes, value);
        self.add(bytes);
    }

    /// A field of a text or of an encoded message.
    pub(super) fn bytes(&mut self, number: u64, content: &[u8]) {
        let mut bytes = Vec::new();
        push_varint(&mut bytes, number << 3 | 2);
        push_varint(&mut bytes, content.len() as u64);
        bytes.extend(content);
        self.add(bytes);
    }

    /// A field of a message.
    pub(super) fn message(&mut self, number: u64, content: Segments) {
        let mut key = Vec::new();
        push_varint(&mut key, number << 3 | 2);
        push_varint(&mut key, content.length as u64);
        self.add(key);
        self.length += content.length;
        self.list.extend(content.list);
    }

    /// Writes all of it.
    pub(super) fn write(&self, source: &[u8], to: &mut impl Write) -> io::Result<()> {
        self.list.iter().try_for_each(|segment| match segment {
            Segment::Source(bytes) => to.write_all(&source[bytes.clone()]),
            Segment::Own(bytes) => to.write_all(bytes),
        })
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push((value & 0x7f | 0x80).to_le_bytes()[0]);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::{Segments, fields, push_varint, varint};

    #[test]
    fn numbers_come_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = vec![9];
            push_varint(&mut bytes, value);
            assert_eq!(varint(&bytes, 1), Ok((value, bytes.len())));
            assert!(varint(&bytes[..bytes.len() - 1], 1).is_err());
        }
        assert!(varint(&[0xff; 20], 0).is_err());
    }

    #[test]
    fn fields_are_found_and_written() {
        // A number, a text, 64 bits and 32 bits.
        let source = [8, 150, 1, 18, 2, b'h', b'i', 25, 1, 2, 3, 4, 5, 6, 7, 8, 37, 1, 2, 3, 4];
        let found: Vec<_> =
            fields(&source, 0..source.len()).map(|field| field.expect("a field")).collect();
        let numbers: Vec<_> =
            found.iter().map(|field| (field.number, field.whole.clone())).collect();
        assert_eq!(numbers, [(1, 0..3), (2, 3..7), (3, 7..16), (4, 16..21)]);
        assert_eq!(found[1].content, Some(5..7));
        let mut segments = Segments::default();
        segments.number(1, 150);
        segments.bytes(2, b"hi");
        segments.keep(7..16);
        segments.keep(16..21);
        let mut written = Vec::new();
        segments.write(&source, &mut written).expect("memory");
        assert_eq!((written.as_slice(), segments.length), (&source[..], source.len()));
        for end in [1, 2, 4, 6, 10, 20] {
            assert!(fields(&source, 0..end).any(|field| field.is_err()), "{end}");
        }
        assert!(fields(&[11, 12], 0..2).all(|field| field.is_err()));
    }
}
