//! A small coordinator over a real loopback socket, whose answers a test decides.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use refute_proto::v1;
use refute_proto::v1::complete_request::Part;
use refute_proto::v1::workers_server::{Workers, WorkersServer};
use refute_proto::{MAX_MESSAGE_BYTES, PROTOCOL};
use refute_shared::sweep::{Manifest, Shard, Sweep};
use tokio::task::JoinHandle;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};

/// What the coordinator knows and what has reached it.
#[derive(Default)]
pub struct State {
    /// Workers that it knows.
    pub workers: BTreeSet<u64>,
    pub registrations: Vec<v1::RegisterRequest>,
    /// Shards to lease, the last first.
    pub pending: Vec<v1::Lease>,
    /// Leases to stop at the next heartbeat.
    pub stop: Vec<u64>,
    /// Progress by lease, as heartbeats said.
    pub progress: BTreeMap<u64, u128>,
    pub heartbeats: usize,
    /// How many requests for a lease are still to be answered with a time to come back.
    pub busy: usize,
    pub completed: Vec<Completed>,
    /// Leases given back, with the reason.
    pub released: Vec<(u64, String)>,
    /// Refuses every registration with this sentence.
    pub refuse: Option<String>,
}

/// A result that has come in.
#[derive(Debug, Clone)]
pub struct Completed {
    pub header: v1::CompleteHeader,
    pub counterexamples: usize,
    pub records: usize,
    pub coverage: u128,
}

#[derive(Clone, Default)]
pub struct Coordinator {
    state: Arc<Mutex<State>>,
}

impl Coordinator {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Forgets every worker, as a coordinator does that restarts.
    pub fn restart(&self) {
        self.state().workers.clear();
    }

    /// Serves on this address until the handle is aborted.
    pub fn serve(&self, address: SocketAddr) -> (SocketAddr, JoinHandle<()>) {
        let incoming = TcpIncoming::bind(address).unwrap();
        let address = incoming.local_addr().unwrap();
        let service = WorkersServer::new(self.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let serve = async move {
            Server::builder().add_service(service).serve_with_incoming(incoming).await.unwrap();
        };
        (address, tokio::spawn(serve))
    }

    /// Waits until something is so.
    pub async fn until(&self, what: &str, so: impl Fn(&State) -> bool) {
        for _ in 0..3_000 {
            if so(&self.state()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("never: {what}");
    }

    fn known(&self, worker_id: u64) -> Result<MutexGuard<'_, State>, Status> {
        let state = self.state();
        if state.workers.contains(&worker_id) { Ok(state) } else { Err(Status::not_found(format!("there is no worker {worker_id}"))) }
    }
}

#[tonic::async_trait]
impl Workers for Coordinator {
    async fn register(&self, request: Request<v1::RegisterRequest>) -> Result<Response<v1::RegisterResponse>, Status> {
        let mut state = self.state();
        if let Some(reason) = &state.refuse {
            return Err(Status::failed_precondition(reason));
        }
        let request = request.into_inner();
        assert_eq!(request.protocol, PROTOCOL);
        state.registrations.push(request);
        let worker_id = state.registrations.len() as u64;
        state.workers.insert(worker_id);
        Ok(Response::new(v1::RegisterResponse { worker_id, lease_ttl_ms: 30_000, heartbeat_every_ms: 50 }))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        let v1::LeaseRequest { worker_id, shards, .. } = request.into_inner();
        let mut state = self.known(worker_id)?;
        if state.busy > 0 {
            state.busy -= 1;
            let mut status = Status::resource_exhausted("too many at a time");
            status.metadata_mut().insert("grpc-retry-pushback-ms", "20".parse().unwrap());
            return Err(status);
        }
        let left = state.pending.len().saturating_sub(shards as usize);
        let leases = state.pending.split_off(left).into_iter().rev().collect();
        Ok(Response::new(v1::LeaseResponse { leases, retry_after_ms: 20 }))
    }

    async fn heartbeat(&self, request: Request<v1::HeartbeatRequest>) -> Result<Response<v1::HeartbeatResponse>, Status> {
        let request = request.into_inner();
        let mut state = self.known(request.worker_id)?;
        state.heartbeats += 1;
        for lease in request.leases {
            state.progress.insert(lease.lease_id, lease.decided.unwrap().into());
        }
        Ok(Response::new(v1::HeartbeatResponse { stop: state.stop.clone() }))
    }

    async fn complete(&self, request: Request<Streaming<v1::CompleteRequest>>) -> Result<Response<v1::CompleteResponse>, Status> {
        let mut parts = request.into_inner();
        let mut results: Vec<Completed> = Vec::new();
        while let Some(request) = parts.message().await? {
            let result = results.last_mut();
            match (request.part, result) {
                (Some(Part::Header(header)), _) => {
                    drop(self.known(header.worker_id)?);
                    results.push(Completed { header, counterexamples: 0, records: 0, coverage: 0 });
                }
                (Some(Part::Counterexamples(part)), Some(result)) => result.counterexamples += part.candidates.len(),
                (Some(Part::Records(part)), Some(result)) => result.records += part.records.len(),
                (Some(Part::Coverage(part)), Some(result)) => {
                    result.coverage += part.counts.iter().map(|count| u128::from(count.count.unwrap())).sum::<u128>();
                }
                (Some(Part::Groups(_)), Some(_)) => {}
                _ => return Err(Status::invalid_argument("a part that does not belong here")),
            }
        }
        let answers = results.iter().map(|_| v1::ResultAnswer { counted: true, ..Default::default() }).collect();
        self.state().completed.extend(results);
        Ok(Response::new(v1::CompleteResponse { results: answers }))
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        let request = request.into_inner();
        self.known(request.worker_id)?.released.push((request.lease_id, request.error));
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    async fn deregister(&self, request: Request<v1::DeregisterRequest>) -> Result<Response<v1::DeregisterResponse>, Status> {
        let worker_id = request.into_inner().worker_id;
        self.known(worker_id)?.workers.remove(&worker_id);
        Ok(Response::new(v1::DeregisterResponse {}))
    }
}

/// A sweep of graph-nim on G4 with these weights, whose claims are held against position by position.
pub fn sweep(weights: &str, record: &str) -> Sweep {
    let text =
        format!("name = \"t\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"G4\"\nweights = \"{weights}\"\n[run]\nrecord = \"{record}\"\n");
    Sweep::resolve(Manifest::parse(&text).unwrap()).unwrap()
}

/// A lease of a run of units of the first box.
pub fn lease(sweep: &Sweep, lease_id: u64, shard: &Shard) -> v1::Lease {
    v1::Lease {
        lease_id,
        sweep_id: sweep.id(),
        family: sweep.family.id().to_owned(),
        solver_version: sweep.family.solver_version(),
        space: sweep.space.encode(),
        stated: Vec::new(),
        claims: sweep.claim_ids().into_iter().map(str::to_owned).collect(),
        counterexamples: 10,
        record: sweep.options().record.word().to_owned(),
        shard_number: lease_id,
        shard: Some(v1::Shard { box_index: shard.box_index, start: shard.start, end: shard.end }),
    }
}

/// The whole first box in one lease.
pub fn whole(sweep: &Sweep, lease_id: u64) -> v1::Lease {
    lease(sweep, lease_id, &Shard { box_index: 0, start: 0, end: sweep.space.units(0) })
}
