//! Configuration of TLS 1.3 with a fixed certificate and a fixed date.

use quinn_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use ring::rand::{SecureRandom, SystemRandom};
use rustls::crypto::ring::{cipher_suite, kx_group, sign};
use rustls::crypto::{CryptoProvider, GetRandomFailed, KeyProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::sign::SigningKey;
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, Error, RootCertStore, ServerConfig, SignatureScheme};
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

/// Source of random bytes and keys for handshakes.
#[derive(Debug)]
struct Ring;

impl rustls::crypto::SecureRandom for Ring {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        SystemRandom::new().fill(bytes).map_err(|_| GetRandomFailed)
    }
}

impl KeyProvider for Ring {
    fn load_private_key(&self, key: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        let PrivateKeyDer::Pkcs8(key) = key else {
            return Err(Error::General("the key is not in PKCS #8".into()));
        };
        sign::any_eddsa_type(&key)
    }
}

/// Signatures that the certificate and handshakes have.
static SIGNATURES: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[webpki::ring::ED25519],
    mapping: &[(SignatureScheme::ED25519, &[webpki::ring::ED25519])],
};

/// Returns the algorithms that two of these ends agree on, and AES-128, which protects QUIC's Initial packets. rustls's
/// own provider also has RSA and NIST's curves, whose code and tables take 0.2 MB of a wheel.
fn provider() -> CryptoProvider {
    CryptoProvider {
        cipher_suites: vec![
            cipher_suite::TLS13_AES_256_GCM_SHA384,
            cipher_suite::TLS13_AES_128_GCM_SHA256,
            cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
        ],
        kx_groups: vec![kx_group::X25519],
        signature_verification_algorithms: SIGNATURES,
        secure_random: &Ring,
        key_provider: &Ring,
    }
}

/// Returns the client's and the server's configuration.
///
/// # Errors
/// If rustls rejects the fixed certificate, which is a bug.
pub(crate) fn configs() -> Result<(Arc<QuicClientConfig>, Arc<QuicServerConfig>), Box<dyn std::error::Error>>
{
    let provider = Arc::new(provider());
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
