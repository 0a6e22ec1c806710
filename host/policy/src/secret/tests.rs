//! Which requests may carry which secret, and what a configuration may say of one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use url::Url;

use super::*;

const VALUE: &str = "ghp_correct-horse";

#[derive(Debug, Deserialize)]
struct File {
    secrets: BTreeMap<SecretName, SecretSpec>,
}

fn parse(text: &str) -> Result<BTreeMap<SecretName, SecretSpec>, String> {
    let file: Result<File, _> = toml::from_str(text);
    file.map(|file| file.secrets)
        .map_err(|error| error.message().to_owned())
}

/// A store with one secret `token`, as a plugin `github` that is granted it sees it.
fn secrets(spec: &str) -> CallSecrets {
    let text = format!("[secrets.token]\nenv = 'TOKEN'\n{spec}");
    let store = SecretStore::new(
        parse(&text)
            .unwrap()
            .into_iter()
            .map(|(name, spec)| Secret {
                name,
                spec,
                value: SecretValue::new(VALUE.into()).unwrap(),
            }),
    );
    let granted = BTreeSet::from(["token".to_owned(), "absent".to_owned()]);
    CallSecrets::new(Arc::new(store), "github".into(), Arc::new(granted))
}

fn inject(
    secrets: &CallSecrets,
    url: &str,
    headers: &[(&str, &str)],
) -> Result<Vec<String>, SecretRefusal> {
    let headers = headers
        .iter()
        .map(|(name, value)| (*name, value.as_bytes()));
    let injected = secrets.inject(&Url::parse(url).unwrap(), headers)?;
    Ok(injected
        .iter()
        .map(|header| String::from_utf8(header.value.to_vec()).unwrap())
        .collect())
}

const API: &str = "hosts = ['api.github.com']";
const URL: &str = "https://api.github.com/user";
const AUTH: (&str, &str) = ("authorization", "Bearer {{secret:token}}");

#[test]
fn a_placeholder_becomes_the_value_where_it_may() {
    let secrets = secrets(API);
    assert_eq!(
        inject(&secrets, URL, &[AUTH]).unwrap(),
        [format!("Bearer {VALUE}")]
    );
    let plain = [("accept", "*/*"), ("x", "{{token}}")];
    assert_eq!(inject(&secrets, URL, &plain), Ok(Vec::new()));
    let twice = [
        ("x", "{{secret:token}}"),
        ("y", "{{secret:token}}:{{secret:token}}"),
    ];
    let twice = inject(&secrets, URL, &twice).unwrap();
    assert_eq!(twice, [VALUE.to_owned(), format!("{VALUE}:{VALUE}")]);
}

#[test]
fn each_rule_of_a_secret_refuses_and_says_what_would_allow_it() {
    let refused = |spec: &str, url: &str| {
        let refusal = inject(&secrets(spec), url, &[AUTH]).unwrap_err();
        refusal.allow_with().unwrap()
    };
    for (spec, url, allow_with) in [
        (
            API,
            "https://evil.example/",
            r#"hosts = ["evil.example"] in [secrets.token]"#,
        ),
        (
            API,
            "https://api.github.com.evil.example/",
            r#"hosts = ["api.github.com.evil.example"] in [secrets.token]"#,
        ),
        (
            API,
            "http://api.github.com/",
            "insecure = true in [secrets.token]",
        ),
        (
            "hosts = ['*.github.com']",
            "https://github.com/",
            r#"hosts = ["github.com"] in [secrets.token]"#,
        ),
        (
            "hosts = ['api.github.com']\nplugins = ['slack']",
            URL,
            r#"plugins = ["github"] in [secrets.token]"#,
        ),
        (
            "hosts = ['api.github.com']\nprincipals = ['ada']",
            URL,
            r#"principals = ["ID"] in [secrets.token]"#,
        ),
        (
            "hosts = ['api.github.com']\nheaders = ['X-Key']",
            URL,
            r#"headers = ["authorization"] in [secrets.token]"#,
        ),
    ] {
        assert_eq!(refused(spec, url), allow_with, "{spec} {url}");
    }
}

#[test]
fn somebody_who_only_says_to_be_ada_is_not() {
    let bound = secrets("hosts = ['api.github.com']\nprincipals = ['ada']");
    let said = bound.clone().on_behalf_of(Some("ada")).unverified();
    let refusal = inject(&said, URL, &[AUTH]).unwrap_err();
    assert_eq!(
        refusal,
        SecretRefusal::Unverified {
            name: "token".into()
        }
    );
    let known = bound.on_behalf_of(Some("ada"));
    assert!(inject(&known, URL, &[AUTH]).is_ok());
}

