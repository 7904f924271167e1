//! The product as its users meet it: the real binary, over HTTP.

mod connection;
mod export;
mod http;
mod kill;
mod odd;
mod operation;
pub mod roles;
mod tls;
