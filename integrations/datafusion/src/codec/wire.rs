//! An aggregate as bytes: a mark, its fingerprint, then for each default of a parameter the length of its name, its name,
//! its kind and eight bytes.

use reduce_core::nodes::AttrValue;

/// By which bytes of an aggregate are told from those of other codecs.
const MARK: &[u8] = b"reduce\x02";

const INT: u8 = 0;
const FLOAT: u8 = 1;

/// What is written of an aggregate.
#[derive(Debug, PartialEq)]
pub(super) struct Written {
    pub(super) fingerprint: u64,
    pub(super) defaults: Vec<(String, AttrValue)>,
}

pub(super) fn write(fingerprint: u64, defaults: &[(String, AttrValue)], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&fingerprint.to_le_bytes());
    for (name, value) in defaults {
        let (kind, value) = match value {
            AttrValue::Int(int) => (INT, int.to_le_bytes()),
            AttrValue::Float(float) => (FLOAT, float.to_le_bytes()),
            // No parameter takes another kind.
            _ => continue,
        };
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(kind);
        bytes.extend_from_slice(&value);
    }
}

/// What was written; `None` for bytes that were not.
pub(super) fn read(bytes: &[u8]) -> Option<Written> {
    let mut rest = bytes.strip_prefix(MARK)?;
    let fingerprint = u64::from_le_bytes(take(&mut rest)?);
    let mut defaults = Vec::new();
    while !rest.is_empty() {
        let length = usize::try_from(u64::from_le_bytes(take(&mut rest)?)).ok()?;
        let (name, behind) = rest.split_at_checked(length)?;
        rest = behind;
        let [kind] = take(&mut rest)?;
        let value = take(&mut rest)?;
        let value = match kind {
            INT => AttrValue::Int(i64::from_le_bytes(value)),
            FLOAT => AttrValue::Float(f64::from_le_bytes(value)),
            _ => return None,
        };
        defaults.push((std::str::from_utf8(name).ok()?.to_owned(), value));
    }
    Some(Written { fingerprint, defaults })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let defaults = vec![
            ("p".to_owned(), AttrValue::Float(-0.5)),
            ("correction".to_owned(), AttrValue::Int(1)),
        ];
        let mut bytes = Vec::new();
        write(7, &defaults, &mut bytes);
        assert_eq!(read(&bytes), Some(Written { fingerprint: 7, defaults }));
        let shorter = (0..bytes.len()).filter(|&length| read(&bytes[..length]).is_some());
        // The mark with the fingerprint alone, and with the first parameter, are whole.
        let first = MARK.len() + 8;
        assert_eq!(shorter.collect::<Vec<_>>(), [first, first + 8 + 1 + 1 + 8]);
        bytes[first..first + 8].fill(0xff);
        assert_eq!(read(&bytes), None);
    }
}
