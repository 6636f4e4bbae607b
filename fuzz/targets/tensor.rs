//! A tensor of ONNX in a file of its own: any bytes are a tensor or a sentence, and the tensor, written, is read as the
//! same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reduce_fuzz::{prepare, within};
use reduce_onnx::{read_tensor, write_tensor};

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    // A number in a list takes a byte of the file and eight of memory, while its list grows three times as many.
    let bound = (1 << 16) + 64 * bytes.len();
    let Ok(tensor) = within(bound, || read_tensor(bytes)) else { return };
    let written = write_tensor("", &tensor);
    let again = read_tensor(&written).expect("a tensor that was written");
    assert_eq!((tensor.dtype(), tensor.shape()), (again.dtype(), again.shape()));
    // Bit for bit, whatever NaN equals.
    assert_eq!(write_tensor("", &again), written);
});
