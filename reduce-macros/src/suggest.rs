//! The known word nearest to a misspelt one.

/// The nearest word, if it is near enough to be a misspelling.
pub(crate) fn nearest<'a>(given: &str, words: &[&'a str]) -> Option<&'a str> {
    const NEAR: f64 = 0.8;
    let given = given.to_lowercase();
    words
        .iter()
        .map(|&word| (strsim::jaro_winkler(&given, &word.to_lowercase()), word))
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, word)| word)
}
