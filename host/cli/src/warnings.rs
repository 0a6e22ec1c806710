//! What the library warns of, such as a cache that cannot be written, or lets one
//! know, such as what it waits for, shown to the user. Its `tracing` events are all
//! there is to see, so this is a subscriber for them and not a framework.

use std::fmt::{self, Write as _};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::printer::Printer;

/// Where events for the user come from. The engine and the runtime below
/// warn their own developers.
const OURS: &str = "toolhost";

/// Shows the library's warnings and notes from now on.
pub(crate) fn show(printer: &Printer) {
    // Fails only when there is a subscriber already, which is then this one.
    let _ = tracing::subscriber::set_global_default(Warnings(printer.clone()));
}

struct Warnings(Printer);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
            && *metadata.level() <= Level::INFO
            && metadata.target().starts_with(OURS)
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        if *event.metadata().level() == Level::INFO {
            self.0.note(&message.0);
        } else {
            self.0.warning(&message.0);
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        // Spans are not enabled; an id must not be zero all the same.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The text of an event; its other fields follow as `name=value`.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = if field.name() == "message" {
            write!(self.0, "{value:?}")
        } else {
            write!(self.0, " {}={value:?}", field.name())
        };
    }
}
