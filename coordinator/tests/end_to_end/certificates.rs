//! Authorities and certificates made for a test, and coordinators, workers and clients that use them.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use crate::network::Coordinator;
use crate::process::{Ended, Process, refute, refute_worker};
use crate::room::Room;

/// One that signs certificates, whose own is `NAME.crt` of its room.
pub struct Authority<'a> {
    room: &'a Room,
    name: String,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// When a certificate is valid.
#[derive(Clone, Copy)]
pub enum Valid {
    Now,
    Past,
    Later,
}

impl<'a> Authority<'a> {
    /// A new one. All have the same subject: what tells them apart is their key.
    pub fn new(room: &'a Room, name: &str) -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "authority of the tests");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        room.write(&format!("{name}.crt"), &issuer.pem());
        Self { room, name: name.to_owned(), issuer }
    }

    /// The coordinator of this host.
    pub fn coordinator(&self, name: &str, host: &str) -> Identity {
        self.certify(name, &["refute-coordinator"], Some(host), Valid::Now)
    }

    /// One who calls the coordinator in this role.
    pub fn caller(&self, name: &str, role: &str) -> Identity {
        self.certify(name, &[role], None, Valid::Now)
    }

    /// A certificate and its key in `NAME.crt` and `NAME.key`, which replace those that were there. With a host it is a
    /// server's, without one a client's.
    pub fn certify(&self, name: &str, units: &[&str], host: Option<&str>, valid: Valid) -> Identity {
        let mut params = CertificateParams::new(host.map(str::to_owned).into_iter().collect::<Vec<_>>()).unwrap();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        for unit in units {
            params.distinguished_name.push(DnType::OrganizationalUnitName, *unit);
        }
        let purpose = if host.is_some() { ExtendedKeyUsagePurpose::ServerAuth } else { ExtendedKeyUsagePurpose::ClientAuth };
        params.extended_key_usages = vec![purpose];
        let (from, to) = match valid {
            Valid::Now => (2020, 4000),
            Valid::Past => (2019, 2020),
            Valid::Later => (3999, 4000),
        };
        (params.not_before, params.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(to, 1, 1));
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        self.room.write(&format!("{name}.crt"), &certificate.pem());
        self.room.write(&format!("{name}.key"), &key.serialize_pem());
        Identity { name: name.to_owned(), authority: self.name.clone() }
    }
}

/// The files of one side of TLS.
#[derive(Clone)]
pub struct Identity {
    name: String,
    authority: String,
}

impl Identity {
    /// The same, where the other side is to be signed by another authority.
    pub fn that_trusts(&self, authority: &Authority<'_>) -> Self {
        Self { name: self.name.clone(), authority: authority.name.clone() }
    }

    pub fn flags(&self) -> [String; 6] {
        let (certificate, key) = (format!("{}.crt", self.name), format!("{}.key", self.name));
        ["--tls-cert".into(), certificate, "--tls-key".into(), key, "--tls-ca".into(), format!("{}.crt", self.authority)]
    }
}

/// Starts a coordinator with TLS.
pub fn start_coordinator<'a>(room: &'a Room, identity: &Identity) -> Coordinator<'a> {
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).args(identity.flags());
    Coordinator::of(room, room.start(command))
}

/// Runs a command against a coordinator.
#[track_caller]
pub fn ask(room: &Room, coordinator: &str, identity: &Identity, arguments: &[&str]) -> Ended {
    let mut command = refute();
    command.args(arguments).args(["--coordinator", coordinator]).args(identity.flags());
    room.start(command).wait()
}

/// Starts a worker with one slot.
pub fn start_worker(room: &Room, coordinator: &str, identity: &Identity) -> Process {
    let mut command = refute_worker();
    command.args(["--coordinator", coordinator, "--slots", "1"]).args(identity.flags());
    room.start(command)
}
