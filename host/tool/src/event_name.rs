//! Names of the events that tools make up.

/// Longest name of an event, in bytes.
const MAX_EVENT_NAME: usize = 64;

/// Checks the name of an event that a tool sends, such as `todo.updated`: letters,
/// digits, `.`, `_` and `-`, at most 64 bytes. `tool.…` is the host's own.
///
/// # Errors
///
/// Says which rule the name breaks.
pub fn check_event_name(name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if name.is_empty() || name.len() > MAX_EVENT_NAME || !name.chars().all(fits) {
        return Err(format!(
            "the name of an event has 1 to {MAX_EVENT_NAME} letters, digits, `.`, `_` or `-`"
        ));
    }
    if name.starts_with("tool.") {
        return Err("names that start with `tool.` are the host's own; choose another".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_cannot_speak_with_the_host_s_voice() {
        assert_eq!(check_event_name("todo.updated"), Ok(()));
        for name in ["", "tool.done", "a b", "ä", "a\n", &"x".repeat(65)] {
            assert!(check_event_name(name).is_err(), "{name:?}");
        }
    }
}
