//! Every misuse of the macros is told in a sentence that starts with its name.
//!
//! After a change of wording: `TRYBUILD=overwrite cargo test -p toolhost-sdk --test ui`.

#[test]
fn misuse_is_told_in_sentences() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
