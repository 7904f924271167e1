//! Guesses are slowed, and nobody is locked out.
//!
//! Who guesses a password or a pass phrase must wait, twice as long after each further miss. The
//! waits are kept for four things, of which those count that an attempt belongs to:
//!
//! - **A known browser of the account** ([`Source::Device`]), by the cookie that it got when the
//!   person signed in there. It counts alone: whatever anybody does elsewhere, also from the same
//!   address, does not slow it. Whoever steals the cookie gains slow guesses, not a way in.
//! - **The account from one network** (an IPv4 address, or a /64 of IPv6, since whoever has one
//!   address of it has them all): five free misses, then 10 s, 20 s, 40 s, … up to 15 minutes, so
//!   that one attacker tries about a hundred passwords a day.
//! - **A network, whichever the account:** the same, after thirty free misses, so that trying one
//!   password with many names is slow, and an office behind one address may mistype now and then.
//! - **The account from all networks where it is not known:** after fifty free misses at most one
//!   attempt in 30 s. An attacker with a thousand addresses makes some 3,000 guesses a day
//!   instead of a hundred thousand; a person in a new browser has to try between them, and is not
//!   locked out either.
//!
//! So an attacker can slow strangers, who are like themselves, but none of the browsers in which
//! a person works. An unknown name counts like a known one, so that the waits do not tell which
//! names there are. Tokens and the URLs of links are not counted: they are 256 random bits.
//!
//! Hashing takes time on purpose, so a flood from very many addresses can fill the turns there are
//! for strangers; a turn of its own is kept for known browsers (`super::password`).
//!
//! An attempt counts as a miss before it is made, so that many at once are not free, and is taken
//! back when it was right. A refused attempt does not count: hammering does not make it longer.
//! Memory is bounded; when there is no more room, what was longest unused is forgotten. An hour
//! without a miss forgets too. Waits do not outlive the process.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;

use crate::digest::Digest;
use crate::time::Timestamp;

/// Networks and browsers whose misses are kept, and as many accounts: some 2 MB of each.
const KEPT: NonZeroUsize = NonZeroUsize::new(16_384).unwrap();
/// In microseconds, as `Timestamp` counts.
const SECOND: i64 = 1_000_000;
/// The first wait.
const FIRST_WAIT_SECONDS: u32 = 10;
/// After this long without a miss all is forgotten. Longer than the longest wait of `Key::policy`,
/// so that a wait is over before its misses are forgotten.
const FORGET_MICROS: i64 = 3600 * SECOND;

/// Where an attempt comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A browser in which this account has signed in, by the hash of its cookie.
    Device(Digest),
    /// Anywhere else.
    Address(IpAddr),
}

/// How long to wait, in seconds, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait(pub u32);

/// What is guessed: the hash of an account's name, or of a link's id.
pub type Target = Digest;

/// The misses so far.
pub struct Guard(Mutex<Counts>);

/// Two caches, so that an attacker with many networks pushes out his own like, and not what is
/// counted for the accounts that he attacks.
struct Counts {
    sources: LruCache<Key, Misses>,
    targets: LruCache<Key, Misses>,
}

/// One of the four things that waits are kept for; see the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Device(Target, Digest),
    Pair(Target, Network),
    Network(Network),
    Target(Target),
}

/// An IPv4 address, or the first half of an IPv6 address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Network {
    V4([u8; 4]),
    V6([u8; 8]),
}

/// The misses under one key, and when the last one was admitted.
#[derive(Clone, Copy)]
struct Misses {
    count: u32,
    last: Timestamp,
}

/// How many misses are free, and the longest wait after them.
struct Policy {
    free: u32,
    longest_seconds: u32,
}

impl Guard {
    /// Nobody has missed yet.
    pub(super) fn new() -> Self {
        Self(Mutex::new(Counts {
            sources: LruCache::new(KEPT),
            targets: LruCache::new(KEPT),
        }))
    }

