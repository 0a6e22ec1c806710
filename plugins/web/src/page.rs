//! HTML to text that reads well: headings, lists, tables and links stay, what a
//! reader does not see goes.
//!
//! The page is read from front to back and never as a tree, so neither its depth
//! nor its errors cost anything.

mod links;
mod tags;
mod writer;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};
use toolhost_sdk::http::Url;

use self::links::Links;
use self::tags::Skip;
use self::writer::{Gap, Writer};

/// The longest title, in characters.
const MAX_TITLE: usize = 300;

/// A page, made readable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
    /// Whether the text was cut.
    pub truncated: bool,
}

/// Makes a page readable, and stops after so many characters. Links are resolved
/// against `url`, or what the page says instead.
#[must_use]
pub fn read(html: &str, url: &Url, most: usize) -> Page {
    let (page, has_nav) = Reader::new(url, most, true).read(html);
    if page.text.is_empty() && has_nav {
        // All of it is in `<nav>`, or one was never closed.
        return Reader::new(url, most, false).read(html).0;
    }
    page
}

struct Reader {
    most: usize,
    writer: Writer,
    title: String,
    in_title: bool,
    /// Whether navigation is left out.
    drops_nav: bool,
    /// Whether there was some.
    has_nav: bool,
    /// What is being left out.
    skip: Option<Skip>,
}

impl Reader {
    fn new(url: &Url, most: usize, drops_nav: bool) -> Self {
        Self {
            most,
            writer: Writer::new(Links::new(url.clone())),
            title: String::new(),
            in_title: false,
            drops_nav,
            has_nav: false,
            skip: None,
        }
    }

    /// Reads the page, and says whether it has navigation.
    fn read(mut self, html: &str) -> (Page, bool) {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(html, emitter) {
            // Text in memory cannot fail to be read.
            let Ok(token) = token;
            self.token(token);
            if self.writer.chars() > self.most {
                break;
            }
        }
        let has_nav = self.has_nav;
        (self.finish(), has_nav)
    }

    fn finish(self) -> Page {
        let (text, truncated) = cut(self.writer.finish(), self.most);
        let title: Vec<&str> = self.title.split_whitespace().collect();
        let title = cut(title.join(" "), MAX_TITLE).0;
        Page {
            title: (!title.is_empty()).then_some(title),
            text,
            truncated,
        }
    }

    fn token(&mut self, token: Token) {
        match token {
            Token::StartTag(tag) => self.start(&tag),
            Token::EndTag(tag) => self.end(&tag.name),
            Token::String(text) => self.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            if self.title.len() < MAX_TITLE * 4 {
                self.title.push_str(text);
            }
        } else if self.skip.is_none() {
            self.writer.text(text);
        }
    }

    fn start(&mut self, tag: &StartTag<()>) {
        let name = &*tag.name.0;
        if let Some(skip) = &mut self.skip {
            skip.start(name);
            return;
        }
        self.has_nav |= name == b"nav";
        if tags::is_dropped(name, self.drops_nav) || tags::is_hidden(tag) {
            self.skip = Skip::begin(tag);
            return;
        }
        match name {
            b"title" => self.in_title = self.title.is_empty(),
            b"base" => self.rebase(tag),
            b"a" => {
                self.writer.open_link(attribute(tag, b"href"));
            }
            b"img" => self.image(tag),
            b"br" => self.writer.gap(Gap::Line),
            b"hr" => self.writer.rule(),
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => {
                let level = usize::from(name[1] - b'0');
                self.writer.open_heading(level);
            }
            b"ul" | b"menu" => self.writer.open_list(None),
            b"ol" => {
                let first = attribute(tag, b"start").and_then(|first| first.trim().parse().ok());
                self.writer.open_list(Some(first.unwrap_or(1)));
            }
            b"li" => self.writer.item(),
            b"td" | b"th" => self.writer.gap(Gap::Cell),
            b"tr" => self.writer.row(),
            b"pre" => self.writer.open_preformatted(),
            _ => self.writer.gap(tags::gap(name)),
        }
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(skip) = &mut self.skip {
            if skip.end(name) {
                self.skip = None;
            }
            return;
        }
        match name {
            b"title" => self.in_title = false,
            b"a" => self.writer.close_link(),
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => self.writer.close_heading(),
            b"ul" | b"ol" | b"menu" => self.writer.close_list(),
            b"pre" => self.writer.close_preformatted(),
            b"td" | b"th" | b"br" => {}
            _ => self.writer.gap(tags::gap(name)),
        }
    }

    fn rebase(&mut self, tag: &StartTag<()>) {
        if let Some(href) = attribute(tag, b"href") {
            self.writer.links().rebase(&href);
        }
    }

    fn image(&mut self, tag: &StartTag<()>) {
        let text = attribute(tag, b"alt").unwrap_or_default();
        let text: Vec<&str> = text.split_whitespace().collect();
        if text.is_empty() {
            return;
        }
        let source = attribute(tag, b"src");
        self.writer.image(&text.join(" "), source.as_deref());
    }
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let value = tag.attributes.get(name)?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// The first characters, and whether there were more.
#[must_use]
pub fn cut(mut text: String, most: usize) -> (String, bool) {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            text.truncate(end);
            (text, true)
        }
        None => (text, false),
    }
}

#[cfg(test)]
mod tests;
