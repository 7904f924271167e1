use estreat::digest::Digest;
use estreat::merkle::{self, PartialTree, partial};
use serde_json::Value;

use super::{digest, json, list};

fn leaves(size: u64) -> Vec<Digest> {
    let datum = |i: u64| (i as u32).to_be_bytes();
    (0..size).map(|i| Digest::leaf(&[&datum(i)])).collect()
}

fn known(case: &Value) -> Vec<u64> {
    list(&case["known"])
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect()
}

#[test]
fn roots_and_partial_trees() {
    let vectors = json("merkle.json");
    for case in list(&vectors["cases"]) {
        let size = case["size"].as_u64().unwrap();
        let leaves = leaves(size);
        let root = digest(&case["root"]);
        assert_eq!(merkle::root(&leaves), root, "size {size}");
        for partial_case in list(&case["partial"]) {
            let known = known(partial_case);
            let tree: PartialTree = serde_json::from_value(partial_case["tree"].clone()).unwrap();
            let pairs: Vec<_> = known.iter().map(|i| (*i, leaves[*i as usize])).collect();
            assert_eq!(
                partial::root(size, &pairs, &tree),
                Ok(root),
                "size {size} {known:?}"
            );
            assert_eq!(partial::build(&leaves, &known), tree);
            assert_eq!(serde_json::to_value(&tree).unwrap(), partial_case["tree"]);
        }
    }
}

#[test]
fn refused_partial_trees() {
    let vectors = json("merkle.json");
    let refused = list(&vectors["refused"]["cases"]);
    assert_eq!(refused.len(), 8);
    for case in refused {
        let size = case["size"].as_u64().unwrap();
        let pairs: Vec<_> = known(case)
            .into_iter()
            .map(|i| (i, leaves(i + 1)[i as usize]))
            .collect();
        let tree = serde_json::from_value::<PartialTree>(case["tree"].clone());
        let root = tree.map(|tree| partial::root(size, &pairs, &tree));
        assert!(!matches!(root, Ok(Ok(_))), "{}", case["what"]);
    }
}
