mod hosts;
mod laws;
mod promises;
mod replicas;
mod steps;
mod stories;
