//! What a finding of a log's check is, so that people can be told what it can mean and what to do.

use super::{Step, Verdict};

/// The kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// There is no checkpoint where one must be.
    CheckpointGone,
    /// The checkpoint is no signed note, or says no size and root.
    CheckpointUnreadable,
    /// The checkpoint's signature does not hold.
    Signature,
    /// The checkpoint is another log's.
    OtherLog,
    /// No key was given that says whose the checkpoint is.
    UnknownKey,
    /// A file that does not belong there.
    Stray,
    /// Segment files lack.
    SegmentGone,
    /// A file stands in another's place.
    Misplaced,
    /// A segment's header does not say what it must.
    Header,
    /// A segment's wrapped key is not its own, or does not open.
    Key,
    /// Bytes that are no whole frame.
    Frame,
    /// A segment is not closed, or goes on behind its end.
    Ends,
    /// The log ends before its checkpoint does.
    Truncated,
    /// The links do not hash to the checkpoint's root.
    Root,
    /// A link does not follow the one before.
    Chain,
    /// A payload is not what its link states.
    Payload,
    /// A segment's subject index is not what its entries give.
    Index,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 17] = [
        Self::CheckpointGone,
        Self::CheckpointUnreadable,
        Self::Signature,
        Self::OtherLog,
        Self::UnknownKey,
        Self::Stray,
        Self::SegmentGone,
        Self::Misplaced,
        Self::Header,
        Self::Key,
        Self::Frame,
        Self::Ends,
        Self::Truncated,
        Self::Root,
        Self::Chain,
        Self::Payload,
        Self::Index,
    ];

    /// Of a finding's step and verdict, as words, and of what is wrong. Findings rest in
    /// `state.db` as words alone.
    pub fn of(step: &str, verdict: &str, what: &str) -> Self {
        if verdict == Verdict::Truncated.word() {
            return Self::Truncated;
        }
        if verdict == Verdict::UnknownKey.word() {
            return Self::UnknownKey;
        }
        let known = WORDS.iter().find(|(words, _)| what.starts_with(words));
        known.map_or_else(|| Self::of_step(step), |(_, kind)| *kind)
    }

    fn of_step(step: &str) -> Self {
        match step {
            step if step == Step::Checkpoint.name() => Self::CheckpointUnreadable,
            step if step == Step::Entries.name() => Self::Payload,
            step if step == Step::Subject.name() => Self::Index,
            _ => Self::Chain,
        }
    }

    /// The kind's word, in the API.
    pub fn word(self) -> &'static str {
        behind_dash(self.keys()[0])
    }

    /// The keys of three messages: what is wrong, what it can mean, and what to do.
    pub fn keys(self) -> [&'static str; 3] {
        match self {
            Self::CheckpointGone => [
                "kind-checkpoint-gone",
                "means-checkpoint-gone",
                "advice-checkpoint-gone",
            ],
            Self::CheckpointUnreadable => [
                "kind-checkpoint-unreadable",
                "means-checkpoint-unreadable",
                "advice-checkpoint-unreadable",
            ],
            Self::Signature => ["kind-signature", "means-signature", "advice-signature"],
            Self::OtherLog => ["kind-other-log", "means-other-log", "advice-other-log"],
            Self::UnknownKey => [
                "kind-unknown-key",
                "means-unknown-key",
                "advice-unknown-key",
            ],
            Self::Stray => ["kind-stray", "means-stray", "advice-stray"],
            Self::SegmentGone => [
                "kind-segment-gone",
                "means-segment-gone",
                "advice-segment-gone",
            ],
            Self::Misplaced => ["kind-misplaced", "means-misplaced", "advice-misplaced"],
            Self::Header => ["kind-header", "means-header", "advice-header"],
            Self::Key => ["kind-key", "means-key", "advice-key"],
            Self::Frame => ["kind-frame", "means-frame", "advice-frame"],
            Self::Ends => ["kind-ends", "means-ends", "advice-ends"],
            Self::Truncated => ["kind-truncated", "means-truncated", "advice-truncated"],
            Self::Root => ["kind-root", "means-root", "advice-root"],
            Self::Chain => ["kind-chain", "means-chain", "advice-chain"],
            Self::Payload => ["kind-payload", "means-payload", "advice-payload"],
            Self::Index => ["kind-index", "means-index", "advice-index"],
        }
    }
}

/// A message's key without its area.
fn behind_dash(key: &'static str) -> &'static str {
    key.split_once('-').map_or(key, |(_, word)| word)
}

/// How findings of a kind begin that their step alone does not give.
const WORDS: [(&str, Kind); 20] = [
    ("no checkpoint: nothing says", Kind::CheckpointGone),
    ("no checkpoint", Kind::CheckpointUnreadable),
    ("no signed note", Kind::CheckpointUnreadable),
    ("a signature that does not hold", Kind::Signature),
    ("another log's checkpoint", Kind::OtherLog),
    ("the log's folder", Kind::OtherLog),
    ("a file that does not belong here", Kind::Stray),
    ("a segment lacks", Kind::SegmentGone),
    ("segments lack", Kind::SegmentGone),
    (
        "a key was given for a log that is not there",
        Kind::SegmentGone,
    ),
    ("a file in another's place", Kind::Misplaced),
    ("an unreadable header", Kind::Header),
    ("header", Kind::Header),
    ("a key part that is not the segment's", Kind::Key),
    ("the segment's key does not open", Kind::Key),
    ("no whole frame", Kind::Frame),
    (
        "a segment that is not the last has no close link",
        Kind::Ends,
    ),
    ("bytes behind the close link", Kind::Ends),
    ("the first ", Kind::Root),
    ("the range's last link", Kind::Root),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_kind_has_words_of_its_own() {
        let words: HashSet<_> = Kind::ALL.iter().map(|kind| kind.word()).collect();
        assert_eq!(words.len(), Kind::ALL.len());
        for kind in Kind::ALL {
            for key in kind.keys() {
                assert_eq!(behind_dash(key), kind.word());
            }
        }
    }

    #[test]
    fn findings_are_what_their_words_say() {
        for (step, verdict, what, kind) in [
            (
                "checkpoint",
                "MISSING",
                "no checkpoint: nothing says how long",
                Kind::CheckpointGone,
            ),
            (
                "checkpoint",
                "ALTERED",
                "no checkpoint",
                Kind::CheckpointUnreadable,
            ),
            ("links", "ALTERED", "header: previous", Kind::Header),
            ("links", "ALTERED", "previous", Kind::Chain),
            (
                "links",
                "TRUNCATED",
                "fewer links than the checkpoint",
                Kind::Truncated,
            ),
            (
                "links",
                "ALTERED",
                "the first 7 links do not hash to the checkpoint's root",
                Kind::Root,
            ),
            (
                "entries",
                "ALTERED",
                "batch root is not the payload's",
                Kind::Payload,
            ),
            ("subject", "MISSING", "the list lacks an entry", Kind::Index),
        ] {
            assert_eq!(Kind::of(step, verdict, what), kind, "{what}");
        }
    }
}
