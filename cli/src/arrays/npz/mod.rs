//! `.npz` files: zip archives of `.npy` files.
//!
//! [`guard`] looks at the directory before `zip` does. A member is read as any `.npy` file is: its header first, then
//! as many bytes as that promises, which become elements as they come. A large member that is stored, and not compressed, stays
//! in a mapped file if its elements are at multiples of their size. `zip` compares the checksum of either.

mod guard;
mod write;

pub(super) use write::write;

use std::io::{self, Read};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::npy::{self, Header};
use super::{Array, Opened, one_of};
use crate::contents::{Contents, LARGE, Pages};
use crate::error::{lower, reason};
use crate::scalar::Room;
use guard::Entry;

/// One array of a file, or the only one.
pub(super) fn open(contents: Contents, asked: Option<&str>) -> Result<Opened, String> {
    let (place, name) = member(&guard::check(contents.as_ref())?, asked)?;
    let about = |problem: String| format!("its member `{name}` {problem}");
    let Some((header, at)) = stored(&contents, place).map_err(about)? else {
        return inflated(&contents, place).map(Opened::Whole);
    };
    if !header.is_in_place(at) {
        return Ok(Opened::Apart(header.apart(contents, at, place)));
    }
    check(&contents, place)?;
    let Contents::Mapped(file) = contents else { return Err(about("is not mapped".to_owned())) };
    npy::in_place(header, file, at).map(Opened::Whole).map_err(about)
}

/// The place and the name of the member that holds an array.
///
/// Arrays are the members whose names end with `.npy`, or all if none does. Others, such as a text beside them, are found by
/// their whole names.
fn member(entries: &[Entry<'_>], asked: Option<&str>) -> Result<(usize, String), String> {
    let names: Vec<_> = entries.iter().map(|entry| String::from_utf8_lossy(entry.name)).collect();
    let arrays: Vec<(usize, &str)> = names
        .iter()
        .enumerate()
        .filter_map(|(place, name)| Some((place, name.strip_suffix(".npy")?)))
        .collect();
    let all: Vec<(usize, &str)> = names.iter().map(AsRef::as_ref).enumerate().collect();
    let has_other = asked.is_some_and(|asked| {
        !arrays.iter().any(|(_, name)| *name == asked) && all.iter().any(|(_, name)| *name == asked)
    });
    let choice = if arrays.is_empty() || has_other { all } else { arrays };
    let chosen = one_of(choice.iter().map(|(_, name)| *name), asked, "npz")?;
    let place = choice[chosen].0;
    Ok((place, names[place].clone().into_owned()))
}

/// The header of a large member that is stored in a mapped file, and the byte where it stands; none of others.
fn stored(contents: &Contents, place: usize) -> Result<Option<(Header, usize)>, String> {
    with_member(contents, place, |member, is_stored| {
        let (Contents::Mapped(file), true, LARGE..) = (contents, is_stored, member.size()) else {
            return Ok(None);
        };
        let at = member.data_start().and_then(|start| usize::try_from(start).ok());
        let size = usize::try_from(member.size()).ok();
        let bytes = at.zip(size).and_then(|(at, size)| file.as_ref().get(at..)?.get(..size));
        let (at, bytes) = at.zip(bytes).ok_or("is cut off")?;
        let header = Header::new(bytes)?;
        header.check((bytes.len() - header.first) as u64)?;
        Ok(Some((header, at)))
    })
}

/// The array of a member, in memory.
///
/// # Errors
/// A sentence whose subject is the file.
pub(super) fn inflated(contents: &Contents, place: usize) -> Result<Array, String> {
    let read = with_member(contents, place, |member, is_stored| {
        // What is stored is there; what is compressed only says how much it is.
        npy::from_stream(member, if is_stored { Room::AtOnce } else { Room::AsTheyCome })
    });
    read.map_err(|problem| about(contents, place, &problem))
}

/// Reads a member to its end, where `zip` compares its checksum.
///
/// # Errors
/// A sentence whose subject is the file.
pub(super) fn check(contents: &Contents, place: usize) -> Result<(), String> {
    let read = with_member(contents, place, |member, _| {
        let mut bytes = vec![0; 1 << 18];
        loop {
            match member.read(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(cannot(&reason(&error))),
            }
        }
    });
    read.map_err(|problem| about(contents, place, &problem))
}

/// Does something with a member, and whether it is stored and not compressed.
fn with_member<R>(
    contents: &Contents,
    place: usize,
    work: impl FnOnce(&mut ZipFile<'_, Pages<'_>>, bool) -> Result<R, String>,
) -> Result<R, String> {
    let entries = guard::check(contents.as_ref())?;
    let entry = &entries[place];
    entry.check()?;
    let unreadable = |error: ZipError| cannot(&error.to_string());
    let mut archive = ZipArchive::new(Pages::all(contents)).map_err(unreadable)?;
    // Members are in the order of the directory, and no two have one name.
    let mut member = archive.by_index(place).map_err(unreadable)?;
    match member.name_raw() == entry.name {
        true => work(&mut member, entry.method == 0),
        false => Err("is not where the directory says".to_owned()),
    }
}

/// A problem of a member, as one of the file.
fn about(contents: &Contents, place: usize, problem: &str) -> String {
    let entries = guard::check(contents.as_ref()).unwrap_or_default();
    let name = entries.get(place).map(|entry| String::from_utf8_lossy(entry.name));
    format!("its member `{}` {problem}", name.unwrap_or_default())
}

/// What `zip` says, in lower case.
fn cannot(reason: &str) -> String {
    format!("cannot be read: {}", lower(reason))
}
