//! All hypergraphs on few vertices, up to isomorphism, and what they are worth.
//!
//! With n vertices and a list of possible hyperedges a hypergraph is a word, one bit for each of them, and isomorphic ones
//! are an orbit under the n! permutations of the vertices. Going through the words in ascending order, a word without a value
//! is the least of its orbit, its canonical form: its value is found from its options, and the whole orbit is given it. Every
//! option has its value by then. Removing a hyperedge leaves a smaller word, which was met or belongs to the orbit of one that
//! was; removing a vertex leaves a word of the table for n - 1 vertices. That the classes were all found is checked against
//! their number by Burnside's lemma.

use std::ops::RangeInclusive;

use crate::families::SolveError;
use crate::value::{GrundyValues, Play};

use super::super::hypergraph::{Hypergraph, first, members};
use super::worth::worth;

/// The most vertices: all of their permutations are tried.
pub const MAX_VERTICES: u32 = 7;
/// The most possible hyperedges: a table has 2 to their number entries.
pub const MAX_HYPEREDGES: usize = 26;

/// Words looked at between two beats of the pulse.
const WORDS_PER_BEAT: u32 = 1 << 14;
/// A word of the table that has no value yet.
const UNSEEN: u8 = u8::MAX;

/// So many vertices, and the sets of them that may be hyperedges: all whose size is in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    vertices: u32,
    hyperedges: Vec<u64>,
}

/// How many vertices a hyperedge may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// So many or more, at least 1.
    From(u32),
    /// Exactly so many.
    Exactly(u32),
}

impl Host {
    /// All sets of so many of the vertices; none if there are too many sets or vertices.
    pub fn new(vertices: u32, sizes: Sizes) -> Option<Self> {
        let sizes: RangeInclusive<u32> = match sizes {
            Sizes::From(least) => least..=vertices,
            Sizes::Exactly(size) => size..=size,
        };
        let found = (0..=first(vertices.min(MAX_VERTICES))).filter(|set| sizes.contains(&set.count_ones()));
        let hyperedges: Vec<u64> = found.collect();
        (vertices <= MAX_VERTICES && hyperedges.len() <= MAX_HYPEREDGES).then_some(Self { vertices, hyperedges })
    }

    /// The hypergraph that a word stands for.
    pub fn hypergraph(&self, word: u32) -> Hypergraph {
        Hypergraph::new(self.vertices, members(word.into()).map(|place| self.hyperedges[place as usize]).collect())
    }

    /// Whether a word stands for a hypergraph here and is the least of its orbit.
    ///
    /// Cost: O(vertices! · hyperedges).
    pub fn is_canonical(&self, word: u32) -> bool {
        let image = |places: &[u32]| members(word.into()).fold(0u32, |image, place| image | 1 << places[place as usize]);
        let is_here = u64::from(word) <= first(self.hyperedges.len() as u32);
        is_here && permutations(self.vertices).iter().all(|permutation| word <= image(&self.induced(permutation)))
    }

    /// How many hypergraphs there are up to isomorphism, by Burnside's lemma: the mean over all permutations of the vertices of
    /// 2 to the number of cycles that they make of the possible hyperedges.
    ///
    /// Cost: O(vertices! · hyperedges).
    pub fn classes(&self) -> u64 {
        let fixed = |permutation: &Vec<u32>| 1u64 << cycles(&self.induced(permutation));
        let permutations = permutations(self.vertices);
        permutations.iter().map(fixed).sum::<u64>() / permutations.len() as u64
    }

    /// The steps in which [`Host::classes`] counts them, some 50 for a permutation and a possible hyperedge.
    pub fn steps(&self) -> u128 {
        let permutations: u128 = (1..=u128::from(self.vertices)).product();
        permutations * (self.hyperedges.len() as u128 + 1) * 50
    }

    /// Where a permutation of the vertices takes each possible hyperedge, by place.
    fn induced(&self, permutation: &[u32]) -> Vec<u32> {
        let image = |edge: &u64| members(*edge).fold(0u64, |set, vertex| set | 1 << permutation[vertex as usize]);
        // The possible hyperedges are closed under permutations and stand in ascending order.
        self.hyperedges.iter().map(|edge| self.hyperedges.partition_point(|other| *other < image(edge)) as u32).collect()
    }

