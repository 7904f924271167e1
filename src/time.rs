//! Points in time: microseconds since the Unix epoch, UTC, and their one written form.
//!
//! One unit and one written form, so that times can be compared as numbers and as text alike. There
//! is no leap second in either: an event in one has the microsecond before the next minute.

use std::fmt;

/// Microseconds since 1970-01-01T00:00:00Z; negative before it.
///
/// `i64` reaches further than the written form: whoever writes a time has it in the years 0001 to
/// 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

/// Where the time comes from. Devices read the system's clock; tests set their own.
/// Only what is not pure holds one; the machines are handed times.
pub trait Clock: Send + Sync {
    /// The current time. May step back; callers that need order keep their own maximum.
    fn now(&self) -> Timestamp;
}

/// Bytes of the canonical form, `YYYY-MM-DDThh:mm:ss.ffffffZ`.
pub const CANONICAL_BYTES: usize = 27;

const MICROS: i64 = 1_000_000;
const DAY_SECONDS: i64 = 86_400;

impl Timestamp {
    /// 0001-01-01T00:00:00Z, the earliest time that has a canonical form.
    pub const MIN_WRITTEN: Self = Self(-62_135_596_800_000_000);
    /// 9999-12-31T23:59:59.999999Z, the latest time that has a canonical form.
    pub const MAX_WRITTEN: Self = Self(253_402_300_799_999_999);

    /// The time `micros` microseconds later, at most the end of `i64`.
    /// A bound that would lie past the end is the end; nothing wraps round.
    pub fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// As people read it: day and time to the microsecond, and its zone.
    pub fn in_words(self) -> String {
        self.to_string().replace('T', " ").replace('Z', " UTC")
    }

    /// Reads the canonical form and nothing else: 27 characters, year 0001 or later,
    /// a day that exists, seconds 00–59.
    /// Whatever it reads, `to_canonical` writes again, byte for byte.
    pub fn parse_canonical(text: &[u8]) -> Option<Self> {
        let text: &[u8; CANONICAL_BYTES] = text.try_into().ok()?;
        const PATTERN: &[u8; CANONICAL_BYTES] = b"0000-00-00T00:00:00.000000Z";
        let fits = text
            .iter()
            .zip(PATTERN)
            .all(|(byte, pattern)| match pattern {
                b'0' => byte.is_ascii_digit(),
                other => byte == other,
            });
        if !fits {
            return None;
        }
        let number = |from: usize, to: usize| {
            text[from..to]
                .iter()
                .fold(0_i64, |n, digit| n * 10 + i64::from(digit - b'0'))
        };
        let seconds = civil_seconds(
            (number(0, 4), number(5, 7), number(8, 10)),
            (number(11, 13), number(14, 16), number(17, 19)),
        )?;
        Some(Self(seconds * MICROS + number(20, 26)))
    }

    /// Writes the canonical form into 27 bytes. Times outside
    /// [`MIN_WRITTEN`](Self::MIN_WRITTEN)..=[`MAX_WRITTEN`](Self::MAX_WRITTEN) are clamped to it.
    /// As text they sort as they do in time.
    pub fn to_canonical(self) -> [u8; CANONICAL_BYTES] {
        let micros = self.clamp(Self::MIN_WRITTEN, Self::MAX_WRITTEN).0;
        // Towards the past, so that the fraction counts forwards before 1970 too.
        let seconds = micros.div_euclid(MICROS);
        let (year, month, day) = civil_date(seconds.div_euclid(DAY_SECONDS));
        let second_of_day = seconds.rem_euclid(DAY_SECONDS);
        let mut out = *b"0000-00-00T00:00:00.000000Z";
        let mut put = |to: usize, digits: usize, value: i64| {
            // Never negative, and shorter than 32 bits, which divide faster.
            let mut value = value as u32;
            for at in (to - digits..to).rev() {
                out[at] = b'0' + (value % 10) as u8;
                value /= 10;
            }
        };
        put(4, 4, year);
        put(7, 2, month);
        put(10, 2, day);
        put(13, 2, second_of_day / 3600);
        put(16, 2, second_of_day / 60 % 60);
        put(19, 2, second_of_day % 60);
        put(26, 6, micros.rem_euclid(MICROS));
        out
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_canonical();
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Seconds since the epoch of a civil date and time of day in UTC, or `None` where the
/// calendar has no such moment (proleptic Gregorian; year 0001 to 9999; no leap second).
/// What RFC 3339 calls a date-time, without its fraction and offset.
pub fn civil_seconds(date: (i64, i64, i64), time: (i64, i64, i64)) -> Option<i64> {
    let ((year, month, day), (hour, minute, second)) = (date, time);
    let in_range = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && (0..=23).contains(&hour)
        && (0..=59).contains(&minute)
        && (0..=59).contains(&second);
    in_range.then(|| {
        days_since_epoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second
    })
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01, by Howard Hinnant's `days_from_civil`.
///
/// Years begin in March there, so that a leap day is a year's last day; 719,468 days lie between
/// 0000-03-01 and the epoch.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day, by Howard Hinnant's `civil_from_days`.
/// The inverse of `days_since_epoch`, for every day that is written.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * month_index + 2) / 5 + 1)
}

/// A moment that may lack, as serde writes and reads it: in its canonical form, or null.
pub mod optional {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Timestamp;

    /// Writes it: not as a number of microseconds, but as everywhere in the format.
    pub fn serialize<S: Serializer>(
        time: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.collect_str(time),
            None => serializer.serialize_none(),
        }
    }

    /// Reads it; any other form is an error.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        let read = |text: String| {
            let time = Timestamp::parse_canonical(text.as_bytes());
            time.ok_or_else(|| D::Error::custom("a time in another form"))
        };
        text.map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn canonical_form_round_trips(micros in Timestamp::MIN_WRITTEN.0..=Timestamp::MAX_WRITTEN.0) {
            let written = Timestamp(micros).to_canonical();
            prop_assert_eq!(Timestamp::parse_canonical(&written), Some(Timestamp(micros)));
        }
    }

    #[test]
    fn the_calendar_is_kept() {
        let parse = |text: &str| Timestamp::parse_canonical(text.as_bytes());
        assert_eq!(parse("1970-01-01T00:00:00.000000Z"), Some(Timestamp(0)));
        assert_eq!(
            parse("2000-02-29T00:00:00.000000Z"),
            Some(Timestamp(951_782_400_000_000))
        );
        for bad in [
            "1900-02-29T00:00:00.000000Z",
            "0000-01-01T00:00:00.000000Z",
            "2026-13-01T00:00:00.000000Z",
            "2026-01-01T24:00:00.000000Z",
            "2026-01-01T00:00:60.000000Z",
            "2026-01-01 00:00:00.000000Z",
            "2026-01-01T00:00:00.000000z",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
