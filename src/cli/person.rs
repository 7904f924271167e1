//! `estreat person`: on a data folder, beside a running server too.

use std::io::Read as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use zeroize::Zeroizing;

use super::serve::SettingsArguments;
use super::token::{AccountArguments, describe, open_state};
use super::{Failure, Output};
use crate::audit::{MadePerson, PersonView, first_password, name_is_taken, new_person};
use crate::ids::TokenId;
use crate::limits::MAX_PASSWORD_BYTES;
use crate::store::{SystemClock, SystemRandom};
use crate::time::Clock as _;

/// People of a data folder.
#[derive(Subcommand)]
pub enum PersonCommand {
    /// Let a person in. Without --password-file a password is made and shown this once.
    Create(CreateArguments),
    /// List all people.
    List(SettingsArguments),
    /// Give a person a new password, and end their sessions.
    Password {
        /// The person's id.
        id: String,
        /// A file with the password, or - for standard input; without it one is made.
        #[arg(long)]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        settings: SettingsArguments,
    },
    /// End a person's account and sessions.
    Remove {
        /// The person's id.
        id: String,
        #[command(flatten)]
        settings: SettingsArguments,
    },
}

/// A person to be let in.
#[derive(Args)]
pub struct CreateArguments {
    #[command(flatten)]
    account: AccountArguments,
    /// A file with the password, or - for standard input; without it one is made.
    #[arg(long)]
    password_file: Option<PathBuf>,
}

/// Runs a person command.
pub async fn run(command: PersonCommand, output: &Output) -> Result<(), Failure> {
    match command {
        PersonCommand::Create(arguments) => create(arguments, output).await,
        PersonCommand::List(settings) => list(&settings, output).await,
        PersonCommand::Password {
            id,
            password_file,
            settings,
        } => set_password(parse(&id)?, password_file, &settings, output).await,
        PersonCommand::Remove { id, settings } => {
            let id = parse(&id)?;
            let state = open_state(&settings, false).await?;
            let removed = state.remove_person(id, SystemClock.now()).await?;
            state.close().await;
            if removed { Ok(()) } else { Err(no_person()) }
        }
    }
}

/// The account and its password rest together or not at all.
async fn create(arguments: CreateArguments, output: &Output) -> Result<(), Failure> {
    let request = arguments.account.request();
    let (account, sign_in) = new_person(&request, SystemClock.now(), &SystemRandom)?;
    let given = read_password(arguments.password_file)?;
    let (hash, made) = first_password(given.as_ref().map(|text| text.as_str()), &SystemRandom)?;
    let state = open_state(&arguments.account.settings, true).await?;
    let added = state.add_person(&account, &sign_in, &hash).await?;
    state.close().await;
    if !added {
        return Err(name_is_taken().into());
    }
    show(PersonView::of_new(&account), made, output)
}

/// All people, also those whose account has ended.
async fn list(settings: &SettingsArguments, output: &Output) -> Result<(), Failure> {
    let state = open_state(settings, false).await?;
    let people: Vec<PersonView> = state.people().await?.iter().map(PersonView::of).collect();
    state.close().await;
    if output.json {
        output.line(&serde_json::to_string(&people)?);
        return Ok(());
    }
    people
        .iter()
        .for_each(|person| output.line(&describe(&person.account)));
    Ok(())
}

/// Sessions end too: whoever had the old password is out.
async fn set_password(
    id: TokenId,
    file: Option<PathBuf>,
    settings: &SettingsArguments,
    output: &Output,
) -> Result<(), Failure> {
    let given = read_password(file)?;
    let (hash, made) = first_password(given.as_ref().map(|text| text.as_str()), &SystemRandom)?;
    let state = open_state(settings, false).await?;
    let set = state.set_password(id, &hash, SystemClock.now()).await?;
    state.end_sessions_of(id).await?;
    let person = state.person(id).await?;
    state.close().await;
    match person.filter(|_| set) {
        Some(person) => show(PersonView::of(&person), made, output),
        None => Err(no_person()),
    }
}

/// Shows a person, and the password that was made for them.
fn show(view: PersonView, made: Option<String>, output: &Output) -> Result<(), Failure> {
    let id = &view.account.id;
    match (output.json, made) {
        (true, Some(password)) => {
            output.line(&serde_json::to_string(&MadePerson { view, password })?);
        }
        (true, None) => output.line(&serde_json::to_string(&view)?),
        (false, Some(password)) => {
            output.note(&format!("person {id}, the password shown once:"));
            output.line(&password);
        }
        (false, None) => output.note(&format!("person {id}")),
    }
    Ok(())
}

/// A password from a file or from standard input, without the end of its line.
fn read_password(file: Option<PathBuf>) -> Result<Option<Zeroizing<String>>, Failure> {
    let Some(path) = file else {
        return Ok(None);
    };
    let mut text = Zeroizing::new(String::new());
    let most = MAX_PASSWORD_BYTES as u64 + 2;
    let read = match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(most).read_to_string(&mut text),
        false => {
            std::fs::File::open(&path).and_then(|file| file.take(most).read_to_string(&mut text))
        }
    };
    read.map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    let password = password.strip_suffix('\r').unwrap_or(password);
    Ok(Some(Zeroizing::new(password.to_owned())))
}

/// A person's id, as `list` shows it.
fn parse(id: &str) -> Result<TokenId, Failure> {
    TokenId::parse(id).ok_or_else(|| Failure::new("a person's id has 32 hexadecimal digits"))
}

/// Nobody has this id, or their account has ended.
fn no_person() -> Failure {
    Failure::new(
        "there is no person of this id who has not been removed; `estreat person list` shows them",
    )
}
