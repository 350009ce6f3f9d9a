//! The commands that keep a data directory on this machine, and how the others read one.

mod data_directory;
mod package_files;
mod restore;
mod run;
mod security;
mod serve;

pub use data_directory::DataDirectory;
pub use package_files::PackageFiles;
pub use restore::Restore;
pub use run::Run;
pub use serve::Serve;
