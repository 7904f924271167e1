//! What stands above every page: where one can go, and who one is.

use crate::audit::{Caller, Role};
use crate::messages::Lang;
use crate::web::language::{self, Reader};

/// The navigation of a page.
pub struct Nav {
    /// The language of the page.
    pub t: Lang,
    /// The path asked for, to come back to. For the choice of language, which comes back here; a
    /// path of this server and no query.
    path: String,
    account: Option<Account>,
    /// Whether whoever is not signed in is shown the way there.
    invites: bool,
    /// The place that is marked as the present one; of an error page none.
    here: &'static str,
}

/// Who is signed in.
pub struct Account {
    /// The account's name.
    pub name: String,
    /// The account's role.
    pub role: Role,
}

/// A place to go.
pub struct Place {
    /// Its URL.
    pub url: &'static str,
    /// Its words.
    pub words: String,
    /// Whether one is there.
    pub current: bool,
}

impl Nav {
    /// Of a page at `here`, for whoever is signed in.
    pub fn of(caller: &Caller, here: &'static str) -> Self {
        let account = Account {
            name: caller.token().name.clone(),
            role: caller.role(),
        };
        Self {
            account: Some(account),
            invites: false,
            ..Self::for_anyone(here)
        }
    }

    /// Of a page for anyone.
    pub fn for_anyone(here: &'static str) -> Self {
        let Reader { lang, path } = language::reader();
        Self {
            t: lang,
            path,
            account: None,
            invites: true,
            here,
        }
    }

    /// Of a page for somebody without an account.
    pub fn for_link(path: String) -> Self {
        Self::for_error().back_to(path)
    }

    /// Of an error page, which does not know who looks at it.
    pub fn for_error() -> Self {
        Self {
            invites: false,
            ..Self::for_anyone("")
        }
    }

    /// Of a page that answers a form as well: this is where it can be read again.
    pub fn back_to(self, path: String) -> Self {
        Self { path, ..self }
    }

    /// Whether the page shows the way to sign in.
    pub fn invites(&self) -> bool {
        self.invites
    }

    /// The languages that the page does not speak.
    pub fn other_languages(&self) -> impl Iterator<Item = Lang> {
        Lang::ALL.into_iter().filter(|lang| *lang != self.t)
    }

    /// The path to come back to.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Who is signed in.
    pub fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }

    /// The places that the account's role leads to.
    pub fn places(&self) -> Vec<Place> {
        let role = self.account.as_ref().map(|account| account.role);
        let mut places: Vec<(&'static str, &'static str)> = match role {
            Some(Role::Auditor) => vec![
                ("/", "nav-overview"),
                ("/search", "nav-search"),
                ("/exports", "nav-exports"),
                ("/integrity", "nav-integrity"),
                ("/access", "nav-access"),
            ],
            Some(Role::Admin) => vec![
                ("/", "nav-overview"),
                ("/people", "nav-people"),
                ("/tokens", "nav-tokens"),
                ("/cases", "nav-cases"),
            ],
            Some(Role::Regulator) => vec![("/", "nav-start"), ("/exports", "nav-exports")],
            Some(Role::Writer | Role::Operator) => vec![("/", "nav-start")],
            None => vec![],
        };
        places.extend([("/verify", "nav-verify"), ("/docs", "nav-docs")]);
        let place = |(url, key): (&'static str, &str)| Place {
            url,
            words: self.t.get(key),
            current: url == self.here,
        };
        places.into_iter().map(place).collect()
    }
}
