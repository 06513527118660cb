//! TLS 1.3 for a server whose certificate is fixed, at a fixed date.

use quinn_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::sync::Arc;
use std::time::Duration;

/// Self-signed with Ed25519 for the name "server", valid from 2026 to 2100. It protects nothing: its key is beside it.
const CERTIFICATE: &[u8] = include_bytes!("tls/certificate.der");
const KEY: &[u8] = include_bytes!("tls/key.der");

/// The name of the server that the client asks for.
pub(crate) const SERVER: &str = "server";

/// 2033-05-18, at all times.
#[derive(Debug)]
struct Fixed;

/// That date in seconds since 1970.
pub(crate) const DATE: Duration = Duration::from_secs(2_000_000_000);

impl TimeProvider for Fixed {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(DATE))
    }
}

/// Returns the client's and the server's configuration.
///
/// # Errors
/// Fault that rustls finds in the fixed certificate, which is a bug.
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
