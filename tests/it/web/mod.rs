//! The portal, as a browser sees it.

mod access_log;
mod attack;
pub mod browser;
mod case;
mod case_bounds;
mod checkpoints;
pub mod findings;
mod integrity;
mod language;
mod link;
mod overview;
mod pages;
mod people;
mod public;
mod session;
