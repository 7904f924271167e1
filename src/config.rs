//! Settings: one TOML file, the environment, flags; typed once, handed down as each floor's own
//! options. Precedence: flag, environment, file, default. Every default works with no file.
//!
//! Every number has bounds here, so that no setting can take a floor below out of its own limits;
//! those of the format can be made stricter and never wider.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;

use crate::audit;
use crate::ids::Origin;
use crate::ingest;
use crate::keyring;
use crate::web;

/// Where settings come from, the later winning.
#[derive(Debug, Default)]
pub struct Sources {
    /// As text, by the names in `SETTINGS`; typed at the end, when all sources are known.
    values: BTreeMap<&'static str, (String, Source)>,
}

/// In the order in which they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    File,
    Environment,
    Flag,
}

/// All settings of a server.
/// Made once at the start; nothing reads a setting later.
#[derive(Debug, Clone)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Whether listening beyond this machine without TLS is meant.
    /// Without it, a server that would send tokens over a network in the clear does not start.
    pub allow_plain_http: bool,
    /// The files of the certificate and its key, if the server itself speaks TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The web's settings.
    pub web: web::Options,
    /// Bounds of connections.
    pub connections: web::Connections,
    /// How long a stop may take.
    pub shutdown: Duration,
    /// Segment files kept open.
    pub open_files: usize,
    /// The engine's settings.
    pub ingest: ingest::Options,
    /// The use cases' settings.
    pub audit: audit::Options,
    /// Where keys are.
    pub keyring: keyring::Options,
    /// Name and text of every setting.
    effective: Vec<(&'static str, String)>,
}

/// Settings that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file.
    #[error("cannot read the settings in {0}: {1}")]
    File(PathBuf, String),
    /// A name that is none.
    /// From any source: a setting that was mistyped must not be left at its default unseen.
    #[error("there is no setting `{name}`{}", nearest.as_ref().map_or(String::new(), |near| format!("; is `{near}` meant?")))]
    Unknown {
        /// The name.
        name: String,
        /// The nearest one that is.
        nearest: Option<&'static str>,
    },
    /// A value that is none.
    #[error("the setting `{0}` cannot be {1:?}: {2}")]
    Value(&'static str, String, &'static str),
}

/// A setting: its name, its default in words, and what it is.
/// The README's table is made of these.
struct Setting {
    name: &'static str,
    default: fn() -> String,
    about: &'static str,
}

/// Defaults are expressions, so that they come from `limits` or from the floor that has them.
macro_rules! settings {
    ($($name:literal = $default:expr, $about:literal;)*) => {
        const SETTINGS: &[Setting] = &[
            $(Setting { name: $name, default: || $default.to_string(), about: $about },)*
        ];
    };
}

settings! {
    "data" = "estreat-data", "the data folder";
    "listen" = "127.0.0.1:8080", "address and port";
    "allow_plain_http" = false, "listen beyond this machine without TLS";
    "tls_cert_file" = "", "the certificate and those above it, PEM; with tls_key_file the server speaks TLS";
    "tls_key_file" = "", "the certificate's key, PEM";
    "trusted_proxies" = "", "addresses and networks of proxies that say for whom they ask, separated by commas";
    "forwarded_header" = "X-Forwarded-For", "the header that they set: X-Forwarded-For (with X-Forwarded-Proto) or Forwarded";
    "secure_cookies" = false, "browsers come over TLS, through a proxy that does not say so";
    "max_connections" = crate::limits::MAX_CONNECTIONS, "connections at once; an address has at most a quarter of them";
    "header_timeout_seconds" = crate::limits::HEADER_TIMEOUT_SECONDS, "how long a handshake and a request's headers may take";
    "shutdown_seconds" = 60, "how long a stop may take";
    "kek_file" = "", "the KEK's file; empty: keys/kek in the data folder";
    "origin" = "", "the server's name in signatures, fixed at the first start; empty: random";
    "workers" = ingest::Options::default().workers, "threads that seal";
    "committers" = ingest::Options::default().committers, "threads that commit: that many logs at once";
    "compression_level" = 1, "zstd level, 1 to 19";
    "queue_groups" = crate::limits::QUEUE_GROUPS, "requests on the way";
    "queue_entries" = crate::limits::QUEUE_ENTRIES, "entries on the way";
    "queue_bytes" = crate::limits::QUEUE_BYTES, "bytes of entries on the way";
    "queue_wait_millis" = crate::limits::QUEUE_WAIT_MILLIS, "how long a request waits for room";
    "roll_bytes" = crate::limits::SEGMENT_ROLL_BYTES, "a segment rolls at this length";
    "roll_hours" = 24, "a segment rolls at this age";
    "roll_postings" = crate::limits::SEGMENT_ROLL_POSTINGS, "a segment rolls at this many index postings";
    "roll_subjects" = crate::limits::SEGMENT_ROLL_SUBJECTS, "a segment rolls at this many data subjects";
    "roll_on_request_seconds" = 60, "exports roll a log at most this often";
    "checkpoint_seconds" = 10, "how often growing logs get a checkpoint";
    "active_index_bytes" = crate::limits::ACTIVE_INDEX_BYTES, "memory for active segments' indexes; beyond it the largest are closed";
    "vrf_cache_subjects" = crate::limits::VRF_CACHE_SUBJECTS, "data subjects whose VRF output is kept";
    "disk_reserve_bytes" = crate::limits::DISK_RESERVE_BYTES, "disk space kept for auditing";
    "open_files" = crate::limits::MAX_OPEN_FILES, "segment files kept open";
    "max_logs" = crate::limits::MAX_LOGS, "logs there may be";
    "max_entry_bytes" = crate::limits::MAX_ENTRY_BYTES, "a stored entry";
    "max_request_bytes" = crate::limits::MAX_REQUEST_BYTES, "an unpacked request";
    "max_request_events" = crate::limits::MAX_BATCH_ENTRIES, "events of a request";
    "max_id_bytes" = crate::limits::MAX_ID_BYTES, "ids and names in an event";
    "max_json_depth" = crate::limits::MAX_JSON_DEPTH, "depth of JSON";
    "in_flight_bytes" = crate::limits::MAX_IN_FLIGHT_BYTES, "unpacked bodies in flight";
    "export_keep_days" = 30, "how long an export is kept";
    "verify_hours" = crate::limits::VERIFY_HOURS, "how often each log is checked for what is new; 0: never";
    "verify_deep" = false, "these checks open every payload too";
    "session_idle_minutes" = 30, "how long a portal session lasts unused";
    "session_hours" = 12, "how long a portal session lasts at all";
}

