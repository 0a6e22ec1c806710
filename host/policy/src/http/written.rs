//! Grants and host patterns in files: as text, or a grant as a table when it says more.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, value::MapAccessDeserializer},
    ser::SerializeMap as _,
};

use super::{HostPattern, HttpGrant};

impl Serialize for HttpGrant {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        if !self.allow_private {
            return writer.collect_str(self);
        }
        let mut table = writer.serialize_map(Some(2))?;
        table.serialize_entry("allow", &self.to_string())?;
        table.serialize_entry("allow-private", &true)?;
        table.end()
    }
}

impl<'de> Deserialize<'de> for HttpGrant {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        // Parsed inside the visitor, so that an error gets the place of this value
        // and not of the list around it.
        reader.deserialize_any(GrantReader)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    allow: Text,
    #[serde(default)]
    allow_private: bool,
}

/// A grant that can only be text, so that tables do not nest.
struct Text(HttpGrant);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(TextReader).map(Text)
    }
}

struct GrantReader;

impl<'de> de::Visitor<'de> for GrantReader {
    type Value = HttpGrant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a grant such as `\"GET,POST https://api.example.com/v1/\"`, or `{ allow = GRANT, allow-private = true }`",
        )
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<HttpGrant, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<HttpGrant, A::Error> {
        let table = Table::deserialize(MapAccessDeserializer::new(map))?;
        let Table {
            allow: Text(grant),
            allow_private,
        } = table;
        if allow_private {
            grant.allow_private().map_err(de::Error::custom)
        } else {
            Ok(grant)
        }
    }
}

struct TextReader;

impl de::Visitor<'_> for TextReader {
    type Value = HttpGrant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a grant such as `\"https://api.example.com/v1/\"`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<HttpGrant, E> {
        text.parse().map_err(E::custom)
    }
}

impl Serialize for HostPattern {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HostPattern {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(PatternReader)
    }
}

struct PatternReader;

impl de::Visitor<'_> for PatternReader {
    type Value = HostPattern;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a host: `api.example.com`, `*.example.com` or `*`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<HostPattern, E> {
        text.parse().map_err(E::custom)
    }
}
