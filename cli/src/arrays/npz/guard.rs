//! Before `zip`: directories that promise more than the file can hold.
//!
//! A zip file ends with a directory: an entry for each member, and a record of their number and place. `zip` takes
//! memory for as many members as the record says, and members may lie one over another, so that a small file
//! stands for a huge one. So the directory is walked here first: it must be as long as its entries,
//! which must be as many as it says, of different names, and lie apart.

use std::ops::Range;

const RECORD: &[u8] = b"PK\x05\x06";
const RECORD_BYTES: usize = 22;
const LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR_BYTES: usize = 20;
const RECORD_64: &[u8] = b"PK\x06\x06";
const RECORD_64_BYTES: usize = 56;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_BYTES: usize = 46;
/// The fewest bytes in front of a member.
const LOCAL_BYTES: u64 = 30;
/// What stands for a number that is found elsewhere, since it takes 64 bits.
const ELSEWHERE: u64 = 0xffff_ffff;
/// Deflate makes no more bytes of one.
const MOST_PER_BYTE: u64 = 1032;

/// One member, as the directory says.
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    /// 0 is stored, 8 deflated.
    pub(super) method: u64,
    is_encrypted: bool,
    compressed: u64,
    size: u64,
    header: u64,
}

/// The members of a file whose directory is sound.
pub(super) fn check(file: &[u8]) -> Result<Vec<Entry<'_>>, String> {
    let (number, directory) = directory(file)?;
    let mut rest = &file[directory.clone()];
    // Before memory is taken for them.
    if number > (rest.len() / ENTRY_BYTES) as u64 {
        return Err(format!("its directory says {number} members, and is too short for them"));
    }
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (entry, behind) = entry(rest).ok_or("its directory is damaged")?;
        entries.push(entry);
        rest = behind;
    }
    if entries.len() as u64 != number {
        return Err(format!("its directory says {number} members, and has {}", entries.len()));
    }
    check_places(&entries, directory.start as u64)?;
    check_names(&entries)?;
    Ok(entries)
}

impl Entry<'_> {
    /// Whether the member can be read.
    pub(super) fn check(&self) -> Result<(), String> {
        let Entry { method, compressed, size, .. } = *self;
        if self.is_encrypted {
            return Err("is encrypted; save it without a password".to_owned());
        }
        match method {
            0 if compressed != size => Err("is stored, and of two sizes".to_owned()),
            8 if size / MOST_PER_BYTE > compressed => {
                Err(format!("says {size} bytes, more than its {compressed} can become"))
            }
            0 | 8 => Ok(()),
            _ => Err(format!(
                "is compressed by method {method}; save it with numpy.savez or numpy.savez_compressed"
            )),
        }
    }
}

/// The number of members, and where the directory is.
fn directory(file: &[u8]) -> Result<(u64, Range<usize>), String> {
    let none = || "is no `.npz` file: it does not end with a zip directory".to_owned();
    // The record has a comment of up to 65535 bytes behind it.
    let first = file.len().saturating_sub(RECORD_BYTES + 0xffff);
    let starts = (first..(file.len() + 1).saturating_sub(RECORD_BYTES)).rev();
    let is_last = |&start: &usize| {
        let comment = number(file, start + 20, 2).unwrap_or(0);
        file[start..].starts_with(RECORD) && comment == (file.len() - start - RECORD_BYTES) as u64
    };
    let record = starts.into_iter().find(is_last).ok_or_else(none)?;
    let of_record = |at, bytes| number(file, record + at, bytes).unwrap_or(0);
    let (mut count, mut size, mut start) = (of_record(10, 2), of_record(12, 4), of_record(16, 4));
    let mut end = record;
    let locator = record.checked_sub(LOCATOR_BYTES).filter(|&at| file[at..].starts_with(LOCATOR));
    if let Some(locator) = locator {
        let place = number(file, locator + 8, 8).and_then(|place| usize::try_from(place).ok());
        let is_right = |&place: &usize| {
            place.checked_add(RECORD_64_BYTES).is_some_and(|behind| behind <= locator)
                && file[place..].starts_with(RECORD_64)
        };
        let place = place.filter(is_right).ok_or_else(none)?;
        let of_place = |at| number(file, place + at, 8).unwrap_or(0);
        (count, size, start, end) = (of_place(32), of_place(40), of_place(48), place);
    }
    let directory = start.checked_add(size).and_then(|behind| {
        let directory = usize::try_from(start).ok()?..usize::try_from(behind).ok()?;
        (directory.end == end).then_some(directory)
    });
    let damaged = "its directory is not where it says, or not as long".to_owned();
    Ok((count, directory.ok_or(damaged)?))
}

/// An entry of the directory, and what stands behind it.
fn entry(directory: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let rest = directory.strip_prefix(ENTRY)?;
    let at = |place: usize, bytes| number(rest, place - ENTRY.len(), bytes);
    let length = |place| usize::try_from(at(place, 2)?).ok();
    let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
    let (_, behind) = directory.split_at_checked(ENTRY_BYTES)?;
    let (name, behind) = behind.split_at_checked(name)?;
    let (extra, behind) = behind.split_at_checked(extra)?;
    let (_, behind) = behind.split_at_checked(comment)?;
    let mut entry = Entry {
        name,
        method: at(10, 2)?,
        is_encrypted: at(8, 2)? & 1 == 1,
        compressed: at(20, 4)?,
        size: at(24, 4)?,
        header: at(42, 4)?,
    };
    let mut wide = wide_numbers(extra).unwrap_or(&[]);
    for number in [&mut entry.size, &mut entry.compressed, &mut entry.header] {
        if *number == ELSEWHERE
            && let Some((first, later)) = wide.split_first_chunk()
        {
            (*number, wide) = (u64::from_le_bytes(*first), later);
        }
    }
    Some((entry, behind))
}

/// Numbers of 64 bits among what else is said of a member.
fn wide_numbers(mut extra: &[u8]) -> Option<&[u8]> {
    loop {
        let (kind, length) = (number(extra, 0, 2)?, number(extra, 2, 2)?);
        let (found, behind) = extra[4..].split_at_checked(usize::try_from(length).ok()?)?;
        if kind == 1 {
            return Some(found);
        }
        extra = behind;
    }
}

/// Checks that members lie in front of the directory and do not overlap.
fn check_places(entries: &[Entry<'_>], directory: u64) -> Result<(), String> {
    let mut places: Vec<(u64, u64)> = Vec::new();
    for Entry { header, compressed, name, .. } in entries {
        let shortest = LOCAL_BYTES + name.len() as u64;
        places.push((*header, header.saturating_add(shortest).saturating_add(*compressed)));
    }
    places.sort_unstable();
    let ends_later = |pair: &[(u64, u64)]| pair[0].1 > pair[1].0;
    if places.windows(2).any(ends_later) {
        return Err("its members lie one over another".to_owned());
    }
    match places.last() {
        Some((_, end)) if *end > directory => Err("is cut off within a member".to_owned()),
        _ => Ok(()),
    }
}

fn check_names(entries: &[Entry<'_>]) -> Result<(), String> {
    let mut names: Vec<&[u8]> = entries.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let name = String::from_utf8_lossy(pair[0]);
            Err(format!("has two members named `{name}`; save it anew"))
        }
        None => Ok(()),
    }
}

/// A number of some bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.get(..length)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
