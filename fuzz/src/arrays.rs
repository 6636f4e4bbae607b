//! Files of arrays: any bytes are an array or a sentence, and an array that is written is read as the same.

use reduce_cli::fuzzing::{read_array, write_array};
use reduce_onnx::write_tensor;

use crate::{scratch, within};

/// Reads a file, and, if it has an array, writes that and reads it again, in the format of an extension. A byte of
/// the file may stand for `factor` bytes of elements.
///
/// # Panics
/// If what was written is not what was read, or reading takes more memory than such a file may.
pub fn round_trip(bytes: &[u8], extension: &str, factor: usize) {
    let path = scratch::file(&format!("a.{extension}"), bytes);
    // The file, the elements, and both once more while a list grows, and in the order of their indices. A header, in some
    // forms, and a decompressor.
    let bound = (1 << 19) + 16 * factor * bytes.len();
    let by_name = format!("{}:a", scratch::text(&path));
    let array = within(bound, || read_array(&path))
        .or_else(|_| within(bound, || read_array(by_name.as_ref())));
    let Ok(array) = array else { return };
    let written = scratch::path(&format!("b.{extension}"));
    write_array(&written, &array).expect("room");
    let again = read_array(&written).expect("an array that was written");
    assert_eq!((array.dtype(), array.shape()), (again.dtype(), again.shape()));
    // Bit for bit, whatever NaN equals.
    assert_eq!(write_tensor("", &array), write_tensor("", &again));
}
