//! What is solved of the positions of a box: outcomes under normal or misère play, or Grundy values.

use crate::families::{Fields, Given, MISERE_HAS_NONE, play_given, play_of_box};
use crate::sweep::ManifestError;
use crate::text::quoted;
use crate::value::Play;

/// The one quantity that a box may ask for besides the outcome.
pub const GRUNDY: &str = "grundy";

/// The name of the number of P-positions of a box.
pub const P_POSITIONS: &str = "p_positions";

/// What is solved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Its outcome.
    Outcome(Play),
    /// Its Grundy value under normal play, and with it the outcome.
    Grundy,
}

impl Default for Wanted {
    fn default() -> Self {
        Self::Outcome(Play::Normal)
    }
}

impl Wanted {
    /// How the position is played.
    #[must_use]
    pub fn play(self) -> Play {
        match self {
            Self::Outcome(play) => play,
            Self::Grundy => Play::Normal,
        }
    }

    /// What a box of a manifest asks for by the keys `quantities` and `play`.
    ///
    /// # Errors
    /// [`ManifestError`] names the key and what would be right.
    pub fn of_box(fields: Fields<'_>) -> Result<Self, ManifestError> {
        let play = play_of_box(fields)?;
        let Some(value) = fields.get("quantities") else { return Ok(Self::Outcome(play)) };
        let words = value.as_array().map(|words| words.iter().map(toml::Value::as_str).collect::<Option<Vec<_>>>());
        if words.flatten().as_deref() != Some(&[GRUNDY]) {
            let problem = format!("{} is not allowed; it is [\"{GRUNDY}\"], and outcomes are solved anyway", quoted(&value.to_string()));
            return Err(fields.problem("quantities", problem));
        }
        Self::grundy(play).ok_or_else(|| fields.problem("quantities", format!("{MISERE_HAS_NONE}; leave out quantities or play")))
    }

    /// What a person asks for by `--quantities` and `--play`.
    ///
    /// # Errors
    /// [`ManifestError`] names the parameter and what would be right.
    pub fn given(given: &Given<'_>) -> Result<Self, ManifestError> {
        let play = play_given(given)?;
        match given.get("quantities") {
            None => Ok(Self::Outcome(play)),
            Some(GRUNDY) => Self::grundy(play)
                .ok_or_else(|| ManifestError::field("--quantities", format!("{MISERE_HAS_NONE}; leave out --quantities or --play"))),
            Some(other) => {
                let problem = format!("'{}' is not allowed; it is {GRUNDY}, and the outcome is shown anyway", quoted(other));
                Err(ManifestError::field("--quantities", problem))
            }
        }
    }

    /// The words of the keys `quantities` and `play` that ask for this; those that are left out are the usual ones.
    #[must_use]
    pub fn keys(self) -> (&'static [&'static str], Option<&'static str>) {
        match self {
            Self::Outcome(Play::Normal) => (&[], None),
            Self::Outcome(play) => (&[], Some(play.word())),
            Self::Grundy => (&[GRUNDY], None),
        }
    }

    /// What the words of [`Wanted::keys`] ask for.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn of_keys(quantities: &[String], play: Option<&str>) -> Result<Self, ManifestError> {
        let all = [Self::Outcome(Play::Normal), Self::Outcome(Play::Misere), Self::Grundy];
        let found = all.into_iter().find(|wanted| wanted.keys().0 == quantities && wanted.keys().1 == play);
        found.ok_or_else(|| ManifestError::field("space", "no box asks for these quantities under this play"))
    }

    /// Grundy values, which normal play alone has.
    fn grundy(play: Play) -> Option<Self> {
        (play == Play::Normal).then_some(Self::Grundy)
    }

    /// What is put behind the description of a box.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Outcome(Play::Normal) => "",
            Self::Outcome(Play::Misere) => ", misère play",
            Self::Grundy => ", Grundy values",
        }
    }
}
