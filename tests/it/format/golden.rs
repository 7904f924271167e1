//! The bytes of `vectors/log`, segment 0, field by field: whoever changes the format changes
//! this file too. And whatever a segment file holds, reading it answers.

use estreat::digest::log_id;
use estreat::format::header::Header;
use estreat::ids::Origin;
use estreat::sequencer::Sequencer;
use estreat::verifier::{ScanEnd, read_header, scan};

use crate::vectors::path;

/// A field: where it begins, its name, and its bytes in hex; of payloads the first and last.
type Field = (usize, &'static str, &'static str);

#[rustfmt::skip]
const FIELDS: &[Field] = &[
    (0, "header: magic", "4553545253454731"),
    (8, "header: length", "000000dc"),
    (12, "header: log id", "da2fb64f1f56907a581da3cb1c7477c5"),
    (28, "header: segment", "0000000000000000"),
    (36, "header: first_link", "0000000000000000"),
    (44, "header: first_entry", "0000000000000000"),
    (52, "header: previous", "0000000000000000000000000000000000000000000000000000000000000000"),
    (84, "header: created_at", "000650fa93e3f460"),
    (92, "header: origin length", "0012"),
    (94, "header: origin", "6c6f672e6578616d706c652f6f7264657273"),
    (112, "key part: KEK id", "52242307760c5e9c562c37a3f66c562f"),
    (128, "key part: wrap nonce", "05734c00ceb43f290dcf1f72"),
    (140, "key part: wrapped DEK", "2cd83efbad5ebce84eb005b66d97f23211b4faf9b3140492936d93ba7ffa7b5b43ec3cd89c97ae72406ac031d7dc135a"),
    (188, "key part: H(all before)", "170f5474b92123252a0947f7e283fd1ff5cc18f186c3b402adf6ac7b1c285847"),
    (220, "frame 0: marker", "4c494e4b"),
    (224, "frame 0: link length", "00ae"),
    (226, "frame 0: payload length", "0000012c"),
    (230, "link 0: version", "01"),
    (231, "link 0: kind", "01"),
    (232, "link 0: log id", "da2fb64f1f56907a581da3cb1c7477c5"),
    (248, "link 0: number", "0000000000000000"),
    (256, "link 0: segment", "0000000000000000"),
    (264, "link 0: previous", "0000000000000000000000000000000000000000000000000000000000000000"),
    (296, "link 0: committed_at", "000650fa97777b60"),
    (304, "link 0: sync_position", "00000000"),
    (308, "link 0: first_entry", "0000000000000000"),
    (316, "link 0: entry_count", "00000003"),
    (320, "link 0: entries_root", "43c20557d72ca356893a6acbd761efd06a44f126d40175429f1ecb104805bd59"),
    (352, "link 0: earliest", "000650fa93cef340"),
    (360, "link 0: latest", "000650fa93dc5340"),
    (368, "link 0: payload_length", "0000012c"),
    (372, "link 0: payload_digest", "3d1a32de133c8e67e16965e31aa6ce6e4646534b62726c8b4613abfd64e1c5a7"),
    (404, "payload 0: nonce", "bd86ee6b4cac4eeb4b7eae61"),
    (416, "payload 0: ciphertext", "c28e4cf38c00c790…9824cc08dae312f5"),
    (688, "payload 0: tag", "7ab01c6fe1d42ca29f66e2ebac6952ce"),
    (704, "frame 1: marker", "4c494e4b"),
    (708, "frame 1: link length", "00ae"),
    (710, "frame 1: payload length", "000000cb"),
    (714, "link 1: version", "01"),
    (715, "link 1: kind", "01"),
    (716, "link 1: log id", "da2fb64f1f56907a581da3cb1c7477c5"),
    (732, "link 1: number", "0000000000000001"),
    (740, "link 1: segment", "0000000000000000"),
    (748, "link 1: previous", "75969db3d57778c6b8c26bc36e11135f36143c788f28cea24825671ba06477bd"),
    (780, "link 1: committed_at", "000650fa9b0b0260"),
    (788, "link 1: sync_position", "00000000"),
    (792, "link 1: first_entry", "0000000000000003"),
    (800, "link 1: entry_count", "00000001"),
    (804, "link 1: entries_root", "f79e8f28bf4837ab07285685639a974791342e6860d1d4423a257d020dfcf414"),
    (836, "link 1: earliest", "000650fa96a97d01"),
    (844, "link 1: latest", "000650fa96a97d01"),
    (852, "link 1: payload_length", "000000cb"),
    (856, "link 1: payload_digest", "42dad273156d73f87e5a7b929ac621c3a7ae5b3d63a8c65b037116156ddd1055"),
    (888, "payload 1: nonce", "22e338b8e744149e47cbdc5c"),
    (900, "payload 1: ciphertext", "413bdd6292175220…a493da5a9e9005b9"),
    (1075, "payload 1: tag", "c9cfdbb2c17ba384ef387f43cc10d00f"),
    (1091, "frame 2: marker", "4c494e4b"),
    (1095, "frame 2: link length", "00ae"),
    (1097, "frame 2: payload length", "000001e9"),
    (1101, "link 2: version", "01"),
    (1102, "link 2: kind", "01"),
    (1103, "link 2: log id", "da2fb64f1f56907a581da3cb1c7477c5"),
    (1119, "link 2: number", "0000000000000002"),
    (1127, "link 2: segment", "0000000000000000"),
    (1135, "link 2: previous", "4d307ec1b6d81ebb908fee13c724dd3b6a712a488fbd9c99f712bb00c62e6892"),
    (1167, "link 2: committed_at", "000650fa9b0b0260"),
    (1175, "link 2: sync_position", "00000001"),
    (1179, "link 2: first_entry", "0000000000000004"),
    (1187, "link 2: entry_count", "00000003"),
    (1191, "link 2: entries_root", "6699088bdaee3aa92305ef17e88c954b11eb0887cdb095f6c9e0ead10ba41bc7"),
    (1223, "link 2: earliest", "000650e67c65a400"),
    (1231, "link 2: latest", "000650fa9a4c4640"),
    (1239, "link 2: payload_length", "000001e9"),
    (1243, "link 2: payload_digest", "d0219362866fce4e92e0f1f270e9801d445eed2269c8d9633c2891173fcde5d3"),
    (1275, "payload 2: nonce", "91525ea88b3c8cbf5c024539"),
    (1287, "payload 2: ciphertext", "cd02115374c7a484…3fa07e0b5c30801c"),
    (1748, "payload 2: tag", "f7f150d986756c86a1549d6f08ca4478"),
    (1764, "frame 3: marker", "4c494e4b"),
    (1768, "frame 3: link length", "00fe"),
    (1770, "frame 3: payload length", "000000ce"),
    (1774, "link 3: version", "01"),
    (1775, "link 3: kind", "02"),
    (1776, "link 3: log id", "da2fb64f1f56907a581da3cb1c7477c5"),
    (1792, "link 3: number", "0000000000000003"),
    (1800, "link 3: segment", "0000000000000000"),
    (1808, "link 3: previous", "14cadd5ac138c3ef2a88ef0e6835e36d305a0703a8c92fe76ab2dbbd1e3ddcc8"),
    (1840, "link 3: committed_at", "000650fa9b1a44a0"),
    (1848, "link 3: sync_position", "00000000"),
    (1852, "link 3: first_link", "0000000000000000"),
    (1860, "link 3: first_entry", "0000000000000000"),
    (1868, "link 3: entry_count", "0000000000000007"),
    (1876, "link 3: earliest", "000650e67c65a400"),
    (1884, "link 3: latest", "000650fa9a4c4640"),
    (1892, "link 3: subject_count", "00000003"),
    (1896, "link 3: subjects_root", "29387f3655ce2c131bc18d939a43ab7e7525fc3e2be9b8cba7cf4c16f02545e6"),
    (1928, "link 3: index_key", "f4f39b0229806406179ce5e80dc2259782f0ab67d81edc15c9e74f6129206574"),
    (1960, "link 3: payload_length", "000000ce"),
    (1964, "link 3: payload_digest", "7ee1a12ddc10c9b54986206f3e995a25779d600733052d16ab3b33ba988e9f47"),
    (1996, "link 3: header_digest", "8115b821ce028631597d41eb5e4bbb5193c59f35fa9450db030486344164db24"),
    (2028, "payload 3: nonce", "b17ca1bbbad427b8c8d97533"),
    (2040, "payload 3: ciphertext", "e9fbc43108b324fa…2574d99d6e30ee6b"),
    (2218, "payload 3: tag", "f05d64b4f409f244cf10b9639e225f38"),
];

