//! Integration tests: one binary, its tree as the floors of the crate.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bundle;
mod e2e;
mod format;
mod ingest;
mod keyring;
mod messages;
mod support;
mod tidy;
mod vectors;
mod verify;
mod web;
