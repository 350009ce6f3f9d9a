//! The coordinator of `refute`: what it schedules, what it keeps, what it reports, and the commands that people type.
//!
//! [`schedule`] decides and [`report`] renders; both are pure. [`store`] is the database, [`rpc`] the sockets, [`driver`] the
//! one place where these meet, [`web`] what monitoring asks over HTTP, and [`cli`] what a person types.

#![warn(missing_docs)]

pub mod cli;
mod crowd;
pub mod driver;
pub mod report;
pub mod rpc;
pub mod schedule;
pub mod store;
pub mod web;
