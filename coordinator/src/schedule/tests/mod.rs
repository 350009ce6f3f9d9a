mod laws;
mod replicas;
mod stories;
