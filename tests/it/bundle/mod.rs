//! Bundles written and checked by the product itself, and every way to change one.

mod changes;
mod maker;
mod round_trip;
