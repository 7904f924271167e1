//! The bytes on disk, and what stands in a bundle.
//!
#![doc = include_str!("FORMAT.md")]

pub mod frame;
pub mod header;
pub mod payload;
pub mod subject_index;
