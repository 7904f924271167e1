//! Who is at the other end of a connection: their address, and whether they came over TLS.
//!
//! What a header says about them counts only where the connection comes from a trusted proxy, and
//! only in the one header that this proxy is said to set: a proxy passes on what it does not
//! know, so that whoever is before it could otherwise choose their address.
//!
//! The address decides who is slowed after wrong passwords and stands in `_access`, so that to
//! choose it would be to escape the one and to lie in the other.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use super::Options;
use super::problem::Problem;

/// The address at the other end of the connection.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Who asks, as far as it is known before they say who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// Their address.
    pub address: IpAddr,
    /// Whether they came over TLS.
    pub secure: bool,
}

/// Proxies that stand before the server.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    /// Their addresses; what a header says counts only from these.
    pub trusted: Vec<IpNet>,
    /// The header that they set.
    pub header: ForwardedHeader,
}

/// The header in which proxies say for whom they ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For` and `X-Forwarded-Proto`.
    #[default]
    XForwarded,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl std::str::FromStr for ForwardedHeader {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Ok(Self::XForwarded),
            "forwarded" => Ok(Self::Forwarded),
            _ => Err("X-Forwarded-For or Forwarded"),
        }
    }
}

/// Notes who asks, for everything behind it.
pub fn identify(options: &Options, request: &mut Request) -> Option<Client> {
    let Peer(peer) = request.extensions().get().copied()?;
    let always_secure = options.tls || options.secure_cookies;
    let client = options
        .proxies
        .client(peer.ip(), always_secure, request.headers());
    request.extensions_mut().insert(client);
    Some(client)
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let client = parts.extensions.get().copied();
        client.ok_or_else(Problem::internal)
    }
}

impl Proxies {
    /// Whether an address is a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// Goes through the hops from the nearest on, and believes each only because a trusted one
    /// wrote it.
    fn client(&self, peer: IpAddr, always_secure: bool, headers: &HeaderMap) -> Client {
        let peer = peer.to_canonical();
        let hops = match self.trusts(peer) {
            true => self.hops(headers),
            false => Vec::new(),
        };
        let mut client = Client {
            address: peer,
            secure: always_secure,
        };
        // From the nearest on; the first that is no proxy of ours is who asks.
        for hop in hops.into_iter().rev() {
            client.secure = always_secure || hop.is_https;
            match hop.address {
                Some(address) => client.address = address,
                None => break,
            }
            if !self.trusts(client.address) {
                break;
            }
        }
        client
    }

    /// What the proxies say, the nearest last. An element that cannot be read stays, as a hop
    /// without an address: to leave it out would be to believe the one before it.
    fn hops(&self, headers: &HeaderMap) -> Vec<Hop> {
        match self.header {
            ForwardedHeader::XForwarded => {
                let schemes = elements(headers, "x-forwarded-proto");
                let is_https = schemes
                    .last()
                    .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
                let hop = |node: &&str| Hop {
                    address: address(node),
                    is_https,
                };
                let nodes = elements(headers, "x-forwarded-for");
                match nodes.is_empty() {
                    true => vec![Hop {
                        address: None,
                        is_https,
                    }],
                    false => nodes.iter().map(hop).collect(),
                }
            }
            ForwardedHeader::Forwarded => elements(headers, "forwarded")
                .into_iter()
                .map(Hop::of_element)
                .collect(),
        }
    }
}

/// For whom a proxy asks.
struct Hop {
    address: Option<IpAddr>,
    is_https: bool,
}

impl Hop {
    /// An element of `Forwarded`, such as `for="[2001:db8::17]:4711";proto=https`.
    fn of_element(element: &str) -> Self {
        let value = |name: &str| {
            element.split(';').find_map(|pair| {
                let (key, value) = pair.split_once('=')?;
                key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
            })
        };
        let scheme = value("proto").map(|scheme| scheme.trim_matches('"'));
        Self {
            address: value("for").and_then(address),
            is_https: scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
        }
    }
}

/// The elements of a header's list, the nearest hop's last.
fn elements<'a>(headers: &'a HeaderMap, name: &'static str) -> Vec<&'a str> {
    let values = headers.get_all(HeaderName::from_static(name)).iter();
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    texts
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .collect()
}

/// An address with or without a port, brackets and quotes.
fn address(node: &str) -> Option<IpAddr> {
    let node = node.trim_matches('"');
    let bare = node.trim_start_matches('[').trim_end_matches(']');
    let address = bare
        .parse()
        .or_else(|_| node.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn client(
        header: ForwardedHeader,
        peer: &str,
        sent: &[(&'static str, &str)],
    ) -> (String, bool) {
        let trusted = ["192.0.2.0/24", "2001:db8:1::/48"].map(|net| net.parse().unwrap());
        let proxies = Proxies {
            trusted: trusted.to_vec(),
            header,
        };
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let client = proxies.client(peer.parse().unwrap(), false, &headers);
        (client.address.to_string(), client.secure)
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let sent = [
            ("x-forwarded-for", "203.0.113.7"),
            ("x-forwarded-proto", "https"),
        ];
        let x = |peer| client(ForwardedHeader::XForwarded, peer, &sent);
        assert_eq!(x("198.51.100.1"), ("198.51.100.1".into(), false));
        assert_eq!(x("192.0.2.9"), ("203.0.113.7".into(), true));
        assert_eq!(x("::ffff:192.0.2.9"), ("203.0.113.7".into(), true));
    }

    #[test]
    fn what_stands_before_the_first_stranger_is_their_own_word() {
        let x = |sent: &[(&'static str, &str)]| {
            client(ForwardedHeader::XForwarded, "192.0.2.9", sent).0
        };
        let lists = [
            ("10.0.0.1, 203.0.113.7, 192.0.2.8", "203.0.113.7"),
            ("127.0.0.1,203.0.113.7:4711", "203.0.113.7"),
            (
                "1.1.1.1, [2001:db8:2::1]:80, 2001:db8:1::5",
                "2001:db8:2::1",
            ),
            ("1.1.1.1, nonsense, 192.0.2.8", "192.0.2.8"),
            ("192.0.2.7, 192.0.2.8", "192.0.2.7"),
            ("", "192.0.2.9"),
        ];
        for (list, expected) in lists {
            assert_eq!(x(&[("x-forwarded-for", list)]), expected, "{list}");
        }
        let twice = [
            ("x-forwarded-for", "1.1.1.1"),
            ("x-forwarded-for", "203.0.113.7"),
        ];
        assert_eq!(x(&twice), "203.0.113.7");
        assert_eq!(x(&[]), "192.0.2.9");
    }

    #[test]
    fn only_the_header_that_the_proxy_sets_counts() {
        let both = [
            ("x-forwarded-for", "1.1.1.1"),
            ("forwarded", "for=\"[2001:db8:2::17]:4711\";proto=https"),
        ];
        let of = |header| client(header, "192.0.2.9", &both);
        assert_eq!(
            of(ForwardedHeader::Forwarded),
            ("2001:db8:2::17".into(), true)
        );
        assert_eq!(of(ForwardedHeader::XForwarded), ("1.1.1.1".into(), false));
        let element = [(
            "forwarded",
            "For=203.0.113.7; Proto=\"HTTPS\", for=192.0.2.8",
        )];
        let plain_hop = client(ForwardedHeader::Forwarded, "192.0.2.9", &element);
        assert_eq!(plain_hop, ("203.0.113.7".into(), true));
    }
}
