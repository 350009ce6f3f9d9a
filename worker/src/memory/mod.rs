//! How much memory this process may take, and how much of it is for the tables of each slot. `cgroup` and `limits` read texts of
//! the system, `budget` divides what they say among the slots, and none of them touches anything; `system` reads the files.

mod budget;
mod cgroup;
mod limits;
mod system;

pub use budget::{Budget, Others};
pub use system::Memory;
