//! Names in lists, and what to say about misspelt ones.

use std::convert::Infallible;
use std::str::FromStr;

use crate::error::Error;

/// Names separated by commas; none in an empty text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NameList(pub(crate) Vec<String>);

impl FromStr for NameList {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let names = text.split(',').map(|name| name.trim().to_owned());
        Ok(NameList(if text.trim().is_empty() { Vec::new() } else { names.collect() }))
    }
}

/// The names that a list may hold.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    /// What they are names of.
    pub(crate) what: &'static str,
    pub(crate) names: Vec<&'a str>,
    /// Names of things that cannot be measured yet. They are passed over and not
    /// refused, so that one list serves several libraries.
    pub(crate) later: &'a [&'a str],
}

impl Known<'_> {
    pub(crate) fn check(&self, given: &[String]) -> Result<(), Error> {
        let known = |name: &String| {
            self.names.contains(&name.as_str()) || self.later.contains(&name.as_str())
        };
        match given.iter().find(|name| !known(name)) {
            None if given.is_empty() => {
                let (what, names) = (self.what, self.names.join(", "));
                Err(Error::new(format!("no {what} to measure is named; choose from {names}")))
            }
            None => Ok(()),
            Some(name) => Err(Error::new(self.unknown(name))),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let what = self.what;
        match self.nearest(name) {
            Some(nearest) => format!("no {what} `{name}` to measure; did you mean `{nearest}`?"),
            None => format!("no {what} `{name}` to measure; choose from {}", self.names.join(", ")),
        }
    }

    /// The name that was probably meant, one slip away; that of an ONNX operator is one.
    fn nearest(&self, given: &str) -> Option<&str> {
        let given = given.to_lowercase();
        let given = given.strip_prefix("reduce").unwrap_or(&given);
        let slips = |name: &str| strsim::damerau_levenshtein(given, &name.to_lowercase());
        let alike = self.names.iter().filter(|name| name.len().abs_diff(given.len()) <= 1);
        let near = alike.map(|name| (slips(name), *name));
        let near = near.filter(|(slips, name)| *slips <= 1 && *slips < name.len());
        near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, NameList};

    #[test]
    fn lists_are_split_at_commas() {
        let list = |text: &str| text.parse::<NameList>().map(|list| list.0.join("|"));
        assert_eq!(list("a, b"), Ok("a|b".to_owned()));
        assert_eq!(list(" "), Ok(String::new()));
        assert_eq!(list("a,"), Ok("a|".to_owned()));
    }

    #[test]
    fn misspelt_names_are_found() {
        let known = Known { what: "operator", names: vec!["Sum", "Max"], later: &["Dot"] };
        let check = |name: &str| known.check(&[name.to_owned()]).map_err(|error| error.to_string());
        assert_eq!((check("Sum"), check("Dot")), (Ok(()), Ok(())));
        for (name, words) in [
            ("sum", "did you mean `Sum`?"),
            ("Summ", "no operator `Summ` to measure; did you mean `Sum`?"),
            ("ReduceMax", "did you mean `Max`?"),
            ("Conv", "choose from Sum, Max"),
            ("ReduceStd", "choose from Sum, Max"),
            ("", "choose from Sum, Max"),
        ] {
            let message = check(name).expect_err(name);
            assert!(message.contains(words), "{message}");
        }
    }
}
