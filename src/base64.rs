//! Standard base64 with padding, canonical: what another encoder might write is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// Writes base64.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Reads base64 of any length; `None` for whatever [`encode`] would not write.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Reads base64 of exactly `N` bytes.
pub fn decode_array<const N: usize>(text: &str) -> Option<[u8; N]> {
    // Keys are read by this: what it was read into is wiped.
    let bytes = Zeroizing::new(decode(text)?);
    bytes.as_slice().try_into().ok()
}

/// Bytes as base64 in JSON, for `#[serde(with = "base64::json")]`: of any length for a
/// vector, of exactly its length for an array or a hash.
pub mod json {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    /// Writes base64.
    pub fn serialize<S: Serializer, T: AsRef<[u8]>>(
        bytes: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::encode(bytes.as_ref()))
    }

    /// Reads canonical base64.
    pub fn deserialize<'de, D: Deserializer<'de>, T: TryFrom<Vec<u8>>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        struct Text<T>(PhantomData<T>);
        impl<T: TryFrom<Vec<u8>>> Visitor<'_> for Text<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("canonical base64")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
                let bytes = super::decode(text).and_then(|bytes| T::try_from(bytes).ok());
                bytes.ok_or_else(|| E::custom("not canonical base64 of the right length"))
            }
        }
        deserializer.deserialize_str(Text(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_read() {
        assert_eq!(decode("AAE="), Some(vec![0, 1]));
        for bad in ["AAE", "AAF=", "AAE==", "AA E=", "AAE=\n", "_-8=", "A"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
