//! Portal sessions: a cookie that stands for a token or a person, until it was not used for a
//! while, was used for long, or the account ends.
//!
//! A cookie is 256 random bits and rests as its SHA-256, as a token does: whoever reads `state.db`
//! signs in with none of them. The account is read anew on every request, so that its end counts at
//! once.

use std::net::IpAddr;
use std::sync::Arc;

use super::guard::{Source, Target, Wait};
use super::password::Whose;
use super::people::sign_in_name;
use super::sign_ins::Way;
use super::{Audit, AuditError, Caller};
use crate::digest::Digest;
use crate::limits::{DEVICE_MICROS, MAX_DEVICES, MAX_PASSWORD_BYTES};
use crate::random;
use crate::state::PersonRow;
use crate::time::Timestamp;

/// Whence somebody signs in.
#[derive(Debug, Clone, Copy)]
pub struct Whence<'a> {
    /// Their address.
    pub address: IpAddr,
    /// The cookie of a browser in which they may have signed in before.
    pub device: Option<&'a str>,
}

/// Somebody who has just signed in.
pub struct SignIn {
    /// Who.
    pub caller: Caller,
    /// The session's cookie.
    pub session: String,
    /// The browser's cookie, if it gets a new one.
    pub device: Option<String>,
}

impl Audit {
    /// Begins a session for a token's secret.
    pub async fn sign_in_with_token(&self, secret: &str) -> Result<SignIn, AuditError> {
        let signed_in = self.begin_with_token(secret).await;
        self.note_sign_in(Way::Token, &signed_in);
        signed_in
    }

    /// No guess is counted: nobody guesses 256 bits.
    async fn begin_with_token(&self, secret: &str) -> Result<SignIn, AuditError> {
        let caller = self.authenticate(secret.trim()).await?;
        let session = self.begin_session(&caller).await?;
        Ok(SignIn {
            caller,
            session,
            device: None,
        })
    }

    /// Begins a session for a person's name and password. Whether the name is unknown or the
    /// password wrong does not show, neither in the answer nor in its time.
    pub async fn sign_in_with_password(
        &self,
        name: &str,
        password: &str,
        whence: Whence<'_>,
    ) -> Result<SignIn, AuditError> {
        let signed_in = self.begin_with_password(name, password, whence).await;
        self.note_sign_in(Way::Password, &signed_in);
        signed_in
    }

    /// Counts a refused sign-in, and says so now and then; never whose it was.
    fn note_sign_in(&self, way: Way, signed_in: &Result<SignIn, AuditError>) {
        if let Some(line) = self.sign_ins.note(way, signed_in, self.now()) {
            tracing::warn!("{line}");
        }
    }

    /// The order matters: the guess is counted before the hash, and the hash is made whether or not
    /// there is such a person.
    async fn begin_with_password(
        &self,
        name: &str,
        password: &str,
        whence: Whence<'_>,
    ) -> Result<SignIn, AuditError> {
        let name = sign_in_name(name);
        let target = Digest::of(&[b"person", name.as_bytes()]);
        let person = self.parts.state.person_by_name(&name).await?;
        let device = self.known_device(person.as_ref(), whence.device).await?;
        let source = device.map_or(Source::Address(whence.address), Source::Device);
        self.guess(target, source)?;
        let whose = match source {
            Source::Device(_) => Whose::Known,
            Source::Address(_) => Whose::Stranger,
        };
        let checked = self.check_password(person, password, whose).await;
        let person = self.judge(target, source, checked)?;
        let caller = Caller::of(Arc::new(person.account.clone()), self.now())?;
        let session = self.begin_session(&caller).await?;
        // A password that was changed meanwhile has ended all sessions but this one.
        let after = self.parts.state.person(caller.id()).await?;
        if after.is_none_or(|after| after.password != person.password) {
            self.sign_out(&session, false).await?;
            return Err(AuditError::Unauthorized);
        }
        let device = match device {
            Some(known) => {
                self.parts.state.see_device(&known, self.now()).await?;
                None
            }
            None => Some(self.new_device(&caller).await?),
        };
        Ok(SignIn {
            caller,
            session,
            device,
        })
    }

    /// Counts a guess before it is made.
    pub(super) fn guess(&self, target: Target, source: Source) -> Result<(), AuditError> {
        let admitted = self.guard.admit(target, source, self.now());
        admitted.map_err(|Wait(seconds)| AuditError::TooSoon(seconds))
    }

