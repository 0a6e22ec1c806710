//! What the names of elements mean for a reader.

use html5gum::StartTag;

use super::writer::Gap;

/// Elements that never have content (HTML §13.1.2).
const VOID: [&[u8]; 13] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta",
    b"source", b"track", b"wbr",
];

/// Elements whose content is no text for a reader. `noscript` is for readers whose
/// programs do not run the scripts, but what is in it reads as source.
const DROPPED: [&[u8]; 17] = [
    b"audio",
    b"canvas",
    b"datalist",
    b"dialog",
    b"iframe",
    b"map",
    b"math",
    b"noembed",
    b"noframes",
    b"noscript",
    b"object",
    b"script",
    b"select",
    b"style",
    b"svg",
    b"template",
    b"video",
];

/// Elements that stand by themselves, with space around them.
const BLOCKS: [&[u8]; 18] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"details",
    b"div",
    b"dl",
    b"fieldset",
    b"figure",
    b"footer",
    b"form",
    b"header",
    b"main",
    b"nav",
    b"p",
    b"section",
    b"table",
];

/// Elements that begin a line.
const LINES: [&[u8]; 9] = [
    b"caption",
    b"dd",
    b"dt",
    b"figcaption",
    b"legend",
    b"option",
    b"summary",
    b"tbody",
    b"thead",
];

/// What lies between an element and its surroundings.
pub(super) fn gap(name: &[u8]) -> Gap {
    if BLOCKS.contains(&name) {
        Gap::Paragraph
    } else if LINES.contains(&name) {
        Gap::Line
    } else {
        Gap::None
    }
}

/// Whether an element is left out with all in it.
pub(super) fn is_dropped(name: &[u8], nav_too: bool) -> bool {
    DROPPED.contains(&name) || (nav_too && name == b"nav")
}

/// Whether an element says itself that nobody sees it. Pages hide words for models in
/// such places.
pub(super) fn is_hidden(tag: &StartTag<()>) -> bool {
    let value = |name: &[u8]| tag.attributes.get(name).map(|value| value.as_slice());
    if value(b"hidden").is_some_and(|value| !value.eq_ignore_ascii_case(b"until-found")) {
        return true;
    }
    if value(b"aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case(b"true")) {
        return true;
    }
    let style: Vec<u8> = value(b"style")
        .unwrap_or_default()
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(u8::to_ascii_lowercase)
        .collect();
    let says = |what: &[u8]| style.windows(what.len()).any(|window| window == what);
    says(b"display:none") || says(b"visibility:hidden")
}

/// An element that is being left out, until its end.
#[derive(Debug)]
pub(super) struct Skip {
    name: Vec<u8>,
    /// How many of this name are open.
    depth: usize,
}

impl Skip {
    /// Begins to leave out an element; nothing when it has no content.
    pub(super) fn begin(tag: &StartTag<()>) -> Option<Self> {
        let name = &*tag.name.0;
        // Only foreign elements close themselves; for others the slash means nothing.
        let closes_itself = tag.self_closing && (name == b"svg" || name == b"math");
        let has_content = !VOID.contains(&name) && !closes_itself;
        has_content.then(|| Self {
            name: name.to_vec(),
            depth: 1,
        })
    }

    pub(super) fn start(&mut self, name: &[u8]) {
        if name == self.name {
            self.depth += 1;
        }
    }

    /// Whether that was its end.
    pub(super) fn end(&mut self, name: &[u8]) -> bool {
        if name == self.name {
            self.depth -= 1;
        }
        self.depth == 0
    }
}
