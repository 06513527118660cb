//! Configuration of TLS 1.3 with a fixed certificate and a fixed date.

use quinn_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;
use std::time::Duration;

/// Certificate for the name "server", self-signed with Ed25519, valid from 2026 to 2100. It gives no
/// security, because its key is in the same repository.
const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.der");
const KEY: &[u8] = include_bytes!("tls/key.der");

/// Server name that the client requests.
pub(crate) const SERVER: &str = "server";

/// A clock that always returns `DATE`.
#[derive(Debug)]
struct Fixed;

/// Date of all handshakes, 2033-05-18, in seconds since 1970.
pub(crate) const DATE: Duration = Duration::from_secs(2_000_000_000);

impl TimeProvider for Fixed {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(DATE))
    }
}

/// Returns the client's and the server's configuration.
///
/// # Errors
/// If rustls rejects the fixed certificate, which is a bug.
pub(crate) fn configs() -> Result<(Arc<QuicClientConfig>, Arc<QuicServerConfig>), Box<dyn std::error::Error>>
{
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let only = [&rustls::version::TLS13];
    let certificate = CertificateDer::from(CERTIFICATE);
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone())?;
    let client = ClientConfig::builder_with_details(Arc::clone(&provider), Arc::new(Fixed));
    let client = client.with_protocol_versions(&only)?.with_root_certificates(roots).with_no_client_auth();
    let server = ServerConfig::builder_with_details(provider, Arc::new(Fixed));
    let server = server.with_protocol_versions(&only)?.with_no_client_auth();
    let server = server.with_single_cert(vec![certificate], PrivatePkcs8KeyDer::from(KEY).into())?;
    Ok((Arc::new(QuicClientConfig::try_from(client)?), Arc::new(QuicServerConfig::try_from(server)?)))
}
