//! The layout of an explanation: headings on the left, text on the right, no
//! line longer than a terminal is wide.

/// Columns of a line.
pub(super) const WIDTH: u16 = 100;
const LEFT: usize = 12;

/// The text so far.
pub(super) struct Sheet(String);

impl Sheet {
    pub(super) fn new(title: &str, summary: &str) -> Self {
        let summary = wrap(summary, WIDTH.into()).join("\n");
        Sheet(format!("{title}\n\n{summary}\n\n"))
    }

    /// A heading with its lines; empty lines are left out.
    pub(super) fn entry(&mut self, heading: &str, lines: impl IntoIterator<Item = String>) {
        let lines = lines.into_iter().flat_map(|line| wrap(&line, usize::from(WIDTH) - LEFT));
        for (index, line) in lines.enumerate() {
            let heading = if index == 0 { heading } else { "" };
            self.0.push_str(&format!("{heading:<LEFT$}{line}\n"));
        }
    }

    /// Lines as they are, and an empty one.
    pub(super) fn block(&mut self, text: &str) {
        self.0 += text;
        self.0.push('\n');
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// The text in lines no longer than this, where its words allow.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(wrap("one two three", 9), ["one two", "three"]);
        assert_eq!(wrap("incomprehensibilities", 9), ["incomprehensibilities"]);
        assert_eq!(wrap("a  b", 9), ["a  b"]);
        assert!(wrap("", 9).is_empty());
    }
}
