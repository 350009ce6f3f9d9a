//! The report as data, which is also its JSON.

use refute_shared::families::{Counterexample, Figure};
use refute_shared::sweep::{Sentence, StatedClaim};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the JSON report. In version 1 `held` included what is `vacuous` now; its reports can still be read.
pub const FORMAT_VERSION: u32 = 2;

/// Configurations that are kept of a claim, smallest first: in memory, or to be read while the report is written.
pub trait Kept: Serialize {
    /// Whether there is none.
    fn is_empty(&self) -> bool;

    /// Whether the reference confirmed one of them.
    fn is_confirmed(&self) -> bool;
}

impl Kept for Vec<Counterexample> {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn is_confirmed(&self) -> bool {
        self.iter().any(|found| found.confirmed)
    }
}

/// The report of a sweep, as `--json` prints it. Counts that can pass 2^53 are decimal strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Kept", deserialize = "L: Default + Deserialize<'de>"))]
pub struct Report<L = Vec<Counterexample>> {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Which sweep.
    pub sweep: SweepHead,
    /// The sweep's state, one word.
    pub state: String,
    /// Why it is in this state, where there is something to say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// How much there is and how much was decided.
    pub configurations: Configurations,
    /// 32 hex digits; none until every configuration is decided.
    pub fingerprint: Option<String>,
    /// Time spent running, in seconds, over all starts.
    pub seconds: f64,
    /// One entry a claim, in the order of the family's list.
    pub claims: Vec<ClaimReport<L>>,
    /// How much of each box the claims decide together, those refuted in this sweep left out. Empty for families without it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub coverage: Vec<CoverageReport>,
    /// What else the family counts, apart from its claims. Empty for families without it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub groups: Vec<GroupReport>,
    /// Pictures of the kept positions, where the family draws them and there are not too many.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub figures: Vec<Figure>,
}

/// Which sweep a report is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepHead {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The family's id.
    pub family: String,
    /// The boxes, as a list.
    pub space: Value,
    /// The boxes in words, in the same order.
    pub boxes: Vec<String>,
    /// The version of the family's solver.
    pub solver_version: u32,
    /// How many workers must agree on the result of each shard.
    #[serde(default = "one")]
    pub replicas: u32,
    /// From how many hosts results came; 0 if that was not noted.
    #[serde(default)]
    pub hosts: u64,
}

fn one() -> u32 {
    1
}

/// Numbers of configurations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configurations {
    /// In the space, in closed form.
    #[serde(with = "decimal")]
    pub total: u128,
    /// Decided so far.
    #[serde(with = "decimal")]
    pub decided: u128,
}

/// What came out for one claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Kept", deserialize = "L: Default + Deserialize<'de>"))]
pub struct ClaimReport<L = Vec<Counterexample>> {
    /// The claim's id.
    pub id: String,
    /// Item, section and paper.
    pub source: String,
    /// The paper's own word for it.
    pub kind: String,
    /// When it speaks.
    pub hypothesis: String,
    /// What it says.
    pub statement: String,
    /// Configurations on which it spoke and was right.
    #[serde(with = "decimal")]
    pub held: u128,
    /// Configurations on which it is true because it has nothing to compare.
    #[serde(with = "decimal", default)]
    pub vacuous: u128,
    /// Configurations on which what it says is not defined.
    #[serde(with = "decimal", default)]
    pub undefined: u128,
    /// Configurations on which it spoke and was wrong.
    #[serde(with = "decimal")]
    pub refuted: u128,
    /// Configurations on which it did not speak.
    #[serde(with = "decimal")]
    pub silent: u128,
    /// What that comes to.
    pub verdict: Verdict,
    /// The smallest counterexamples, smallest first.
    pub counterexamples: L,
    /// The smallest configurations on which what it says is not defined, each with the reason as its actual value.
    #[serde(skip_serializing_if = "Kept::is_empty", default)]
    pub undefined_at: L,
    /// Its expressions, where the manifest states it.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub stated: Option<StatedText>,
}

/// The expressions of a claim that a manifest states, with all definitions put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedText {
    /// What it is judged once for, such as a ruleset; for each position, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// When it speaks.
    #[serde(rename = "where")]
    pub condition: String,
    /// What it says.
    #[serde(flatten)]
    pub sentence: Sentence,
}

impl StatedText {
    /// The expressions of a claim.
    #[must_use]
    pub fn of(claim: &StatedClaim) -> Self {
        let condition = claim.condition.as_ref().map_or_else(|| "true".to_owned(), |written| written.text.clone());
        Self { per: claim.per.clone(), condition, sentence: claim.sentence.clone() }
    }
}

/// What a sweep says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A counterexample was confirmed by the reference.
    Refuted,
    /// Not every configuration of the space was decided; or the solver contradicts the claim and the reference could confirm
    /// none of it; or what the claim says is not defined somewhere.
    Incomplete,
    /// It said nothing on the whole space, or only what is vacuous.
    Silent,
    /// It was right wherever it spoke, on every configuration of the space.
    Held,
}

impl Verdict {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuted => "refuted",
            Self::Incomplete => "incomplete",
            Self::Silent => "silent",
            Self::Held => "held",
        }
    }
}

/// How much of a box the claims decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageReport {
    /// The box, in words.
    #[serde(rename = "box")]
    pub box_text: String,
    /// Of the P-positions.
    #[serde(rename = "P")]
    pub p: Share,
    /// Of the N-positions.
    #[serde(rename = "N")]
    pub n: Share,
}

/// How many of something there are in a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupReport {
    /// The box, in words.
    #[serde(rename = "box")]
    pub box_text: String,
    /// What is counted, in words.
    pub label: String,
    /// How many.
    #[serde(with = "decimal")]
    pub count: u128,
}

/// How many of the positions of one outcome some claim predicted rightly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Predicted rightly by a claim that is not refuted in this sweep.
    #[serde(with = "decimal")]
    pub predicted: u128,
    /// All of them.
    #[serde(with = "decimal")]
    pub total: u128,
}

/// Numbers as decimal strings.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom(format!("'{text}' is not a number")))
    }
}

impl ClaimReport {
    /// Configurations decided.
    #[must_use]
    pub fn decided(&self) -> u128 {
        self.held + self.vacuous + self.undefined + self.refuted + self.silent
    }
}

impl Report {
    /// Whether every configuration was decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == "complete"
    }

    /// How many claims came to this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }
}
