//! The package sources that a Debian machine is configured with.
//!
//! Somebody has decided which mirror this machine may download from, and the
//! address is read from there instead of being written down here. Apt knows two
//! forms: `deb822` stanzas in `*.sources`, and one line per source in `*.list`.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::files;

/// Where apt keeps its configuration.
const CONFIGURATION: &str = "/etc/apt";

/// The component that holds Debian's free packages.
const COMPONENT: &str = "main";

/// Names that a suite of the main archive has besides the release's own.
const SUITES: [&str; 5] = ["stable", "oldstable", "testing", "unstable", "sid"];

/// One address that apt takes packages from, with one of its suites.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The address of the archive, in whatever scheme apt understands.
    pub(crate) uri: String,
    /// The release, as in `bookworm` or `bookworm-updates`.
    pub(crate) suite: String,
    /// Parts of the release, as in `main`.
    pub(crate) components: Vec<String>,
}

/// The address of the main Debian archive that this machine uses.
pub(crate) fn debian_archive() -> Result<String> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if os_field(&release, "ID") != Some("debian") {
        bail!("this system is not Debian");
    }
    let codename = os_field(&release, "VERSION_CODENAME").unwrap_or_default();
    match archive_of(&configured(Path::new(CONFIGURATION))?, codename) {
        Some(uri) => Ok(uri.to_owned()),
        None => bail!("`{CONFIGURATION}` names no source of the main Debian archive"),
    }
}

/// Reads all sources below apt's configuration folder.
fn configured(folder: &Path) -> Result<Vec<Source>> {
    let mut paths = vec![folder.join("sources.list")];
    paths.extend(files::list(&folder.join("sources.list.d"))?);
    let mut sources = Vec::new();
    for path in paths {
        let parse = match path.extension().and_then(|ending| ending.to_str()) {
            Some("list") => parse_lines,
            Some("sources") => parse_stanzas,
            // Apt ignores every other ending as well.
            _ => continue,
        };
        if let Ok(text) = fs::read_to_string(&path) {
            sources.extend(parse(&text));
        }
    }
    Ok(sources)
}

/// Picks the source that serves the release itself, and so the archive that has
/// its sibling suites too. Security updates and third parties live elsewhere.
fn archive_of<'a>(sources: &'a [Source], codename: &str) -> Option<&'a str> {
    let is_release = |suite: &str| suite == codename || SUITES.contains(&suite);
    sources
        .iter()
        .find(|source| {
            is_release(&source.suite)
                && source.components.iter().any(|c| c == COMPONENT)
                && !source.uri.starts_with("cdrom:")
        })
        .map(|source| source.uri.as_str())
}

/// A value of an `os-release` file, without its quotes.
fn os_field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
        .map(|value| value.trim_matches(['"', '\'']))
}

/// Reads the one-line form: `deb [options] uri suite component…`.
fn parse_lines(text: &str) -> Vec<Source> {
    text.lines().filter_map(parse_line).collect()
}

/// Reads one line; comments, blank lines and sources of source code are none.
fn parse_line(line: &str) -> Option<Source> {
    let line = line.split('#').next()?.trim();
    let rest = line.strip_prefix("deb")?;
    if !rest.starts_with([' ', '\t', '[']) {
        return None;
    }
    let rest = match rest.trim_start().strip_prefix('[') {
        Some(options) => options.split_once(']')?.1,
        None => rest,
    };
    let mut words = rest.split_whitespace().map(str::to_owned);
    Some(Source {
        uri: words.next()?,
        suite: words.next()?,
        components: words.collect(),
    })
}

/// Reads the `deb822` form: stanzas of fields, parted by blank lines.
fn parse_stanzas(text: &str) -> Vec<Source> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines
        .split(|line| line.trim().is_empty())
        .flat_map(parse_stanza)
        .collect()
}

/// Reads one stanza, which stands for each of its addresses with each suite.
fn parse_stanza(lines: &[&str]) -> Vec<Source> {
    let words = |name| stanza_field(lines, name);
    let off = ["no", "false", "off", "disable", "0"];
    let disabled = words("Enabled").iter().any(|word| off.contains(word));
    if disabled || !words("Types").contains(&"deb") {
        return Vec::new();
    }
    let mut sources = Vec::new();
    for uri in words("URIs") {
        for suite in words("Suites") {
            sources.push(Source {
                uri: uri.to_owned(),
                suite: suite.to_owned(),
                components: words("Components").into_iter().map(str::to_owned).collect(),
            });
        }
    }
    sources
}

