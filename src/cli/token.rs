//! `estreat token` and `estreat key`: on a data folder, beside a running server too.

use clap::{Args, Subcommand};

use super::serve::SettingsArguments;
use super::{Failure, Output};
use crate::audit::{AccountRequest, KeyView, MadeToken, TokenView, new_token};
use crate::ids::TokenId;
use crate::keyring::Keyring;
use crate::state::State;
use crate::store::{DataFolder, FileStorage, Storage, SystemClock, SystemRandom};
use crate::time::Clock as _;

/// Tokens of a data folder.
#[derive(Subcommand)]
pub enum TokenCommand {
    /// Make a token; its secret is shown this once.
    Create(AccountArguments),
    /// List all tokens.
    List(SettingsArguments),
    /// Revoke a token.
    Revoke {
        /// The token's id.
        id: String,
        #[command(flatten)]
        settings: SettingsArguments,
    },
}

/// An account to be made: a token, or a person who is to be let in.
#[derive(Args)]
pub struct AccountArguments {
    /// writer, auditor, regulator, admin or operator.
    #[arg(long)]
    role: String,
    /// What people call it; a person signs in under it, and capitals do not count.
    #[arg(long)]
    name: String,
    /// The logs it is for; all, if not given.
    #[arg(long = "log")]
    logs: Vec<String>,
    /// When it ends, RFC 3339.
    #[arg(long)]
    expires: Option<String>,
    #[command(flatten)]
    pub(super) settings: SettingsArguments,
}

/// Keys of a data folder.
#[derive(Subcommand)]
pub enum KeyCommand {
    /// Show the verifier keys of the server and its logs.
    Show(SettingsArguments),
}

/// Runs a token command.
pub async fn run(command: TokenCommand, output: &Output) -> Result<(), Failure> {
    match command {
        TokenCommand::Create(arguments) => create(arguments, output).await,
        TokenCommand::List(settings) => {
            let state = open_state(&settings, false).await?;
            let tokens: Vec<TokenView> = state.tokens().await?.iter().map(TokenView::of).collect();
            state.close().await;
            if output.json {
                output.line(&serde_json::to_string(&tokens)?);
                return Ok(());
            }
            tokens
                .iter()
                .for_each(|token| output.line(&describe(token)));
            Ok(())
        }
        TokenCommand::Revoke { id, settings } => {
            let id = TokenId::parse(&id)
                .ok_or_else(|| Failure::new("a token's id has 32 hexadecimal digits"))?;
            let state = open_state(&settings, false).await?;
            let revoked = state.revoke_token(id, SystemClock.now()).await?;
            state.end_sessions_of(id).await?;
            state.close().await;
            match revoked {
                true => Ok(()),
                false => Err(Failure::new(
                    "there is no token of this id that has not been revoked",
                )),
            }
        }
    }
}

impl AccountArguments {
    /// The account that is asked for.
    pub(super) fn request(&self) -> AccountRequest {
        AccountRequest {
            name: self.name.clone(),
            role: self.role.clone(),
            logs: (!self.logs.is_empty()).then(|| self.logs.clone()),
            expires: self.expires.clone(),
        }
    }
}

/// The secret goes to standard output alone, so that a script can take it.
async fn create(arguments: AccountArguments, output: &Output) -> Result<(), Failure> {
    let request = arguments.request();
    let (token, secret) = new_token(&request, SystemClock.now(), &SystemRandom)?;
    let state = open_state(&arguments.settings, true).await?;
    state.add_token(&token).await?;
    state.close().await;
    let made = MadeToken {
        view: TokenView::of_new(&token),
        token: secret,
    };
    match output.json {
        true => output.line(&serde_json::to_string(&made)?),
        false => {
            output.note(&format!("token {}, shown once:", made.view.id));
            output.line(&made.token);
        }
    }
    Ok(())
}

/// An account, in a line.
pub fn describe(token: &TokenView) -> String {
    let logs = token
        .logs
        .as_ref()
        .map_or("all logs".to_owned(), |logs| logs.join(","));
    let end = match (&token.revoked_at, &token.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) => format!("until {at}"),
        (None, None) => "no end".to_owned(),
    };
    format!(
        "{}  {:<9}  {}  {}  {}",
        token.id, token.role, logs, end, token.name
    )
}

/// Opens `state.db`; in an empty folder only where it may be made ready.
pub async fn open_state(settings: &SettingsArguments, may_make: bool) -> Result<State, Failure> {
    let config = settings.sources()?.config()?;
    let folder = DataFolder::new(&config.data);
    if may_make && !folder.state_db().exists() {
        // Keys first, in the order of a first start; the lock keeps a server's own start out.
        let _lock = folder.lock()?;
        Keyring::open_or_make(&folder, &config.keyring, &SystemRandom)?;
        return Ok(State::open(&folder.state_db()).await?);
    }
    if !folder.state_db().exists() {
        return Err(Failure::new(format!(
            "{} is not a data folder of this product; `estreat serve`, `estreat token create` or `estreat person create` makes one",
            config.data.display()
        )));
    }
    Ok(State::open(&folder.state_db()).await?)
}

/// Runs a key command.
pub fn key(command: KeyCommand, output: &Output) -> Result<(), Failure> {
    let KeyCommand::Show(settings) = command;
    let config = settings.sources()?.config()?;
    let folder = DataFolder::new(&config.data);
    let keyring = Keyring::open(&folder, &config.keyring)?;
    let storage = FileStorage::new(folder, std::num::NonZeroUsize::MIN);
    let logs = storage.logs()?;
    let logs = logs.iter().filter_map(|log| keyring.log_verifier(log));
    let keys: Vec<KeyView> = keyring
        .server_verifier()
        .into_iter()
        .chain(logs)
        .map(|key| KeyView::of(&key))
        .collect();
    if output.json {
        output.line(&serde_json::to_string(&keys)?);
        return Ok(());
    }
    for key in keys {
        output.line(&format!("{}\n  fingerprint {}", key.vkey, key.fingerprint));
    }
    Ok(())
}