/// Of the fields that are not written out: where they begin, and their length.
const PAYLOADS: [(usize, usize); 4] = [(416, 272), (900, 175), (1287, 461), (2040, 178)];

fn segment() -> Vec<u8> {
    std::fs::read(path("log/segments/00000000000000000000.seg")).unwrap()
}

#[test]
fn segment_0_field_by_field() {
    let bytes = segment();
    let mut end = 0;
    for (offset, name, hex) in FIELDS {
        assert_eq!(*offset, end, "{name} begins where the field before it ends");
        let (first, last) = hex.split_once('…').unwrap_or((hex, ""));
        let first = hex::decode(first).unwrap();
        assert_eq!(bytes[end..end + first.len()], first, "{name} at {offset}");
        end += first.len();
        if let Some(more) = hex
            .contains('…')
            .then(|| PAYLOADS.iter().find(|more| more.0 == *offset))
        {
            let (_, length) = more.expect("a payload's length");
            end = offset + length;
            let last = hex::decode(last).unwrap();
            assert_eq!(bytes[end - last.len()..end], last, "the end of {name}");
        }
    }
    assert_eq!(end, bytes.len(), "every byte has its field");
}

/// Reads a segment as every reader does; gives how many links it has, and how it ends.
fn read(bytes: &[u8]) -> Option<(u64, ScanEnd)> {
    let header = read_header(bytes, None)
        .expect("a slice can be read")
        .ok()?;
    let origin = Origin::parse_log("log.example/orders").unwrap();
    let mut sequencer = Sequencer::new(log_id(&origin));
    let end = scan(bytes, &header, &mut sequencer, true, |_, _| Ok(()));
    Some((sequencer.tree.size(), end.expect("a slice can be read")))
}