    /// Where removing a vertex takes each possible hyperedge, by place in the host with one vertex fewer; none if it goes.
    fn removal(&self, vertex: u32, smaller: &Self) -> Vec<Option<u32>> {
        // Vertices above it move down by one.
        let below = first(vertex);
        let rest = |edge: &u64| (edge >> vertex & 1 == 0).then_some((edge & below) | (edge >> 1 & !below));
        let place = |edge| smaller.hyperedges.partition_point(|other| *other < edge) as u32;
        self.hyperedges.iter().map(|edge| rest(edge).map(place)).collect()
    }

    /// The bytes of the table, and of the images under all permutations.
    pub fn bytes(&self) -> u128 {
        let permutations: u128 = (1..=u128::from(self.vertices)).product();
        (1 << self.hyperedges.len()) + (permutations + u128::from(self.vertices)) * WordMap::bytes(self.hyperedges.len())
    }
}

/// Every permutation of 0 to n-1.
fn permutations(count: u32) -> Vec<Vec<u32>> {
    (0..count).fold(vec![Vec::new()], |shorter, last| {
        let insert = |permutation: Vec<u32>| {
            (0..=permutation.len()).map(move |place| {
                let mut longer = permutation.clone();
                longer.insert(place, last);
                longer
            })
        };
        shorter.into_iter().flat_map(insert).collect()
    })
}

fn cycles(permutation: &[u32]) -> u32 {
    let mut seen = vec![false; permutation.len()];
    let mut cycles = 0;
    for start in 0..permutation.len() {
        cycles += u32::from(!seen[start]);
        let mut place = start;
        while !std::mem::replace(&mut seen[place], true) {
            place = permutation[place] as usize;
        }
    }
    cycles
}

/// Takes each bit of a word to another place or drops it, by two tables for the two halves of the word.
struct WordMap {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl WordMap {
    const LOW_BITS: usize = MAX_HYPEREDGES / 2;

    fn new(places: &[Option<u32>]) -> Self {
        let (low, high) = places.split_at(places.len().min(Self::LOW_BITS));
        Self { low: Self::images(low), high: Self::images(high) }
    }

    /// The images of all words over some places.
    fn images(places: &[Option<u32>]) -> Vec<u32> {
        places.iter().fold(vec![0], |images, place| {
            let bit = place.map_or(0, |place| 1 << place);
            let with: Vec<u32> = images.iter().map(|image| image | bit).collect();
            [images, with].concat()
        })
    }

    fn image(&self, word: u32) -> u32 {
        self.low[word as usize & (self.low.len() - 1)] | self.high[word as usize >> self.low.len().trailing_zeros()]
    }

    fn bytes(places: usize) -> u128 {
        let low = places.min(Self::LOW_BITS);
        4 * ((1 << low) + (1 << (places - low)))
    }
}

/// The classes of the hypergraphs of one host, and what every word is worth.
pub struct Orbits {
    host: Host,
    values: Vec<u8>,
    /// The canonical form of each class: by number of hyperedges, then by word.
    classes: Vec<u32>,
}

impl Orbits {
    /// Finds and solves the classes of a host; `smaller` has those of the host of the same kind with one vertex fewer, unless
    /// there is no vertex, solved under the same play.
    ///
    /// Cost: a step for each word, and for each class its options and vertices! images.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `go_on` says no.
    pub fn new(host: Host, smaller: Option<&Self>, play: Play, go_on: &mut dyn FnMut() -> bool) -> Result<Self, SolveError> {
        let whole = |places: Vec<u32>| WordMap::new(&places.into_iter().map(Some).collect::<Vec<_>>());
        let images: Vec<WordMap> = permutations(host.vertices).iter().map(|permutation| whole(host.induced(permutation))).collect();
        let removal = |vertex, smaller: &Self| WordMap::new(&host.removal(vertex, &smaller.host));
        let removals: Vec<(WordMap, &Self)> =
            smaller.into_iter().flat_map(|smaller| (0..host.vertices).map(move |vertex| (removal(vertex, smaller), smaller))).collect();
        let mut values = vec![UNSEEN; 1 << host.hyperedges.len()];
        let mut classes = Vec::new();
        for word in 0..1u32 << host.hyperedges.len() {
            if word % WORDS_PER_BEAT == 0 && !go_on() {
                return Err(SolveError::Stopped);
            }
            if values[word as usize] != UNSEEN {
                continue;
            }
            let mut options = GrundyValues::default();
            members(word.into()).for_each(|place| options.insert(values[(word & !(1 << place)) as usize]));
            removals.iter().for_each(|(map, smaller)| options.insert(smaller.values[map.image(word) as usize]));
            let value = worth(play, &options);
            images.iter().for_each(|map| values[map.image(word) as usize] = value);
            classes.push(word);
        }
        classes.sort_unstable_by_key(|word| (word.count_ones(), *word));
        Ok(Self { host, values, classes })
    }