    /// What came of a guess: the guard forgets a right one, and one that could not be made.
    /// `Unauthorized` alone stays a miss.
    pub(super) fn judge<T>(
        &self,
        target: Target,
        source: Source,
        outcome: Result<T, AuditError>,
    ) -> Result<T, AuditError> {
        match &outcome {
            Ok(_) => self.guard.was_right(target, source),
            Err(AuditError::Unauthorized) => {}
            Err(_) => self.guard.was_not_made(target, source),
        }
        outcome
    }

    /// The person, if the password is theirs. Without a person it takes as long.
    pub(super) async fn check_password(
        &self,
        person: Option<PersonRow>,
        password: &str,
        whose: Whose,
    ) -> Result<PersonRow, AuditError> {
        let person = person.filter(|person| !person.password.is_empty());
        let hash = person.as_ref().map(|person| person.password.as_str());
        // Whoever has no password set is compared with the decoy, as an unknown name is. A password
        // that is too long is refused unhashed: that tells its length, which the sender knows.
        let fits = password.len() <= MAX_PASSWORD_BYTES;
        let right = fits && self.hasher.is_right(password, hash, whose).await?;
        person.filter(|_| right).ok_or(AuditError::Unauthorized)
    }

    /// The hash of a browser's cookie, if this person has signed in there and not too long ago. The
    /// cookie of another person's browser is a stranger's.
    async fn known_device(
        &self,
        person: Option<&PersonRow>,
        cookie: Option<&str>,
    ) -> Result<Option<Digest>, AuditError> {
        let (Some(person), Some(cookie)) = (person, cookie) else {
            return Ok(None);
        };
        let hash = Digest::of(&[cookie.as_bytes()]);
        let oldest = self.now().plus_micros(-DEVICE_MICROS);
        let state = &self.parts.state;
        let known = state.is_device_of(&hash, person.account.id, oldest).await?;
        Ok(known.then_some(hash))
    }

    /// Remembers a browser, and forgets the longest unused beyond `MAX_DEVICES`; gives its cookie.
    async fn new_device(&self, caller: &Caller) -> Result<String, AuditError> {
        let (cookie, hash) = self.new_cookie();
        let state = &self.parts.state;
        let added = state.add_device(&hash, caller.id(), self.now(), MAX_DEVICES);
        added.await?;
        Ok(cookie)
    }

    /// Keeps a new session; gives its cookie.
    async fn begin_session(&self, caller: &Caller) -> Result<String, AuditError> {
        let (cookie, hash) = self.new_cookie();
        let state = &self.parts.state;
        state.add_session(&hash, caller.id(), self.now()).await?;
        Ok(cookie)
    }

    /// A new secret, and its hash, which rests.
    fn new_cookie(&self) -> (String, Digest) {
        let cookie = hex::encode(random::bytes::<32>(&*self.parts.random));
        let hash = Digest::of(&[cookie.as_bytes()]);
        (cookie, hash)
    }

    /// A session that holds began after the first, and was used after the second.
    pub(super) fn session_bounds(&self) -> (Timestamp, Timestamp) {
        let now = self.now();
        let oldest = now.plus_micros(-self.options.session_micros);
        (oldest, now.plus_micros(-self.options.session_idle_micros))
    }

    /// The caller behind a session's cookie.
    pub async fn session(&self, cookie: &str) -> Result<Caller, AuditError> {
        let now = self.now();
        let (oldest, idle_since) = self.session_bounds();
        let hash = Digest::of(&[cookie.as_bytes()]);
        let state = &self.parts.state;
        // One statement both checks the bounds and moves the time of the last use: two requests at
        // once cannot keep a session alive that is over.
        let id = state.use_session(&hash, now, oldest, idle_since).await?;
        let account = match id {
            Some(id) => state.token(id).await?,
            None => None,
        };
        account.map_or(Err(AuditError::Unauthorized), |account| {
            Caller::of(Arc::new(account), now)
        })
    }

    /// Ends a session; or all of its account's. A cookie whose session is over ends nothing, and
    /// that is no error: the browser is signed out.
    pub async fn sign_out(&self, cookie: &str, everywhere: bool) -> Result<(), AuditError> {
        if everywhere && let Ok(caller) = self.session(cookie).await {
            self.parts.state.end_sessions_of(caller.id()).await?;
        }
        let hash = Digest::of(&[cookie.as_bytes()]);
        Ok(self.parts.state.end_session(&hash).await?)
    }
}
