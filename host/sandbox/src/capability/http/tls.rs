//! TLS: rustls with the system's roots, and those of a file that the operator named.
//! One configuration for all calls, without a memory of sessions: what one plugin did
//! must not show in the handshakes of another.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use toolhost_policy::{Host, Url};
use wasmtime_wasi_http::Error;

use crate::error::SetupError;

/// Most bytes of a file of certificates; the bundle of a system has a quarter of one
/// MiB.
const MAX_CA_BYTES: u64 = 8 << 20;

/// Agrees on TLS with servers.
pub(super) struct Tls {
    /// Roots beside those of the system.
    extra: Vec<CertificateDer<'static>>,
    /// Made when it is first needed: reading the system's roots takes milliseconds.
    config: OnceCell<Arc<ClientConfig>>,
}

impl Tls {
    /// Reads the roots of a file, in PEM.
    pub(super) fn new(ca_file: Option<&Path>) -> Result<Self, SetupError> {
        Ok(Self {
            extra: ca_file.map(read_roots).transpose()?.unwrap_or_default(),
            config: OnceCell::new(),
        })
    }

    /// Agrees on TLS with the server of a URL. Its certificate has to be for the name
    /// or the address that stands there.
    pub(super) async fn connect(
        &self,
        url: &Url,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, Untrusted> {
        let config = self.config.get_or_try_init(|| self.configure()).await?;
        let name = server_name(url).ok_or(Error::HttpRequestUriInvalid)?;
        let connector = TlsConnector::from(Arc::clone(config));
        connector
            .connect(name, stream)
            .await
            .map_err(|error| untrusted(&error))
    }

    async fn configure(&self) -> Result<Arc<ClientConfig>, Error> {
        let extra = self.extra.clone();
        let made = tokio::task::spawn_blocking(move || config(extra)).await;
        made.map_err(|_| Error::ConfigurationError)?
            .map_err(|error| {
                tracing::error!("TLS cannot be set up: {error}");
                Error::ConfigurationError
            })
    }
}

fn config(extra: Vec<CertificateDer<'static>>) -> Result<Arc<ClientConfig>, rustls::Error> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::warn!("a certificate of the system cannot be read: {error}");
    }
    // Some systems keep certificates that rustls cannot parse; the others hold.
    roots.add_parsable_certificates(system.certs);
    for root in extra {
        roots.add(root)?;
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config.resumption = Resumption::disabled();
    Ok(Arc::new(config))
}

fn read_roots(path: &Path) -> Result<Vec<CertificateDer<'static>>, SetupError> {
    let path: PathBuf = path.into();
    let bytes = read_file(&path).map_err(|source| SetupError::CaFile {
        path: path.clone(),
        source,
    })?;
    let roots: Vec<_> = CertificateDer::pem_slice_iter(&bytes)
        .collect::<Result<_, _>>()
        .unwrap_or_default();
    let mut store = RootCertStore::empty();
    if roots.is_empty() || roots.iter().any(|root| store.add(root.clone()).is_err()) {
        return Err(SetupError::NoCa { path });
    }
    Ok(roots)
}

/// Nothing that blocks or never ends is read.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(MAX_CA_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CA_BYTES {
        let error = format!("it has more than {} MiB", MAX_CA_BYTES >> 20);
        return Err(io::Error::other(error));
    }
    Ok(bytes)
}

fn server_name(url: &Url) -> Option<ServerName<'static>> {
    match url.host()? {
        Host::Ipv4(address) => Some(std::net::IpAddr::from(address).into()),
        Host::Ipv6(address) => Some(std::net::IpAddr::from(address).into()),
        Host::Domain(name) => ServerName::try_from(name.to_owned()).ok(),
    }
}

/// Why a server is not talked to.
pub(super) struct Untrusted {
    /// What the guest is told.
    pub(super) error: Error,
    /// Nobody that is trusted vouches for the certificate: a further root would do.
    pub(super) unknown_issuer: bool,
}

impl From<Error> for Untrusted {
    fn from(error: Error) -> Self {
        Self {
            error,
            unknown_issuer: false,
        }
    }
}

fn untrusted(error: &io::Error) -> Untrusted {
    tracing::debug!("no TLS: {error}");
    let unknown_issuer = matches!(
        rustls_error(error),
        Some(rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer
        ))
    );
    Untrusted {
        error: fault(error).unwrap_or(Error::ConnectionTerminated),
        unknown_issuer,
    }
}

fn rustls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// What the guest is told, when TLS is at fault.
pub(super) fn fault(error: &io::Error) -> Option<Error> {
    Some(match rustls_error(error)? {
        rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
            Error::TlsCertificateError
        }
        rustls::Error::AlertReceived(alert) => Error::TlsAlertReceived {
            alert_id: Some(u8::from(*alert)),
            alert_message: Some(format!("{alert:?}")),
        },
        _ => Error::TlsProtocolError,
    })
}
