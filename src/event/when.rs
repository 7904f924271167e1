//! Times as clients write them: RFC 3339 §5.6, by the letter of its grammar.
//!
//! Two times that a client wrote alike must come out alike for ever: what RFC 3339 leaves open is
//! refused rather than guessed at. Whatever the canonical form cannot say is kept beside it, as
//! `submitted_time`.

use crate::limits::MAX_WORD_BYTES;
use crate::time::{Timestamp, civil_seconds};

const MICROS: i64 = 1_000_000;

/// A time as a client wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    /// In UTC, cut off to the microsecond.
    pub(super) time: Timestamp,
    /// Whether the text says something that the canonical form does not: an offset (also
    /// `-00:00`, an unknown one), digits past the sixth other than zero, second 60.
    pub(super) says_more: bool,
}

/// Reads `2026-05-04T11:30:12.5+02:00`; says what is wrong with anything else.
///
/// The error is a clause for a sentence that begins with the field's name; it says nothing of the
/// value.
pub(super) fn parse(text: &str) -> Result<When, &'static str> {
    if text.len() > MAX_WORD_BYTES {
        return Err("is longer than 64 bytes; send RFC 3339, like 2026-05-04T09:30:12.123456Z");
    }
    let shape = "is not an RFC 3339 time; send it like 2026-05-04T09:30:12.123456Z";
    let (date_time, fraction, offset) = split(text.as_bytes()).ok_or(shape)?;
    let number = |from: usize, to: usize| number(&date_time[from..to]);
    let date = (number(0, 4), number(5, 7), number(8, 10));
    let leap = number(17, 19) == 60;
    // Second 60 becomes the last microsecond of second 59: before the next second, and before no
    // event of this one.
    let second = if leap { 59 } else { number(17, 19) };
    let local = civil_seconds(date, (number(11, 13), number(14, 16), second))
        .ok_or("names a day or an hour that does not exist (years are 0001 to 9999)")?;
    let offset_seconds = offset_seconds(offset)
        .ok_or("has an offset that is not one: hours are 00 to 23, minutes 00 to 59")?;
    let seconds = local - offset_seconds;
    let in_second = if leap { MICROS - 1 } else { micros(fraction) };
    let time = Timestamp(seconds * MICROS + in_second);
    if !(Timestamp::MIN_WRITTEN..=Timestamp::MAX_WRITTEN).contains(&time) {
        return Err("lies outside the years 0001 to 9999 once its offset is taken off");
    }
    // Leap seconds have only ever come at the end of June or December; any month's end is allowed
    // by the standard. A list of them would go stale.
    if leap && !ends_a_month(seconds) {
        return Err("has a second 60 where no leap second can be: only a month in UTC ends in one");
    }
    let finer = fraction.iter().skip(6).any(|digit| *digit != b'0');
    let says_more = leap || finer || offset_seconds != 0 || offset == b"-00:00";
    Ok(When { time, says_more })
}

/// A moment in RFC 3339; what is finer than a microsecond is cut off.
/// For ranges and filters, where what a client wrote need not be kept.
pub fn parse_time(text: &str) -> Option<Timestamp> {
    parse(text).ok().map(|when| when.time)
}

/// Splits into 19 bytes of date and time of day, the fraction's digits, and the offset.
///
/// `T` and `Z` may be small letters (§5.6); a space for the `T` may not stand, though the RFC's
/// note would let applications do so.
fn split(text: &[u8]) -> Option<(&[u8; 19], &[u8], &[u8])> {
    const PATTERN: &[u8; 19] = b"0000-00-00T00:00:00";
    let (date_time, rest) = text.split_first_chunk::<19>()?;
    let fits = date_time
        .iter()
        .zip(PATTERN)
        .all(|(byte, pattern)| match pattern {
            b'0' => byte.is_ascii_digit(),
            other => byte.eq_ignore_ascii_case(other),
        });
    let (fraction, offset) = match rest.strip_prefix(b".") {
        None => (&rest[..0], rest),
        Some(rest) => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            rest.split_at(digits)
        }
    };
    let offset_fits = match offset {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    (fits && offset_fits).then_some((date_time, fraction, offset))
}

