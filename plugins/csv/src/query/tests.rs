//! Questions people have about a table.

use std::fmt::Write as _;

use super::*;
use crate::failure::FailureKind;
use crate::watch::Unwatched;

const SALES: &str = "\
day,city,amount,code
2024-01-01,Rome,10.50,007
2024-01-02,Oslo,3,008
2024-01-03,rome,n/a,009
2024-01-04,Rome,7.25,
2024-01-05,Bern,,010
";

fn ask_of(text: &str, query: &str) -> Result<Answer, Failure> {
    let query: Query = serde_json::from_str(query).expect("a query");
    run(&Source::text(text), &query, &Unwatched)
}

fn ask(query: &str) -> Answer {
    ask_of(SALES, query).expect("an answer")
}

fn rows(query: &str) -> Vec<String> {
    ask(query)
        .rows
        .iter()
        .map(|row| row.get().to_owned())
        .collect()
}

fn refusal(query: &str) -> Failure {
    ask_of(SALES, query).expect_err("no answer")
}

#[test]
fn everything_by_default() {
    let answer = ask("{}");
    assert_eq!(answer.columns, ["day", "city", "amount", "code"]);
    assert_eq!(answer.rows.len(), 5);
    assert_eq!(
        answer.rows[0].get(),
        r#"["2024-01-01","Rome","10.50","007"]"#
    );
    assert_eq!(
        (answer.rows_read, answer.rows_matched, answer.truncated),
        (5, 5, None)
    );
}

