//! The message files: the same in both languages, all used, none lacking.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use estreat::messages::{Lang, Style};

/// Each message's arguments, by its key.
type File = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(lang: Lang) -> (String, File) {
    let path = root().join(format!("templates/messages/{}.ftl", lang.code()));
    let text = std::fs::read_to_string(path).expect("a message file");
    let mut file = File::new();
    let mut key = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            line.split(" =").next().unwrap().clone_into(&mut key);
            let twice = file.insert(key.clone(), BTreeSet::new()).is_some();
            assert!(!twice, "{}: {key} stands twice", lang.code());
        }
        let args = line.split('$').skip(1);
        let args = args.map(|rest| word(rest, |c| c.is_ascii_lowercase() || c == '_'));
        if let Some(all) = file.get_mut(&key) {
            all.extend(args);
        }
    }
    (text, file)
}

fn word(text: &str, belongs: impl Fn(char) -> bool) -> String {
    text.chars().take_while(|c| belongs(*c)).collect()
}

/// Every text between quotes in sources, templates and scripts that could be a key, with its file.
fn literals() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = ["src", "templates", "static/verify"]
        .map(|folder| root().join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let is_template = path
                .extension()
                .is_some_and(|it| it == "html" || it == "txt");
            let pieces: Vec<&str> = match is_template {
                // Only what is computed: attributes have names of their own.
                true => text
                    .split('{')
                    .skip(1)
                    .filter_map(|it| it.split("}}").next())
                    .collect(),
                false if path.extension().is_some_and(|it| it == "rs" || it == "js") => {
                    vec![&text]
                }
                false => continue,
            };
            for literal in pieces.iter().flat_map(|piece| piece.split('"').skip(1)) {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                if !literal.is_empty() && literal.chars().all(plain) {
                    found.insert(literal.to_owned(), path.display().to_string());
                }
            }
        }
    }
    found
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_arguments() {
    let ((_, english), (_, german)) = (read(Lang::English), read(Lang::German));
    assert!(english.len() > 50, "only {} messages", english.len());
    for (key, args) in &english {
        assert_eq!(Some(args), german.get(key), "{key}");
    }
    for key in german.keys() {
        assert!(english.contains_key(key), "{key} is in German only");
    }
}

#[test]
fn every_message_can_be_read_whole() {
    for lang in Lang::ALL {
        for (key, args) in read(lang).1 {
            let key: &'static str = key.leak();
            let mut message = lang.with(key);
            for name in args {
                message = message.arg(name.leak(), "7");
            }
            let text = message.to_string();
            assert!(!text.is_empty() && text != key, "{}: {key}", lang.code());
            for mark in ['{', '}', '`', '*', '$', '\n'] {
                assert!(!text.contains(mark), "{}: {key}: {text}", lang.code());
            }
        }
    }
}

#[test]
fn every_message_is_used_and_every_one_used_is_there() {
    let (text, file) = read(Lang::English);
    let literals = literals();
    for key in file.keys() {
        let inner = text.contains(&format!("{{ {key} }}"));
        assert!(inner || literals.contains_key(key), "{key} is not used");
    }
    let areas: BTreeSet<&str> = file
        .keys()
        .filter_map(|key| key.split_once('-'))
        .map(|it| it.0)
        .collect();
    for (literal, place) in &literals {
        let Some((area, _)) = literal.split_once('-') else {
            continue;
        };
        let is_key = areas.contains(area) && !NO_KEYS.contains(&literal.as_str());
        assert!(
            !is_key || file.contains_key(literal),
            "{place}: there is no message {literal}"
        );
    }
}

#[test]
fn no_template_has_words_of_its_own() {
    for entry in std::fs::read_dir(root().join("templates")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if !name.ends_with(".html") {
            continue;
        }
        let template = std::fs::read_to_string(&path).expect("a template");
        for call in template.split("{{ m::").skip(1) {
            let call = call.split("}}").next().unwrap_or_default();
            let is_text = |it: &str| it.starts_with(char::is_uppercase) || it.contains(' ');
            let text = call.split('"').skip(1).step_by(2).find(|it| is_text(it));
            assert_eq!(text, None, "{name}");
        }
        let mut text = template;
        for (from, to) in [
            ("{{", "}}"),
            ("{%", "%}"),
            ("<style", "</style>"),
            ("<pre", "</pre>"),
            ("<code", "</code>"),
            (" data-", "="),
            ("<", ">"),
        ] {
            text = without(&text, from, to);
        }
        let words = text.split(|c: char| !c.is_alphabetic());
        let word = words
            .filter(|word| word.len() > 1)
            .find(|word| !NAMES.contains(word));
        assert_eq!(word, None, "{name}");
    }
}

/// A text without every stretch from one mark to another.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut pieces = text.split(from);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |kept, piece| {
        kept + " " + piece.split_once(to).map_or("", |it| it.1)
    })
}

/// Words that are the same in every language, and values that services send.
const NAMES: [&str; 4] = ["Estreat", "API", "SHA", "success"];

/// Texts that look like keys and are something else.
const NO_KEYS: [&str; 0] = [];

#[test]
fn plurals_and_numbers_follow_the_language() {
    for (lang, one, many) in [
        (Lang::English, "1 day ago", "1,234 days ago"),
        (Lang::German, "vor 1 Tag", "vor 1.234 Tagen"),
    ] {
        assert_eq!(lang.with("ago-days").count("n", 1_u64).to_string(), one);
        assert_eq!(lang.with("ago-days").count("n", 1234_u64).to_string(), many);
    }
    let large = (1_u64 << 53) - 1;
    let text = Lang::English.with("ago-days").count("n", large).to_string();
    assert_eq!(text, "9,007,199,254,740,991 days ago");
}

#[test]
fn what_is_put_in_is_no_markup_and_no_message() {
    let hostile = "*x* `y` [z](/) { $n } </p>";
    let message = Lang::English.with("layout-role").outside("role", hostile);
    assert_eq!(message.to_string(), format!("role {hostile}"));
    assert!(message.runs().iter().all(|run| run.style == Style::Plain));
    let html = message.html().to_string();
    assert!(
        html.contains("*x* `y`") && html.contains("&#60;/p&#62;"),
        "{html}"
    );
}
