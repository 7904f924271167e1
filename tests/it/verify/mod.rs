//! The check of logs' folders: what is sound passes, whatever was changed is found.

mod command;
mod deep;
mod files;
mod live;
mod tamper;
mod vectors;
