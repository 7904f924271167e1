//! The portal, as a browser sees it.

pub mod browser;
mod findings;
mod language;
mod pages;
mod public;
mod session;
