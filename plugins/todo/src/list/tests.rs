//! One list follows another.

use super::*;

fn item(id: Option<&str>, content: &str, status: Status) -> NewItem {
    NewItem {
        id: id.map(str::to_owned),
        content: content.to_owned(),
        status,
    }
}

fn new(content: &str) -> NewItem {
    item(None, content, Status::Pending)
}

fn ids(list: &List) -> Vec<&str> {
    list.items().iter().map(|item| item.id.as_str()).collect()
}

fn refused(items: &[NewItem]) -> String {
    check(items).unwrap_err().message
}

#[test]
fn new_items_are_numbered() {
    let list = List::default().replaced_by(&[new("plan"), new("build")]);
    assert_eq!(ids(&list), ["1", "2"]);
}

#[test]
fn ids_stay_by_id_and_by_text() {
    let list = List::default().replaced_by(&[new("plan"), new("build")]);
    let second = item(Some("2"), "build it all", Status::InProgress);
    let list = list.replaced_by(&[second, new("test"), new(" plan ")]);
    assert_eq!(ids(&list), ["2", "3", "1"]);
    assert_eq!(list.items()[2].content, "plan");
}

#[test]
fn no_number_is_given_twice() {
    let list = List::default().replaced_by(&[new("a"), new("b")]);
    let list = list.replaced_by(&[new("a")]);
    let list = list.replaced_by(&[new("a"), new("c")]);
    assert_eq!(ids(&list), ["1", "3"]);
    let list = list.replaced_by(&[]);
    let list = list.replaced_by(&[new("a")]);
    assert_eq!(ids(&list), ["4"]);
}

#[test]
fn ids_that_a_model_makes_up_are_kept_and_stepped_over() {
    let own = item(Some("2"), "own", Status::Pending);
    let list = List::default().replaced_by(&[new("a"), new("b"), own]);
    assert_eq!(ids(&list), ["1", "3", "2"]);
}

#[test]
fn two_items_with_one_text_are_two_items() {
    let list = List::default().replaced_by(&[new("again"), new("again")]);
    let list = list.replaced_by(&[new("again"), new("again"), new("again")]);
    assert_eq!(ids(&list), ["1", "2", "3"]);
}

#[test]
fn one_item_at_most_is_worked_on() {
    let busy = |content| item(None, content, Status::InProgress);
    let error = check(&[busy("a"), busy("b")]).unwrap_err();
    assert!(
        error.message.starts_with("2 items are `in_progress`"),
        "{error}"
    );
    assert_eq!(error.details.unwrap()["inProgress"], json!(["a", "b"]));
    assert!(check(&[busy("a"), new("b")]).is_ok());
}

#[test]
fn what_makes_no_list_is_told() {
    let with_id = |id: &str| item(Some(id), "a", Status::Pending);
    assert!(refused(&[new("a"), new(" ")]).contains("item 2 has no `content`"));
    assert!(refused(&[new(&"x".repeat(1001))]).contains("1001 characters"));
    assert!(refused(&vec![new("a"); 201]).contains("201 items"));
    assert!(refused(&[with_id("7"), with_id("7")]).contains("`7` is there twice"));
    assert!(refused(&[with_id("a b")]).contains("leave it out"));
}

#[test]
fn the_list_is_counted_and_written_down() {
    let list = List::default().replaced_by(&[
        item(None, "plan", Status::Completed),
        item(None, "build", Status::InProgress),
        item(None, "test", Status::Pending),
        item(None, "paint", Status::Cancelled),
    ]);
    let counts = Counts {
        total: 4,
        pending: 1,
        in_progress: 1,
        completed: 1,
        cancelled: 1,
    };
    assert_eq!(list.counts(), counts);
    let expected = "[x] 1: plan\n[>] 2: build\n[ ] 3: test\n[-] 4: paint\n\
                    1 of 4 completed, 1 in progress, 1 pending";
    assert_eq!(list.text(), expected);
    assert_eq!(List::default().text(), "the list is empty");
}

#[test]
fn a_list_is_kept_as_json() {
    let list = List::default().replaced_by(&[new("a")]);
    let kept = serde_json::to_string(&list).unwrap();
    assert_eq!(serde_json::from_str::<List>(&kept).unwrap(), list);
}
