//! The real binary on a temporary folder, and a client of it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A server process, its folder, and tokens of each role.
pub struct TestApp {
    folder: Arc<tempfile::TempDir>,
    process: Option<Child>,
    settings: Vec<(String, String)>,
    /// What the server wrote to standard error.
    pub stderr: Arc<Mutex<String>>,
    pub url: String,
    pub writer: String,
    pub auditor: String,
    pub admin: String,
    agent: Agent,
}

/// An answer: status and body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl TestApp {
    /// A server with default settings, but that exports may roll at any time.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// A server with more settings.
    pub fn start_with(settings: &[(&str, &str)]) -> Self {
        Self::on(Arc::new(tempfile::tempdir().expect("a folder")), settings)
    }

    /// A server on a folder in which there is something already.
    pub fn start_in(folder: tempfile::TempDir, settings: &[(&str, &str)]) -> Self {
        Self::on(Arc::new(folder), settings)
    }

    /// Another server on the folder of one that has stopped.
    pub fn start_on(other: &Self, settings: &[(&str, &str)]) -> Self {
        Self::on(other.folder.clone(), settings)
    }

    fn on(folder: Arc<tempfile::TempDir>, settings: &[(&str, &str)]) -> Self {
        let token = |role: &str| token(folder.path(), role, &[]);
        let (writer, auditor, admin) = (token("writer"), token("auditor"), token("admin"));
        let mut all = vec![("roll_on_request_seconds".to_owned(), "0".to_owned())];
        all.extend(
            settings
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        let config = Agent::config_builder().http_status_as_error(false);
        let config = config.tls_config(tls_config(&all)).build();
        let mut app = Self {
            folder,
            process: None,
            settings: all,
            stderr: Arc::default(),
            url: String::new(),
            writer,
            auditor,
            admin,
            agent: config.into(),
        };
        app.restart();
        app
    }

    /// How clients trust the server's certificate, if it has one.
    pub fn tls_config(&self) -> TlsConfig {
        tls_config(&self.settings)
    }

    /// Changes `state.db` beside the server, as time would.
    pub fn edit_state(&self, statement: &'static str) {
        self.edit("state.db", statement);
    }

    /// Changes `catalog.db` beside the server, as somebody with access to the disk could.
    pub fn edit_catalog(&self, statement: &'static str) {
        self.edit("catalog.db", statement);
    }

    fn edit(&self, file: &str, statement: &'static str) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let path = self.data().join(file);
        let edited = runtime.block_on(async {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
            let pool = sqlx::SqlitePool::connect_with(options).await?;
            let done = sqlx::query(statement).execute(&pool).await?;
            pool.close().await;
            Ok::<_, sqlx::Error>(done.rows_affected())
        });
        assert!(edited.expect("a change") > 0, "{statement}");
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.process.as_ref().expect("a running server").id()
    }

    /// Starts the server again on its folder, and waits until every log is recovered.
    pub fn restart(&mut self) {
        let mut command = estreat();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(self.folder.path());
        for (name, value) in &self.settings {
            command.env(format!("ESTREAT_{}", name.to_uppercase()), value);
        }
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let stderr = BufReader::new(process.stderr.take().expect("its standard error"));
        let kept = self.stderr.clone();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let mut kept = kept.lock().expect("no panic");
                kept.push_str(&line);
                kept.push('\n');
            }
        });
        let stdout = BufReader::new(process.stdout.take().expect("its standard output"));
        let mut lines = stdout.lines().map_while(Result::ok);
        let url = lines.find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
        self.url = url.unwrap_or_else(|| {
            panic!(
                "the server did not start: {}",
                self.stderr.lock().expect("no panic")
            )
        });
        std::thread::spawn(move || lines.for_each(drop));
        self.process = Some(process);
        self.wait_until("recovered", || {
            let body = self.get("", "/readyz").text();
            !body.contains("recovering")
        });
    }

    /// Kills the server as a power cut would end it.
    pub fn kill(&mut self) {
        let mut process = self.process.take().expect("a running server");
        process.kill().expect("killed");
        process.wait().expect("gone");
    }

    /// Stops the server in order; its exit code.
    pub fn stop(&mut self) -> i32 {
        let mut process = self.process.take().expect("a running server");
        let pid = process.id().to_string();
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .expect("a signal");
        process.wait().expect("gone").code().expect("an exit code")
    }

    /// A token of another role or for some logs, made on the folder beside the server.
    pub fn token(&self, role: &str, logs: &[&str]) -> String {
        token(self.folder.path(), role, logs)
    }

    /// GETs.
    pub fn get(&self, token: &str, path: &str) -> Answer {
        let request = self
            .agent
            .get(format!("{}{path}", self.url))
            .header("Authorization", &bearer(token));
        Answer::of(request.call())
    }

    /// POSTs with headers.
    pub fn send(
        &self,
        method: &str,
        token: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        self.try_send(method, token, path, headers, body)
            .expect("an answer")
    }

    /// POSTs with headers; no answer if the server dies meanwhile.
    pub fn try_send(
        &self,
        method: &str,
        token: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<Answer> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("Authorization", bearer(token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.agent.run(request.body(body).expect("a request"));
        response.ok().map(|response| Answer::of(Ok(response)))
    }

    /// POSTs JSON.
    pub fn post(&self, token: &str, path: &str, body: &Value) -> Answer {
        self.send(
            "POST",
            token,
            path,
            &[("Content-Type", "application/json")],
            body.to_string().as_bytes(),
        )
    }

    /// Appends NDJSON, durably.
    pub fn append(&self, log: &str, body: &str) -> Value {
        let path = format!("/api/v1/logs/{log}/entries");
        let answer = self.send(
            "POST",
            &self.writer,
            &path,
            &[("Content-Type", "application/x-ndjson")],
            body.as_bytes(),
        );
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// All entries that name a subject.
    pub fn search(&self, subject: &str) -> Vec<Value> {
        self.search_in(None, subject)
    }

    /// All entries of a log that name a subject.
    pub fn search_in(&self, log: Option<&str>, subject: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let mut question = json!({"subject": subject, "purpose": "a test", "limit": 500});
            if let Some(log) = log {
                question["logs"] = json!([log]);
            }
            if !cursor.is_null() {
                question["cursor"] = cursor;
            }
            let answer = self.post(&self.auditor, "/api/v1/searches", &question);
            assert_eq!(answer.status, 200, "{}", answer.text());
            let page = answer.json();
            found.extend(page["entries"].as_array().expect("entries").iter().cloned());
            cursor = page["cursor"].clone();
            if cursor.is_null() {
                return found;
            }
        }
    }

    /// Exports; gives the finished job and its bundle.
    pub fn export(&self, question: &Value) -> (Value, Vec<u8>) {
        let answer = self.post(&self.auditor, "/api/v1/exports", question);
        assert_eq!(answer.status, 202, "{}", answer.text());
        let id = answer.json()["id"].as_str().expect("an id").to_owned();
        let view = self.wait_for_export(&id);
        let bundle = self.get(&self.auditor, &format!("/api/v1/exports/{id}/bundle.zip"));
        assert_eq!(bundle.status, 200, "{}", bundle.text());
        (view, bundle.body)
    }

    /// Waits until an export is done.
    pub fn wait_for_export(&self, id: &str) -> Value {
        let mut view = Value::Null;
        self.wait_until("an export", || {
            view = self
                .get(&self.auditor, &format!("/api/v1/exports/{id}"))
                .json();
            assert_ne!(view["status"], "failed", "{view}");
            view["status"] == "done"
        });
        view
    }

    /// The public keys, as `--key` takes them.
    pub fn keys(&self) -> Vec<String> {
        let keys = self.get("", "/api/v1/keys").json();
        let keys = keys.as_array().expect("keys").iter();
        keys.map(|key| key["vkey"].as_str().expect("a key").to_owned())
            .collect()
    }

    /// Waits for a condition, up to a minute.
    pub fn wait_until(&self, what: &str, mut condition: impl FnMut() -> bool) {
        let until = Instant::now() + Duration::from_secs(60);
        while !condition() {
            assert!(
                Instant::now() < until,
                "{what}: not within a minute; the server said: {}",
                self.stderr.lock().expect("no panic")
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Answer {
    fn of(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Self {
        let mut response = response.expect("an answer");
        let status = response.status().as_u16();
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        });
        let headers = headers.collect();
        let body = response
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_vec()
            .expect("a body");
        Self {
            status,
            headers,
            body,
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }
}

/// The binary, with nothing of this process's own settings.
pub fn estreat() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estreat"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ESTREAT_")) {
        command.env_remove(name);
    }
    command
}

/// Runs the binary on a bundle or a folder; exit code and output.
pub fn verify(path: &Path, keys: &[String], more: &[&str]) -> (i32, String) {
    let mut command = estreat();
    command.arg("verify").arg(path).args(more);
    keys.iter().for_each(|key| {
        command.args(["--key", key]);
    });
    let output = command.output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().expect("an exit code"), text)
}

/// Trusts the certificate that the settings name.
fn tls_config(settings: &[(String, String)]) -> TlsConfig {
    let file = settings.iter().find(|(name, _)| name == "tls_cert_file");
    let Some((_, path)) = file else {
        return TlsConfig::default();
    };
    let pem = std::fs::read(path).expect("a certificate");
    let root = Certificate::from_pem(&pem).expect("PEM");
    let roots = RootCerts::new_with_certs(&[root]);
    TlsConfig::builder().root_certs(roots).build()
}

fn token(data: &Path, role: &str, logs: &[&str]) -> String {
    let mut command = estreat();
    command
        .args(["token", "create", "--role", role, "--name", role, "--data"])
        .arg(data);
    logs.iter().for_each(|log| {
        command.args(["--log", log]);
    });
    let output = command.output().expect("a token");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .expect("text")
        .trim()
        .to_owned()
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}
