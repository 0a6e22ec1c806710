//! A secret of the operator, for servers on the loopback.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

/// A file with a secret, and the value of `--secret` that says where it may go: to the
/// loopback, in the clear.
pub(super) fn secret_file(name: &str, value: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, value).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let flag = format!("{name}=file:{}@http://127.0.0.1", path.display());
    (folder, flag)
}