#[test]
fn a_host_that_may_get_a_secret_is_asked_for_whole_answers() {
    let secrets = secrets(API);
    for header in ["range", "If-Range", "a-im"] {
        let refusal = inject(&secrets, URL, &[(header, "bytes=0-13")]).unwrap_err();
        let header = header.to_ascii_lowercase();
        assert_eq!(refusal, SecretRefusal::Part { header });
        let elsewhere = inject(
            &secrets,
            "https://other.example/",
            &[("range", "bytes=0-13")],
        );
        assert!(elsewhere.is_ok(), "no secret of the plugin goes there");
    }
}

#[test]
fn a_secret_is_not_sent_in_a_header_that_steers() {
    let secrets = secrets(API);
    for header in [
        "Range",
        "accept-encoding",
        "X-Original-URL",
        "content-type",
        "x-forwarded-host",
        "x-http-method-override",
        "if-none-match",
    ] {
        let refusal = inject(&secrets, URL, &[(header, AUTH.1)]).unwrap_err();
        let kept = matches!(
            refusal,
            SecretRefusal::Header { .. } | SecretRefusal::Part { .. }
        );
        assert!(kept, "{header}: {refusal}");
    }
    for header in ["authorization", "x-api-key", "cookie", "private-token"] {
        let injected = inject(&secrets, URL, &[(header, AUTH.1)]);
        assert!(injected.is_ok(), "{header}");
    }
}

#[test]
fn each_rule_of_a_secret_also_lets_through() {
    for (spec, url) in [
        ("hosts = ['*.github.com']", "https://a.b.github.com:8443/"),
        ("hosts = ['API.GitHub.com.']", "https://api.github.com/"),
        ("hosts = ['127.0.0.1']\ninsecure = true", "http://0x7f.1:9/"),
        (
            "hosts = ['api.github.com']\nplugins = ['slack', 'github']",
            URL,
        ),
        ("hosts = ['api.github.com']\nprincipals = ['ada']", URL),
        (
            "hosts = ['api.github.com']\nheaders = ['Authorization']",
            URL,
        ),
    ] {
        let secrets = secrets(spec).on_behalf_of(Some("ada"));
        assert_eq!(
            inject(&secrets, url, &[AUTH]).map(|headers| headers.len()),
            Ok(1),
            "{spec}"
        );
    }
}

#[test]
fn a_secret_that_is_not_granted_is_as_one_that_does_not_exist() {
    let store = secrets(API).store;
    let stranger = CallSecrets::new(store, "github".into(), Arc::default());
    let not_granted = |name: &str| Err(SecretRefusal::NotGranted { name: name.into() });
    assert_eq!(inject(&stranger, URL, &[AUTH]), not_granted("token"));
    let absent = [("x", "{{secret:absent}}")];
    assert_eq!(inject(&secrets(API), URL, &absent), not_granted("absent"));
    let unknown = [("x", "{{secret:unknown}}")];
    assert_eq!(inject(&secrets(API), URL, &unknown), not_granted("unknown"));
}

#[test]
fn a_placeholder_elsewhere_refuses_the_request() {
    let secrets = secrets(API);
    for url in [
        "https://api.github.com/{{secret:token}}",
        "https://api.github.com/?key={{secret:token}}",
        "https://api.github.com/?key=%7B%7Bsecret%3Atoken%7D%7D",
    ] {
        let refusal = inject(&secrets, url, &[]).unwrap_err();
        assert_eq!(
            refusal,
            SecretRefusal::Misplaced { place: "the URL" },
            "{url}"
        );
    }
    for header in [
        ("x", "{{secret:{{secret:token}}}}"),
        ("x", "{{secret:token"),
        ("x", "{{secret:token}} {{secret:"),
        ("x", "{{secret:to ken}}"),
    ] {
        let refusal = inject(&secrets, URL, &[header, ("y", "}}")]).unwrap_err();
        assert_eq!(
            refusal,
            SecretRefusal::Malformed { header: "x".into() },
            "{header:?}"
        );
    }
    let in_name = inject(&secrets, URL, &[("{{secret:token}}", "x")]).unwrap_err();
    assert_eq!(
        in_name,
        SecretRefusal::Misplaced {
            place: "the name of a header"
        }
    );
    for header in ["Host", "content-length", "Transfer-Encoding"] {
        let refusal = inject(&secrets, URL, &[(header, "{{secret:token}}")]).unwrap_err();
        assert!(matches!(refusal, SecretRefusal::Header { .. }), "{header}");
    }
    let flood = "{{secret:token}}".repeat(17);
    let refusal = inject(&secrets, URL, &[("x", &flood)]).unwrap_err();
    assert_eq!(refusal, SecretRefusal::TooMany { allowed: 16 });
}

