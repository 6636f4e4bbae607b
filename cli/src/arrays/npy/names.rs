//! Names of types that `npyz` does not know.
//!
//! `NumPy` writes an array of `ml_dtypes`' `float8_e5m2` as floats of one byte. `npyz` is given headers of bytes in their place.

/// The names of floats of one byte, and of bytes, in a header.
pub(super) const FLOATS: &[u8] = b"'<f1'";
pub(super) const BYTES: &[u8] = b"'|u1'";

/// Replaces the first place of a name by another name of the same length.
pub(super) fn replace(header: &mut [u8], name: &[u8], other: &[u8]) {
    if let Some(at) = header.windows(name.len()).position(|part| part == name) {
        header[at..at + other.len()].copy_from_slice(other);
    }
}
