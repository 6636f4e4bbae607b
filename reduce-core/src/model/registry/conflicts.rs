//! What only shows when operators come together, found when the registry is compiled.

use super::OpEntry;

/// Bytes of a message, the longer part of a name left out.
const ROOM: usize = 200;

/// Panics if two operators have one name, or one begins after the newest version.
#[track_caller]
pub(super) const fn check(ops: &[OpEntry], newest: u32) {
    let mut index = 0;
    while index < ops.len() {
        let schema = &ops[index].schema;
        let mut earlier = 0;
        while earlier < index {
            if is_same(ops[earlier].schema.name, schema.name) {
                fail("two operators are called `", schema.name, "`; give one of them another name");
            }
            earlier += 1;
        }
        if schema.versions[0] > newest {
            fail("operator `", schema.name, "` begins after the newest version of the registry");
        }
        index += 1;
    }
}

/// Whether two texts are equal; `==` is not for constants.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Panics with a sentence; formatting is not for constants.
#[track_caller]
const fn fail(before: &str, name: &str, after: &str) -> ! {
    let mut text = [0; ROOM];
    let mut length = 0;
    let parts = [before.as_bytes(), name.as_bytes(), after.as_bytes()];
    let mut part = 0;
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() && length < ROOM {
            text[length] = parts[part][index];
            length += 1;
            index += 1;
        }
        part += 1;
    }
    match std::str::from_utf8(text.split_at(length).0) {
        Ok(text) => panic!("{}", text),
        // A long name was cut within a character.
        Err(_) => panic!("two operators of a registry are in conflict"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn texts_are_compared_whole() {
        assert!(is_same("Sum", "Sum") && is_same("", ""));
        assert!(!is_same("Sum", "Sums") && !is_same("Sums", "Sum") && !is_same("Sum", "Min"));
    }
}
