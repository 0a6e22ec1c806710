//! Types: alternatives, lists, enums, groups and ranges.

use serde_json::{Map, Number, Value, json};

use super::MAX_DEPTH;
use super::cursor::{Cursor, is_word};
use super::error::SpecError;
use super::parameters;
use crate::suggest;

/// The words that are types.
const WORDS: [&str; 8] = [
    "string", "integer", "number", "boolean", "object", "any", "null", "enum",
];

/// What other languages call them.
const OTHER_WORDS: [(&str, &str); 11] = [
    ("int", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("str", "string"),
    ("text", "string"),
    ("bool", "boolean"),
    ("array", "string[]"),
    ("list", "string[]"),
    ("dict", "object"),
    ("map", "object"),
    ("unknown", "any"),
];

/// A type as it is read.
pub(super) struct Kind {
    /// Its schema.
    pub(super) schema: Map<String, Value>,
    /// What a range of it is about, and its name for messages.
    range: Range,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Integer,
    Number,
    Length,
    Items,
    /// It has none, or has it already.
    None(&'static str),
}

impl Kind {
    fn new(schema: Value, range: Range) -> Self {
        let schema = match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        Self { schema, range }
    }
}

/// Reads a type.
pub(super) fn parse(cursor: &mut Cursor, depth: usize) -> Result<Kind, SpecError> {
    let start = cursor.at();
    let mut alternatives = vec![alternative(cursor, depth)?];
    loop {
        cursor.skip_blanks();
        if !cursor.take("|") {
            break;
        }
        cursor.skip_blanks();
        alternatives.push(alternative(cursor, depth)?);
    }
    unite(alternatives).map_err(|why| cursor.error_at(start, why))
}

/// One alternative: a word, an enum or a group, with `[]` and ranges behind it.
fn alternative(cursor: &mut Cursor, depth: usize) -> Result<Kind, SpecError> {
    let start = cursor.at();
    let mut kind = match cursor.peek() {
        Some('{') => group(cursor, depth)?,
        _ => word(cursor)?,
    };
    let mut lists = depth;
    loop {
        cursor.skip_blanks();
        if cursor.take("[]") {
            lists += 1;
            if lists > MAX_DEPTH {
                return Err(too_deep(cursor, start));
            }
            let list = json!({"type": "array", "items": kind.schema});
            kind = Kind::new(list, Range::Items);
        } else if cursor.peek() == Some('(') {
            range(cursor, &mut kind)?;
        } else {
            return Ok(kind);
        }
    }
}

fn group(cursor: &mut Cursor, depth: usize) -> Result<Kind, SpecError> {
    let start = cursor.at();
    cursor.take("{");
    if depth >= MAX_DEPTH {
        return Err(too_deep(cursor, start));
    }
    let schema = parameters::parse(cursor, Some('}'), depth + 1)?;
    Ok(Kind::new(Value::Object(schema), Range::None("a group")))
}

fn too_deep(cursor: &Cursor, start: usize) -> SpecError {
    let message =
        format!("more than {MAX_DEPTH} groups and lists are inside each other: use a JSON Schema");
    cursor.error_at(start, message)
}

fn word(cursor: &mut Cursor) -> Result<Kind, SpecError> {
    let start = cursor.at();
    let word = cursor.take_while(is_word);
    let range = match word {
        "string" => Range::Length,
        "integer" => Range::Integer,
        "number" => Range::Number,
        "boolean" => Range::None("`boolean`"),
        "object" => Range::None("`object`"),
        "null" => Range::None("`null`"),
        "any" => return Ok(Kind::new(json!({}), Range::None("`any`"))),
        "enum" => return members(cursor),
        "" => {
            let found = cursor.found();
            return Err(cursor.error(format!("expected a type, found {found}")));
        }
        unknown => {
            let other = OTHER_WORDS.iter().find(|(theirs, _)| *theirs == unknown);
            let hint = match other
                .map(|(_, ours)| *ours)
                .or_else(|| suggest(unknown, WORDS))
            {
                Some(word) => format!("; did you mean `{word}`?"),
                None => format!(": use one of `{}`", WORDS.join("`, `")),
            };
            let shown: String = unknown.chars().take(40).collect();
            return Err(cursor.error_at(start, format!("unknown type `{shown}`{hint}")));
        }
    };
    Ok(Kind::new(json!({"type": word}), range))
}

/// What is in the brackets of an enum.
fn members(cursor: &mut Cursor) -> Result<Kind, SpecError> {
    cursor.skip_blanks();
    if !cursor.take("(") {
        let message = "an enum lists its values: write `enum(\"a\", \"b\")`";
        return Err(cursor.error(message));
    }
    let mut values: Vec<Value> = Vec::new();
    loop {
        cursor.skip_space();
        let start = cursor.at();
        let value = cursor.json()?;
        if !value.is_string() && !value.is_number() {
            return Err(cursor.error_at(start, "an enum has strings and numbers only"));
        }
        if values.contains(&value) {
            let message = format!("the enum has {value} already");
            return Err(cursor.error_at(start, message));
        }
        values.push(value);
        cursor.skip_space();
        if cursor.take(")") {
            break;
        }
        if !cursor.take(",") {
            let found = cursor.found();
            return Err(cursor.error(format!("expected `,` or `)` in the enum, found {found}")));
        }
    }
    let mut schema = Map::new();
    if let Some(word) = type_of(&values) {
        schema.insert("type".into(), json!(word));
    }
    schema.insert("enum".into(), json!(values));
    Ok(Kind::new(Value::Object(schema), Range::None("an enum")))
}

fn type_of(values: &[Value]) -> Option<&'static str> {
    if values.iter().all(Value::is_string) {
        Some("string")
    } else if values.iter().all(|value| value.is_i64() || value.is_u64()) {
        Some("integer")
    } else if values.iter().all(Value::is_number) {
        Some("number")
    } else {
        None
    }
}

/// Several alternatives as one type: a list of types where that says it, `anyOf`
/// where it does not.
fn unite(mut alternatives: Vec<Kind>) -> Result<Kind, String> {
    if alternatives.len() == 1
        && let Some(only) = alternatives.pop()
    {
        return Ok(only);
    }
    let schemas: Vec<Map<String, Value>> =
        alternatives.into_iter().map(|kind| kind.schema).collect();
    if schemas.iter().any(Map::is_empty) {
        return Err("`any` already includes the other alternatives".into());
    }
    for (place, schema) in schemas.iter().enumerate() {
        if schemas[..place].contains(schema) {
            return Err("two alternatives are the same".into());
        }
    }
    let united = nullable(&schemas).or_else(|| plain(&schemas));
    let schema = united.unwrap_or_else(|| json!({ "anyOf": schemas }));
    Ok(Kind::new(schema, Range::None("a choice of types")))
}

/// `T | null` as the schema of `T` that also takes `null`.
fn nullable(schemas: &[Map<String, Value>]) -> Option<Value> {
    let null = json!({"type": "null"});
    let [first, second] = schemas else {
        return None;
    };
    let main = match (json!(first) == null, json!(second) == null) {
        (false, true) => first,
        (true, false) => second,
        _ => return None,
    };
    let mut main = main.clone();
    let word = main.get("type")?.as_str()?.to_owned();
    main.insert("type".into(), json!([word, "null"]));
    if let Some(Value::Array(values)) = main.get_mut("enum") {
        values.push(Value::Null);
    }
    Some(Value::Object(main))
}

/// Words only, as a list of types.
fn plain(schemas: &[Map<String, Value>]) -> Option<Value> {
    let words = schemas.iter().map(|schema| match schema.get("type") {
        Some(Value::String(word)) if schema.len() == 1 => Some(word),
        _ => None,
    });
    Some(json!({"type": words.collect::<Option<Vec<_>>>()?}))
}

/// `(1..14)`.
pub(super) fn range(cursor: &mut Cursor, kind: &mut Kind) -> Result<(), SpecError> {
    let start = cursor.at();
    let [least, most] = match kind.range {
        Range::Integer | Range::Number => ["minimum", "maximum"],
        Range::Length => ["minLength", "maxLength"],
        Range::Items => ["minItems", "maxItems"],
        Range::None(what) => {
            return Err(cursor.error_at(start, format!("{what} takes no range here")));
        }
    };
    let (from, to) = ends(cursor)?;
    for end in [&from, &to].into_iter().flatten() {
        let whole = end.is_i64() || end.is_u64();
        let wrong = match kind.range {
            Range::Integer => !whole,
            Range::Length | Range::Items => !end.is_u64(),
            Range::Number | Range::None(_) => false,
        };
        if wrong {
            let needed = match kind.range {
                Range::Integer => "a whole number",
                _ => "a whole number, not less than 0",
            };
            let message = format!("the end of this range must be {needed}, not `{end}`");
            return Err(cursor.error_at(start, message));
        }
    }
    if let (Some(from), Some(to)) = (&from, &to)
        && from.as_f64() > to.as_f64()
    {
        let message = format!("the range is empty: `{from}` is more than `{to}`");
        return Err(cursor.error_at(start, message));
    }
    for (keyword, end) in [(least, from), (most, to)] {
        if let Some(end) = end {
            kind.schema.insert(keyword.into(), Value::Number(end));
        }
    }
    kind.range = Range::None("a type that has a range");
    Ok(())
}

/// The ends of a range, with the brackets.
fn ends(cursor: &mut Cursor) -> Result<(Option<Number>, Option<Number>), SpecError> {
    let start = cursor.at();
    let end = |cursor: &mut Cursor| -> Result<Option<Number>, SpecError> {
        cursor.skip_blanks();
        let number = match cursor.peek() {
            Some('.' | ')') => None,
            _ => Some(cursor.number(false)?),
        };
        cursor.skip_blanks();
        Ok(number)
    };
    cursor.take("(");
    let from = end(cursor)?;
    let to = if cursor.take("..") {
        end(cursor)?
    } else {
        from.clone()
    };
    if !cursor.take(")") {
        let found = cursor.found();
        return Err(cursor.error(format!("expected `)` behind the range, found {found}")));
    }
    if from.is_none() && to.is_none() {
        return Err(cursor.error_at(start, "the range has no end: write `(1..14)` or `(1..)`"));
    }
    Ok((from, to))
}