#[test]
fn a_column_of_numbers_holds_numbers() {
    let numbers =
        r#"{"select":["amount","code"],"filter":[{"column":"amount","op":"gte","value":0}]}"#;
    assert_eq!(
        rows(numbers),
        [r#"[10.50,"007"]"#, r#"[3,"008"]"#, "[7.25,null]"]
    );
    let text = numbers.replacen('{', r#"{"asText":true,"#, 1);
    assert_eq!(rows(&text)[0], r#"["10.50","007"]"#);
}

#[test]
fn conditions() {
    let days = |condition: &str| {
        let query = format!(r#"{{"select":["day"],"filter":[{condition}]}}"#);
        rows(&query)
            .iter()
            .map(|row| row[10..12].to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        days(r#"{"column":"amount","op":"gt","value":"5"}"#),
        "01 04"
    );
    assert_eq!(
        days(r#"{"column":"amount","op":"ne","value":3}"#),
        "01 03 04"
    );
    assert_eq!(days(r#"{"column":"amount","op":"eq","value":10.5}"#), "01");
    assert_eq!(days(r#"{"column":"amount","op":"isNull"}"#), "05");
    assert_eq!(days(r#"{"column":"amount","op":"notNull"}"#), "01 02 03 04");
    assert_eq!(
        days(r#"{"column":"city","op":"eq","value":"ROME","ignoreCase":true}"#),
        "01 03 04"
    );
    assert_eq!(
        days(r#"{"column":"city","op":"in","value":["Oslo","Bern"]}"#),
        "02 05"
    );
    assert_eq!(
        days(r#"{"column":"city","op":"notIn","value":["Oslo","Bern"]}"#),
        "01 03 04"
    );
    assert_eq!(
        days(r#"{"column":"city","op":"matches","value":"^R.*e$"}"#),
        "01 04"
    );
    assert_eq!(
        days(r#"{"column":"city","op":"contains","value":"om"}"#),
        "01 03 04"
    );
    assert_eq!(
        days(r#"{"column":"day","op":"gte","value":"2024-01-04"}"#),
        "04 05"
    );
    assert_eq!(days(r#"{"column":"code","op":"eq","value":"007"}"#), "01");
}

#[test]
fn one_condition_may_be_enough() {
    let either = r#"{"match":"any","aggregate":[{"op":"count"}],"filter":[
        {"column":"city","op":"eq","value":"Oslo"},{"column":"amount","op":"isNull"}]}"#;
    assert_eq!(rows(either), ["[2]"]);
}

#[test]
fn groups_with_figures() {
    let answer = ask(
        r#"{"groupBy":["city"],"sort":[{"column":"total","descending":true}],"aggregate":[
            {"op":"sum","column":"amount","as":"total"},{"op":"count"},{"op":"mean","column":"amount"}]}"#,
    );
    assert_eq!(answer.columns, ["city", "total", "count", "mean_amount"]);
    let rows: Vec<_> = answer.rows.iter().map(|row| row.get()).collect();
    assert_eq!(
        rows,
        [
            r#"["Rome",17.75,2,8.875]"#,
            r#"["Oslo",3,1,3]"#,
            r#"["rome",null,1,null]"#,
            r#"["Bern",null,1,null]"#
        ]
    );
    assert!(
        answer.warnings[0]
            .contains("left out 1 cells that are not numbers (first: `n/a` in line 4)")
    );
}

#[test]
fn figures_about_all_rows() {
    let query = r#"{"aggregate":[{"op":"count","column":"amount"},{"op":"countDistinct","column":"city"},
        {"op":"min","column":"day"},{"op":"max","column":"code"},{"op":"median","column":"amount"},
        {"op":"first","column":"city"},{"op":"last","column":"city"}]}"#;
    assert_eq!(
        rows(query),
        [r#"[4,4,"2024-01-01","010",7.25,"Rome","Bern"]"#]
    );
    let nothing = r#"{"aggregate":[{"op":"count"},{"op":"sum","column":"amount"}],
        "filter":[{"column":"city","op":"eq","value":"Paris"}]}"#;
    assert_eq!(rows(nothing), ["[0,null]"]);
}

#[test]
fn grouping_alone_counts() {
    assert_eq!(rows(r#"{"groupBy":["city"],"limit":1}"#), [r#"["Rome",2]"#]);
}

#[test]
fn order_by_any_column_and_nulls_last() {
    let sorted = |descending: bool| {
        rows(&format!(
            r#"{{"select":["day"],"sort":[{{"column":"amount","descending":{descending}}}]}}"#
        ))
        .iter()
        .map(|row| row[10..12].to_owned())
        .collect::<Vec<_>>()
        .join(" ")
    };
    assert_eq!(sorted(false), "02 04 01 03 05");
    assert_eq!(sorted(true), "03 01 04 02 05");
}

#[test]
fn paging_says_how_to_go_on() {
    let answer = ask(r#"{"select":["day"],"sort":[{"column":"day"}],"limit":2,"offset":1}"#);
    assert_eq!(answer.rows[0].get(), r#"["2024-01-02"]"#);
    assert!(answer.truncated.unwrap().contains("`offset` 3"));
    let answer = ask(r#"{"limit":2}"#);
    assert_eq!((answer.rows.len(), answer.rows_matched), (2, 2));
    assert!(answer.truncated.unwrap().contains("more rows match"));
    assert_eq!(ask(r#"{"limit":5}"#).truncated, None);
}

#[test]
fn sorting_a_long_table_keeps_only_what_is_wanted() {
    let mut text = String::from(
        "n,pad
",
    );
    for n in 0..60_000_u32 {
        writeln!(text, "{},x", n.wrapping_mul(7919) % 60_000).unwrap();
    }
    let query = r#"{"select":["n"],"sort":[{"column":"n","descending":true}],"limit":3}"#;
    let answer = ask_of(&text, query).unwrap();
    let rows: Vec<_> = answer.rows.iter().map(|row| row.get()).collect();
    assert_eq!(rows, ["[59999]", "[59998]", "[59997]"]);
    assert_eq!(answer.rows_matched, 60_000);
}

#[test]
fn too_many_groups_are_an_error_and_not_a_crash() {
    let text: String = std::iter::once(
        "id
"
        .to_owned(),
    )
    .chain((0..60_000).map(|n| {
        format!(
            "{n}
"
        )
    }))
    .collect();
    let error = ask_of(&text, r#"{"groupBy":["id"]}"#).unwrap_err();
    assert_eq!(error.kind, FailureKind::TooLarge);
    assert!(error.message.contains("filter first"), "{error}");
}

#[test]
fn large_answers_are_cut_and_say_so() {
    let text = format!(
        "a
{}",
        format!(
            "{}
",
            "x".repeat(10_000)
        )
        .repeat(50)
    );
    let answer = ask_of(&text, "{}").unwrap();
    assert_eq!(answer.rows.len(), 26);
    assert!(answer.truncated.unwrap().contains("go on with `offset` 26"));
    let text = format!(
        "a
{}
",
        "x".repeat(300_000)
    );
    assert_eq!(ask_of(&text, "{}").unwrap_err().kind, FailureKind::TooLarge);
}

#[test]
fn what_does_not_go_together_is_explained() {
    let no_value = refusal(r#"{"filter":[{"column":"city","op":"eq"}]}"#);
    assert!(no_value.message.contains("use `isNull`"), "{no_value}");
    let no_list = refusal(r#"{"filter":[{"column":"city","op":"in","value":"Rome"}]}"#);
    assert!(no_list.message.contains("a list"), "{no_list}");
    let regex = refusal(r#"{"filter":[{"column":"city","op":"matches","value":"("}]}"#);
    assert!(regex.message.contains("use `contains`"), "{regex}");
    let both = refusal(r#"{"select":["city"],"groupBy":["city"]}"#);
    assert!(both.message.contains("leave `select` out"), "{both}");
    let twice = refusal(r#"{"aggregate":[{"op":"count"},{"op":"count"}]}"#);
    assert!(
        twice.message.contains("name one of them with `as`"),
        "{twice}"
    );
    let bare = refusal(r#"{"aggregate":[{"op":"sum"}]}"#);
    assert!(bare.message.contains("needs a `column`"), "{bare}");
    let sort = refusal(r#"{"groupBy":["city"],"sort":[{"column":"amount"}]}"#);
    assert!(sort.message.contains("there are `city`, `count`"), "{sort}");
}
