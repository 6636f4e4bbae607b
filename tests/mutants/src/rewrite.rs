//! A source with a switch at each site: `(if crate::mutant::is(17) { a <= b } else { a < b })`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::find::Site;

/// A site with those of its changes that are taken, and their numbers.
#[derive(Debug)]
pub(crate) struct Numbered<'a> {
    pub(crate) site: &'a Site,
    pub(crate) changes: Vec<(u32, &'a str)>,
}

/// A source with switches.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// Where a mutant's own text stands.
    own: Vec<(Range<usize>, u32)>,
    /// Where a site stands, with its mutants.
    sites: Vec<(Range<usize>, Vec<u32>)>,
}

/// Writes a source anew. Sites come in the order of their first bytes, outer ones before those in them. `switch` is the path of
/// the function that says whether a mutant is on.
pub(crate) fn rewrite(source: &str, sites: &[Numbered<'_>], switch: &str) -> Rewritten {
    let mut writer = Writer { source, switch, rewritten: Rewritten::default() };
    writer.part(0..source.len(), sites);
    writer.rewritten
}

struct Writer<'a> {
    source: &'a str,
    switch: &'a str,
    rewritten: Rewritten,
}

impl Writer<'_> {
    /// Writes some bytes of the source, and the sites that lie in them.
    fn part(&mut self, range: Range<usize>, mut sites: &[Numbered<'_>]) {
        let mut at = range.start;
        while let Some((first, rest)) = sites.split_first() {
            let end = first.site.range.end;
            let inner = rest.iter().take_while(|next| next.site.range.start < end).count();
            self.push(at..first.site.range.start);
            self.site(first, &rest[..inner]);
            (at, sites) = (end, &rest[inner..]);
        }
        self.push(at..range.end);
    }

    fn site(&mut self, site: &Numbered<'_>, inner: &[Numbered<'_>]) {
        let begin = self.rewritten.text.len();
        let (open, close) = if site.site.is_statement { ("", "") } else { ("(", ")") };
        self.rewritten.text += open;
        for (number, text) in &site.changes {
            self.rewritten.text += &format!("if {}({number}) {{ ", self.switch);
            let own = self.rewritten.text.len();
            self.rewritten.text += text;
            self.rewritten.own.push((own..self.rewritten.text.len(), *number));
            self.rewritten.text += " } else ";
        }
        self.rewritten.text += "{ ";
        self.part(site.site.range.clone(), inner);
        self.rewritten.text += " }";
        self.rewritten.text += close;
        let numbers = site.changes.iter().map(|(number, _)| *number).collect();
        self.rewritten.sites.push((begin..self.rewritten.text.len(), numbers));
    }

    fn push(&mut self, range: Range<usize>) {
        self.rewritten.text += &self.source[range];
    }
}

impl Rewritten {
    /// The mutants that an error at some bytes of the text comes from: the one whose own text it is in, or all of the innermost
    /// site around it.
    pub(crate) fn mutants_at(&self, error: &Range<usize>) -> BTreeSet<u32> {
        let holds = |range: &Range<usize>| range.start <= error.start && error.end <= range.end;
        if let Some((_, number)) = self.own.iter().find(|(range, _)| holds(range)) {
            return [*number].into();
        }
        let around = self.sites.iter().filter(|(range, _)| holds(range));
        let innermost = around.min_by_key(|(range, _)| range.len());
        innermost.into_iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbered, rewrite};
    use crate::find::find;

    #[test]
    fn changes_stand_beside_the_original() {
        let source =
            "const A: usize = 1;\nfn f(x: u8) -> bool {\n    g();\n    x < 3 && !h(x)\n}\n";
        let found = find(source).expect("a source");
        assert_eq!(found.left_alone, 1);
        let mut number = 0;
        let mut numbered = Vec::new();
        for site in &found.sites {
            let change = |change| {
                number += 1;
                (number, change)
            };
            let changes = site.changes.iter().map(|each| each.text.as_str()).map(change).collect();
            numbered.push(Numbered { site, changes });
        }
        let rewritten = rewrite(source, &numbered, "is");
        let expected = "const A: usize = 1;\nfn f(x: u8) -> bool {\n    if is(1) {  } else { g(); }\n    \
            (if is(2) { (x < 3) || (!h(x)) } else { \
            (if is(3) { (x) <= (3) } else { x < (if is(4) { (3 + 1) } else { 3 }) }) && \
            (if is(5) { h(x) } else { !h(x) }) })\n}\n";
        assert_eq!(rewritten.text, expected);
        let at = expected.find("<= (3)").expect("the third");
        assert_eq!(rewritten.mutants_at(&(at..at + 2)), [3].into());
        let at = expected.find("x < (if").expect("around the fourth");
        assert_eq!(rewritten.mutants_at(&(at..at + 1)), [3].into());
    }
}
