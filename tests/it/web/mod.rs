//! The portal, as a browser sees it.

mod browser;
mod findings;
mod pages;
mod people;
mod public;
mod session;
