use estreat::format::subject_index::{Claim, SubjectIndex, postings};
use estreat::postings::Posting;

use super::{array, digest, json, list, text, unhex};

#[test]
fn the_index_of_segment_0() {
    let vectors = json("subjects.json");
    let expected = &vectors["index"];
    let rows = list(&expected["rows"]).iter().rev().map(|row| {
        let list: Vec<Posting> = postings(&unhex(&row["list"])).unwrap().collect();
        (array(&row["tag"]), list)
    });
    let index = SubjectIndex::build(&array(&expected["seed"]), rows.collect()).unwrap();
    assert_eq!(index.raw(), unhex(&expected["raw"]));
    assert_eq!(index.root(), digest(&expected["subjects_root"]));
    for (row, leaf) in list(&expected["rows"]).iter().zip(index.leaves()) {
        assert_eq!(leaf, digest(&row["leaf"]));
        let Claim::Present(present) = index.find(&array(&row["tag"])) else {
            panic!("tag not found");
        };
        assert_eq!(present.position, row["position"].as_u64().unwrap());
        assert_eq!(present.salt, array(&row["salt"]));
        assert_eq!(hex::encode(present.list), text(&row["list"]));
    }
    let decoded = SubjectIndex::decode(unhex(&expected["raw"])).unwrap();
    assert!(decoded == index);
}
