//! Tables as people write them.

use super::*;

fn rows(source: &Source) -> (Vec<String>, Vec<Vec<Option<String>>>, Vec<String>) {
    let mut table = Table::open(source).expect("a table");
    let width = table.names().len();
    let mut rows = Vec::new();
    while table.next_row().expect("a row") {
        rows.push(
            (0..width)
                .map(|at| table.cell(at).map(Cow::into_owned))
                .collect(),
        );
    }
    (table.names().to_vec(), rows, table.warnings())
}

fn refusal(bytes: &[u8]) -> String {
    let mut input = bytes;
    look_at(&mut input).expect_err("no table").message
}

#[test]
fn quotes_line_breaks_and_a_byte_order_mark() {
    let (names, rows, warnings) = rows(&Source::text(
        "\u{feff}name,note\r\n\"Doe, J\",\"says \"\"hi\"\"\nand goes\"\r\n",
    ));
    assert_eq!(names, ["name", "note"]);
    assert_eq!(
        rows,
        [[Some("Doe, J".into()), Some("says \"hi\"\nand goes".into())]]
    );
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn ragged_rows_are_read_and_told() {
    let (_, rows, warnings) = rows(&Source::text("a,b\n1\n1,2\n1,2,3\n"));
    assert_eq!(rows[0], [Some("1".into()), None]);
    assert_eq!(rows[2], [Some("1".into()), Some("2".into())]);
    assert!(
        warnings[0].starts_with("1 row has fewer cells than there are columns (first: line 2)"),
        "{warnings:?}"
    );
    assert!(
        warnings[1].starts_with("1 row has more cells than there are columns (first: line 4)"),
        "{warnings:?}"
    );
}

#[test]
fn names_are_made_up_where_there_are_none() {
    let (names, ..) = rows(&Source::text("a,,a,a\n1,2,3,4\n"));
    assert_eq!(names, ["a", "column_2", "a_2", "a_3"]);
    let (names, rows, _) = rows(&Source {
        no_header: true,
        ..Source::text("1,2\n3,4")
    });
    assert_eq!(names, ["column_1", "column_2"]);
    assert_eq!(rows.len(), 2);
}

#[test]
fn nulls_are_what_the_caller_says() {
    let text = "a,b\nNA,-\n";
    assert_eq!(rows(&Source::text(text)).1, [[None, Some("-".into())]]);
    let source = Source {
        nulls: Some(vec!["-".into()]),
        ..Source::text(text)
    };
    assert_eq!(rows(&source).1, [[Some("NA".into()), None]]);
}

#[test]
fn what_is_no_table_gets_a_sentence() {
    assert!(refusal(b"\xff\xfea\x00").contains("UTF-16"));
    assert!(refusal(b"PK\x03\x04rest").contains("export the sheet"));
    assert!(refusal(b"a\0b").contains("binary"));
    assert!(refusal(b" \n").contains("empty"));
    let both = Source {
        path: Some("x".into()),
        ..Source::text("a")
    };
    assert!(
        Table::open(&both)
            .err()
            .unwrap()
            .message
            .contains("not both")
    );
    assert!(
        Table::open(&Source::default())
            .err()
            .unwrap()
            .message
            .contains("no table")
    );
}

#[test]
fn an_unclosed_quote_ends_in_a_sentence() {
    let mut table = Table::open(&Source::text(&format!(
        "a,b\n1,\"{}",
        "x\n".repeat(MAX_RECORD)
    )))
    .unwrap();
    let error = table.next_row().unwrap_err();
    assert!(
        error.message.starts_with("the record in line 2 is longer"),
        "{error}"
    );
}

#[test]
fn a_small_unclosed_quote_is_a_warning() {
    let (_, rows, warnings) = rows(&Source::text(&format!("a,b\n1,\"{}", "x\n".repeat(500))));
    assert_eq!(rows.len(), 1);
    assert!(warnings[0].contains("not closed"), "{warnings:?}");
}

#[test]
fn a_wrong_name_gets_a_suggestion() {
    let table = Table::open(&Source::text("city,Price\n")).unwrap();
    assert_eq!(table.column("price"), Ok(1));
    let error = table.column("prize").unwrap_err();
    assert_eq!(
        error.message,
        "no column `prize`: did you mean `Price`? there are `city`, `Price`"
    );
    assert_eq!(error.suggestions, ["Price"]);
}
