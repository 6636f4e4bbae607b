#![cfg_attr(all(doc, not(doctest)), doc = include_str!("links.md"))]
#![cfg_attr(all(doc, any(not(doctest), reduce_pages)), doc = include_str!("../guide/README.md"))]
#![allow(missing_docs, reason = "these modules have nothing but pages, which only rustdoc reads")]

// The pages are those of the workspace: `guide` has a symbolic link to each, and a package the page itself. Their examples
// are tested where the workspace is (`build.rs`), which has the crates that they use.

macro_rules! pages {
    ($($name:ident: $file:literal;)+) => {
        $(
            #[cfg_attr(all(doc, not(doctest)), doc = include_str!("links.md"))]
            #[cfg_attr(all(doc, any(not(doctest), reduce_pages)), doc = include_str!($file))]
            pub mod $name {}
        )+
    };
}

pages! {
    write_an_operator: "../guide/write-an-operator.md";
    serve_onnx_nodes: "../guide/serve-onnx-nodes.md";
    fuse: "../guide/fuse.md";
    emit: "../guide/emit.md";
    along_and_over: "../guide/along-and-over.md";
    stream_and_merge: "../guide/stream-and-merge.md";
    numbers_and_accuracy: "../guide/numbers-and-accuracy.md";
    other_machines: "../guide/other-machines.md";
    spec_language: "../guide/spec-language.md";
    numerics: "../guide/numerics.md";
    accuracy: "../guide/accuracy.md";
    operators: "../guide/operators.md";
    performance: "../guide/performance.md";
}
