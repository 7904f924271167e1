//! The bytes on disk, and what stands in a bundle.
//!
//! This module does not know keys beyond handing them on, and decides nothing: bytes in, structs or
//! an error out. The structs mirror FORMAT.md in byte order.
#![doc = include_str!("FORMAT.md")]

pub mod frame;
pub mod header;
pub mod payload;
pub mod subject_index;
