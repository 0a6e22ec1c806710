//! Where the filter's `debug` and `stderr` write: the standard error of the
//! plugin, which the host turns into log lines of the call.

use log::{LevelFilter, Log, Metadata, Record};

struct Stderr;

impl Log for Stderr {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        eprintln!("{}", record.args());
    }

    fn flush(&self) {}
}

/// Makes the messages of filters visible. Does nothing the second time.
pub(crate) fn install() {
    if log::set_logger(&Stderr).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}
