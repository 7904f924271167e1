//! TLS by rustls: TLS 1.2 and 1.3, with one certificate, which is read again on request.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// A certificate and its key, from their files.
#[derive(Clone)]
pub struct Tls {
    certificates: PathBuf,
    key: PathBuf,
    /// Swapped as a whole: a handshake has either the old pair or the new one.
    current: Arc<RwLock<Arc<ServerConfig>>>,
}

/// Files that cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// One cannot be read.
    #[error("cannot read {0}: {1}; it must be a PEM file")]
    File(PathBuf, pem::Error),
    /// It has no certificate.
    #[error(
        "{0} has no certificate: it must hold the server's certificate and those above it, in PEM, \
         each beginning with -----BEGIN CERTIFICATE-----"
    )]
    NoCertificate(PathBuf),
    /// It has no key.
    #[error(
        "{0} has no private key: it must hold the certificate's key in PEM, not encrypted, \
         beginning with -----BEGIN PRIVATE KEY-----"
    )]
    NoKey(PathBuf),
    /// They do not belong together, or are of a kind that is not taken.
    #[error("the certificate in {0} and the key in {1} cannot serve: {2}")]
    Pair(PathBuf, PathBuf, rustls::Error),
}

impl Tls {
    /// Reads the files.
    pub fn open(certificates: &Path, key: &Path) -> Result<Self, TlsError> {
        Ok(Self {
            certificates: certificates.to_owned(),
            key: key.to_owned(),
            current: Arc::new(RwLock::new(read(certificates, key)?)),
        })
    }

    /// Reads the files again, for connections from now on. After an error all stays as it was.
    pub fn reload(&self) -> Result<(), TlsError> {
        let new = read(&self.certificates, &self.key)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    /// Shakes hands with the current certificate.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(current.clone())
    }
}

/// Reads both files and tries whether they fit, before anything of before is given up.
fn read(certificates: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = CertificateDer::pem_file_iter(certificates)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| TlsError::File(certificates.to_owned(), error))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificates.to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey(key.to_owned()),
        error => TlsError::File(key.to_owned(), error),
    })?;
    let pair = |error| TlsError::Pair(certificates.to_owned(), key.to_owned(), error);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(pair)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(pair)?;
    // The only protocol that the server speaks.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
