//! The guard runs with all other tests, on a build for tests. Those figures are
//! larger than those of a release, and grow when those do.

use std::process::Command;

#[test]
fn a_call_takes_no_more_instructions_than_it_did() {
    let output = Command::new(env!("CARGO_BIN_EXE_bench"))
        .arg("guard")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    // Shown by `--nocapture`, and when the test fails.
    println!("{said}{error}");
    assert!(output.status.success(), "see above");
}
