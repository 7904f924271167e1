//! Talking to a server over HTTP, as any client would.
//!
//! The token stands in a header and never in a URL; redirects do not carry it to another host.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;

use super::Failure;

/// Which server, and with what token.
#[derive(Args, Clone)]
pub struct ServerArguments {
    /// The server.
    #[arg(long, env = "ESTREAT_URL", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// A file that holds the token; else the environment variable ESTREAT_TOKEN does.
    #[arg(long)]
    pub token_file: Option<PathBuf>,
}

/// A connection to a server.
pub struct Client {
    agent: Agent,
    url: String,
    token: String,
}

/// An answer that is not a success.
pub struct Refused {
    /// The status code; 0 if there was no answer at all.
    pub status: u16,
    /// What the server says.
    pub problem: String,
}

impl Client {
    /// A client of the server that the arguments name.
    pub fn new(arguments: &ServerArguments) -> Result<Self, Failure> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(10)))
            .build();
        let url = arguments.url.trim_end_matches('/').to_owned();
        Ok(Self {
            agent: config.into(),
            url,
            token: token(arguments.token_file.as_deref())?,
        })
    }

    /// POSTs a body.
    pub fn post(
        &self,
        path: &str,
        content_type: &str,
        key: Option<&str>,
        body: &[u8],
    ) -> Result<Value, Refused> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("Authorization", &format!("Bearer {}", self.token))
            .header("Content-Type", content_type);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        answer(request.send(body))
    }

    /// GETs a JSON document.
    pub fn get(&self, path: &str) -> Result<Value, Refused> {
        answer(self.request(path))
    }

    /// GETs a file as a stream.
    pub fn download(&self, path: &str) -> Result<impl Read + use<>, Refused> {
        let response = self.request(path).map_err(no_answer)?;
        if response.status().is_success() {
            return Ok(response.into_body().into_reader());
        }
        Err(refusal(response))
    }

    /// A GET, with the token.
    fn request(&self, path: &str) -> Result<Response<ureq::Body>, ureq::Error> {
        self.agent
            .get(format!("{}{path}", self.url))
            .header("Authorization", &format!("Bearer {}", self.token))
            .call()
    }
}

impl From<Refused> for Failure {
    /// What to tell whoever runs the command.
    fn from(refused: Refused) -> Self {
        match refused.status {
            0 => Self::new(refused.problem),
            status => Self::new(format!("the server answers {status}: {}", refused.problem)),
        }
    }
}

/// From a file or the environment, never from an argument: those every user of the machine can
/// list.
fn token(file: Option<&Path>) -> Result<String, Failure> {
    let text = match file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?,
        None => std::env::var("ESTREAT_TOKEN").map_err(|_| {
            Failure::new("put the token into ESTREAT_TOKEN, or into a file named with --token-file")
        })?,
    };
    Ok(text.trim().to_owned())
}

/// A success's JSON; anything else is a refusal.
fn answer(response: Result<Response<ureq::Body>, ureq::Error>) -> Result<Value, Refused> {
    let mut response = response.map_err(no_answer)?;
    if !response.status().is_success() {
        return Err(refusal(response));
    }
    response.body_mut().read_json().map_err(no_answer)
}

/// The request may have been done all the same: whoever sends it again needs an idempotency key.
fn no_answer(error: ureq::Error) -> Refused {
    Refused {
        status: 0,
        problem: format!("no answer from the server: {error}"),
    }
}

/// The problem's detail and places, a line each.
fn refusal(mut response: Response<ureq::Body>) -> Refused {
    let status = response.status().as_u16();
    let problem: Value = response.body_mut().read_json().unwrap_or_default();
    let mut text = problem["detail"].as_str().unwrap_or("no detail").to_owned();
    for error in problem["errors"].as_array().into_iter().flatten() {
        let line = error["line"]
            .as_u64()
            .map_or(String::new(), |line| format!("line {line}: "));
        let field = error["field"]
            .as_str()
            .map_or(String::new(), |field| format!("{field} "));
        text += &format!(
            "\n  {line}{field}{}",
            error["detail"].as_str().unwrap_or_default()
        );
    }
    Refused {
        status,
        problem: text,
    }
}