    /// The canonical form of the class of this number, and what it is worth: see [`super::told`].
    pub fn class(&self, number: u64) -> Option<(u32, u8)> {
        let word = *self.classes.get(usize::try_from(number).ok()?)?;
        Some((word, self.values[word as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Sizes = Sizes::From(2);

    fn orbits(most: u32, sizes: Sizes) -> Vec<Orbits> {
        let mut all: Vec<Orbits> = Vec::new();
        for vertices in 0..=most {
            let host = Host::new(vertices, sizes).unwrap();
            let next = Orbits::new(host, all.last(), Play::Normal, &mut || true).unwrap();
            all.push(next);
        }
        all
    }

    #[test]
    fn classes_are_as_many_as_the_lemma_and_the_literature_say() {
        let all: Vec<u64> = (0..=5).map(|vertices| Host::new(vertices, ANY).unwrap().classes()).collect();
        assert_eq!(all, [1, 1, 2, 8, 180, 612_032]);
        // With hyperedges of one vertex: a set of them on each such class, up to its automorphisms.
        let all: Vec<u64> = (0..=4).map(|vertices| Host::new(vertices, Sizes::From(1)).unwrap().classes()).collect();
        assert_eq!(all, [1, 2, 6, 40, 1992]);
        // Graphs by number of vertices, and 3-uniform hypergraphs.
        let counts = |size, most| orbits(most, Sizes::Exactly(size)).iter().map(|found| found.classes.len() as u64).collect::<Vec<u64>>();
        assert_eq!(counts(2, 6), [1, 1, 2, 4, 11, 34, 156]);
        assert_eq!(counts(3, 6), [1, 1, 1, 2, 5, 34, 2136]);
        let exactly = [(2, 6), (3, 6), (5, 7)].map(|(size, most)| (Sizes::Exactly(size), most));
        for (sizes, most) in [(ANY, 4), (Sizes::From(1), 4)].into_iter().chain(exactly) {
            for found in orbits(most, sizes) {
                assert_eq!(found.classes.len() as u64, found.host.classes(), "{:?}", found.host);
            }
        }
    }

    #[test]
    fn every_class_stands_once_by_its_least_word() {
        let orbits = orbits(4, ANY);
        let host = &orbits[4].host;
        let least = |word: u32| {
            let image =
                |permutation: &Vec<u32>| WordMap::new(&host.induced(permutation).into_iter().map(Some).collect::<Vec<_>>()).image(word);
            permutations(4).iter().map(image).min().unwrap()
        };
        let mut expected: Vec<u32> = (0..1 << 11).map(least).collect();
        expected.sort_unstable_by_key(|word| (word.count_ones(), *word));
        expected.dedup();
        assert_eq!(orbits[4].classes, expected);
    }

    #[test]
    fn hosts_that_no_table_can_hold_are_none() {
        assert!(Host::new(6, ANY).is_none());
        assert!(Host::new(5, Sizes::From(1)).is_none());
        assert!(Host::new(8, Sizes::Exactly(8)).is_none());
        assert!(Host::new(7, Sizes::Exactly(3)).is_none());
        assert!(Host::new(7, Sizes::Exactly(2)).is_some());
    }
}