/// Of ASCII digits, as `split` has made sure.
fn number(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |sum, digit| {
        sum * 10 + i64::from(digit.wrapping_sub(b'0'))
    })
}

/// Digits past the sixth are not looked at: cut off, never rounded, so that no event moves into the
/// next second.
fn micros(fraction: &[u8]) -> i64 {
    let digit = |at| fraction.get(at).map_or(0, |digit| i64::from(digit - b'0'));
    (0..6).fold(0, |sum, at| sum * 10 + digit(at))
}

/// 0 for `Z`. An unknown offset, `-00:00`, is read as UTC.
fn offset_seconds(offset: &[u8]) -> Option<i64> {
    let [sign, h1, h2, _, m1, m2] = offset else {
        return Some(0);
    };
    let (hours, minutes) = (number(&[*h1, *h2]), number(&[*m1, *m2]));
    let seconds = hours * 3600 + minutes * 60;
    let known = hours <= 23 && minutes <= 59;
    known.then_some(if *sign == b'-' { -seconds } else { seconds })
}

/// Whether the next second begins a month.
fn ends_a_month(seconds: i64) -> bool {
    Timestamp((seconds + 1) * MICROS).to_canonical()[8..19] == *b"01T00:00:00"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(String, bool)> {
        let when = parse(text).ok()?;
        Some((when.time.to_string(), when.says_more))
    }

    #[test]
    fn times_are_read_by_the_grammar() {
        for (text, canonical, says_more) in [
            ("2026-05-04T09:30:12Z", "2026-05-04T09:30:12.000000Z", false),
            (
                "2026-05-04t09:30:12.5z",
                "2026-05-04T09:30:12.500000Z",
                false,
            ),
            (
                "2026-05-04T09:30:12.1234560Z",
                "2026-05-04T09:30:12.123456Z",
                false,
            ),
            (
                "2026-05-04T09:30:12+00:00",
                "2026-05-04T09:30:12.000000Z",
                false,
            ),
            (
                "2026-05-04T09:30:12-00:00",
                "2026-05-04T09:30:12.000000Z",
                true,
            ),
            (
                "2026-05-04T11:30:12+02:00",
                "2026-05-04T09:30:12.000000Z",
                true,
            ),
            (
                "2026-05-04T09:30:12.1234567Z",
                "2026-05-04T09:30:12.123456Z",
                true,
            ),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z", true),
            (
                "2017-01-01T00:59:60.5+01:00",
                "2016-12-31T23:59:59.999999Z",
                true,
            ),
            (
                "9999-12-31T23:59:59.9999999Z",
                "9999-12-31T23:59:59.999999Z",
                true,
            ),
        ] {
            assert_eq!(
                read(text),
                Some((canonical.to_owned(), says_more)),
                "{text}"
            );
        }
        for bad in [
            "2026-05-04 09:30:12Z",
            "2026-05-04T09:30:12",
            "2026-05-04T09:30:12.Z",
            "2026-05-04T09:30:12,5Z",
            "2026-05-04T09:30:12+2:00",
            "2026-05-04T09:30:12+24:00",
            "2026-05-04T09:30:12+02:60",
            "2026-05-04T09:30:61Z",
            "2026-05-04T12:00:60Z",
            "0001-01-01T00:30:00+01:00",
            "9999-12-31T23:30:00-01:00",
            "2026-05-04T09:30:12Zé",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_canonical_is_read_as_it_is(
            micros in Timestamp::MIN_WRITTEN.0..=Timestamp::MAX_WRITTEN.0,
        ) {
            let time = Timestamp(micros);
            prop_assert_eq!(parse(&time.to_string()), Ok(When { time, says_more: false }));
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,40}") {
            let _ = parse(&text);
        }
    }
}
