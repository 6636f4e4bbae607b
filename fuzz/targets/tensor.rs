//! A tensor of ONNX in a file of its own: any bytes are a tensor or a sentence, and its elements, written as
//! raw bytes, are read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use reduce_cli::fuzzing::{TensorProto, bits, read_tensor};
use reduce_fuzz::{prepare, within};

fuzz_target!(init: prepare(), |bytes: &[u8]| {
    // A number in a list takes a byte of the file and eight of memory, while its list grows three times as many.
    let bound = (1 << 16) + 64 * bytes.len();
    let Ok(tensor) = within(bound, || read_tensor(bytes)) else { return };
    let before = TensorProto::decode(bytes).expect("it was read");
    let raw = TensorProto {
        data_type: before.data_type,
        dims: before.dims,
        raw_data: bits(&tensor).into(),
        ..TensorProto::default()
    };
    let again = read_tensor(&raw.encode_to_vec()).expect("a tensor that was written");
    assert_eq!((tensor.dtype(), tensor.shape()), (again.dtype(), again.shape()));
    assert_eq!(bits(&tensor), bits(&again));
});
