//! What a sweep of partizan subtraction counts besides its claims.

use crate::families::Entry;
use crate::sweep::{Group, GroupKind};

use super::PartizanSubtraction;
use super::census;
use super::long_run::LongRun;

/// Whether a shard of a box may count into a group, in a sweep with these claims.
pub fn may_count(group: &Group, claims: &[Entry<PartizanSubtraction>]) -> bool {
    group.kind == GroupKind::Sum && (LongRun::may_be(&group.label) || census::is_label(&group.label, claims))
}
