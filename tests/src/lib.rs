//! What the tests of the workspace share.
