mod hosts;
mod laws;
mod promises;
mod replicas;
mod stories;
