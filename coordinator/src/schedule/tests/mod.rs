//! Tests of the schedule alone, in virtual time: stories of what may happen, the laws under random events, and the promises
//! about bad hosts.

mod hosts;
mod laws;
mod promises;
mod replicas;
mod steps;
mod stories;
