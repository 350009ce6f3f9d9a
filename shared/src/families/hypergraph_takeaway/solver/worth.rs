//! What a table keeps of a position, one byte: under normal play its Grundy value, under misère play 0 for P and 1 for N. Both are
//! found from the bytes of the options alone, so every table works for both; nothing here adds components.

use crate::value::{GrundyValues, Impartial, Nimber, Outcome, Play};

/// The byte of a position whose options have these.
pub fn worth(play: Play, options: &GrundyValues) -> u8 {
    match play {
        Play::Normal => options.mex(),
        // Who has no move wins, and so does who has one to a P-position.
        Play::Misere => u8::from(options.is_empty() || options.contains(0)),
    }
}

/// What a byte says.
pub fn told(play: Play, byte: u8) -> Impartial {
    match play {
        Play::Normal => Nimber(byte.into()).into(),
        Play::Misere => if byte == 0 { Outcome::P } else { Outcome::N }.into(),
    }
}
