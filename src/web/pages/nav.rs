//! What stands above every page: where one can go, and who one is.

use crate::audit::{Caller, Role};

/// The navigation of a page.
pub struct Nav {
    account: Option<Account>,
    /// Whether whoever is not signed in is shown the way there.
    invites: bool,
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
    pub words: &'static str,
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
            here,
        }
    }

    /// Of a page for anyone.
    pub fn for_anyone(here: &'static str) -> Self {
        Self {
            account: None,
            invites: true,
            here,
        }
    }

    /// Of a page for somebody without an account.
    pub fn for_link() -> Self {
        Self::for_error()
    }

    /// Of an error page, which does not know who looks at it.
    pub fn for_error() -> Self {
        Self {
            invites: false,
            ..Self::for_anyone("")
        }
    }

    /// Whether the page shows the way to sign in.
    pub fn invites(&self) -> bool {
        self.invites
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
                ("/", "Overview"),
                ("/search", "Search"),
                ("/exports", "Exports"),
            ],
            Some(Role::Admin) => vec![
                ("/", "Overview"),
                ("/people", "People"),
                ("/tokens", "Tokens"),
            ],
            Some(Role::Regulator) => vec![("/", "Start"), ("/exports", "Exports")],
            Some(Role::Writer | Role::Operator) => vec![("/", "Start")],
            None => vec![],
        };
        places.extend([("/verify", "Verify"), ("/docs", "API")]);
        let place = |(url, words)| Place {
            url,
            words,
            current: url == self.here,
        };
        places.into_iter().map(place).collect()
    }
}
