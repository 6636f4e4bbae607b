//! "Did you mean": the known name nearest to a misspelt one.

/// The nearest name, if it is near enough to be a misspelling.
pub(crate) fn nearest(
    given: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    const NEAR: f64 = 0.8;
    let similarity = |name: &str| strsim::jaro_winkler(&given.to_lowercase(), &name.to_lowercase());
    known
        .into_iter()
        .map(|name| (similarity(name), name))
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}