#[test]
fn every_prefix_is_answered() {
    let bytes = segment();
    let header = Header::decode(&bytes, None).unwrap().length;
    for end in 0..bytes.len() {
        match read(&bytes[..end]) {
            None => assert!(end < header, "{end}"),
            Some((links, ScanEnd::Open { end: whole })) => {
                assert_eq!(whole, end as u64);
                assert!(links < 4);
            }
            Some((_, ScanEnd::Damaged(place))) => assert!(place.offset < end as u64),
            Some((_, other)) => panic!("{end}: {other:?}"),
        }
    }
    let (links, end) = read(&bytes).unwrap();
    assert_eq!(links, 4);
    assert!(matches!(end, ScanEnd::Closed { behind: 0, .. }));
}

/// Every single-byte change of the file is answered, and seen but where only a later link or
/// the checkpoint can tell: the last link's own fields.
#[test]
fn every_changed_byte_is_answered() {
    let bytes = segment();
    let close = FIELDS
        .iter()
        .find(|field| field.1 == "link 3: version")
        .unwrap()
        .0;
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            let sound = matches!(read(&changed), Some((4, ScanEnd::Closed { behind: 0, .. })));
            let own_word = (close..close + 254).contains(&at);
            assert!(!sound || own_word, "byte {at} ^ {flip:#x}");
        }
    }
}