/// The words of a field, which may go on over indented lines.
fn stanza_field<'a>(lines: &[&'a str], name: &str) -> Vec<&'a str> {
    let is_field = |line: &&str| {
        line.split_once(':')
            .is_some_and(|(field, _)| field.eq_ignore_ascii_case(name))
    };
    let Some(start) = lines.iter().position(is_field) else {
        return Vec::new();
    };
    let first = lines[start].split_once(':').map_or("", |(_, value)| value);
    let more = lines[start + 1..]
        .iter()
        .take_while(|line| line.starts_with([' ', '\t']));
    std::iter::once(first)
        .chain(more.copied())
        .flat_map(str::split_whitespace)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stanza_stands_for_each_address_and_suite() {
        let sources = parse_stanzas(
            "# written by the installer\n\
             Types: deb deb-src\n\
             URIs: http://mirror.example/debian\n\
             Suites: bookworm bookworm-updates\n\
             # a comment between fields\n\
             components: main\n contrib\n\
             Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n",
        );
        let suites: Vec<_> = sources.iter().map(|s| s.suite.as_str()).collect();
        assert_eq!(suites, ["bookworm", "bookworm-updates"]);
        assert_eq!(sources[1].uri, "http://mirror.example/debian");
        assert_eq!(sources[1].components, ["main", "contrib"]);
    }

    #[test]
    fn stanzas_that_are_off_or_without_packages_are_left_out() {
        let text = "Types: deb\nEnabled: no\nURIs: http://a.example\nSuites: sid\n\n\
                    Types: deb-src\nURIs: http://b.example\nSuites: sid\n\n\n\
                    Types: deb\nEnabled: yes\nURIs: http://c.example\nSuites: sid\n";
        let uris: Vec<_> = parse_stanzas(text).into_iter().map(|s| s.uri).collect();
        assert_eq!(uris, ["http://c.example"]);
    }

    #[test]
    fn a_line_may_have_options_and_a_comment() {
        let sources = parse_lines(
            "# deb http://old.example/debian bookworm main\n\
             deb-src http://mirror.example/debian bookworm main\n\
             \n\
             deb http://mirror.example/debian bookworm main # the nearest\n\
             deb [ arch=amd64 signed-by=/k.gpg ] http://other.example trixie main contrib\n\
             debug http://no.example x main\n",
        );
        assert_eq!(sources.len(), 2);
        assert_eq!(sources[0].uri, "http://mirror.example/debian");
        assert_eq!(sources[0].components, ["main"]);
        assert_eq!(sources[1].uri, "http://other.example");
        assert_eq!(sources[1].suite, "trixie");
    }

    #[test]
    fn the_archive_is_neither_security_nor_a_third_party() {
        let sources = parse_lines(
            "deb cdrom:[Debian] bookworm main\n\
             deb http://tools.example/debian bookworm stable\n\
             deb http://base.example bookworm-pgdg main\n\
             deb http://mirror.example/debian-security bookworm-security main\n\
             deb mirror+file:/etc/apt/mirrors/debian.list bookworm main\n",
        );
        let found = archive_of(&sources, "bookworm");
        assert_eq!(found, Some("mirror+file:/etc/apt/mirrors/debian.list"));
        assert_eq!(archive_of(&sources, "trixie"), None);
    }

    #[test]
    fn a_release_may_go_by_a_moving_name() {
        let sources = parse_lines("deb http://mirror.example/debian testing main");
        assert!(archive_of(&sources, "forky").is_some());
    }

    #[test]
    fn the_system_is_known_by_its_exact_field() {
        let text = "PRETTY_NAME=\"x\"\nVERSION_ID=\"12\"\nID=\"debian\"\nID_LIKE=other\n";
        assert_eq!(os_field(text, "ID"), Some("debian"));
        assert_eq!(os_field(text, "VERSION_CODENAME"), None);
    }
}
