//! The authorities that are trusted, with how many others each may have between it and a certificate.
//!
//! That number stands in the authority's own certificate (`pathlen` in its basicConstraints). The library that checks paths looks at
//! it in every certificate that comes with a caller, and of what is trusted takes the name and the key alone. So each path is looked
//! at once more, under those authorities that allow one as long.

use std::fmt;
use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, RootCertStore, SignatureScheme};
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// The most authorities that a path may have in between; the library that checks paths takes no more either.
const MAX_BETWEEN: usize = 6;

/// The authorities that are trusted.
#[derive(Clone, Debug)]
pub struct Authorities(Vec<Authority>);

#[derive(Clone, Debug)]
struct Authority {
    certificate: CertificateDer<'static>,
    /// How many others there may be in between; any number if it does not say.
    between: Option<u32>,
}

/// That a certificate has more authorities above it than the one that is trusted allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is an authority between it and the one in --tls-ca, and that one allows none, or not so many (pathlen)")]
pub struct PathTooLong;

impl Authorities {
    /// The authorities of these certificates.
    ///
    /// # Errors
    /// What is wrong with the first that is none.
    pub fn of(certificates: impl IntoIterator<Item = CertificateDer<'static>>) -> Result<Self, Error> {
        let authority = |certificate: CertificateDer<'static>| {
            RootCertStore::empty().add(certificate.clone())?;
            let (_, read) = X509Certificate::from_der(&certificate).map_err(|_| CertificateError::BadEncoding)?;
            let constraints = read.basic_constraints().map_err(|_| CertificateError::BadEncoding)?;
            let between = constraints.and_then(|constraints| constraints.value.path_len_constraint);
            Ok(Authority { certificate, between })
        };
        certificates.into_iter().map(authority).collect::<Result<_, Error>>().map(Self)
    }

    /// Those that allow so many others in between.
    fn allowing(&self, between: usize) -> Arc<RootCertStore> {
        let mut store = RootCertStore::empty();
        let allows = |authority: &&Authority| authority.between.is_none_or(|most| between <= most as usize);
        for authority in self.0.iter().filter(allows) {
            // Each was added to a store once, so it can be.
            let _ = store.add(authority.certificate.clone());
        }
        Arc::new(store)
    }

    /// A verifier for all of them, and where one of them bounds its paths also one for each length, as far as any allows it.
    fn verifiers<V, E>(&self, make: impl Fn(Arc<RootCertStore>) -> Result<V, E>) -> Result<Bounded<V>, E> {
        let mut by_length = Vec::new();
        if self.0.iter().any(|authority| authority.between.is_some()) {
            let stores = (0..=MAX_BETWEEN).map(|between| self.allowing(between)).take_while(|store| !store.is_empty());
            by_length = stores.map(&make).collect::<Result<_, E>>()?;
        }
        Ok(Bounded { any: make(self.allowing(0))?, by_length })
    }

    /// What checks the certificates of callers, made of one that does so under some authorities.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn client_verifier<E>(
        &self,
        make: impl Fn(Arc<RootCertStore>) -> Result<Arc<dyn ClientCertVerifier>, E>,
    ) -> Result<Arc<dyn ClientCertVerifier>, E> {
        Ok(Arc::new(self.verifiers(make)?))
    }

    /// What checks the certificates of coordinators, likewise.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn server_verifier<V: ServerCertVerifier + 'static, E>(
        &self,
        make: impl Fn(Arc<RootCertStore>) -> Result<Arc<V>, E>,
    ) -> Result<Arc<dyn ServerCertVerifier>, E> {
        Ok(Arc::new(self.verifiers(|roots| make(roots).map(|verifier| verifier as Arc<dyn ServerCertVerifier>))?))
    }
}

/// A verifier, and others by the number of authorities in between, each under those that allow as many.
struct Bounded<V> {
    any: V,
    /// Empty where no authority bounds its paths.
    by_length: Vec<V>,
}

impl<V> Bounded<V> {
    /// Verifies a path. The certificates in between come in the order of the path, so those that it needs are the first.
    fn verify<T>(
        &self,
        between: &[CertificateDer<'_>],
        verify: impl Fn(&V, &[CertificateDer<'_>]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let verified = verify(&self.any, between)?;
        let fits = |(length, verifier): (usize, &V)| between.get(..length).is_some_and(|between| verify(verifier, between).is_ok());
        if self.by_length.is_empty() || self.by_length.iter().enumerate().any(fits) {
            return Ok(verified);
        }
        Err(Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(PathTooLong)))))
    }
}

impl<V: fmt::Debug> fmt::Debug for Bounded<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.any.fmt(formatter)
    }
}

impl ClientCertVerifier for Bounded<Arc<dyn ClientCertVerifier>> {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.any.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        own: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.verify(between, |verifier, between| verifier.verify_client_cert(own, between, now))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.any.verify_tls12_signature(message, own, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.any.verify_tls13_signature(message, own, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.any.supported_verify_schemes()
    }
}

impl ServerCertVerifier for Bounded<Arc<dyn ServerCertVerifier>> {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.verify(between, |verifier, between| verifier.verify_server_cert(own, between, name, ocsp, now))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.any.verify_tls12_signature(message, own, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.any.verify_tls13_signature(message, own, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.any.supported_verify_schemes()
    }
}
