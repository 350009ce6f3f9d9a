//! Which calls a certificate allows. Its organizational unit names a role, and a call that stands on no list is for clients
//! alone.

use refute_proto::v1::{sweeps_server, workers_server};
use tonic::Status;
use tracing::{info, warn};

use super::peer::{Peer, Subject};

/// The health service, which tonic-health answers.
const HEALTH: &str = "grpc.health.v1.Health";

/// The calls that change nothing. Whatever stands on no list here, also what does not exist yet, is for clients alone.
const READING: [&str; 5] = ["List", "Status", "ListWorkers", "Report", "Export"];

/// Who may make the calls that are on no list.
const CLIENT_ALONE: &[Role] = &[Role::Client];

/// What a certificate lets its owner do, as its organizational unit says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Worker,
    Client,
    ReadOnly,
}

impl Role {
    fn unit(self) -> &'static str {
        match self {
            Self::Worker => "refute-worker",
            Self::Client => "refute-client",
            Self::ReadOnly => "refute-read-only",
        }
    }
}

/// What a call wants of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing but that it was accepted.
    Nothing,
    /// One of these roles.
    OneOf(&'static [Role]),
}

impl Wanted {
    /// What a call wants, which is named as `/package.Service/Method`.
    fn by(call: &str) -> Self {
        let (service, method) = call.strip_prefix('/').and_then(|call| call.split_once('/')).unwrap_or_default();
        if service == HEALTH {
            Self::Nothing
        } else if service == workers_server::SERVICE_NAME {
            Self::OneOf(&[Role::Worker])
        } else if service == sweeps_server::SERVICE_NAME && READING.contains(&method) {
            Self::OneOf(&[Role::Client, Role::ReadOnly])
        } else {
            Self::OneOf(CLIENT_ALONE)
        }
    }
}

/// Whether the log says who made a call: those that change something, and the registrations of workers.
fn is_told(call: &str) -> bool {
    Wanted::by(call) == Wanted::OneOf(CLIENT_ALONE) || call.ends_with("/Register")
}

/// A certificate has no role that may make a call.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the certificate of '{name}' has {units}, and {method} needs {needed}")]
struct NotItsRole {
    name: String,
    units: String,
    method: String,
    needed: String,
}

/// Whether the owner of a certificate may make a call.
fn admit(subject: &Subject, call: &str) -> Result<(), NotItsRole> {
    let Wanted::OneOf(roles) = Wanted::by(call) else { return Ok(()) };
    if roles.iter().any(|role| subject.units.iter().any(|unit| unit == role.unit())) {
        return Ok(());
    }
    let needed: Vec<String> = roles.iter().map(|role| format!("OU={}", role.unit())).collect();
    let units: Vec<String> = subject.units.iter().map(|unit| format!("OU={unit}")).collect();
    let units = if units.is_empty() { "no OU".to_owned() } else { units.join(", ") };
    let method = call.rsplit('/').next().unwrap_or_default().to_owned();
    Err(NotItsRole { name: subject.name.clone(), units, method, needed: needed.join(" or ") })
}

/// Lets a call through only if the certificate of its connection has a role that may make it. On a connection in plain text
/// everyone may do everything.
///
/// # Errors
/// The status of the call.
pub fn check(peer: Option<&Peer>, call: &str) -> Result<(), Status> {
    // Every connection that is taken here has one.
    let Some(peer) = peer else { return Err(Status::permission_denied("the connection is not known")) };
    let Some(subject) = &peer.subject else { return Ok(()) };
    if let Err(refused) = admit(subject, call) {
        warn!(peer = %peer.address, name = subject.name, role = subject.units.join(","), call, "call refused");
        return Err(Status::permission_denied(refused.to_string()));
    }
    if is_told(call) {
        info!(peer = %peer.address, name = subject.name, call, "call");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::pace::Pace;

    const ROLES: [Role; 3] = [Role::Worker, Role::Client, Role::ReadOnly];

    fn may(unit: &str, call: &str) -> bool {
        admit(&Subject { name: "ada".to_owned(), units: vec![unit.to_owned()] }, call).is_ok()
    }

    #[test]
    fn each_role_may_make_its_own_calls_and_no_others() {
        const WORK: [&str; 6] = ["Register", "Lease", "Heartbeat", "Complete", "Release", "Deregister"];
        const CHANGE: [&str; 8] = ["Submit", "Cancel", "Pause", "Resume", "Backup", "Drain", "", "list"];
        for call in WORK.map(|method| format!("/refute.v1.Workers/{method}")) {
            assert_eq!(ROLES.map(|role| may(role.unit(), &call)), [true, false, false], "{call}");
        }
        for call in CHANGE.map(|method| format!("/refute.v1.Sweeps/{method}")) {
            assert_eq!(ROLES.map(|role| may(role.unit(), &call)), [false, true, false], "{call}");
        }
        for call in READING.map(|method| format!("/refute.v1.Sweeps/{method}")) {
            assert_eq!(ROLES.map(|role| may(role.unit(), &call)), [false, true, true], "{call}");
        }
        for call in ["/refute.v2.Workers/Lease", "/refute.v1.Sweeps/List/", "/Sweeps/List", "List", ""] {
            assert_eq!(ROLES.map(|role| may(role.unit(), call)), [false, true, false], "{call}");
        }
    }

    #[test]
    fn how_the_coordinator_is_may_be_asked_with_any_certificate() {
        for unit in ["refute-worker", "refute-client", "refute-read-only", "refute-coordinator", ""] {
            assert!(may(unit, "/grpc.health.v1.Health/Check"), "{unit}");
        }
    }

    #[test]
    fn a_role_is_a_whole_unit_and_one_of_several_is_enough() {
        for unit in ["", "worker", "refute-workers", "Refute-Worker", " refute-worker", "refute-coordinator"] {
            assert!(!may(unit, "/refute.v1.Workers/Lease"), "{unit}");
        }
        let subject = Subject { name: "ada".to_owned(), units: vec!["Physics".to_owned(), "refute-worker".to_owned()] };
        assert_eq!(admit(&subject, "/refute.v1.Workers/Lease"), Ok(()));
        let refused = admit(&subject, "/refute.v1.Sweeps/List").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the certificate of 'ada' has OU=Physics, OU=refute-worker, and List needs OU=refute-client or OU=refute-read-only"
        );
        let nobody = Subject { name: "ada".to_owned(), units: vec![] };
        assert!(
            admit(&nobody, "/refute.v1.Sweeps/Submit").unwrap_err().to_string().ends_with("has no OU, and Submit needs OU=refute-client")
        );
    }

    #[tokio::test]
    async fn a_connection_of_which_nothing_is_known_may_do_nothing() {
        assert_eq!(check(None, "/refute.v1.Sweeps/List").unwrap_err().code(), tonic::Code::PermissionDenied);
        let address = ([127, 0, 0, 1], 1).into();
        let plain = Peer { address, subject: None, pace: Pace::new(address).0 };
        assert!(check(Some(&plain), "/refute.v1.Sweeps/Submit").is_ok());
    }
}