#[test]
fn a_value_that_would_start_another_header_is_not_sent() {
    let value = "first-line\r\nx-admin: yes";
    let name: SecretName = "token".parse().unwrap();
    let spec = secrets(API).store.get("token").unwrap().spec.clone();
    let value = SecretValue::new(value.into()).unwrap();
    let store = SecretStore::new([Secret { name, spec, value }]);
    let granted = Arc::new(BTreeSet::from(["token".to_owned()]));
    let secrets = CallSecrets::new(Arc::new(store), "github".into(), granted);
    let refusal = inject(&secrets, URL, &[AUTH]).unwrap_err();
    assert_eq!(
        refusal,
        SecretRefusal::Unsendable {
            name: "token".into()
        }
    );
}

#[test]
fn a_value_that_leaked_is_not_passed_on() {
    let secrets = secrets(API);
    let leak = |place| {
        Err(SecretRefusal::Leak {
            name: "token".into(),
            place,
        })
    };
    let url = format!("https://api.github.com/?q={VALUE}");
    assert_eq!(inject(&secrets, &url, &[AUTH]), leak("the URL"));
    let url = "https://ghp_correct-horse.evil.example/";
    assert_eq!(inject(&secrets, url, &[AUTH]), leak("the URL"));
    let header = [AUTH, ("x", "ghp%5fcorrect-horse")];
    assert_eq!(inject(&secrets, URL, &header), leak("a header"));
    assert_eq!(
        inject(&secrets, URL, &[(VALUE, "x")]),
        leak("the name of a header")
    );
}

#[test]
fn a_body_is_held_back_before_a_secret_is_complete() {
    let url = Url::parse(URL).unwrap();
    let secrets = secrets(API);
    let mut scan = secrets.body_scan(&url);
    assert_eq!(scan.push(b"key=ghp_corr").unwrap(), b"key=");
    assert_eq!(scan.push(b"upt&key=ghp_c").unwrap(), b"ghp_corrupt&key=");
    assert_eq!(format!("{scan:?}"), "LeakScan { held: 5, .. }");
    assert!(scan.push(b"orrect-horse&").is_err());

    let mut scan = secrets.body_scan(&url);
    assert_eq!(
        scan.push(b"{{secret:token}} ghp_").unwrap(),
        b"{{secret:token}} "
    );
    assert_eq!(scan.finish().unwrap(), b"ghp_");
}

#[test]
fn a_revealed_secret_goes_where_the_host_would_send_it_and_nowhere_else() {
    let secrets = secrets("hosts = ['api.github.com']\nreveal = true");
    assert_eq!(secrets.reveal("token").unwrap().expose(), VALUE);
    let own = [("authorization", VALUE)];
    assert_eq!(inject(&secrets, URL, &own), Ok(Vec::new()));
    assert!(inject(&secrets, "https://evil.example/", &own).is_err());
    assert!(inject(&secrets, "http://api.github.com/", &own).is_err());
    let mut scan = secrets.body_scan(&Url::parse("https://evil.example/").unwrap());
    assert!(scan.push(VALUE.as_bytes()).is_err());

    let closed = self::secrets(API);
    let refusal = closed.reveal("token").unwrap_err();
    assert_eq!(
        refusal,
        SecretRefusal::NotRevealed {
            name: "token".into()
        }
    );
}

#[test]
fn a_section_says_where_a_secret_is_and_where_it_may_go() {
    let text = "[secrets.a]\nfile = 'key'\nhosts = ['x.example', '*.y.example']\n\
                headers = ['X-Key']\nplugins = ['p']\n\
                [secrets.b]\nkeyring = 'svc/me@x'\nhosts = []\nreveal = true";
    let mut secrets = parse(text).unwrap();
    let spec = secrets
        .remove("a")
        .unwrap()
        .in_folder(Path::new("/etc/toolhost"));
    assert_eq!(spec.origin, SecretOrigin::File("/etc/toolhost/key".into()));
    assert_eq!(spec.headers, Some(vec!["x-key".to_owned()]));
    assert_eq!(secrets["b"].origin.to_string(), "`svc/me@x` in the keyring");
}

