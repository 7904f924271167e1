//! Passwords, their rules and their hashes; and secrets that are made here for people to type.
//!
//! A password has at least twelve characters and otherwise no rule (NIST SP 800-63B-4, 3.1.1.2).
//! It rests as argon2id with the parameters of the OWASP Password Storage Cheat Sheet.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zeroize::Zeroizing;

use super::AuditError;
use crate::limits::{
    MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS, PASSWORD_HASHES_AT_ONCE, PASSWORD_MEMORY_KIB,
    PASSWORD_PASSES,
};
use crate::messages::Said;
use crate::random::{self, Random};

/// What an unknown name's password is compared with, so that it takes as long as a known one's.
/// Nobody has the password: the hash is of no password at all.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$ZXN0cmVhdC9kZWNveS92MQ$ZXN0cmVhdC1kZWNveS1uby1wYXNzd29yZC1oYXNoZXM";

/// Letters and digits that nobody takes for another: 32 of them, 5 bits each.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Groups of a pass phrase.
const GROUPS: usize = 4;
/// Characters of each: 4 × 5 × 5 bits are 100.
const GROUP_CHARACTERS: usize = 5;

/// How long a hash may wait for its turn. Then the answer is 503, and the guess is not counted.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hashes passwords, a few at once: each takes [`PASSWORD_MEMORY_KIB`] of memory.
pub struct Hasher {
    /// Turns of whoever comes from anywhere.
    strangers: Arc<Semaphore>,
    /// A turn that strangers cannot take, however many there are.
    known: Arc<Semaphore>,
}

/// Whose password is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Of somebody who was let in before: in this browser, or by a session.
    Known,
    /// Of anybody.
    Stranger,
}

impl Hasher {
    /// One turn of all is kept for known browsers.
    pub(super) fn new() -> Self {
        Self {
            strangers: Arc::new(Semaphore::new(PASSWORD_HASHES_AT_ONCE - 1)),
            known: Arc::new(Semaphore::new(1)),
        }
    }

    /// The hash of a new password, which only somebody sets who was let in.
    pub async fn hash(&self, password: &str, random: &dyn Random) -> Result<String, AuditError> {
        let salt = random::bytes(random);
        let password = Zeroizing::new(password.to_owned());
        self.blocking(Whose::Known, move || hash_password(&password, salt))
            .await?
    }

    /// Whether a password is the one of a hash. Without a hash it is not, which takes as long.
    pub async fn is_right(
        &self,
        password: &str,
        hash: Option<&str>,
        whose: Whose,
    ) -> Result<bool, AuditError> {
        let known = hash.is_some();
        let hash = hash.unwrap_or(DECOY).to_owned();
        let password = Zeroizing::new(password.to_owned());
        let right = self
            .blocking(whose, move || verify(&password, &hash))
            .await??;
        Ok(known && right)
    }

    /// Runs a hash on a blocking thread once it is its turn: on a worker it would hold up every
    /// request of that thread for tens of milliseconds.
    async fn blocking<T: Send + 'static>(
        &self,
        whose: Whose,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AuditError> {
        let turn = self.turn(whose).await?;
        let done = tokio::task::spawn_blocking(move || {
            // Held until the memory is given back, also when whoever asked has gone.
            let _turn = turn;
            work()
        });
        done.await
            .map_err(|error| AuditError::Internal(error.to_string()))
    }

    /// A known browser waits only for other known ones. The semaphores are never closed.
    async fn turn(&self, whose: Whose) -> Result<OwnedSemaphorePermit, AuditError> {
        let busy = || AuditError::Unavailable("refusal-sign-in-busy".into());
        let turns = match whose {
            Whose::Known => &self.known,
            Whose::Stranger => &self.strangers,
        };
        tokio::time::timeout(PATIENCE, turns.clone().acquire_owned())
            .await
            .map_err(|_| busy())?
            .map_err(|_| busy())
    }
}

/// The hash of a password, as a PHC string. It takes tens of milliseconds.
pub fn hash_password(password: &str, salt: [u8; 16]) -> Result<String, AuditError> {
    let hash = argon2()?.hash_password_with_salt(password.as_bytes(), &salt);
    hash.map(|hash: PasswordHash| hash.to_string())
        .map_err(|error| AuditError::Internal(format!("argon2: {error}")))
}

/// Memory and passes are those that the hash names, so that a hash from before a change of the
/// parameters still fits. The comparison takes the same time wherever they differ.
fn verify(password: &str, hash: &str) -> Result<bool, AuditError> {
    let hash = PasswordHash::new(hash)
        .map_err(|error| AuditError::Internal(format!("a password's hash: {error}")))?;
    Ok(argon2()?
        .verify_password(password.as_bytes(), &hash)
        .is_ok())
}

/// The parameters of new hashes: `tests` hold the decoy to the same.
fn argon2() -> Result<Argon2<'static>, AuditError> {
    let params = Params::new(PASSWORD_MEMORY_KIB, PASSWORD_PASSES, 1, None)
        .map_err(|error| AuditError::Internal(format!("argon2: {error}")))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses a password that is too short, or too long to be one.
pub fn check_rules(field: &'static str, password: &str) -> Result<(), AuditError> {
    let detail = match password {
        short if short.chars().count() < MIN_PASSWORD_CHARACTERS => {
            Said::new("refusal-password-short").count("n", MIN_PASSWORD_CHARACTERS as u64)
        }
        long if long.len() > MAX_PASSWORD_BYTES => {
            Said::new("refusal-password-long").count("n", MAX_PASSWORD_BYTES as u64)
        }
        _ => return Ok(()),
    };
    Err(AuditError::invalid(field, detail))
}

/// A pass phrase of 100 random bits, in groups that can be read over the telephone.
pub fn pass_phrase(random: &dyn Random) -> String {
    let bytes: [u8; GROUPS * GROUP_CHARACTERS] = random::bytes(random);
    // 256 is a multiple of 32: every character is equally likely.
    let characters = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    let groups = characters.chunks(GROUP_CHARACTERS);
    groups
        .map(|group| group.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("-")
}

/// A pass phrase as it was typed, in the form in which it was made. Without white space and
/// capitals, which a telephone or a mail program adds; the hyphens stay.
pub fn typed_pass_phrase(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_argon2id_with_the_parameters_of_owasp() {
        let hash = hash_password("correct horse battery", [7; 16]).unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(verify("correct horse battery", &hash).unwrap());
        assert!(!verify("correct horse batterz", &hash).unwrap());
        let cost = |hash: &str| hash.rsplitn(3, '$').nth(2).map(str::to_owned);
        assert_eq!(cost(&hash), cost(DECOY), "the decoy takes as long");
        assert!(!verify("", DECOY).unwrap());
    }

    #[tokio::test]
    async fn strangers_cannot_take_every_turn() {
        let hasher = Hasher::new();
        let most = PASSWORD_HASHES_AT_ONCE as u32 - 1;
        let _held = hasher.strangers.acquire_many(most).await.unwrap();
        let known = hasher.is_right("a password of nobody", None, Whose::Known);
        assert!(!known.await.unwrap());
        assert!(hasher.strangers.try_acquire().is_err());
    }

    #[test]
    fn length_is_the_only_rule() {
        let long = "x".repeat(MAX_PASSWORD_BYTES + 1);
        for (password, good) in [
            ("aaaaaaaaaaaa", true),
            ("aaaaaaaaaaa", false),
            ("ééééééééééé", false),
            ("            ", true),
            (&long, false),
        ] {
            assert_eq!(check_rules("new", password).is_ok(), good, "{password}");
        }
    }
}
