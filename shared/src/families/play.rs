//! Normal and misère play of impartial games: how a box or a person asks for one of them, and what is answered of a position.

use std::convert::Infallible;

use crate::language::{Lacking, Type};
use crate::sweep::ManifestError;
use crate::text::quoted;
use crate::value::{Impartial, Play};

use super::{Answers, Fields, Game, Given};

/// What is known of a position of an impartial game whose claims ask about no other position. It answers what it tells.
pub struct Played(pub Impartial);

impl<G: Game<Question = Infallible, Value = Impartial>> Answers<G> for Played {
    type Error = Infallible;

    fn own(&mut self, asked: &Impartial) -> Result<Option<Impartial>, Infallible> {
        Ok(self.0.told(*asked))
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, Infallible> {
        match *question {}
    }
}

/// Why there are no Grundy values under misère play.
pub const MISERE_HAS_NONE: &str = "under misère play positions have outcomes only, and no Grundy values";

/// The names that positions lack under misère play.
pub fn lacks_under_misere() -> Vec<Lacking> {
    [("grundy", Type::Integer), ("value", Type::Game)].map(|(name, of)| Lacking { name, of, why: MISERE_HAS_NONE }).into()
}

/// The play of a box: normal, where the key `play` is left out.
///
/// # Errors
/// [`ManifestError`] names the key and what would be right.
pub fn play_of_box(fields: Fields<'_>) -> Result<Play, ManifestError> {
    let Some(value) = fields.get("play") else { return Ok(Play::Normal) };
    value.as_str().and_then(Play::of_word).ok_or_else(|| fields.problem("play", no_play(&value.to_string())))
}

/// The play of a position that a person names: normal, where `--play` is left out.
///
/// # Errors
/// [`ManifestError`] names the parameter and what would be right.
pub fn play_given(given: &Given<'_>) -> Result<Play, ManifestError> {
    let Some(word) = given.get("play") else { return Ok(Play::Normal) };
    Play::of_word(word).ok_or_else(|| ManifestError::field("--play", no_play(&format!("\"{word}\""))))
}

/// The play of a word that a box was written with, normal if there is none.
///
/// # Errors
/// [`ManifestError`].
pub fn play_of_word(word: Option<&str>) -> Result<Play, ManifestError> {
    word.map_or(Ok(Play::Normal), |word| {
        Play::of_word(word).ok_or_else(|| ManifestError::field("space.play", no_play(&format!("\"{word}\""))))
    })
}

fn no_play(found: &str) -> String {
    format!("{} is not allowed; it is \"normal\", where who cannot move loses, or \"misere\", where who cannot move wins", quoted(found))
}
