//! Clients that mean harm, beside honest ones: what they hand in costs them more than it costs the coordinator.

use refute_proto::v1::complete_request::Part;
use refute_proto::v1::{CompleteRequest, Record, RecordPart};
use refute_worker::assignment::Assignment;
use tonic::Code;

use crate::network::Coordinator;
use crate::puppet::Puppet;
use crate::room::Room;

const MANIFEST: &str = "name = \"three\"\nfamily = \"null\"\n[space]\nheap = \"1..=3\"\n[run]\nshard_seconds = 1e-9\n";

/// The messages of a result of which the header is sound, and then so many parts of 10,000 records each.
fn padded(puppet: &Puppet, assignment: &Assignment, parts: usize) -> Vec<CompleteRequest> {
    let record = Record { key: vec![0; 64], value: "0".into() };
    let part = CompleteRequest { part: Some(Part::Records(RecordPart { records: vec![record; 10_000] })) };
    let header = puppet.parts(assignment, Puppet::solve(assignment)).swap_remove(0);
    std::iter::once(header).chain(std::iter::repeat_n(part, parts)).collect()
}

#[test]
fn results_that_nobody_wants_are_refused_by_their_header_and_sound_ones_count() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(MANIFEST);
    let [mut ada, mut bob] = ["ada", "bob"].map(|name| Puppet::new(&coordinator.address, name));
    let assignments = [ada.lease().unwrap().unwrap(), bob.lease().unwrap().unwrap()];
    // One that has left is not known: the whole call ends.
    let parts = padded(&ada, &assignments[0], 3);
    ada.leave();
    assert_eq!(ada.complete(parts).unwrap_err().code(), Code::NotFound);
    // No such sweep, and no such shard: each is one result's, and the last one of the call counts. Were their parts kept, they would
    // be more than a call may have, and the answer another one.
    let nowhere = Assignment { sweep_id: "nowhere".into(), ..assignments[1].clone() };
    let beyond = Assignment { shard_number: 3, ..assignments[1].clone() };
    let mut parts = padded(&bob, &nowhere, 90);
    parts.extend(padded(&bob, &beyond, 90));
    parts.extend(bob.parts(&assignments[1], Puppet::solve(&assignments[1])));
    let refused = Err(Code::FailedPrecondition);
    assert_eq!(bob.complete(parts).unwrap(), [refused, refused, Ok(true)]);
    // 90 parts of 2.2 MB in memory each of what is wanted.
    let parts = padded(&bob, &assignments[0], 90);
    assert_eq!(bob.complete(parts).unwrap(), [Err(Code::InvalidArgument)], "it takes too much");
    while let Some(assignment) = bob.lease().unwrap() {
        let result = Puppet::solve(&assignment);
        assert_eq!(bob.deliver(&assignment, result), Ok(true));
    }
    assert_eq!(coordinator.status(&id).done, 3);
}
