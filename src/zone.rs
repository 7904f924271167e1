//! Named time zones: whole days in them, and moments as their clocks show them.
//!
//! The rules are those of the IANA time zone database that is built in; nothing is read.
//!
//! Entries know UTC alone. Zones are for people: a range of whole days is asked for in somebody's
//! own zone, and reports show its clock. A bundle says in which zone its range was asked, but
//! proves it in UTC.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::time::Timestamp;

/// A time zone of the IANA database, such as `Europe/Berlin`.
#[derive(Debug, Clone)]
pub struct Zone {
    /// As the database spells it, whatever was typed; it goes into manifests.
    name: String,
    rules: TimeZone,
}

impl Zone {
    /// Coordinated Universal Time.
    pub fn utc() -> Self {
        Self {
            name: "UTC".into(),
            rules: TimeZone::UTC,
        }
    }

    /// The zone with a name; `None` if there is none.
    /// Case does not matter: the name kept is the database's.
    pub fn parse(name: &str) -> Option<Self> {
        if name == "UTC" {
            return Some(Self::utc());
        }
        let rules = TimeZone::get(name).ok()?;
        Some(Self {
            name: rules.iana_name()?.to_owned(),
            rules,
        })
    }

    /// The names of all zones, sorted.
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = jiff::tz::db()
            .available()
            .map(|name| name.to_string())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first moment of a day written `2026-05-04`; `None` if the calendar has no such day.
    pub fn day_begin(&self, day: &str) -> Option<Timestamp> {
        self.first_moment(parse_day(day)?)
    }

    /// The first moment after a day written `2026-05-04`.
    ///
    /// Excluded from the range: it is the beginning of the next day, which may be 23 or 25 hours
    /// on.
    pub fn day_end(&self, day: &str) -> Option<Timestamp> {
        self.first_moment(parse_day(day)?.tomorrow().ok()?)
    }

    /// A moment by the zone's clocks, to the second, with its offset: `2026-05-04 00:00:00 +02:00`.
    ///
    /// With the offset, so that an hour that comes twice is told apart. What the zone cannot show
    /// is shown in UTC.
    pub fn show(&self, at: Timestamp) -> String {
        let Ok(moment) = jiff::Timestamp::from_microsecond(at.0) else {
            return at.to_string();
        };
        let local = moment.to_zoned_datetime(self.rules.clone());
        local.strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
    }

    /// `None` for days whose beginning has no canonical form.
    fn first_moment(&self, day: Date) -> Option<Timestamp> {
        // A day that begins in a gap of the clocks begins behind it.
        let begin = day.to_zoned_datetime(self.rules.clone()).ok()?;
        let at = Timestamp(begin.timestamp().as_microsecond());
        (Timestamp::MIN_WRITTEN..=Timestamp::MAX_WRITTEN)
            .contains(&at)
            .then_some(at)
    }
}

/// A day in exactly the form `2026-05-04`.
/// Nothing else is read, so that a range has one spelling in a URL.
fn parse_day(day: &str) -> Option<Date> {
    let digits = |part: Option<&str>| -> Option<i16> {
        let part = part?;
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    if day.len() != 10
        || day.as_bytes().get(4) != Some(&b'-')
        || day.as_bytes().get(7) != Some(&b'-')
    {
        return None;
    }
    let (year, month, day) = (
        digits(day.get(..4))?,
        digits(day.get(5..7))?,
        digits(day.get(8..))?,
    );
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(at: Option<Timestamp>) -> Option<String> {
        at.map(|at| at.to_string())
    }

    #[test]
    fn days_begin_and_end_by_the_clocks_of_the_zone() {
        for (name, day, begin, end) in [
            ("UTC", "2024-02-28", "2024-02-28T00:00", "2024-02-29T00:00"),
            (
                "Europe/Berlin",
                "2026-03-29",
                "2026-03-28T23:00",
                "2026-03-29T22:00",
            ),
            (
                "Europe/Berlin",
                "2026-10-25",
                "2026-10-24T22:00",
                "2026-10-25T23:00",
            ),
            // Midnight does not exist there on this day.
            (
                "America/Sao_Paulo",
                "2018-11-04",
                "2018-11-04T03:00",
                "2018-11-05T02:00",
            ),
            (
                "Asia/Kathmandu",
                "2026-01-01",
                "2025-12-31T18:15",
                "2026-01-01T18:15",
            ),
        ] {
            let zone = Zone::parse(name).unwrap();
            let full = |text: &str| Some(format!("{text}:00.000000Z"));
            assert_eq!(written(zone.day_begin(day)), full(begin), "{name} {day}");
            assert_eq!(written(zone.day_end(day)), full(end), "{name} {day}");
        }
    }

    #[test]
    fn what_is_no_day_or_no_zone_is_refused() {
        let utc = Zone::utc();
        for day in [
            "2023-02-29",
            "29.02.2024",
            "2024-2-29",
            "",
            "+024-02-01",
            "9999-12-32",
            "0000-01-01",
        ] {
            assert!(utc.day_begin(day).is_none(), "{day}");
        }
        assert!(utc.day_end("9999-12-31").is_none());
        for name in ["Mars/Olympus", "", "../../etc/passwd", "Europe/berlin "] {
            assert!(Zone::parse(name).is_none(), "{name}");
        }
        assert!(Zone::names().iter().any(|name| name == "Europe/Berlin"));
    }

    #[test]
    fn a_moment_is_shown_with_its_offset() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        assert_eq!(berlin.show(Timestamp(0)), "1970-01-01 01:00:00 +01:00");
    }
}
