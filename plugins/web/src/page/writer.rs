//! Text in the making: white space is settled when the next word comes, so that
//! empty elements leave none.

use super::links::Links;

/// What lies between two words; the larger of several counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Gap {
    /// Nothing.
    #[default]
    None,
    /// A space.
    Space,
    /// Two cells of a row.
    Cell,
    /// The end of a line.
    Line,
    /// An empty line.
    Paragraph,
}

/// How deep lists are indented.
const MAX_INDENT: usize = 8;

/// The most characters of a link's text: one that was never closed ends here.
const MAX_LINK_TEXT: usize = 500;

/// Text in the making.
#[derive(Debug)]
pub(super) struct Writer {
    links: Links,
    out: String,
    chars: usize,
    gap: Gap,
    /// What begins the next line: a heading, an item.
    marker: String,
    /// The number of the next item of each open list; none where there are none.
    lists: Vec<Option<u32>>,
    link: Option<Link>,
    in_heading: bool,
    preformatted: bool,
}

#[derive(Debug)]
struct Link {
    /// As the page has it. Where it leads is worked out once there is a text.
    href: String,
    /// Where its text begins, and where it leads.
    begun: Option<(usize, String)>,
}

impl Writer {
    pub(super) fn new(links: Links) -> Self {
        Self {
            links,
            out: String::new(),
            chars: 0,
            gap: Gap::None,
            marker: String::new(),
            lists: Vec::new(),
            link: None,
            in_heading: false,
            preformatted: false,
        }
    }

    /// What links are resolved against.
    pub(super) fn links(&mut self) -> &mut Links {
        &mut self.links
    }

    /// How many characters there are.
    pub(super) fn chars(&self) -> usize {
        self.chars
    }

    /// The text.
    pub(super) fn finish(mut self) -> String {
        self.close_link();
        self.close_preformatted();
        self.out
    }

    /// Puts white space before the next word.
    pub(super) fn gap(&mut self, gap: Gap) {
        if self.preformatted {
            if gap >= Gap::Line && !self.out.ends_with('\n') {
                self.push("\n");
            }
            return;
        }
        let in_link = self.link.as_ref().is_some_and(|link| link.begun.is_some());
        let most = if self.in_heading || in_link {
            Gap::Space
        } else if self.lists.is_empty() {
            Gap::Paragraph
        } else {
            // Items of a list stay together.
            Gap::Line
        };
        let gap = gap.min(most);
        self.gap = self.gap.max(gap);
    }

    /// Adds text; white space in it is one space.
    pub(super) fn text(&mut self, text: &str) {
        if self.preformatted {
            self.push(&text.replace('\r', ""));
            return;
        }
        for (index, word) in text.split(is_space).enumerate() {
            if index > 0 {
                self.gap(Gap::Space);
            }
            if !word.is_empty() {
                self.begin();
                self.push(word);
            }
        }
    }

    pub(super) fn open_heading(&mut self, level: usize) {
        self.close_heading();
        self.gap(Gap::Paragraph);
        // The heading of a link is the link's text.
        if self.link.as_ref().is_none_or(|link| link.begun.is_none()) {
            self.marker = format!("{} ", "#".repeat(level));
        }
        self.in_heading = true;
    }

    pub(super) fn close_heading(&mut self) {
        if self.in_heading {
            self.in_heading = false;
            self.marker.clear();
            self.gap(Gap::Paragraph);
        }
    }

    pub(super) fn open_list(&mut self, first: Option<u32>) {
        self.gap(if self.lists.is_empty() {
            Gap::Paragraph
        } else {
            Gap::Line
        });
        self.lists.push(first);
    }

    pub(super) fn close_list(&mut self) {
        self.marker.clear();
        self.lists.pop();
        self.gap(if self.lists.is_empty() {
            Gap::Paragraph
        } else {
            Gap::Line
        });
    }

    pub(super) fn item(&mut self) {
        self.gap(Gap::Line);
        self.marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        };
    }

    /// Begins a row of a table. The gap before its first cell is then that of a line.
    pub(super) fn row(&mut self) {
        self.gap(Gap::Line);
    }

    pub(super) fn rule(&mut self) {
        self.gap(Gap::Paragraph);
        if !self.out.is_empty() && self.link.is_none() && !self.preformatted {
            self.begin();
            self.push("---");
            self.gap(Gap::Paragraph);
        }
    }

    /// Begins a link, which is just text when it leads nowhere.
    pub(super) fn open_link(&mut self, href: Option<String>) {
        self.close_link();
        if !self.preformatted {
            self.link = href.map(|href| Link { href, begun: None });
        }
    }

    pub(super) fn close_link(&mut self) {
        if let Some((_, target)) = self.link.take().and_then(|link| link.begun) {
            self.push(&format!("]({target})"));
        }
    }

    pub(super) fn image(&mut self, text: &str, source: Option<&str>) {
        if self.preformatted {
            return;
        }
        self.begin();
        // In a link the link is what matters.
        let source = source.filter(|_| self.link.is_none());
        match source.and_then(|source| self.links.resolve(source)) {
            Some(target) => self.push(&format!("![{text}]({target})")),
            None => self.push(&format!("[image: {text}]")),
        }
    }

    pub(super) fn open_preformatted(&mut self) {
        self.close_link();
        self.gap(Gap::Paragraph);
        self.begin();
        self.push("```\n");
        self.preformatted = true;
    }

    pub(super) fn close_preformatted(&mut self) {
        if self.preformatted {
            self.preformatted = false;
            let end = if self.out.ends_with('\n') {
                "```"
            } else {
                "\n```"
            };
            self.push(end);
            self.gap(Gap::Paragraph);
        }
    }

    /// Settles white space and marks before a word.
    fn begin(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        let at_start = self.out.is_empty();
        match gap {
            _ if at_start => {}
            Gap::None => {}
            Gap::Space => self.push(" "),
            Gap::Cell => self.push(" | "),
            Gap::Line => self.push("\n"),
            Gap::Paragraph => self.push("\n\n"),
        }
        if at_start || gap >= Gap::Line {
            // What goes on below an item is indented like its text.
            let depth = self.lists.len().min(MAX_INDENT);
            let is_item = !self.marker.is_empty() && !self.in_heading;
            let indent = if is_item {
                depth.saturating_sub(1)
            } else {
                depth
            };
            self.push(&"  ".repeat(indent));
        }
        let marker = std::mem::take(&mut self.marker);
        self.push(&marker);
        self.begin_link();
    }

    /// Begins the text of a link that is open, or ends one that is too long.
    fn begin_link(&mut self) {
        let here = self.out.len();
        let Some(link) = &mut self.link else {
            return;
        };
        match &link.begun {
            None => match self.links.resolve(&link.href) {
                Some(target) => {
                    link.begun = Some((here, target));
                    self.push("[");
                }
                None => self.link = None,
            },
            Some((start, _)) if here - start > MAX_LINK_TEXT => {
                self.close_link();
                self.push(" ");
            }
            Some(_) => {}
        }
    }

    fn push(&mut self, text: &str) {
        self.chars += text.chars().count();
        self.out.push_str(text);
    }
}

/// White space of HTML, and spaces that only typesetters tell apart. A no-break space
/// between words is a space for a reader of plain text.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}')
}
