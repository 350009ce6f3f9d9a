//! Reads what [`Games::text`] writes, and what people write by hand: any options, also dominated or reversible ones.

use crate::text::quoted;

use super::{Dyadic, GameId, Games, ValueError};

/// How deep braces and bars may be nested.
const MAX_DEPTH: usize = 1000;

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A part that is none.
    #[error("'{}' is no game; write for instance 0, 1/2, *3, ^^*, {{4|0}} or {{1,{{1|0}}||0}}", quoted(text))]
    Form {
        /// The part.
        text: String,
    },
    /// A brace without its partner.
    #[error("'{}' has a brace without its partner", quoted(text))]
    Brace {
        /// The whole text.
        text: String,
    },
    /// Nested too deep.
    #[error("braces and bars are nested more than {limit} deep", limit = MAX_DEPTH)]
    Depth,
    /// The game itself is too large.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl Games {
    /// The game of a text, in canonical form.
    ///
    /// # Errors
    /// [`ParseError`].
    pub fn parse(&mut self, text: &str) -> Result<GameId, ParseError> {
        check_braces(text)?;
        self.game(text, 0)
    }

    /// The games of a list with commas between them, each in canonical form; none for an empty text.
    ///
    /// # Errors
    /// [`ParseError`].
    pub fn parse_options(&mut self, text: &str) -> Result<Vec<GameId>, ParseError> {
        check_braces(text)?;
        self.side_of(text, 0)
    }

    fn game(&mut self, text: &str, depth: usize) -> Result<GameId, ParseError> {
        let text = text.trim();
        if depth > MAX_DEPTH {
            return Err(ParseError::Depth);
        }
        match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(inner) => self.bars(inner, depth),
            None => self.plain(text),
        }
    }

    /// What stands between braces: two sides with the longest run of bars between them.
    fn bars(&mut self, text: &str, depth: usize) -> Result<GameId, ParseError> {
        if depth > MAX_DEPTH {
            return Err(ParseError::Depth);
        }
        let form = || ParseError::Form { text: format!("{{{text}}}") };
        let runs = outside(text, '|');
        let longest = runs.iter().map(|(_, length)| *length).max().ok_or_else(form)?;
        let mut splits = runs.iter().filter(|(_, length)| *length == longest);
        let (Some((at, length)), None) = (splits.next(), splits.next()) else { return Err(form()) };
        let left = self.side_of(&text[..*at], depth + 1)?;
        let right = self.side_of(&text[at + length..], depth + 1)?;
        Ok(self.canonical(&left, &right)?)
    }

    fn side_of(&mut self, text: &str, depth: usize) -> Result<Vec<GameId>, ParseError> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        if !outside(text, '|').is_empty() {
            return Ok(vec![self.bars(text, depth)?]);
        }
        let mut start = 0;
        let mut options = Vec::new();
        for (at, length) in outside(text, ',').into_iter().chain([(text.len(), 0)]) {
            options.push(self.game(&text[start..at], depth)?);
            start = at + length;
        }
        Ok(options)
    }

    /// A number, ups and a nimber, each of which may be left out.
    fn plain(&mut self, text: &str) -> Result<GameId, ParseError> {
        let form = || ParseError::Form { text: text.to_owned() };
        let (number, rest) = text.split_at(text.find(['^', 'v', '*']).unwrap_or(text.len()));
        let (arrows, nimber) = rest.split_at(rest.find('*').unwrap_or(rest.len()));
        if text.is_empty() {
            return Err(form());
        }
        let number = if number.is_empty() { Dyadic::ZERO } else { dyadic(number).ok_or_else(form)? };
        let ups = ups(arrows).ok_or_else(form)?;
        let nimber = match nimber.strip_prefix('*') {
            None => 0,
            Some("") => 1,
            Some(size) => natural(size).and_then(|size| u64::try_from(size).ok()).ok_or_else(form)?,
        };
        let (number, beside) = (self.number(number)?, self.ups(ups, nimber)?);
        Ok(self.sum(number, beside)?)
    }
}

/// Each brace has its partner.
fn check_braces(text: &str) -> Result<(), ParseError> {
    let mut depth = 0i64;
    for letter in text.chars() {
        depth += i64::from(letter == '{') - i64::from(letter == '}');
        if depth < 0 {
            break;
        }
    }
    if depth == 0 { Ok(()) } else { Err(ParseError::Brace { text: text.to_owned() }) }
}

/// Where runs of a letter outside all braces begin, and how long they are; for commas each by itself.
fn outside(text: &str, wanted: char) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut depth = 0i64;
    for (at, letter) in text.char_indices() {
        depth += i64::from(letter == '{') - i64::from(letter == '}');
        if letter != wanted || depth != 0 {
            continue;
        }
        match runs.last_mut() {
            Some((start, length)) if wanted == '|' && *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

/// Digits alone: a number without sign.
fn natural(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn dyadic(text: &str) -> Option<Dyadic> {
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let number = match text.split_once('/') {
        None => Dyadic::integer(natural(text)?)?,
        Some((numerator, denominator)) => {
            let denominator = natural(denominator).filter(|denominator| denominator.count_ones() == 1)?;
            Dyadic::new(natural(numerator)?, denominator.trailing_zeros())?
        }
    };
    Some(if is_negative { number.negative() } else { number })
}

/// `^`, `^^`, `^3`, `v`, …; nothing at all is no ups.
fn ups(text: &str) -> Option<i64> {
    let Some(arrow) = text.chars().next() else { return Some(0) };
    let sign = if arrow == '^' { 1 } else { -1 };
    let rest = text.trim_start_matches(arrow);
    let arrows = i64::try_from(text.len() - rest.len()).ok()?;
    match (arrows, rest) {
        (count, "") => Some(sign * count),
        (1, count) => natural(count).map(|count| sign * count),
        _ => None,
    }
}
