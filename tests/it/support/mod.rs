//! What the tests share.

pub mod app;
pub mod engine;
pub mod faults;
