//! The portal, as a browser sees it.

mod attack;
pub mod browser;
mod case;
mod findings;
mod language;
mod link;
mod pages;
mod people;
mod public;
mod session;
