//! Estreat: a verifiable audit log for personal data.
//!
//! Events come in over HTTP, are kept as **entries** in **batches** that are compressed, sealed
//! and chained by **links**, and go out as **bundles** about one data subject that verify
//! offline. The words are those of [`mod@format`], whose text is normative.
//!
//! # Floors
//!
//! A module imports only from a lower floor, and two modules of a floor never import each other;
//! `tests/it/tidy.rs` holds both. Floors 0 to 4 are pure: nothing there reads a clock, a file, a
//! socket or a random source, and nothing spawns; time, randomness and bytes are handed in.
//!
//! | floor | modules | what they must not know |
//! |---|---|---|
//! | 0 words | [`ids`], [`time`], [`limits`], [`random`] | bytes |
//! | 1 bytes and messages | [`codec`], [`digest`], [`base64`], [`postings`], [`strict`], [`zone`], [`messages`] | what the bytes mean |
//! | 2 meaning | [`event`], [`envelope`], [`chain`], [`merkle`], [`vrf`] | how they lie in a file |
//! | 3 artefacts | [`mod@format`], [`checkpoint`], [`finding`] | who makes and reads them |
//! | 4 machines | [`sealer`], [`sequencer`], [`verifier`], [`bundle`], [`sample`] | where bytes come from |
//! | 5 devices | [`store`], [`catalog`], [`state`], [`keyring`], [`cores`] | what is done with them |
//! | 6 engines | [`ingest`], [`indexer`] | who asks, and whether they may |
//! | 7 use cases | [`audit`] | HTTP |
//! | 8 web | [`web`] | engines and stores |
//! | 9 settings | [`config`] | commands |
//! | 10 command line | [`cli`] | – : here everything meets |
//!
//! # Invariants
//!
//! - Nothing is acknowledged before its link is synced; after a failed write or sync nothing of it
//!   counts, and no later sync vouches for it ([`store`], [`ingest`]).
//! - One writer a log: batches are linked in the order of their tickets, and a close comes behind
//!   everything that was sealed under its segment's key ([`ingest`]).
//! - What is read to go on from is used only if it hashes to the checkpoint in `state.db`.
//! - No plaintext of an entry leaves before its reading is on disk in `_access` ([`audit`]).
//! - No subject id rests outside a sealed payload or a sealed export.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod audit;
pub mod base64;
pub mod bundle;
pub mod catalog;
pub mod chain;
pub mod checkpoint;
pub mod cli;
pub mod codec;
pub mod config;
pub mod cores;
pub mod digest;
pub mod envelope;
pub mod event;
pub mod finding;
pub mod format;
pub mod ids;
pub mod indexer;
pub mod ingest;
pub mod keyring;
pub mod limits;
pub mod merkle;
pub mod messages;
pub mod postings;
pub mod random;
pub mod sample;
pub mod sealer;
pub mod sequencer;
pub mod state;
pub mod store;
pub mod strict;
pub mod time;
pub mod verifier;
pub mod vrf;
pub mod web;
pub mod zone;
