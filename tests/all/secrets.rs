//! Secrets: a plugin that was handed one cannot tell it, one that was not handed it
//! cannot ask for it, and the operator is told what to mend. How secrets get into
//! requests is a story of `network`.

mod granted;
mod printed;
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use toolhost::permission::Glob;
use toolhost::policy::{SecretName, SecretSpec};
use toolhost::{Grants, Host, PluginOptions};

use crate::support::cache_dir;
use toolhost_tests::guest;

/// Has what encodings change: a dash, a space, a quote.
const TOKEN: &str = "correct-horse battery\"9y";

/// A file that holds a secret, readable by its owner only.
fn secret_file(folder: &Path, value: &str) -> PathBuf {
    let path = folder.join("token");
    fs::write(&path, value).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    path
}

/// The secret `token` in a file, as a configuration says it.
fn in_file(path: &Path, more: &str) -> (SecretName, SecretSpec) {
    let text = format!("[token]\nfile = {:?}\n{more}", path.display().to_string());
    let mut specs: BTreeMap<SecretName, SecretSpec> = toml::from_str(&text).unwrap();
    specs.pop_first().unwrap()
}

/// A host with the guest `keeper`, which is granted `token`, and with the guest
/// `relay`.
async fn host_with(spec: (SecretName, SecretSpec)) -> Host {
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .secrets([spec])
        .build()
        .unwrap();
    let options = PluginOptions {
        grants: Grants {
            secrets: vec!["token".into()],
            tools: vec![Glob::new("inner").unwrap()],
            ..Grants::default()
        },
        ..PluginOptions::default()
    };
    host.load(guest("keeper"), options).await.unwrap();
    host.load(guest("relay"), PluginOptions::default())
        .await
        .unwrap();
    host
}

/// A host whose guest is handed [`TOKEN`].
async fn revealing() -> Host {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    // Read while the plugin is loaded: the file is not needed any more.
    host_with(in_file(&path, "hosts = []\nreveal = true")).await
}
