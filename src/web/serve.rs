//! Connections: taken up to a number, of which one address gets a part; each must shake hands and
//! send the headers of its request in time, so that whoever says nothing keeps no room.
//!
//! The bounds hold before anything is known of who asks: neither a token nor a session is looked at
//! for a connection that has not sent its headers. HTTP/1.1 only: one request at a time on each.

use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_http::add_extension::AddExtension;

use super::client::{Peer, Proxies};
use super::linger::Lingering;
use super::tls::Tls;
use crate::limits::{HEADER_TIMEOUT_SECONDS, MAX_CONNECTIONS, MAX_READ_BYTES};

/// Bounds of connections.
#[derive(Debug, Clone)]
pub struct Connections {
    /// How many there are at most; more wait to be taken.
    pub most: usize,
    /// How long a TLS handshake, and the headers of a request, may take; also how long a
    /// connection stays open between two requests.
    pub header_timeout: Duration,
    /// Addresses that may have all of them.
    pub proxies: Proxies,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            most: MAX_CONNECTIONS,
            header_timeout: Duration::from_secs(HEADER_TIMEOUT_SECONDS),
            proxies: Proxies::default(),
        }
    }
}

/// Of all connections, one address has at most one part in so many.
const PART_OF_ONE_ADDRESS: usize = 4;
/// How long to wait when a connection cannot be taken, such as when too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Answers requests until `stop` is over; then until those that were taken are answered.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    router: Router,
    connections: Connections,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let room = Room::new(&connections);
    let mut stop = pin!(stop);
    loop {
        // Room first: what cannot be served waits in the kernel's queue, and costs no file here.
        let next = async {
            let turn = room.turn().await;
            (turn, accept(&listener).await)
        };
        let (turn, (stream, peer)) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let Some(place) = turn.and_then(|turn| room.place(turn, peer.ip())) else {
            continue;
        };
        let service = AddExtension::new(router.clone(), Peer(peer));
        let connection = Connection {
            service: TowerToHyperService::new(service),
            timeout: connections.header_timeout,
            watcher: graceful.watcher(),
            _place: place,
        };
        let tls = tls.clone();
        tokio::spawn(async move {
            match tls {
                Some(tls) => connection.answer_over(&tls, stream).await,
                None => connection.answer(stream).await,
            }
        });
    }
    // Whoever comes now is refused by the kernel, and may try another server.
    drop(listener);
    graceful.shutdown().await;
}

/// The next connection. An error is one connection's, or passes when files are closed; it never
/// ends the server.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are written whole: nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) => {
                tracing::debug!("a connection could not be taken: {error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// One connection.
struct Connection {
    service: TowerToHyperService<AddExtension<Router, Peer>>,
    timeout: Duration,
    watcher: Watcher,
    _place: Place,
}

impl Connection {
    /// Shakes hands, then answers. What is refused here is the client's matter: no more than a line
    /// to look at when something is sought.
    async fn answer_over(self, tls: &Tls, stream: TcpStream) {
        let shaken = tokio::time::timeout(self.timeout, tls.acceptor().accept(stream)).await;
        match shaken {
            Ok(Ok(stream)) => self.answer(stream).await,
            Ok(Err(error)) => tracing::debug!("no TLS: {error}"),
            Err(_) => tracing::debug!("no TLS in time"),
        }
    }

    /// Answers the requests of a connection until one side ends it.
    async fn answer(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.timeout)
            .max_buf_size(MAX_READ_BYTES)
            .serve_connection(TokioIo::new(Lingering::new(stream)), self.service);
        if let Err(error) = self.watcher.watch(connection).await {
            tracing::debug!("a connection: {error}");
        }
    }
}

/// Connections of each network.
type Counts = Mutex<HashMap<IpAddr, usize>>;

/// Room for connections.
struct Room {
    /// Over all addresses.
    turns: Arc<Semaphore>,
    /// Only networks that have a connection stand here, so that it is bounded by `turns`.
    by_address: Arc<Counts>,
    most_of_one: usize,
    proxies: Proxies,
}

/// A connection's place; dropped, it is free.
struct Place {
    _turn: OwnedSemaphorePermit,
    /// Where it is counted, unless its address may have all places.
    counted: Option<(IpAddr, Arc<Counts>)>,
}

impl Room {
    /// Rounded up, so that one connection can always be had.
    fn new(connections: &Connections) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(connections.most)),
            by_address: Arc::default(),
            most_of_one: connections.most.div_ceil(PART_OF_ONE_ADDRESS),
            proxies: connections.proxies.clone(),
        }
    }

    /// Waits for room; the semaphore is never closed.
    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        self.turns.clone().acquire_owned().await.ok()
    }

    /// A place, unless the address has its part already.
    fn place(&self, turn: OwnedSemaphorePermit, address: IpAddr) -> Option<Place> {
        // A proxy speaks for many; what it lets through it must bound itself.
        if address.to_canonical().is_loopback() || self.proxies.trusts(address) {
            return Some(Place {
                _turn: turn,
                counted: None,
            });
        }
        let address = network(address);
        let mut by_address = lock(&self.by_address);
        let count = by_address.entry(address).or_default();
        if *count >= self.most_of_one {
            return None;
        }
        *count += 1;
        Some(Place {
            _turn: turn,
            counted: Some((address, self.by_address.clone())),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((address, by_address)) = &self.counted else {
            return;
        };
        let mut by_address = lock(by_address);
        if let Some(count) = by_address.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                by_address.remove(address);
            }
        }
    }
}

/// An IPv4 address, or the /64 of an IPv6 address: whoever has one of it has them all.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

/// Taken for a count up or down.
fn lock(counts: &Counts) -> std::sync::MutexGuard<'_, HashMap<IpAddr, usize>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_address_has_only_its_part() {
        let room = Room::new(&Connections {
            most: 8,
            header_timeout: Duration::from_secs(1),
            proxies: Proxies {
                trusted: vec!["192.0.2.9/32".parse().unwrap()],
                ..Proxies::default()
            },
        });
        let mut places = Vec::new();
        for (address, most) in [("192.0.2.1", 2), ("192.0.2.2", 2), ("192.0.2.9", 4)] {
            let address: IpAddr = address.parse().unwrap();
            for _ in 0..most {
                let turn = room.turn().await.unwrap();
                places.push(room.place(turn, address).expect("a place"));
            }
        }
        assert_eq!(room.turns.available_permits(), 0);
        drop(places.pop());
        let turn = room.turn().await.unwrap();
        assert!(room.place(turn, "192.0.2.1".parse().unwrap()).is_none());
        places.clear();
        assert_eq!(room.turns.available_permits(), 8);
        assert!(lock(&room.by_address).is_empty());
    }
}
