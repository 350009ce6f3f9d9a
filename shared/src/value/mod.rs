//! Values of positions, as the field names them: outcome classes, and short games in canonical form.
//!
//! [`Games`] holds short games, each in its canonical form and each once, so that two games are equal iff their ids are. It
//! takes any short game: what it knows is options and nothing of where they came from. [`Ordered`] is a store for long
//! sequences of games that build on each other, where every pair has been compared; [`Beside`] plays a game beside ups and
//! stars, which tells integer atomic weights. Sources: J. H. Conway, *On Numbers and Games*; E. R. Berlekamp, J. H. Conway and
//! R. K. Guy, *Winning Ways*; A. N. Siegel, *Combinatorial Game Theory*.

mod beside;
mod canonical;
mod dyadic;
mod error;
mod games;
mod impartial;
mod name;
mod nimber;
mod order;
mod ordered;
mod outcome;
mod parse;
mod print;
mod shape;
mod sum;
mod text;
mod weight;

#[cfg(test)]
mod tests;

pub use beside::{Beside, BesideUps};
pub use dyadic::Dyadic;
pub use error::ValueError;
pub use games::{GameId, Games};
pub use impartial::{Impartial, Play};
pub use name::Name;
pub use nimber::{GrundyValues, Nimber};
pub use order::Order;
pub use ordered::{Ordered, ValueClass};
pub use outcome::Outcome;
pub use parse::ParseError;
pub use shape::Shape;
