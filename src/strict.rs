//! JSON as the format reads it: one way to write each value, and no other is read.
//!
//! serde takes an array for a struct, lets an absent name be `null`, and leaves numbers
//! their whole range; these helpers do not.
//!
//! Whatever can be written in two ways could be read in two ways: by this reader and by the one in
//! the browser, or by a court's expert with tools of their own. A proof must not depend on which of
//! them is asked.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::limits::NUMBERS_END;

/// An integer below 2^53, written as digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub u64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer).map(Self)
    }
}

/// Reads an integer below 2^53 (`deserialize_with`).
///
/// JSON readers that hold numbers as doubles are exact to there. serde_json reads no fraction,
/// exponent or sign into a `u64`.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = u64::deserialize(deserializer)?;
    if value < NUMBERS_END {
        Ok(value)
    } else {
        Err(D::Error::custom("a number is not below 2^53"))
    }
}

/// Reads a value that may be `null` but must be there (`deserialize_with`).
/// By default serde takes an absent name for `null`; with `deserialize_with` it does not.
pub fn nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// Reads a value that need not be there but is never `null` (`default, deserialize_with`).
/// `null` and absent would otherwise be the same.
pub fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads a JSON object into a derived struct and refuses an array in its place
/// (`deserialize_with`, and for [`Object`]).
/// Only `visit_map` is there, so that a sequence has nowhere to go.
pub fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct OnlyMap<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for OnlyMap<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(OnlyMap(PhantomData))
}

/// A struct that is read from a JSON object and never from an array.
/// Written like what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object<T>(pub T);

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Reads an array of objects (`deserialize_with`).
/// Each element as an [`Object`].
pub fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let objects = Vec::<Object<T>>::deserialize(deserializer)?.into_iter();
    Ok(objects.map(|object| object.0).collect())
}

/// Any JSON in which no object has a name twice, at any depth.
///
/// For JSON that may have names which nobody here reads: a name twice is two meanings all the same.
/// Depth is bounded by serde_json's own limit, 128.
pub struct NamesOnce;

impl<'de> Deserialize<'de> for NamesOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for NamesOnce {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self, A::Error> {
        while elements.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    /// Names are compared after unescaping: two spellings of one name are one name.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some((name, Self)) = members.next_entry::<String, Self>()? {
            if let Some(twice) = names.replace(name) {
                return Err(A::Error::custom(format!("the name {twice:?} stands twice")));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[serde(deserialize_with = "number")]
        n: u64,
        #[serde(deserialize_with = "nullable")]
        m: Option<String>,
        #[serde(default, deserialize_with = "optional")]
        o: Option<Number>,
    }

    #[test]
    fn names_stand_once_at_any_depth() {
        let once = |text: &str| serde_json::from_str::<NamesOnce>(text).is_ok();
        assert!(once(
            r#"{"a":[{"b":1,"c":{"b":null}},true,-1,1.5,""],"b":0}"#
        ));
        for bad in [
            r#"{"a":1,"a":1}"#,
            r#"[{"x":{"a":1,"\u0061":1}}]"#,
            "{",
            "1 2",
        ] {
            assert!(!once(bad), "{bad}");
        }
    }

    #[test]
    fn one_way_to_write_each_value() {
        let read = |text: &str| serde_json::from_str::<Object<Sample>>(text);
        assert!(read(r#"{"n":9007199254740991,"m":null}"#).is_ok());
        assert!(read(r#" {"m":"AAE=","o":0,"n":0}"#).is_ok());
        for bad in [
            r#"[1,null]"#,
            r#"{"n":1}"#,
            r#"{"n":9007199254740992,"m":null}"#,
            r#"{"n":1.0,"m":null}"#,
            r#"{"n":1e0,"m":null}"#,
            r#"{"n":-0,"m":null}"#,
            r#"{"n":"1","m":null}"#,
            r#"{"n":01,"m":null}"#,
            r#"{"n":1,"m":null,"n":1}"#,
            r#"{"n":1,"m":null,"x":1}"#,
            r#"{"n":1,"m":[0,1]}"#,
            r#"{"n":1,"m":null,"o":null}"#,
            r#"{"n":1,"m":null}x"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
