//! Text in the making: white space is settled when the next word comes, so that
//! empty elements leave none.

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
#[derive(Debug, Default)]
pub(super) struct Writer {
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
    target: String,
    /// Where its text begins, once there is any.
    start: Option<usize>,
}

impl Writer {
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
        let in_link = self.link.as_ref().is_some_and(|link| link.start.is_some());
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
        if self.link.as_ref().is_none_or(|link| link.start.is_none()) {
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

    /// Begins a link, or just text when it leads nowhere.
    pub(super) fn open_link(&mut self, target: Option<String>) {
        self.close_link();
        if !self.preformatted {
            self.link = target.map(|target| Link {
                target,
                start: None,
            });
        }
    }

    pub(super) fn close_link(&mut self) {
        let Some(Link { target, start }) = self.link.take() else {
            return;
        };
        if start.is_some() {
            self.push("](");
            self.push(&target);
            self.push(")");
        }
    }

    pub(super) fn image(&mut self, text: &str, target: Option<&str>) {
        if self.preformatted {
            return;
        }
        self.begin();
        match target {
            // In a link the link is what matters.
            Some(target) if self.link.is_none() => self.push(&format!("![{text}]({target})")),
            _ => self.push(&format!("[image: {text}]")),
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
        let here = self.out.len();
        if let Some(link) = &mut self.link {
            match link.start {
                None => {
                    link.start = Some(here);
                    self.push("[");
                }
                Some(start) if here - start > MAX_LINK_TEXT => {
                    self.close_link();
                    self.push(" ");
                }
                Some(_) => {}
            }
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
