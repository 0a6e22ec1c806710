//! Finds a name for an error that does not give one.
//!
//! Rust has no way to ask a value for the name of its variant, but a derived
//! `Debug` starts with it. Only that first word is used: the rest may hold what
//! nobody should see.

use std::any::{Any, type_name};
use std::fmt::{self, Debug, Write};
use std::{error, io};

use super::DEFAULT_NAME;

/// Longer words are no names.
const MAX_NAME: usize = 64;

/// The variant of an enum (`CityNotFound` → `CityNotFoundError`), the type of
/// anything else (`ParseIntError`), or the default when both are only `Error`.
pub(crate) fn name_of<E: error::Error + 'static>(error: &E) -> String {
    if let Some(error) = (error as &dyn Any).downcast_ref::<io::Error>() {
        return with_suffix(&format!("{:?}", error.kind()));
    }
    let path = type_name::<E>();
    let type_word = path
        .split('<')
        .next()
        .and_then(|path| path.rsplit("::").next())
        .unwrap_or(DEFAULT_NAME);
    let foreign = ["core::", "alloc::", "std::"]
        .iter()
        .any(|root| path.starts_with(root));
    let word = if foreign { None } else { first_word(error) };
    with_suffix(word.as_deref().unwrap_or(type_word))
}

fn with_suffix(word: &str) -> String {
    match word {
        "Error" => DEFAULT_NAME.to_owned(),
        _ if word.ends_with("Error") => word.to_owned(),
        _ => format!("{word}Error"),
    }
}

/// The word that the `Debug` form starts with, when it looks like the name of a
/// type or a variant.
fn first_word(error: &dyn Debug) -> Option<String> {
    let mut start = Start::default();
    // It fails as soon as the word is complete, which is no failure.
    let _ = write!(start, "{error:?}");
    let word = start.word;
    let named = word.starts_with(|first: char| first.is_ascii_uppercase());
    (named && word.len() <= MAX_NAME).then_some(word)
}

/// Takes letters and digits, and refuses everything after them.
#[derive(Default)]
struct Start {
    word: String,
}

impl Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if !letter.is_ascii_alphanumeric() || self.word.len() > MAX_NAME {
                return Err(fmt::Error);
            }
            self.word.push(letter);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum WeatherError {
        #[error("no city is called `{name}`")]
        CityNotFound { name: String },
        #[error("busy")]
        ServerError,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("out of tea")]
    struct TeaShortage;

    #[test]
    fn a_variant_names_the_error() {
        let city = WeatherError::CityNotFound { name: "X".into() };
        assert_eq!(name_of(&city), "CityNotFoundError");
        assert_eq!(name_of(&WeatherError::ServerError), "ServerError");
    }

    #[test]
    fn a_struct_gives_its_own_name() {
        assert_eq!(name_of(&TeaShortage), "TeaShortageError");
    }

    #[test]
    fn errors_of_the_standard_library_go_by_type_or_kind() {
        let number = "x".parse::<u8>().unwrap_err();
        assert_eq!(name_of(&number), "ParseIntError");
        let missing = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(name_of(&missing), "NotFoundError");
    }

    #[test]
    fn a_type_that_is_only_called_error_gets_the_default() {
        let json = serde_json::from_str::<u8>("x").unwrap_err();
        assert_eq!(name_of(&json), DEFAULT_NAME);
    }
}
