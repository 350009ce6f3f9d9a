//! Games as people in the field write them.
//!
//! A number, ups and a nimber stand without braces and without plus signs: `0`, `1/2`, `*3`, `^`, `v`, `^^*`, `^3*2`, `2v`.
//! Other games are braces with the options of both sides. Where an option stands alone on its side its own braces are left
//! out, and bars say what belongs together: each game has one bar more than the option with the most, so `{2||1|0}` is
//! {2 | {1|0}}. Options come numbers first, then those with fewer bars, then the shorter ones.

use std::fmt;
use std::sync::Arc;

use super::text::Text;
use super::{Dyadic, GameId, Games, Name};

/// The longest text that is written out, in bytes.
pub const MAX_TEXT: usize = 2000;

impl Games {
    /// A game as people write it; nothing if that takes more than [`Games::MAX_TEXT`] bytes.
    ///
    /// Cost: at most that many bytes for each position of the game, once.
    #[must_use]
    pub fn text(&mut self, game: GameId) -> Option<String> {
        let mut waiting = vec![game];
        while let Some(game) = waiting.last().copied() {
            if self.texts.contains_key(&game) {
                waiting.pop();
                continue;
            }
            if let Some(name) = self.name(game) {
                self.texts.insert(game, Some(Text { text: name.to_string().into(), bars: 0 }));
                continue;
            }
            let options: Vec<GameId> = self.left(game).iter().chain(self.right(game)).copied().collect();
            // A text that is too long is part of what it is an option of, which then is too long as well.
            if options.iter().any(|option| matches!(self.texts.get(option), Some(None))) {
                self.texts.insert(game, None);
                continue;
            }
            match options.into_iter().find(|option| !self.texts.contains_key(option)) {
                Some(option) => waiting.push(option),
                None => {
                    let text = self.braces(game);
                    self.texts.insert(game, text);
                }
            }
        }
        let text = self.texts.get(&game)?.as_ref()?;
        Some(if text.bars == 0 { text.text.to_string() } else { format!("{{{}}}", text.text) })
    }

    /// The longest text that is written out, in bytes.
    pub const MAX_TEXT: usize = MAX_TEXT;

    /// A game whose options have texts.
    fn braces(&self, game: GameId) -> Option<Text> {
        let sides = [self.side(self.left(game))?, self.side(self.right(game))?];
        let bars = 1 + sides.iter().map(|(_, bars)| *bars).max().unwrap_or(0);
        let text = format!("{}{}{}", sides[0].0, "|".repeat(bars), sides[1].0);
        (text.len() <= MAX_TEXT).then(|| Text { text: text.into(), bars })
    }

    /// The options of one side with commas between them, and the most bars of any.
    fn side(&self, options: &[GameId]) -> Option<(String, usize)> {
        let text = |option: &GameId| Some((self.as_number(*option).is_none(), self.texts.get(option)?.as_ref()?));
        let mut texts = options.iter().map(text).collect::<Option<Vec<_>>>()?;
        texts.sort_by_key(|(is_no_number, text)| (*is_no_number, text.bars, text.text.len(), Arc::clone(&text.text)));
        let is_alone = texts.len() == 1;
        let parts = texts.iter().map(|(_, text)| match text.bars {
            0 => text.text.to_string(),
            _ if is_alone => text.text.to_string(),
            _ => format!("{{{}}}", text.text),
        });
        let joined = parts.collect::<Vec<_>>().join(",");
        Some((joined, texts.iter().map(|(_, text)| text.bars).max().unwrap_or(0)))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, ups, nimber } = *self;
        if self.as_number().is_some() || number != Dyadic::ZERO {
            number.fmt(formatter)?;
        }
        let arrow = if ups > 0 { "^" } else { "v" };
        match ups.unsigned_abs() {
            0 => {}
            count @ 1..=2 => formatter.write_str(&arrow.repeat(count as usize))?,
            count => write!(formatter, "{arrow}{count}")?,
        }
        match nimber {
            0 => Ok(()),
            1 => formatter.write_str("*"),
            size => write!(formatter, "*{size}"),
        }
    }
}