impl Sources {
    /// Takes the file's settings.
    /// Nothing nested: every setting is a name and a value, as in the environment.
    pub fn file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let failed = |why: String| ConfigError::File(path.to_owned(), why);
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| failed(error.to_string()))?;
        for (name, value) in table {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(word) => word.to_string(),
                _ => {
                    return Err(failed(format!(
                        "`{name}` must be a string, a whole number, true or false"
                    )));
                }
            };
            self.set(&name, value, Source::File)?;
        }
        Ok(())
    }

    /// Takes the environment's settings: `ESTREAT_` and the name in capitals.
    /// A variable with the prefix and no such name is an error too.
    pub fn environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), ConfigError> {
        for (name, value) in variables {
            let Some(name) = name.strip_prefix("ESTREAT_") else {
                continue;
            };
            // Not settings: a client's token and the tests' inputs.
            if ["TOKEN", "URL", "LOG", "EXTRA_INPUTS"].contains(&name) {
                continue;
            }
            self.set(&name.to_ascii_lowercase(), value, Source::Environment)?;
        }
        Ok(())
    }

    /// Takes a flag.
    /// `None` for a flag that was not given.
    pub fn flag(&mut self, name: &'static str, value: Option<String>) -> Result<(), ConfigError> {
        value.map_or(Ok(()), |value| self.set(name, value, Source::Flag))
    }

    /// Sources are taken in order, so the last one wins.
    fn set(&mut self, name: &str, value: String, source: Source) -> Result<(), ConfigError> {
        match SETTINGS.iter().find(|setting| setting.name == name) {
            Some(setting) => {
                self.values.insert(setting.name, (value, source));
                Ok(())
            }
            None => {
                let near = |setting: &&Setting| strsim::osa_distance(setting.name, name);
                let nearest = SETTINGS
                    .iter()
                    .min_by_key(near)
                    .filter(|setting| near(setting) <= 4);
                Err(ConfigError::Unknown {
                    name: name.into(),
                    nearest: nearest.map(|setting| setting.name),
                })
            }
        }
    }

    /// The settings, typed.
    /// The first value that cannot be is the error.
    pub fn config(&self) -> Result<Config, ConfigError> {
        let ingest = self.ingest()?;
        let audit = self.audit()?;
        let tls = self.tls()?;
        let proxies = self.proxies()?;
        let kek_file = self.text("kek_file");
        let origin = self.text("origin");
        let origin = match origin.as_str() {
            "" => None,
            text => Some(Origin::new(text).map_err(|_| {
                ConfigError::Value(
                    "origin",
                    text.into(),
                    "it has no white space and no plus sign",
                )
            })?),
        };
        Ok(Config {
            data: PathBuf::from(self.text("data")),
            listen: self.parsed("listen", "write address and port, such as 127.0.0.1:8080")?,
            allow_plain_http: self.parsed("allow_plain_http", "true or false")?,
            connections: web::Connections {
                most: self.number("max_connections", 8, 1 << 20)? as usize,
                header_timeout: Duration::from_secs(self.number(
                    "header_timeout_seconds",
                    1,
                    3600,
                )?),
                proxies: proxies.clone(),
            },
            web: web::Options {
                tls: tls.is_some(),
                secure_cookies: self.parsed("secure_cookies", "true or false")?,
                proxies,
            },
            tls,
            shutdown: Duration::from_secs(self.number("shutdown_seconds", 1, 3600)?),
            open_files: self.number("open_files", 8, 100_000)? as usize,
            ingest,
            audit,
            keyring: keyring::Options {
                kek_file: (!kek_file.is_empty()).then(|| PathBuf::from(&kek_file)),
                origin,
            },
            effective: SETTINGS
                .iter()
                .map(|setting| (setting.name, self.text(setting.name)))
                .collect(),
        })
    }

    /// One file without the other is a mistake, not a wish for plain HTTP.
    fn tls(&self) -> Result<Option<(PathBuf, PathBuf)>, ConfigError> {
        let (certificates, key) = (self.text("tls_cert_file"), self.text("tls_key_file"));
        match (certificates.is_empty(), key.is_empty()) {
            (true, true) => Ok(None),
            (false, false) => Ok(Some((certificates.into(), key.into()))),
            (true, false) => Err(ConfigError::Value(
                "tls_cert_file",
                certificates,
                "tls_key_file is set; TLS needs both",
            )),
            (false, true) => Err(ConfigError::Value(
                "tls_key_file",
                key,
                "tls_cert_file is set; TLS needs both",
            )),
        }
    }

    /// From anybody else the header is a claim, and is not read.
    fn proxies(&self) -> Result<web::Proxies, ConfigError> {
        let listed = self.text("trusted_proxies");
        let networks = listed.split([',', ' ']).filter(|text| !text.is_empty());
        // An address stands for itself alone.
        let network = |text: &str| -> Result<IpNet, ConfigError> {
            let alone = || text.parse::<IpAddr>().ok().map(IpNet::from);
            let network = text.parse().ok().or_else(alone);
            network.ok_or_else(|| {
                ConfigError::Value(
                    "trusted_proxies",
                    text.into(),
                    "write addresses such as 192.0.2.7, and networks such as 10.0.0.0/8",
                )
            })
        };
        Ok(web::Proxies {
            trusted: networks.map(network).collect::<Result<_, _>>()?,
            header: self.parsed("forwarded_header", "X-Forwarded-For or Forwarded")?,
        })
    }

    /// `max` is what a semaphore can count on any machine.
    fn ingest(&self) -> Result<ingest::Options, ConfigError> {
        const SECOND: i64 = 1_000_000;
        let max = u64::from(u32::MAX >> 3);
        Ok(ingest::Options {
            workers: self.number("workers", 1, 1024)? as usize,
            committers: self.number("committers", 1, 1024)? as usize,
            compression_level: self.number("compression_level", 1, 19)? as i32,
            queue_groups: self.number("queue_groups", 1, max)? as usize,
            queue_entries: self.number("queue_entries", 1, max)? as usize,
            queue_bytes: self.number("queue_bytes", 1 << 20, max)? as usize,
            access_queue_bytes: crate::limits::ACCESS_QUEUE_BYTES,
            queue_wait: Duration::from_millis(self.number("queue_wait_millis", 0, 600_000)?),
            roll_bytes: self.number("roll_bytes", 1 << 10, 1 << 40)?,
            roll_age_micros: self.number("roll_hours", 1, 24 * 366)? as i64 * 3600 * SECOND,
            roll_postings: self.number(
                "roll_postings",
                1,
                crate::limits::SEGMENT_ROLL_POSTINGS as u64,
            )? as usize,
            roll_subjects: self.number(
                "roll_subjects",
                1,
                crate::limits::SEGMENT_ROLL_SUBJECTS as u64,
            )? as usize,
            roll_interval_micros: self.number("roll_on_request_seconds", 0, 86_400)? as i64
                * SECOND,
            checkpoint_interval: Duration::from_secs(self.number(
                "checkpoint_seconds",
                1,
                86_400,
            )?),
            active_index_bytes: self.number("active_index_bytes", 1 << 16, 1 << 40)? as usize,
            vrf_cache_subjects: self.number("vrf_cache_subjects", 1, 1 << 32)? as usize,
            disk_reserve_bytes: self.number("disk_reserve_bytes", 0, 1 << 50)?,
            max_logs: self.number("max_logs", 1, 1 << 20)? as usize,
        })
    }

    /// Limits of events can only be made stricter.
    fn audit(&self) -> Result<audit::Options, ConfigError> {
        use crate::limits;
        const MINUTE: i64 = 60 * 1_000_000;
        let events = crate::event::Limits {
            request_bytes: self.number(
                "max_request_bytes",
                1024,
                limits::MAX_REQUEST_BYTES as u64,
            )? as usize,
            entry_bytes: self.number("max_entry_bytes", 512, limits::MAX_ENTRY_BYTES as u64)?
                as usize,
            id_bytes: self.number("max_id_bytes", 16, limits::MAX_ID_BYTES as u64)? as usize,
            depth: self.number("max_json_depth", 2, limits::MAX_JSON_DEPTH as u64)? as usize,
            events: self.number("max_request_events", 1, limits::MAX_BATCH_ENTRIES as u64)?
                as usize,
            ..crate::event::Limits::default()
        };
        Ok(audit::Options {
            events,
            export_keep_micros: self.number("export_keep_days", 1, 3660)? as i64 * 24 * 60 * MINUTE,
            session_idle_micros: self.number("session_idle_minutes", 1, 10_000)? as i64 * MINUTE,
            session_micros: self.number("session_hours", 1, 10_000)? as i64 * 60 * MINUTE,
            in_flight_bytes: self.number("in_flight_bytes", 1 << 20, u64::from(u32::MAX >> 3))?
                as usize,
            verify_micros: match self.number("verify_hours", 0, 24 * 366)? {
                0 => None,
                hours => Some(hours as i64 * 60 * MINUTE),
            },
            verify_deep: self.parsed("verify_deep", "true or false")?,
            ..audit::Options::default()
        })
    }

    /// By name; every name asked for here is in `SETTINGS`.
    fn text(&self, name: &'static str) -> String {
        let default = || {
            SETTINGS
                .iter()
                .find(|setting| setting.name == name)
                .map(|setting| (setting.default)())
        };
        self.values
            .get(name)
            .map(|(value, _)| value.clone())
            .or_else(default)
            .unwrap_or_default()
    }

    /// `wanted` tells what would be right, for people.
    fn parsed<T: std::str::FromStr>(
        &self,
        name: &'static str,
        wanted: &'static str,
    ) -> Result<T, ConfigError> {
        let text = self.text(name);
        text.parse()
            .map_err(|_| ConfigError::Value(name, text, wanted))
    }

    /// Both ends included.
    fn number(&self, name: &'static str, least: u64, most: u64) -> Result<u64, ConfigError> {
        let value: u64 = self.parsed(name, "write a whole number")?;
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(ConfigError::Value(
            name,
            value.to_string(),
            "it is out of the bounds that the README lists",
        ))
    }
}

