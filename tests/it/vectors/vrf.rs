use estreat::ids::{LogId, SubjectId};
use estreat::vrf::{self, IndexPublic, IndexSecret};
use serde_json::Value;

use super::{array, json, list, text, unhex};

fn secret(vectors: &Value) -> IndexSecret {
    IndexSecret::from_bytes(&array(&vectors["index_secret"])).unwrap()
}

#[test]
fn c2sp_vector() {
    let vector = &json("subjects.json")["c2sp_vector"];
    let secret = IndexSecret::from_bytes(&array(&vector["secret"])).unwrap();
    let alpha = unhex(&vector["alpha"]);
    assert_eq!(secret.public().to_bytes(), array(&vector["public"]));
    assert_eq!(secret.prove(&alpha), array(&vector["proof"]));
    assert_eq!(secret.beta(&[&alpha]), array(&vector["beta"]));
}

#[test]
fn subjects_proofs_outputs_and_tags() {
    let vectors = json("subjects.json");
    let log_id = LogId(array(&vectors["log_id"]));
    let secret = secret(&vectors);
    let public = IndexPublic::from_bytes(&array(&vectors["index_key"])).unwrap();
    assert_eq!(secret.public(), public);
    for case in list(&vectors["tags"]) {
        let subject = SubjectId::new(text(&case["subject"]));
        let alpha = vrf::alpha(&log_id, &subject);
        let proof = secret.prove(&alpha);
        let beta = secret.beta(&[&log_id.0, subject.expose().as_bytes()]);
        assert_eq!(proof, array(&case["proof"]));
        assert_eq!(beta, array(&case["beta"]));
        assert_eq!(public.verify(&alpha, &proof), Some(beta));
        for row in list(&case["tags"]) {
            let segment = row["segment"].as_u64().unwrap();
            assert_eq!(vrf::tag(&beta, segment), array(&row["tag"]));
        }
    }
}

#[test]
fn refused_proofs() {
    let vectors = json("subjects.json");
    let log_id = LogId(array(&vectors["log_id"]));
    let cases = list(&vectors["refused"]["cases"]);
    assert_eq!(cases.len(), 5);
    for case in cases {
        let key = case.get("index_key").unwrap_or(&vectors["index_key"]);
        let alpha = vrf::alpha(&log_id, &SubjectId::new(text(&case["subject"])));
        let beta = IndexPublic::from_bytes(&array(key))
            .and_then(|key| key.verify(&alpha, &array(&case["proof"])));
        assert_eq!(beta, None, "{}", case["what"]);
    }
}

#[test]
fn keys_that_are_none() {
    assert!(IndexSecret::from_bytes(&[0; 32]).is_none());
    assert!(IndexSecret::from_bytes(&[0xff; 32]).is_none());
    assert!(IndexPublic::from_bytes(&[0; 32]).is_none());
    assert!(IndexPublic::from_bytes(&[0xff; 32]).is_none());
}

#[test]
fn any_bit_of_a_proof_counts() {
    let vectors = json("subjects.json");
    let secret = secret(&vectors);
    let proof = secret.prove(b"alpha");
    for bit in 0..proof.len() * 8 {
        let mut changed = proof;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            secret.public().verify(b"alpha", &changed),
            None,
            "bit {bit}"
        );
    }
}
