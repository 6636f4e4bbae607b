//! "Did you mean": the known name nearest to a misspelt one.

/// From this many letters on, a name is long.
const LONG: usize = 13;

/// The nearest name, if it is a slip away: one letter too many, missing, wrong, or exchanged with the next.
/// Only letters and digits count, in upper or lower case alike, and names with different digits are never
/// alike. Names that mean different things may be two slips apart, such as `ReduceMedian` and `ReduceMean`, so
/// only a long name may have two. A name with its last word written out, such as `ReduceMaximum`, is a slip
/// away, too.
pub(crate) fn nearest(
    given: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let (written, given) = (given, letters(given));
    let allowed = if given.len() < LONG { 1 } else { 2 };
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let own_digits = digits(&given);
    known
        .into_iter()
        .filter(|name| digits(name) == own_digits)
        .filter_map(|name| {
            let letters = letters(name);
            if is_written_out(written, &given, &letters) {
                return Some((allowed, name));
            }
            // To compare names takes as long as the two are long.
            let are_alike = letters.len().abs_diff(given.len()) <= allowed;
            let slips = are_alike.then(|| strsim::damerau_levenshtein(&given, &letters))?;
            (slips <= allowed && slips < letters.len()).then_some((slips, name))
        })
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
}

/// Whether `given` is another name with its last word written out.
fn is_written_out(written: &str, given: &str, name: &str) -> bool {
    let more = given.strip_prefix(name).map_or(0, str::len);
    let last = written.len().checked_sub(more).and_then(|first| written.get(first..));
    let is_of_one_word =
        last.is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_lowercase()));
    more > 0 && name.len() > 3 && is_of_one_word
}

/// The letters and digits of a name.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_mended_and_another_name_is_not() {
        const KNOWN: [&str; 6] = [
            "ReduceL2",
            "ReduceSum",
            "ReduceMean",
            "ReduceMax",
            "noop_with_empty_axes",
            "ReduceLogSumExp",
        ];
        for (given, expected) in [
            ("ReduceSumm", "ReduceSum"),
            ("RedcueSum", "ReduceSum"),
            ("reduce_sum", "ReduceSum"),
            ("reduceMen", "ReduceMean"),
            ("ReduceLogSumEpx", "ReduceLogSumExp"),
            ("reduce-log-sum-exp", "ReduceLogSumExp"),
            ("noop_with_empty_axis", "noop_with_empty_axes"),
            ("noop_with_emty_axis", "noop_with_empty_axes"),
            ("ReduceMaximum", "ReduceMax"),
        ] {
            assert_eq!(nearest(given, KNOWN), Some(expected), "{given}");
        }
        for given in [
            "ReduceStd",
            "ReduceMedian",
            "ReduceVar",
            "ReduceAll",
            "ReduceL3",
            "ReduceMeanSquare",
            "Reduce",
            "Conv",
            "",
            "x",
        ] {
            assert_eq!(nearest(given, KNOWN), None, "{given}");
        }
        assert_eq!(nearest(&"ReduceSum".repeat(100), KNOWN), None);
    }
}
