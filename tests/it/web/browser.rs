//! A browser without script: it keeps its cookie, follows nothing, and fills in forms.

use ureq::Agent;

use crate::support::app::TestApp;

/// A browser at one server.
pub struct Browser {
    agent: Agent,
    url: String,
    /// The session's cookie.
    pub cookie: String,
    /// The cookie of a browser in which somebody has signed in with a password.
    pub device: String,
    /// More headers, as a proxy sends them.
    pub headers: Vec<(String, String)>,
}

/// A page, or a redirection.
pub struct Page {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub html: String,
    bytes: Vec<u8>,
}

impl Browser {
    /// Signed in by nobody.
    pub fn new(app: &TestApp) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .tls_config(app.tls_config())
            .max_redirects_will_error(false);
        Self {
            agent: config.build().into(),
            url: app.url.clone(),
            cookie: String::new(),
            device: String::new(),
            headers: Vec::new(),
        }
    }

    /// Signed in by nobody, behind a proxy that says this address.
    pub fn from(app: &TestApp, address: &str) -> Self {
        let mut browser = Self::new(app);
        browser
            .headers
            .push(("X-Forwarded-For".into(), address.into()));
        browser
    }

    /// Signs in with a name and a password.
    pub fn sign_in(&mut self, name: &str, password: &str) -> Page {
        self.post("/signin", &[("name", name), ("password", password)])
    }

    /// Signed in.
    pub fn signed_in(app: &TestApp, token: &str) -> Self {
        let mut browser = Self::new(app);
        let answer = browser.post("/signin", &[("token", token)]);
        assert_eq!(answer.status, 303, "{}", answer.html);
        browser
    }

    /// Opens a page.
    pub fn get(&self, path: &str) -> Page {
        let request = self.agent.get(format!("{}{path}", self.url));
        let request = request.header("Accept", "text/html");
        let request = request.header("Cookie", self.cookies());
        let request = self.headers.iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        Page::of(request.call())
    }

    /// Sends a form, for a file.
    pub fn post_bytes(&mut self, path: &str, fields: &[(&str, &str)]) -> (Page, Vec<u8>) {
        let mut page = self.post(path, fields);
        let bytes = std::mem::take(&mut page.bytes);
        (page, bytes)
    }

    /// Sends a form as a page of the server does.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.post_from("same-origin", path, fields)
    }

    /// Searches, and opens the page of the case that it makes; what was refused, if it was.
    pub fn search(&mut self, fields: &[(&str, &str)]) -> Page {
        let made = self.post("/search", fields);
        match made.header("location") {
            Some(place) => self.get(place),
            None => made,
        }
    }

    /// Sends a form from another place.
    pub fn post_from(&mut self, site: &str, path: &str, fields: &[(&str, &str)]) -> Page {
        let pairs: Vec<_> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
            .collect();
        let request = self.agent.post(format!("{}{path}", self.url));
        let request = request
            .header("Accept", "text/html")
            .header("Sec-Fetch-Site", site)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Cookie", self.cookies());
        let request = self.headers.iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        let page = Page::of(request.send(pairs.join("&")));
        for set in page.all("set-cookie") {
            let pair = set.split(';').next().unwrap_or_default().to_owned();
            match pair.contains("_device=") {
                true => self.device = pair,
                false => self.cookie = pair,
            }
        }
        page
    }

    fn cookies(&self) -> String {
        [&*self.cookie, &*self.device].join("; ")
    }
}

impl Page {
    fn of(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Self {
        let mut response = response.expect("an answer");
        let bytes = response.body_mut().read_to_vec().expect("a body");
        let headers = response.headers().iter();
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        Self {
            status: response.status().as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
                .collect(),
            html: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All values of a header.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter();
        headers
            .filter(move |(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn title(&self) -> &str {
        between(&self.html, "<title>", "</title>").expect("a title")
    }

    /// The hidden fields of the form whose button has these words.
    pub fn form(&self, button: &str) -> Option<Vec<(String, String)>> {
        self.form_with(&format!(">{button}</button>"))
    }

    /// The hidden fields of the first form that is sent to a place.
    pub fn form_to(&self, place: &str) -> Option<Vec<(String, String)>> {
        self.form_with(&format!("action=\"{place}\""))
    }

    /// Where a link with these words leads.
    pub fn link(&self, words: &str) -> Option<String> {
        let (before, _) = self.html.split_once(&format!(">{words}</a>"))?;
        let (_, place) = before.rsplit_once("href=\"")?;
        Some(place.trim_end_matches('"').to_owned())
    }

    fn form_with(&self, words: &str) -> Option<Vec<(String, String)>> {
        let mut forms = self.html.split("<form").skip(1);
        let form = forms.find(|form| {
            let form = form.split("</form>").next().unwrap_or_default();
            form.contains(words)
        })?;
        let hidden = form
            .split("</form>")
            .next()?
            .split("<input type=\"hidden\"")
            .skip(1);
        let field = |input: &str| {
            let name = between(input, "name=\"", "\"").expect("a name");
            let value = between(input, "value=\"", "\"").expect("a value");
            (name.to_owned(), unescape(value))
        };
        Some(hidden.map(field).collect())
    }
}

/// The text between two others.
pub fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let rest = text.split_once(begin)?.1;
    Some(rest.split_once(end)?.0)
}

/// Fields as [`Browser::post`] takes them.
pub fn borrowed(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    let pairs = fields.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn unescape(text: &str) -> String {
    let entities = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
    ];
    let text = entities
        .iter()
        .fold(text.to_owned(), |text, (entity, c)| text.replace(entity, c));
    text.replace("&#38;", "&")
}
