//! A worker that a test steers call by call, so that it can also do what no worker should.

use std::sync::Arc;

use refute_proto::PROTOCOL;
use refute_proto::v1;
use refute_proto::v1::workers_client::WorkersClient;
use refute_shared::families::{Pulse, Task, find};
use refute_shared::sweep::ShardResult;
use refute_worker::assignment::{Assignment, Solved};
use refute_worker::wire::{self, Parts};
use tokio::runtime::Runtime;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

/// A worker that does what a test tells it, also what no worker should.
pub struct Puppet {
    runtime: Runtime,
    client: WorkersClient<Channel>,
    instance: String,
    worker_id: u64,
    /// How many it says that it has when it registers.
    pub slots: u32,
    /// What it says that each of them may take.
    pub slot_bytes: u64,
    /// What is added to the true version of each solver.
    versions_ahead: u32,
    /// How many results it may have on their way.
    backlog: u32,
}

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

impl Puppet {
    /// A worker with one slot that is registered under this name.
    pub fn new(coordinator: &str, instance: &str) -> Self {
        Self::start(coordinator, instance, 0, 0)
    }

    /// One that may have so many results on their way.
    pub fn with_backlog(coordinator: &str, instance: &str, backlog: u32) -> Self {
        Self::start(coordinator, instance, 0, backlog)
    }

    /// One that says that its solvers are of later versions, by so many.
    pub fn of_other_build(coordinator: &str, instance: &str, versions_ahead: u32) -> Self {
        Self::start(coordinator, instance, versions_ahead, 0)
    }

    /// One that calls from an address of its own.
    pub fn calling_from(coordinator: &str, instance: &str, address: &str) -> Self {
        let local = address.parse().unwrap();
        Self::open(Endpoint::from_shared(format!("http://{coordinator}")).unwrap().local_address(Some(local)), instance, 0, 0)
    }

    fn start(coordinator: &str, instance: &str, versions_ahead: u32, backlog: u32) -> Self {
        Self::open(Endpoint::from_shared(format!("http://{coordinator}")).unwrap(), instance, versions_ahead, backlog)
    }

    fn open(endpoint: Endpoint, instance: &str, versions_ahead: u32, backlog: u32) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = WorkersClient::new(runtime.block_on(endpoint.connect()).unwrap());
        let mut puppet =
            Self { runtime, client, instance: instance.to_owned(), worker_id: 0, slots: 1, slot_bytes: 1 << 30, versions_ahead, backlog };
        puppet.register();
        puppet
    }

    /// Registers (again).
    pub fn register(&mut self) {
        let families = refute_shared::families::FAMILIES.iter();
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            build: "puppet".into(),
            host: self.instance.clone(),
            slots: self.slots,
            slot_bytes: self.slot_bytes,
            families: families
                .map(|family| v1::FamilyVersion {
                    family: family.id().to_owned(),
                    solver_version: family.solver_version() + self.versions_ahead,
                })
                .collect(),
            instance: self.instance.clone(),
            backlog: self.backlog,
            memory_kills: 0,
        };
        self.worker_id = self.runtime.block_on(self.client.register(request)).unwrap().into_inner().worker_id;
    }

    /// The id that the coordinator gave it last.
    pub fn worker_id(&self) -> u64 {
        self.worker_id
    }

    /// Says that it cannot solve a shard.
    pub fn give_up(&mut self, assignment: &Assignment, error: &str) {
        let request = v1::ReleaseRequest { worker_id: self.worker_id, lease_id: assignment.lease_id, error: error.into() };
        self.runtime.block_on(self.client.release(request)).unwrap();
    }

    /// Says goodbye.
    pub fn leave(&mut self) {
        self.runtime.block_on(self.client.deregister(v1::DeregisterRequest { worker_id: self.worker_id })).unwrap();
    }

    /// Asks for a shard once.
    pub fn lease(&mut self) -> Result<Option<Assignment>, Status> {
        Ok(self.lease_many(1)?.into_iter().next())
    }

    /// Asks for so many shards once.
    pub fn lease_many(&mut self, shards: u32) -> Result<Vec<Assignment>, Status> {
        self.request(shards, 0)
    }

    /// Makes the request for shards of this number.
    pub fn request(&mut self, shards: u32, number: u64) -> Result<Vec<Assignment>, Status> {
        let request = v1::LeaseRequest { worker_id: self.worker_id, shards, number };
        let leases = self.runtime.block_on(self.client.lease(request))?.into_inner().leases;
        Ok(leases.into_iter().map(|lease| wire::assignment(lease).unwrap()).collect())
    }

    /// Solves a shard as it should be solved.
    pub fn solve(assignment: &Assignment) -> ShardResult {
        let family = find(&assignment.family).unwrap();
        let task = Task { counterexamples: assignment.counterexamples, record: assignment.record, budget_bytes: 1 << 30 };
        family
            .decode(&assignment.space, &assignment.stated, &assignment.claims)
            .unwrap()
            .solver()
            .solve(&assignment.shard, &task, &mut GoOn)
            .unwrap()
    }

    /// Hands a result in, whatever it is, and returns whether the shard is done with it.
    pub fn deliver(&mut self, assignment: &Assignment, result: ShardResult) -> Result<bool, Code> {
        let parts = self.parts(assignment, result);
        let answers = self.complete(parts).map_err(|status| status.code())?;
        let [answer] = answers[..] else { panic!("one result was handed in: {answers:?}") };
        answer
    }

    /// The messages with which it hands a result in.
    pub fn parts(&self, assignment: &Assignment, result: ShardResult) -> Vec<v1::CompleteRequest> {
        let solved = Arc::new(Solved { assignment: assignment.clone(), result, seconds: 0.1 });
        Parts::new(self.worker_id, &self.instance, solved).collect()
    }

    /// Makes one call of these messages, and returns what is answered to each result.
    pub fn complete(&mut self, parts: Vec<v1::CompleteRequest>) -> Result<Vec<Result<bool, Code>>, Status> {
        let answer = self.runtime.block_on(self.client.complete(tokio_stream::iter(parts)))?;
        let one = |answer: v1::ResultAnswer| if answer.code == 0 { Ok(answer.counted) } else { Err(Code::from_i32(answer.code as i32)) };
        Ok(answer.into_inner().results.into_iter().map(one).collect())
    }
}
