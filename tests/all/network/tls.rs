//! TLS: a server is who it says it is, or it is not talked to.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;
use toolhost::Host;
use toolhost_tests::guest;

use super::server::{Server, ok, read_request};
use super::{advice, code, fetch, fetch_limited, get, granted, options, refused, response};
use crate::support::cache_dir;

/// An authority that only these tests trust.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    _dir: tempfile::TempDir,
    pub(super) file: PathBuf,
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(params, key).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ca.pem");
        std::fs::write(&file, issuer.pem()).unwrap();
        Self {
            issuer,
            _dir: dir,
            file,
        }
    }

    /// A server with a certificate for `name`.
    pub(super) async fn server(&self, name: &str, expired: bool) -> Server {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        if expired {
            params.not_before = date_time_ymd(2019, 1, 1);
            params.not_after = date_time_ymd(2020, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Server::start(move |stream, seen| {
            let acceptor = acceptor.clone();
            async move {
                let mut stream = acceptor.accept(stream).await?;
                seen.note(read_request(&mut stream).await?);
                stream.write_all(ok("hello").as_bytes()).await?;
                stream.shutdown().await
            }
        })
        .await
    }

    /// A host that trusts it, with these grants.
    async fn trusted(&self, grants: &[&str]) -> Host {
        let host = Host::builder()
            .cache_dir(Some(cache_dir()))
            .ca_file(Some(self.file.clone()))
            .build()
            .unwrap();
        host.load(guest("fetcher"), options(grants)).await.unwrap();
        host
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_of_a_trusted_authority_is_talked_to() {
    let authority = Authority::new();
    for name in ["localhost", "127.0.0.1"] {
        let server = authority.server(name, false).await;
        let url = format!("https://{name}:{}/", server.port);
        let host = authority.trusted(&[&format!("!{url}")]).await;
        let result = fetch(&host, get(&*url)).await;
        assert_eq!(response(&result)["body"], "hello", "{name}");
        assert!(server.seen()[0].contains(&format!("\r\nhost: {name}:{}\r\n", server.port)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_authority_is_not_trusted_and_the_flag_is_named() {
    let authority = Authority::new();
    let server = authority.server("localhost", false).await;
    let url = format!("https://localhost:{}/", server.port);
    let host = granted(&[&format!("!{url}")]).await;
    let result = fetch(&host, get(&*url)).await;
    assert_eq!(code(&result), "ErrorCode::TlsCertificateError");
    assert!(
        refused(&result)[0].contains("certificate is not trusted"),
        "{result:?}"
    );
    assert_eq!(advice(&result), ["--ca-file FILE"]);
    assert!(server.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_for_another_name_or_time_is_refused() {
    let authority = Authority::new();
    for (name, expired) in [("other.example", false), ("localhost", true)] {
        let server = authority.server(name, expired).await;
        let url = format!("https://localhost:{}/", server.port);
        let host = authority.trusted(&[&format!("!{url}")]).await;
        let result = fetch(&host, get(&*url)).await;
        assert_eq!(code(&result), "ErrorCode::TlsCertificateError", "{name}");
        assert!(advice(&result).is_empty(), "no flag makes it right");
        assert!(server.seen().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_that_fails_or_never_ends_is_told_as_such() {
    let plain = Server::start(|mut stream, _| async move {
        stream.read_exact(&mut [0; 5]).await?;
        stream.write_all(ok("hello").as_bytes()).await
    })
    .await;
    let hangs = Server::start(|mut stream, _| async move {
        stream.read_to_end(&mut Vec::new()).await.map(drop)
    })
    .await;
    let closes = Server::start(|mut stream, _| async move {
        stream.read_exact(&mut [0; 5]).await?;
        Ok(())
    })
    .await;
    for (server, told, limit) in [
        (&plain, "ErrorCode::TlsProtocolError", None),
        (
            &hangs,
            "ErrorCode::ConnectionTimeout",
            Some("limit http-connect"),
        ),
        (&closes, "ErrorCode::ConnectionTerminated", None),
    ] {
        let url = format!("https://localhost:{}/", server.port);
        let host = granted(&[&format!("!{url}")]).await;
        let result = fetch_limited(&host, get(&*url), json!({"http-connect": "2s"})).await;
        assert_eq!(code(&result), told);
        assert_eq!(refused(&result).first().map(String::as_str), limit);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_without_certificates_is_an_error_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    for file in [empty, dir.path().join("gone.pem")] {
        let built = Host::builder()
            .cache_dir(Some(cache_dir()))
            .ca_file(Some(file.clone()))
            .build();
        let error = format!("{:?}", built.err().expect("it is refused"));
        assert!(
            error.contains(file.file_name().unwrap().to_str().unwrap()),
            "{error}"
        );
    }
}
