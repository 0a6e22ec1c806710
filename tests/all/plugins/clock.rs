//! The date, and the time zone of whoever runs the plugin.

use serde_json::json;

use super::run;

#[test]
fn the_date_is_told_in_utc_or_in_the_zone_that_was_asked_for() {
    let told = run("clock", "current_date", &json!({}), &[])
        .ends_with(0)
        .json();
    assert_eq!(told["timeZone"], "UTC");
    let arguments = json!({ "timeZone": "Asia/Kolkata", "format": "%H:%M %Z" });
    let told = run("clock", "current_date", &arguments, &[])
        .ends_with(0)
        .json();
    assert_eq!(told["utcOffset"], "+05:30");
    assert!(
        told["formatted"].as_str().unwrap().ends_with(" IST"),
        "{told}"
    );
}

#[test]
fn the_operator_sets_the_zone_by_granting_a_variable() {
    let zone = ["--env", "TZ=Asia/Kolkata"];
    let told = run("clock", "current_date", &json!({}), &zone)
        .ends_with(0)
        .json();
    assert_eq!(told["timeZone"], "Asia/Kolkata");
    let zone = ["--env", "TZ=Asia/Kolkatta"];
    let said = run("clock", "current_date", &json!({}), &zone).ends_with(1);
    assert!(
        said.stderr.contains("the variable `TZ` is set wrongly")
            && said.stderr.contains("`Asia/Kolkata`"),
        "{said:#?}"
    );
}

#[test]
fn a_city_is_answered_with_its_zone() {
    let arguments = json!({ "timeZone": "Vienna" });
    let said = run("clock", "current_date", &arguments, &[])
        .ends_with(1)
        .without_output();
    assert!(said.contains("did you mean `Europe/Vienna`?"), "{said}");
}

#[test]
fn a_date_has_a_weekday() {
    let told = run("clock", "day_name", &json!({ "date": "2024-02-29" }), &[]).ends_with(0);
    assert_eq!(told.json()["weekday"], "Thursday");
    let said = run("clock", "day_name", &json!({ "date": "2023-02-29" }), &[]).ends_with(1);
    assert!(said.stderr.contains("`YYYY-MM-DD`"), "{said:#?}");
}