    /// Counts an attempt as a miss before it is made, or says how long to wait with it.
    pub fn admit(&self, target: Target, source: Source, now: Timestamp) -> Result<(), Wait> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = keys(target, source);
        let waits = keys.iter().map(|key| counts.wait(key, now));
        match waits.max() {
            Some(wait) if wait > 0 => Err(Wait(wait)),
            _ => {
                keys.into_iter().for_each(|key| counts.miss(key, now));
                Ok(())
            }
        }
    }

    /// Takes an attempt back that could not be made.
    pub fn was_not_made(&self, target: Target, source: Source) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys(target, source) {
            counts.take_back(&key);
        }
    }

    /// Takes an attempt back that was right. What the account has missed from here is forgotten;
    /// what the network and strangers have missed with others is not, for an attacker may have an
    /// account too.
    pub fn was_right(&self, target: Target, source: Source) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys(target, source) {
            match key {
                Key::Device(..) | Key::Pair(..) => {
                    counts.of(&key).pop(&key);
                }
                Key::Network(_) | Key::Target(_) => counts.take_back(&key),
            }
        }
    }
}

/// What an attempt counts for. A known browser counts for itself alone: were it also counted for
/// its account, strangers could make it wait.
fn keys(target: Target, source: Source) -> Vec<Key> {
    match source {
        Source::Device(device) => vec![Key::Device(target, device)],
        Source::Address(address) => {
            let network = Network::of(address);
            vec![
                Key::Pair(target, network),
                Key::Network(network),
                Key::Target(target),
            ]
        }
    }
}

impl Counts {
    /// The cache in which a key is kept.
    fn of(&mut self, key: &Key) -> &mut LruCache<Key, Misses> {
        match key {
            Key::Target(_) => &mut self.targets,
            _ => &mut self.sources,
        }
    }

    /// Seconds that are still to be waited.
    fn wait(&mut self, key: &Key, now: Timestamp) -> u32 {
        let Some(misses) = self.of(key).get(key) else {
            return 0;
        };
        // A clock that was set back does not make a wait longer.
        let since = now.0.saturating_sub(misses.last.0).max(0);
        let wait = i64::from(key.policy().wait_seconds(misses.count)) * SECOND - since;
        // Rounded up: after it, the attempt is admitted.
        (wait.max(0) as u64).div_ceil(SECOND as u64) as u32
    }

    /// One miss fewer. The time of the last one stays: an attempt that was right or could not be
    /// made ends no wait that others have earned.
    fn take_back(&mut self, key: &Key) {
        if let Some(misses) = self.of(key).get_mut(key) {
            misses.count = misses.count.saturating_sub(1);
        }
    }

    /// One miss more. Called only where `wait` gave 0, so that the count grows at most once a wait.
    fn miss(&mut self, key: Key, now: Timestamp) {
        let misses = self.of(&key).get_or_insert_mut(key, || Misses {
            count: 0,
            last: now,
        });
        if now.0.saturating_sub(misses.last.0) > FORGET_MICROS {
            misses.count = 0;
        }
        misses.count = misses.count.saturating_add(1);
        misses.last = now;
    }
}

impl Key {
    /// The table of the module's text.
    fn policy(&self) -> Policy {
        let (free, longest_seconds) = match self {
            Self::Device(..) | Self::Pair(..) => (5, 900),
            Self::Network(_) => (30, 900),
            Self::Target(_) => (50, 30),
        };
        Policy {
            free,
            longest_seconds,
        }
    }
}

impl Policy {
    /// 0 while misses are free; then 10 s, twice as long with each further miss, up to the longest.
    fn wait_seconds(&self, misses: u32) -> u32 {
        match misses.checked_sub(self.free) {
            None => 0,
            // Ten doublings are beyond every longest wait.
            Some(beyond) => (FIRST_WAIT_SECONDS << beyond.min(10)).min(self.longest_seconds),
        }
    }
}

