//! The page of the guide on this crate.
#![allow(missing_docs, reason = "the module has nothing but a page, which only rustdoc reads")]

// The page is the workspace's: `guide` has a symbolic link to it, and a package the page itself.

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("links.md"))]
#[cfg_attr(doc, doc = include_str!("../guide/onnx-models.md"))]
pub mod onnx_models {}
