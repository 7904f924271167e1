//! The product as its users meet it: the real binary, over HTTP.

mod connection;
mod csv;
mod export;
mod http;
mod kill;
mod odd;
mod operation;
mod report;
pub mod roles;
mod tls;
