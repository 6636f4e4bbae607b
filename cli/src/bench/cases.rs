//! What is reduced: the shapes, the axes, and the order of the memory.

use std::str::FromStr;

use reduce_core::Shape;

/// The cases every run has unless others are chosen: name, what it is in the
/// grammar of `--case`, and whether operators of more than one statistic take part.
const NAMED: [(&str, &str, bool); 19] = [
    ("all_1e3", "1000:all", true),
    ("all_1e5", "100000:all", true),
    ("all_1e7", "10000000:all", true),
    ("all_1e8", "100000000:all", true),
    ("last_1024x1024", "1024x1024:1", true),
    ("last_100000x64", "100000x64:1", true),
    ("last_1000000x8", "1000000x8:1", true),
    ("last_1000000x3", "1000000x3:1", false),
    ("last_64x1000000", "64x1000000:1", true),
    ("first_1024x1024", "1024x1024:0", true),
    ("first_100000x64", "100000x64:0", true),
    ("first_64x1000000", "64x1000000:0", false),
    ("mid_64x512x128", "64x512x128:1", true),
    ("multi_32x64x56x56_ax23", "32x64x56x56:2,3", false),
    ("multi_32x64x56x56_ax023", "32x64x56x56:0,2,3", true),
    ("trans_4096x4096T_ax0", "4096x4096:0:t", false),
    ("trans_4096x4096T_ax1", "4096x4096:1:t", false),
    ("tiny_2x3x4_all", "2x3x4:all", true),
    ("tiny_2x3x4_ax1", "2x3x4:1", false),
];

/// One input and what is reduced of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// The sizes of the buffer, row-major.
    pub(crate) shape: Vec<usize>,
    /// Axes of the view; `None` for all.
    pub(crate) axes: Option<Vec<i64>>,
    /// Whether the view has the buffer's axes in reverse order.
    pub(crate) transposed: bool,
    pub(crate) kind: Kind,
}

/// Where a case comes from, which decides on the operators it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A named case.
    Named { fused: bool },
    /// One given with `--case`.
    Given,
    /// One of a sweep.
    Sweep,
}

impl Case {
    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Every named case.
pub(crate) fn named() -> impl Iterator<Item = Case> {
    NAMED.into_iter().filter_map(|(name, rest, fused)| {
        let case = parse(name, rest).ok()?;
        Some(Case { kind: Kind::Named { fused }, ..case })
    })
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMED.into_iter().map(|(name, ..)| name)
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = text.split_once('=').ok_or_else(grammar)?;
        // The name is a field of a row, and fields are separated by commas.
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("`{name}` is no name; use letters, digits, `_`, `-` and `.`"));
        }
        parse(name, rest)
    }
}

fn grammar() -> String {
    "write NAME=SHAPE:AXES, such as x=64x512x128:0,2, with :t behind it for a transposed view"
        .to_owned()
}

fn parse(name: &str, rest: &str) -> Result<Case, String> {
    let parts: Vec<&str> = rest.split(':').collect();
    let (shape, axes, transposed) = match parts[..] {
        [shape, axes] => (shape, axes, false),
        [shape, axes, "t"] => (shape, axes, true),
        _ => return Err(grammar()),
    };
    let shape = shape.split('x').map(size).collect::<Result<Vec<usize>, String>>()?;
    Shape::new(&shape).map_err(|error| error.to_string())?;
    let axes = match axes {
        "all" => None,
        list => Some(list.split(',').map(axis).collect::<Result<Vec<i64>, String>>()?),
    };
    Ok(Case { name: name.to_owned(), shape, axes, transposed, kind: Kind::Given })
}

fn size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|&size| size > 0);
    size.ok_or_else(|| format!("`{text}` is no size; write sizes from 1 up, joined by x"))
}

fn axis(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| {
        format!("`{text}` is no axis; write integers and commas, such as 0,-1, or `all`")
    })
}

#[cfg(test)]
mod tests {
    use super::{Case, Kind, named, names};

    #[test]
    fn every_named_case_is_sound() {
        assert!(named().map(|case| case.name).eq(names()));
        let biggest = named().max_by_key(Case::count).expect("a case");
        assert_eq!((biggest.name.as_str(), biggest.count()), ("all_1e8", 100_000_000));
    }

    #[test]
    fn cases_are_read() {
        let case: Case = "x-1=64x512x128:0,-1:t".parse().expect("a case");
        assert_eq!((case.name.as_str(), &case.shape[..]), ("x-1", &[64, 512, 128][..]));
        assert_eq!((case.axes, case.transposed), (Some(vec![0, -1]), true));
        assert_eq!(case.kind, Kind::Given);
        assert_eq!("v=7:all".parse::<Case>().map(|case| case.axes), Ok(None));
    }

    #[test]
    fn what_is_no_case_is_refused() {
        for (text, words) in [
            ("x", "write NAME=SHAPE:AXES"),
            ("x=2x3", "write NAME=SHAPE:AXES"),
            ("x=2x3:1:T", "write NAME=SHAPE:AXES"),
            ("a,b=2:0", "is no name"),
            ("=2:0", "is no name"),
            ("x=2x0:0", "`0` is no size"),
            ("x=2x:0", "`` is no size"),
            ("x=-2:0", "`-2` is no size"),
            ("x=2x3:", "`` is no axis"),
            ("x=2x3:1,", "`` is no axis"),
            ("x=99999999999x99999999999:0", "elements"),
        ] {
            let message = text.parse::<Case>().expect_err(text);
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
