//! Nodes that are no reductions, but whose writer surely meant one.

/// What is nearly right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Near {
    /// The operator's name; this is meant.
    Name(&'static str),
    /// The domain; the standard's is meant.
    Domain,
}

/// Whether a domain, which is not the standard's, nearly is.
pub(crate) fn near_domain(domain: &str) -> bool {
    const STANDARD: &str = "ai.onnx";
    if domain.len() > 2 * STANDARD.len() {
        return false;
    }
    let domain = domain.trim().to_lowercase();
    // Three letters more, such as those of `ai.onnx.ml`, make another domain.
    domain == "onnx" || domain == "onnx.ai" || strsim::damerau_levenshtein(&domain, STANDARD) <= 2
}

#[cfg(test)]
mod tests {
    use super::near_domain;

    #[test]
    fn slips_and_other_domains() {
        for domain in ["onnx", "ai.onx", "AI.ONNX", " ", "ai.onnx ", "ai-onnx", "onnx.ai"] {
            assert_eq!(near_domain(domain), !domain.trim().is_empty(), "{domain}");
        }
        for domain in ["ai.onnx.ml", "ai.onnx.preview", "com.microsoft", "aten", "x"] {
            assert!(!near_domain(domain), "{domain}");
        }
        assert!(!near_domain(&"ai.onnx".repeat(1_000_000)));
    }
}
