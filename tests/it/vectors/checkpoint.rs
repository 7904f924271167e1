use estreat::checkpoint::{Checkpoint, SigningKey, VerifierKey, sign_note};

use super::{array, json, list, text};

#[test]
fn notes_that_open() {
    let vectors = json("checkpoint.json");
    let key = VerifierKey::parse(text(&vectors["vkey"])).unwrap();
    assert_eq!(key.to_string(), text(&vectors["vkey"]));
    for case in list(&vectors["cases"]) {
        let opened = Checkpoint::open(text(&case["note"]).as_bytes(), std::slice::from_ref(&key));
        let checkpoint = opened.unwrap();
        assert_eq!(checkpoint.origin.as_str(), text(&vectors["origin"]));
        assert!(text(&case["note"]).starts_with(&checkpoint.to_string()));
    }
}

#[test]
fn signing_gives_the_same_bytes() {
    let vectors = json("checkpoint.json");
    let key = SigningKey::from_seed(&array(&vectors["signing_seed"]));
    let note = text(&vectors["cases"][0]["note"]);
    let checkpoint = Checkpoint::parse(text(&vectors["text"])).unwrap();
    assert_eq!(checkpoint.sign(&key), note);
    let origin = text(&vectors["origin"]);
    assert_eq!(
        sign_note(text(&vectors["text"]), origin, &key).unwrap(),
        note
    );
    assert_eq!(
        key.verifier(origin).unwrap().to_string(),
        text(&vectors["vkey"])
    );
}

#[test]
fn notes_that_do_not_open() {
    let vectors = json("checkpoint.json");
    let keys = [VerifierKey::parse(text(&vectors["vkey"])).unwrap()];
    let refused = list(&vectors["refused"]);
    assert_eq!(refused.len(), 9);
    for case in refused {
        let opened = Checkpoint::open(text(&case["note"]).as_bytes(), &keys);
        assert!(opened.is_err(), "{}", case["what"]);
    }
}
