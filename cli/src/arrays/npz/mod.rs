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

use super::npy::{self, Header};
use super::{Array, one_of};
use crate::contents::{Contents, LARGE, Pages};
use crate::error::{lower, reason};
use crate::scalar::Room;
use guard::Entry;

/// One array of a file, or the only one.
pub(super) fn read(contents: Contents, asked: Option<&str>) -> Result<Array, String> {
    let (header, at, about) = {
        let entries = guard::check(contents.as_ref())?;
        let (place, name) = member(&entries, asked)?;
        let about = move |problem: String| format!("its member `{name}` {problem}");
        match found(&contents, &entries, place).map_err(&about)? {
            Found::Read(array) => return Ok(array),
            Found::Stored { header, at } => (header, at, about),
        }
    };
    let Contents::Mapped(file) = contents else { return Err(about("is not mapped".to_owned())) };
    npy::in_place(header, file, at).map_err(about)
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

/// What a member is.
enum Found {
    Read(Array),
    /// Elements that are in the file as this machine stores them, behind a header at a byte of it.
    Stored {
        header: Header,
        at: usize,
    },
}

fn found(contents: &Contents, entries: &[Entry<'_>], place: usize) -> Result<Found, String> {
    let entry = &entries[place];
    entry.check()?;
    let unreadable = |error: zip::result::ZipError| cannot(&error.to_string());
    let mut archive = ZipArchive::new(Pages::all(contents)).map_err(unreadable)?;
    // Members are in the order of the directory, and no two have one name.
    let mut member = archive.by_index(place).map_err(unreadable)?;
    if member.name_raw() != entry.name {
        return Err("is not where the directory says".to_owned());
    }
    let is_stored = entry.method == 0;
    if let (Contents::Mapped(file), true, LARGE..) = (contents, is_stored, member.size()) {
        let at = member.data_start().and_then(|start| usize::try_from(start).ok());
        let size = usize::try_from(member.size()).ok();
        let bytes = at.zip(size).and_then(|(at, size)| file.as_ref().get(at..)?.get(..size));
        let (at, bytes) = at.zip(bytes).ok_or("is cut off")?;
        let header = Header::new(bytes)?;
        header.check((bytes.len() - header.first) as u64)?;
        if header.is_in_place(at) {
            check_sum(&mut member)?;
            return Ok(Found::Stored { header, at });
        }
    }
    // What is stored is there; what is compressed only says how much it is.
    let room = if is_stored { Room::AtOnce } else { Room::AsTheyCome };
    npy::from_stream(member, room).map(Found::Read)
}

/// Reads a member to its end, where `zip` compares its checksum.
fn check_sum(member: &mut ZipFile<'_, Pages<'_>>) -> Result<(), String> {
    let mut bytes = vec![0; 1 << 18];
    loop {
        match member.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot(&reason(&error))),
        }
    }
}

/// What `zip` says, in lower case.
fn cannot(reason: &str) -> String {
    format!("cannot be read: {}", lower(reason))
}