#[test]
fn a_section_that_cannot_be_meant_is_an_error() {
    let error = |rest: &str| parse(&format!("[secrets.a]\n{rest}")).unwrap_err();
    for (section, expected) in [
        ("hosts = ['x.example']", "exactly one of"),
        (
            "env = 'A'\nfile = 'b'\nhosts = ['x.example']",
            "exactly one of",
        ),
        ("env = 'A'", "missing field `hosts`"),
        ("env = 'A'\nhosts = []", "`hosts` is empty"),
        ("env = 'A'\nhosts = ['*']", "whoever asks"),
        (
            "env = 'A'\nhosts = ['x y']",
            "cannot be bound to the host `x y`",
        ),
        (
            "env = 'A'\nhosts = ['x.example']\nplugins = []",
            "`plugins` is empty",
        ),
        (
            "env = 'A'\nhosts = ['x.example']\nprincipals = []",
            "`principals` is empty",
        ),
        (
            "env = 'A'\nhosts = ['x.example']\nheaders = ['host']",
            "where a request goes",
        ),
        (
            "env = 'A'\nhosts = ['x.example']\nheaders = ['a b']",
            "not the name of a header",
        ),
        ("env = 'A'\nhost = ['x.example']", "unknown field `host`"),
        (
            "env = ''\nhosts = ['x.example']",
            "name of an environment variable",
        ),
        (
            "env = 'A=b'\nhosts = ['x.example']",
            "name of an environment variable",
        ),
        ("keyring = 'a'\nhosts = ['x.example']", "SERVICE/USER"),
    ] {
        let message = error(section);
        assert!(message.contains(expected), "{section}: {message}");
    }
    let name = parse("[secrets.'a b']\nenv = 'A'\nhosts = ['x.example']").unwrap_err();
    assert!(name.contains("cannot be the name of a secret"), "{name}");
}

#[test]
fn a_flag_says_the_same_in_one_word() {
    let flag: SecretFlag = "token".parse().unwrap();
    assert_eq!(flag.spec, None);
    let flag: SecretFlag = "t=keyring:svc/me@x@api.example,*.b.example"
        .parse()
        .unwrap();
    let spec = flag.spec.unwrap();
    assert_eq!(spec.origin.to_string(), "`svc/me@x` in the keyring");
    assert_eq!((spec.hosts.len(), spec.insecure), (2, false));
    let flag: SecretFlag = "t=env:T@http://127.0.0.1".parse().unwrap();
    assert!(flag.spec.unwrap().insecure);

    for text in [
        "t=ghp_the-value-itself",
        "t=ghp_the-value-itself@x.example",
        "t=vault:ghp_the-value-itself@x.example",
        "t=env:T@http://a.example,b.example",
    ] {
        let error = text.parse::<SecretFlag>().unwrap_err().to_string();
        assert!(error.starts_with("`t=…` "), "{error}");
        assert!(!error.contains("ghp_"), "{error}");
    }
    assert!("t=env:T@*".parse::<SecretFlag>().is_err());
    assert!("=env:T@x.example".parse::<SecretFlag>().is_err());
}

#[test]
fn values_that_cannot_be_kept_secret_are_refused() {
    let refused = |value: &str| SecretValue::new(value.into()).unwrap_err();
    assert_eq!(refused("short"), SecretError::TooShort { bytes: 5 });
    assert_eq!(refused("         "), SecretError::Blank);
    assert_eq!(refused("with\0zero byte"), SecretError::ZeroByte);
    assert_eq!(
        refused(&"x".repeat(MAX_SECRET_BYTES + 1)),
        SecretError::TooLong
    );
    assert!(SecretValue::new("x".repeat(MAX_SECRET_BYTES)).is_ok());
}

#[test]
fn nothing_prints_a_value() {
    let secrets = secrets(API);
    assert!(!format!("{secrets:#?}").contains("horse"));
    let url = Url::parse(URL).unwrap();
    let injected = secrets.inject(&url, [(AUTH.0, AUTH.1.as_bytes())]).unwrap();
    assert_eq!(
        format!("{injected:?}"),
        r#"[Injected { index: 0, names: ["token"], .. }]"#
    );
    let panic = std::panic::catch_unwind(|| panic!("{secrets:?}")).unwrap_err();
    assert!(!panic.downcast_ref::<String>().unwrap().contains("horse"));
}