impl Network {
    /// An IPv4 address in an IPv6 dress is the same network: else each guesser would count twice.
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.octets()),
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, h, ..] = address.octets();
                Self::V6([a, b, c, d, e, f, g, h])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: Target = Digest([1; 32]);

    fn at(seconds: i64) -> Timestamp {
        Timestamp(seconds * SECOND)
    }

    fn from(address: &str) -> Source {
        Source::Address(address.parse().unwrap())
    }

    /// Misses until one has to wait; how many, and how long.
    fn exhaust(guard: &Guard, target: Target, source: Source, now: Timestamp) -> (u32, u32) {
        for count in 0.. {
            if let Err(Wait(seconds)) = guard.admit(target, source, now) {
                return (count, seconds);
            }
        }
        unreachable!("an attempt is refused some time")
    }

    #[test]
    fn each_further_miss_doubles_the_wait_up_to_a_quarter_of_an_hour() {
        let guard = Guard::new();
        let source = from("192.0.2.1");
        assert_eq!(exhaust(&guard, NAME, source, at(0)), (5, 10));
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..9 {
            let (_, wait) = exhaust(&guard, NAME, source, at(now));
            waits.push(wait);
            now += i64::from(wait);
        }
        assert_eq!(waits, [10, 20, 40, 80, 160, 320, 640, 900, 900]);
    }

    #[test]
    fn hammering_makes_no_wait_longer_and_an_hour_forgets() {
        let guard = Guard::new();
        let source = from("192.0.2.1");
        exhaust(&guard, NAME, source, at(0));
        for _ in 0..100 {
            assert_eq!(guard.admit(NAME, source, at(0)), Err(Wait(10)));
        }
        assert_eq!(guard.admit(NAME, source, at(10)), Ok(()));
        assert_eq!(exhaust(&guard, NAME, source, at(3611)), (5, 10));
    }

    #[test]
    fn a_clock_set_back_makes_no_wait_longer() {
        let guard = Guard::new();
        let source = from("192.0.2.1");
        exhaust(&guard, NAME, source, at(1_000_000));
        assert_eq!(guard.admit(NAME, source, at(0)), Err(Wait(10)));
    }

    #[test]
    fn an_attack_from_elsewhere_slows_strangers_and_no_known_browser() {
        let guard = Guard::new();
        for host in 0..200 {
            exhaust(&guard, NAME, from(&format!("198.51.100.{host}")), at(0));
        }
        let home = from("192.0.2.1");
        let Err(Wait(seconds)) = guard.admit(NAME, home, at(0)) else {
            panic!("strangers are slowed");
        };
        assert!(seconds <= 30, "{seconds}");
        assert_eq!(guard.admit(NAME, home, at(30)), Ok(()));
        let known = Source::Device(Digest([2; 32]));
        assert_eq!(exhaust(&guard, NAME, known, at(0)), (5, 10));
    }

    #[test]
    fn one_password_with_many_names_is_slowed_by_its_network() {
        let guard = Guard::new();
        let name = |number: u8| Digest([number; 32]);
        let from_64 = |number: u8| from(&format!("2001:db8:0:1::{number}"));
        for number in 0..30 {
            assert_eq!(guard.admit(name(number), from_64(number), at(0)), Ok(()));
        }
        assert_eq!(guard.admit(name(99), from_64(99), at(0)), Err(Wait(10)));
        let another = from("2001:db8:0:2::1");
        assert_eq!(guard.admit(name(99), another, at(0)), Ok(()));
    }

    #[test]
    fn a_right_one_clears_the_account_and_not_the_network() {
        let guard = Guard::new();
        let source = from("192.0.2.1");
        let own = Digest([9; 32]);
        for number in 0..30 {
            assert_eq!(guard.admit(Digest([number; 32]), source, at(0)), Ok(()));
            let Ok(()) = guard.admit(own, source, at(0)) else {
                break;
            };
            guard.was_right(own, source);
        }
        assert_eq!(guard.admit(own, source, at(0)), Err(Wait(10)));
        exhaust(&guard, NAME, from("192.0.2.2"), at(0));
        assert_eq!(guard.admit(NAME, from("192.0.2.2"), at(10)), Ok(()));
        guard.was_right(NAME, from("192.0.2.2"));
        assert_eq!(exhaust(&guard, NAME, from("192.0.2.2"), at(10)), (5, 10));
    }

    #[test]
    fn what_could_not_be_tried_is_no_miss() {
        let guard = Guard::new();
        let source = from("192.0.2.1");
        for _ in 0..100 {
            assert_eq!(guard.admit(NAME, source, at(0)), Ok(()));
            guard.was_not_made(NAME, source);
        }
    }

    #[test]
    fn an_ipv4_address_written_as_ipv6_is_the_same() {
        let guard = Guard::new();
        exhaust(&guard, NAME, from("192.0.2.1"), at(0));
        assert!(guard.admit(NAME, from("::ffff:192.0.2.1"), at(0)).is_err());
    }
}
