//! The claims that a manifest states itself, as it has them written.

use serde::{Deserialize, Serialize};

/// What a manifest states: definitions, in their order, and claims that may use them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// Each a name and the expression that it stands for.
    pub definitions: Vec<(String, Written)>,
    /// The claims, in their order.
    pub claims: Vec<StatedClaim>,
}

impl Stated {
    /// Puts another hypothesis or another statement in place of a claim's, and says whether there is such a claim.
    pub fn restate(&mut self, id: &str, is_condition: bool, written: Written) -> bool {
        let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) else { return false };
        if is_condition {
            claim.condition = Some(written);
        } else {
            claim.sentence = Sentence::Says(written);
        }
        true
    }

    /// One of the claims with the definitions that it uses, in their order.
    #[must_use]
    pub fn only(&self, id: &str) -> Option<Self> {
        let claim = self.claims.iter().find(|claim| claim.id == id)?;
        let mut texts = vec![&claim.sentence.written().text];
        texts.extend(claim.condition.iter().map(|written| &written.text));
        // A definition uses those before it alone.
        let mut definitions = Vec::new();
        for (name, written) in self.definitions.iter().rev() {
            if texts.iter().any(|text| uses(text, name)) {
                texts.push(&written.text);
                definitions.push((name.clone(), written.clone()));
            }
        }
        definitions.reverse();
        Some(Self { definitions, claims: vec![claim.clone()] })
    }
}

/// Whether an expression has a name in it, as far as its words tell.
fn uses(text: &str, name: &str) -> bool {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).any(|word| word == name)
}

/// A claim that a manifest states. As JSON it is what a worker is handed: expressions without places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedClaim {
    /// Its id, shaped like those of built-in claims, and none of them.
    pub id: String,
    /// Where it is from, in the words of its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is judged once for, such as a ruleset; for each position, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// When it speaks; everywhere, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "where")]
    pub condition: Option<Written>,
    /// What it says there.
    #[serde(flatten)]
    pub sentence: Sentence,
}

/// What a claim says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sentence {
    /// A statement, true or false.
    Says(Written),
    /// The value of the position.
    Predict(Written),
}

impl Sentence {
    /// The expression.
    #[must_use]
    pub fn written(&self) -> &Written {
        match self {
            Self::Says(written) | Self::Predict(written) => written,
        }
    }

    /// The key that it has in a manifest.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Says(_) => "says",
            Self::Predict(_) => "predict",
        }
    }
}

/// An expression as it is written, and where.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The line and the column of the manifest at which the text begins, from 1, where that is known.
    #[serde(skip)]
    pub place: Option<(usize, usize)>,
}

impl Written {
    /// A text that stands nowhere.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), place: None }
    }
}

/// Two texts are equal wherever they stand.
impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Written {}
