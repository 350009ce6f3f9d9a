//! Manifests that several tests share, each with its number of configurations.

/// A small space on H1 on which nothing is refuted. 6^4 configurations.
pub const HELD: &str = "name = \"held\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"1..=6\"\n";

/// A small space on H1 with weights from 0 on, on which Lemma 4.9 (iii) is refuted in the form that is printed. 7^4 configurations.
pub const REFUTED: &str = "name = \"refuted\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"0..=6\"\n";

/// A sweep of several boxes of all kinds, to be cut as finely as asked: 10^4 + 3 · 7^4 + 9^2 + 4 · 5^2 · 3 + C(15, 3) configurations.
pub fn several_boxes(name: &str, shard_seconds: &str) -> String {
    format!(
        "name = \"{name}\"\nfamily = \"graph-nim\"\n\
         [[space]]\ngraph = \"H1\"\nweights = \"0..=9\"\n\
         [[space]]\ngraph = [\"G4\", \"I1\", \"H3\"]\nweights = \"1..=7\"\n\
         [[space]]\nedges = \"AB BC\"\nweights = \"0..=8\"\n\
         [[space]]\ngraph = \"H2\"\nweights = {{ AB = \"2..=5\", other = \"1..=5\" }}\n\
         [[space]]\nedge_sets = {{ vertices = 6, edges = 3 }}\n\
         [run]\nshard_seconds = {shard_seconds}\n"
    )
}

/// A sweep of one configuration, so of one shard: a heap for which all smaller ones are solved, at some 10^8 a second.
pub fn one_shard(name: &str, heap: u64) -> String {
    format!(
        "name = \"{name}\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/thm-1.3.*\"]\n\
         [space]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = {heap}\n"
    )
}

/// A sweep of 51^4 configurations that takes some seconds of one core, in some sixty shards: long enough to be killed in the middle
/// of it. Claims on G4 are held against position by position.
pub const LONG: &str =
    "name = \"long\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"G4\"\nweights = \"0..=50\"\n[run]\nshard_seconds = 0.005\n";
