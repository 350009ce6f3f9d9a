//! How much an expression may ask for. Each bound has its sentence, in [`super::Problem`] where a text is refused and in
//! [`super::Reason`] where a position is.

/// The longest text of an expression, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// The most levels of brackets and operators inside one another. Everything that walks a tree recurses at most so deep.
pub const MAX_DEPTH: usize = 100;

/// The most levels of brackets, signs and operators from the right inside one another in a text. A tree of [`MAX_DEPTH`] levels is
/// printed with no more than that: the worst are `a => (b ? c : ...)`, which take three for two levels.
pub const MAX_NESTING: usize = MAX_DEPTH * 3 / 2 + 2;

/// The most parts (names, literals, operators) of an expression once its definitions are put in.
pub const MAX_PARTS: usize = 10_000;

/// The most elements of a list that is written down.
pub const MAX_LIST: usize = 1_000;

/// The most names that `[let]` may define.
pub const MAX_DEFINITIONS: usize = 256;

/// The most steps of the quantifiers of one expression at one position. A step is one element for which up to [`PARTS_A_STEP`]
/// parts are worked out; where there are more parts, an element takes more steps.
pub const MAX_STEPS: u64 = 1_000_000;

/// See [`MAX_STEPS`].
pub const PARTS_A_STEP: u64 = 16;

/// A sum, an atomic weight or an outcome beside a far star takes as many of [`MAX_STEPS`] as the square of the number of its
/// positions over this.
pub const SQUARES_A_STEP: u64 = 4;

/// The most work that the quoted values of an expression may take together until they are in canonical form, in steps of
/// [`crate::value::Games`].
pub const QUOTED_STEPS: u64 = 20_000;

/// The largest whole number that becomes a game where it is added to one, and the most ups beside a far star.
pub const MAX_WHOLE_GAME: i64 = 1_000;

/// The most positions of a game that is added, weighed or played beside a far star; of a sum the product of both.
pub const MAX_GAME_POSITIONS: usize = 2_000;

/// How many positions are worked out at a time.
pub const LANES: usize = 1_024;

/// The largest nimber that a game is played beside where it has to be larger than all that matter.
pub const MAX_FAR_STAR: u64 = 1_000;

/// The same where positions may take many steps.
pub const LANES_WITH_STEPS: usize = 128;
