//! A table that is read row by row, whatever its size.

use std::borrow::Cow;

use csv::ByteRecord;

use crate::dialect::{self, Encoding};
use crate::failure::Failure;
use crate::names::{find, unused};
use crate::source::{Allowance, DEFAULT_NULLS, Metered, Source, look_at};

/// The largest record, in bytes.
const MAX_RECORD: usize = 4 * 1024 * 1024;
/// How many columns a table has at most.
const MAX_COLUMNS: usize = 10_000;
/// A record over more lines than this has probably lost a quote.
const MANY_LINES: u64 = 100;

/// A table, open at some row.
pub struct Table {
    reader: csv::Reader<Metered>,
    allowance: Allowance,
    names: Vec<String>,
    delimiter: u8,
    encoding: Encoding,
    nulls: Vec<String>,
    longest_null: usize,
    record: ByteRecord,
    /// The first record of a table without a header, already read.
    pending: bool,
    rows: u64,
    odd: Oddities,
}

/// What is not as it should be, and where it was first seen (line of the file).
#[derive(Default)]
struct Oddities {
    short: Seen,
    long: Seen,
    undecodable: Seen,
    many_lines: Seen,
}

#[derive(Default, Clone, Copy)]
struct Seen {
    count: u64,
    first_line: u64,
}

impl Seen {
    fn note(&mut self, line: u64) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }
}

impl Table {
    /// Opens a table and reads its header.
    ///
    /// # Errors
    /// It cannot be read, is empty, or is no CSV.
    pub fn open(source: &Source) -> Result<Self, Failure> {
        let mut input = source.open()?;
        let sample = look_at(&mut *input)?;
        let delimiter = match &source.delimiter {
            Some(given) => dialect::delimiter(given)?,
            None => dialect::sniff(&sample),
        };
        let allowance = Allowance::default();
        let metered = Metered {
            source: input,
            allowance: allowance.clone(),
        };
        let reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(metered);
        let nulls = source
            .nulls
            .clone()
            .unwrap_or_else(|| DEFAULT_NULLS.map(String::from).to_vec());
        let mut table = Self {
            reader,
            allowance,
            names: Vec::new(),
            delimiter,
            encoding: source.encoding,
            longest_null: nulls.iter().map(String::len).max().unwrap_or(0),
            nulls,
            record: ByteRecord::new(),
            pending: false,
            rows: 0,
            odd: Oddities::default(),
        };
        table.read_names(source.no_header)?;
        Ok(table)
    }

    fn read_names(&mut self, no_header: bool) -> Result<(), Failure> {
        if !self.read_record()? {
            return Err(Failure::table(
                "the table is empty: there is not even a header",
            ));
        }
        if self.record.len() > MAX_COLUMNS {
            let message = format!(
                "the first record has {} cells, at most {MAX_COLUMNS} columns are taken: check `delimiter`",
                self.record.len()
            );
            return Err(Failure::table(message));
        }
        self.pending = no_header;
        for at in 0..self.record.len() {
            let cell = self.record.get(at).unwrap_or_default();
            let (name, _) = self.encoding.decode(cell);
            let name = if no_header { "" } else { name.trim() };
            let name = if name.is_empty() {
                format!("column_{}", at + 1)
            } else {
                name.to_owned()
            };
            self.names.push(unused(name, &self.names));
        }
        Ok(())
    }

    /// The names of the columns; each is there once.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The character between cells.
    #[must_use]
    pub fn delimiter(&self) -> char {
        char::from(self.delimiter)
    }

    /// How many rows were read.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the next row; false at the end.
    ///
    /// # Errors
    /// The file cannot be read on, or a record has no end.
    pub fn next_row(&mut self) -> Result<bool, Failure> {
        if !self.pending && !self.read_record()? {
            return Ok(false);
        }
        self.pending = false;
        self.rows += 1;
        let line = self.line();
        match self.record.len().cmp(&self.names.len()) {
            std::cmp::Ordering::Less => self.odd.short.note(line),
            std::cmp::Ordering::Greater => self.odd.long.note(line),
            std::cmp::Ordering::Equal => {}
        }
        Ok(true)
    }

    fn read_record(&mut self) -> Result<bool, Failure> {
        self.allowance.set(MAX_RECORD);
        let from = self.reader.position().line();
        let read = self.reader.read_byte_record(&mut self.record).map_err(|error| {
            if self.allowance.is_spent() {
                return Failure::table(format!(
                    "the record in line {from} is longer than {MAX_RECORD} bytes: a `\"` is opened there and never closed, or `delimiter` is wrong"
                ));
            }
            Failure::table(format!("cannot read on after line {from}: {error}"))
        })?;
        if self.reader.position().line() - from > MANY_LINES {
            self.odd.many_lines.note(from);
        }
        Ok(read)
    }

    /// The line of the file in which the current row begins.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    /// The cell of the current row in column `at`, without spaces around it.
    /// `None` when it is missing or stands for nothing.
    pub fn cell(&mut self, at: usize) -> Option<Cow<'_, str>> {
        let line = self.line();
        let bytes = self.record.get(at)?.trim_ascii();
        let (text, whole) = self.encoding.decode(bytes);
        if !whole {
            self.odd.undecodable.note(line);
        }
        let is_null =
            text.len() <= self.longest_null && self.nulls.iter().any(|null| *null == *text);
        (!is_null).then_some(text)
    }

    /// The column called `name`.
    ///
    /// # Errors
    /// Suggests similar names and lists what there is.
    pub fn column(&self, name: &str) -> Result<usize, Failure> {
        find(name, &self.names)
    }

    /// What is odd about the rows so far, in sentences.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut say = |seen: Seen, one: &str, many: &str, advice: &str| {
            if seen.count > 0 {
                let what = if seen.count == 1 { one } else { many };
                all.push(format!(
                    "{} {what} (first: line {}): {advice}",
                    seen.count, seen.first_line
                ));
            }
        };
        let odd = &self.odd;
        say(
            odd.short,
            "row has fewer cells than there are columns",
            "rows have fewer cells than there are columns",
            "missing cells count as null",
        );
        say(
            odd.long,
            "row has more cells than there are columns",
            "rows have more cells than there are columns",
            "the last cells were left out",
        );
        say(
            odd.undecodable,
            "cell is not UTF-8",
            "cells are not UTF-8",
            "shown with `�`; set `encoding` to `windows-1252`",
        );
        say(
            odd.many_lines,
            "record spans more than 100 lines",
            "records span more than 100 lines",
            "is a `\"` not closed there?",
        );
        all
    }
}

#[cfg(test)]
mod tests;
