//! Authorities and certificates made for a test, and coordinators, workers and clients that use them.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, date_time_ymd,
};

use crate::network::Coordinator;
use crate::process::{Ended, Process, refute, refute_worker};
use crate::room::Room;

/// One that signs certificates, whose own is `NAME.crt` of its room.
pub struct Authority<'a> {
    room: &'a Room,
    name: String,
    issuer: CertifiedIssuer<'static, KeyPair>,
    /// The certificates between it and the one that is trusted, its own first; empty if it is trusted itself.
    between: String,
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
        Self::bounded(room, name, BasicConstraints::Unconstrained)
    }

    /// One below which a path may only be so long.
    pub fn bounded(room: &'a Room, name: &str, bound: BasicConstraints) -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "authority of the tests");
        params.is_ca = IsCa::Ca(bound);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        room.write(&format!("{name}.crt"), &issuer.pem());
        Self { room, name: name.to_owned(), issuer, between: String::new() }
    }

    /// Another that this one has signed, with this serial number. Who checks its certificates trusts this one.
    pub fn intermediate(&self, name: &str, serial: u64) -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.serial_number = Some(serial.into());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let issuer = CertifiedIssuer::signed_by(params, KeyPair::generate().unwrap(), &self.issuer).unwrap();
        let between = format!("{}{}", issuer.pem(), self.between);
        Self { room: self.room, name: self.name.clone(), issuer, between }
    }

    /// Writes the list of those that this one has revoked, by their serial numbers, and returns the file's name.
    pub fn revoke(&self, file: &str, serials: &[u64]) -> String {
        let revoked = |serial: &u64| RevokedCertParams {
            serial_number: (*serial).into(),
            revocation_time: date_time_ymd(2021, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2021, 1, 1),
            next_update: date_time_ymd(4000, 1, 1),
            crl_number: 1u64.into(),
            issuing_distribution_point: None,
            revoked_certs: serials.iter().map(revoked).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        self.room.write(file, &list.signed_by(&self.issuer).unwrap().pem().unwrap())
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
        self.room.write(&format!("{name}.crt"), &format!("{}{}", certificate.pem(), self.between));
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