impl Config {
    /// The settings in force, one a line. None of them is a secret: keys and tokens are named by
    /// their files.
    pub fn effective(&self) -> impl fmt::Display {
        let lines: Vec<String> = self
            .effective
            .iter()
            .map(|(name, value)| format!("  {name} = {value}"))
            .collect();
        lines.join("\n")
    }
}

/// All settings with their defaults, as the README lists them.
pub fn describe() -> String {
    let line = |setting: &Setting| {
        format!(
            "| `{}` | {} | `{}` |\n",
            setting.name,
            setting.about,
            (setting.default)()
        )
    };
    SETTINGS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_setting_names_the_nearest() {
        let mut sources = Sources::default();
        let variables = [("ESTREAT_LISTN".to_owned(), "x".to_owned())];
        let error = sources
            .environment(variables.into_iter())
            .expect_err("unknown");
        assert!(error.to_string().contains("`listen`"), "{error}");
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("estreat.toml");
        std::fs::write(
            &path,
            "listen = \"127.0.0.1:1\"\nworkers = 3\ndata = \"a\"\n",
        )
        .expect("written");
        let mut sources = Sources::default();
        sources.file(&path).expect("a file");
        let variables = [("ESTREAT_LISTEN", "127.0.0.1:2"), ("ESTREAT_DATA", "b")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        sources
            .environment(variables.into_iter())
            .expect("variables");
        sources.flag("data", Some("c".into())).expect("a flag");
        let config = sources.config().expect("settings");
        assert_eq!(config.listen.port(), 2);
        assert_eq!(config.ingest.workers, 3);
        assert_eq!(config.data, PathBuf::from("c"));
    }

    #[test]
    fn a_number_out_of_bounds_is_an_error() {
        let mut sources = Sources::default();
        sources.flag("workers", Some("0".into())).expect("a flag");
        assert!(sources.config().is_err());
    }
}
