//! Hypergraphs whose vertices have names: how people type them, how reports show them, and the sentence for a text that is
//! none.

use std::fmt;

use serde_json::{Value, json};

use crate::text::quoted;

use super::hypergraph::{Hypergraph, MAX_VERTICES, members};

/// The name of a vertex: a letter, or `v27`, `v28`, … where letters do not suffice. Letters come first, capital ones before the
/// others, so that S stands at the head of its hyperedges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A to Z or a to z.
    Letter(char),
    /// `v` and a number from 27 on.
    Number(u32),
}

/// The first number that a vertex may have instead of a letter.
const FIRST_NUMBER: u32 = 27;

/// The most hyperedges, and vertices on none, that a text may have: each is compared with all others. What can be solved has far
/// fewer.
const MAX_SETS: usize = 1_000;

impl Name {
    /// The name of the vertex of this place, from 0: a to z, then v27, v28, ….
    fn of_place(place: u32) -> Self {
        let letter = char::from_u32('a' as u32 + place).filter(|_| place < 26);
        letter.map_or(Self::Number(place + 1), Self::Letter)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => write!(formatter, "{letter}"),
            Self::Number(number) => write!(formatter, "v{number}"),
        }
    }
}

/// Why a text is no hypergraph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// A character that is no name of a vertex.
    #[error(
        "'{}' has '{}', which is no vertex; vertices are letters, and v27, v28, … where letters do not suffice",
        quoted(hyperedge),
        quoted(found)
    )]
    UnknownVertex {
        /// The hyperedge as given.
        hyperedge: String,
        /// What is no vertex.
        found: String,
    },
    /// A hyperedge without vertices.
    #[error("hyperedge {place} is empty; a hyperedge has vertices, such as Sab or {{a}}, and one letter alone is a vertex on no hyperedge")]
    Empty {
        /// Its place, counted from 1.
        place: usize,
    },
    /// The same vertex twice in a hyperedge.
    #[error("'{}' has the vertex {vertex} twice; a hyperedge is a set of vertices", quoted(hyperedge))]
    RepeatedVertex {
        /// The hyperedge as given.
        hyperedge: String,
        /// The vertex.
        vertex: Name,
    },
    /// The same hyperedge twice.
    #[error("the hyperedge {} stands twice; keep one of them", quoted(hyperedge))]
    RepeatedHyperedge {
        /// The hyperedge.
        hyperedge: String,
    },
    /// A vertex that is said to be on no hyperedge and is on one, or is said so twice.
    #[error("{vertex} alone is a vertex on no hyperedge, and it stands elsewhere too; leave it out")]
    NotAlone {
        /// The vertex.
        vertex: Name,
    },
    /// More hyperedges than anything here can solve.
    #[error("there are more than {MAX_SETS} hyperedges, and no hypergraph with so many can be solved here")]
    TooManyHyperedges,
    /// More vertices than a word has bits.
    #[error("{vertices} vertices are more than the solver can hold; the limit is {MAX_VERTICES}")]
    TooManyVertices {
        /// How many there are.
        vertices: usize,
    },
}

/// A hypergraph whose vertices have names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The hypergraph.
    pub hypergraph: Hypergraph,
    names: Vec<Name>,
}

impl Named {
    /// Reads hyperedges separated by commas or spaces, such as `abcd,Sab,Sbc`. One vertex alone is on no hyperedge; in braces it is
    /// a hyperedge, `{a}`. Vertices are numbered in the order of their names.
    ///
    /// # Errors
    /// [`NameError`] says which hyperedge is wrong.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let words = text.split(',').flat_map(|part| {
            // A space separates too, except beside a comma.
            let mut words: Vec<&str> = part.split_whitespace().collect();
            words.extend(part.trim().is_empty().then_some(""));
            words
        });
        let in_braces = |word: &str| word.strip_prefix('{').and_then(|word| word.strip_suffix('}')).map(str::to_owned);
        let read = |(index, word): (usize, &str)| {
            let within = in_braces(word);
            Ok((set(index + 1, within.as_deref().unwrap_or(word))?, within.is_some()))
        };
        // Each with whether it stands in braces.
        let sets: Vec<(Vec<Name>, bool)> = words.take(MAX_SETS + 1).enumerate().map(read).collect::<Result<_, _>>()?;
        if sets.len() > MAX_SETS {
            return Err(NameError::TooManyHyperedges);
        }
        let mut names: Vec<Name> = sets.iter().flat_map(|(set, _)| set).copied().collect();
        names.sort_unstable();
        for (set, is_hyperedge) in &sets {
            if let ([vertex], false) = (&set[..], is_hyperedge)
                && names.iter().filter(|name| *name == vertex).count() > 1
            {
                return Err(NameError::NotAlone { vertex: *vertex });
            }
        }
        names.dedup();
        if names.len() > MAX_VERTICES as usize {
            return Err(NameError::TooManyVertices { vertices: names.len() });
        }
        let bit = |name: &Name| 1u64 << names.partition_point(|other| other < name);
        let mut hyperedges = Vec::new();
        for (set, _) in sets.iter().filter(|(set, is_hyperedge)| *is_hyperedge || set.len() > 1) {
            let hyperedge: u64 = set.iter().map(bit).sum();
            if hyperedges.contains(&hyperedge) {
                return Err(NameError::RepeatedHyperedge { hyperedge: written(set.iter().map(Name::to_string).collect(), set.len()) });
            }
            hyperedges.push(hyperedge);
        }
        // There are at most 64.
        Ok(Self { hypergraph: Hypergraph::new(names.len() as u32, hyperedges), names })
    }

    /// A hypergraph whose vertices are named a, b, c, ….
    pub fn lettered(hypergraph: Hypergraph) -> Self {
        let names = (0..hypergraph.vertices()).map(Name::of_place).collect();
        Self { hypergraph, names }
    }

    /// A member of the family whose vertex 0 is S and whose other vertices are named a, b, c, ….
    pub fn member(hypergraph: Hypergraph) -> Self {
        let others = (1..hypergraph.vertices()).map(|vertex| Name::of_place(vertex - 1));
        let names = std::iter::once(Name::Letter('S')).chain(others).collect();
        Self { hypergraph, names }
    }

    /// The name of a vertex.
    pub fn name(&self, vertex: u32) -> Name {
        self.names[vertex as usize]
    }

    /// A hyperedge by its vertices' names, one after the other; in braces, if it is one alone.
    pub fn hyperedge(&self, set: u64) -> String {
        written(self.letters(set), set.count_ones() as usize)
    }

    /// The names of some vertices, one after the other.
    fn letters(&self, set: u64) -> String {
        members(set).map(|vertex| self.name(vertex).to_string()).collect()
    }

    /// The option without a vertex.
    pub fn without_vertex(&self, vertex: u32) -> Self {
        let mut names = self.names.clone();
        names.remove(vertex as usize);
        Self { hypergraph: self.hypergraph.without_vertex(vertex), names }
    }

    /// The option without a hyperedge, given by its place.
    pub fn without_hyperedge(&self, place: usize) -> Self {
        Self { hypergraph: self.hypergraph.without_hyperedge(place), names: self.names.clone() }
    }

    /// The vertices on no hyperedge, each as a set of its own.
    fn isolated(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.hypergraph.vertices()).filter(|vertex| self.hypergraph.degree(*vertex) == 0).map(|vertex| 1 << vertex)
    }

    /// As reports show it: its hyperedges, and each vertex on none of them; one with numbered vertices is a list.
    pub fn to_json(&self) -> Value {
        let is_listed = |set: u64| members(set).any(|vertex| matches!(self.name(vertex), Name::Number(_)));
        let list = |set: u64| json!(members(set).map(|vertex| self.name(vertex).to_string()).collect::<Vec<_>>());
        // A list of one vertex is one on no hyperedge.
        let edge = |set: &u64| if is_listed(*set) && set.count_ones() > 1 { list(*set) } else { json!(self.hyperedge(*set)) };
        let alone = |set: u64| if is_listed(set) { list(set) } else { json!(self.letters(set)) };
        let edges = self.hypergraph.hyperedges().iter().map(edge);
        json!({ "edges": edges.chain(self.isolated().map(alone)).collect::<Vec<Value>>() })
    }
}

impl fmt::Display for Named {
    /// As [`Named::parse`] reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edges = self.hypergraph.hyperedges().iter().map(|set| self.hyperedge(*set));
        let words: Vec<String> = edges.chain(self.isolated().map(|set| self.letters(set))).collect();
        formatter.write_str(&words.join(","))
    }
}

/// A hyperedge as it is written, given the names of its vertices: braces tell one of a single vertex from a vertex on none.
fn written(names: String, vertices: usize) -> String {
    if vertices == 1 { format!("{{{names}}}") } else { names }
}

/// The vertices of a hyperedge in the order of their names.
fn set(place: usize, word: &str) -> Result<Vec<Name>, NameError> {
    let mut rest = word;
    let mut names = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, after) = rest.split_at(digits);
        let unknown = || NameError::UnknownVertex { hyperedge: word.to_owned(), found: format!("{first}{number}") };
        names.push(match (first, number) {
            (letter, "") if letter.is_ascii_alphabetic() => Name::Letter(letter),
            ('v', number) => Name::Number(number.parse().ok().filter(|number| *number >= FIRST_NUMBER).ok_or_else(unknown)?),
            _ => return Err(unknown()),
        });
        rest = after;
    }
    names.sort_unstable();
    if names.is_empty() {
        return Err(NameError::Empty { place });
    }
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(NameError::RepeatedVertex { hyperedge: word.to_owned(), vertex: pair[0] }),
        None => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use super::super::components::{Component, Components};
    use super::*;

    #[test]
    fn hypergraphs_are_read_and_shown_as_people_write_them() {
        for (text, shown) in [
            ("abcd,Sab,Sbc", r#"{"edges":["abcd","Sab","Sbc"]}"#),
            ("dbca, baS cSb", r#"{"edges":["abcd","Sab","Sbc"]}"#),
            ("ab,c", r#"{"edges":["ab","c"]}"#),
            ("av30v27,v28", r#"{"edges":[["a","v27","v30"],["v28"]]}"#),
            ("{a}, {v28} {bc} d", r#"{"edges":["{a}","{v28}","bc","d"]}"#),
            ("ab,{b}", r#"{"edges":["ab","{b}"]}"#),
        ] {
            let named = Named::parse(text).unwrap();
            assert_eq!(named.to_json().to_string(), shown);
            assert_eq!(Named::parse(&named.to_string()), Ok(named));
        }
    }

    #[test]
    fn members_have_s_and_letters_until_these_end() {
        let path = |order| Components::new(vec![Component { order, is_cycle: false }]).member();
        assert_eq!(Named::member(path(4)).to_string(), "abcd,Sab,Sbc,Scd");
        let long = Named::member(path(28));
        assert!(long.to_string().ends_with("Syz,Szv27,Sv27v28"));
        assert!(long.to_json().to_string().ends_with(r#""Syz",["S","z","v27"],["S","v27","v28"]]}"#));
        assert_eq!(Named::parse(&long.to_string()), Ok(long));
    }

    #[test]
    fn what_is_no_hypergraph_says_why() {
        for (text, beginning) in [
            ("", "hyperedge 1 is empty"),
            ("ab,,cd", "hyperedge 2 is empty"),
            ("ab,", "hyperedge 2 is empty"),
            ("ab?", "'ab?' has '?', which is no vertex"),
            ("ab2", "'ab2' has 'b2', which is no vertex"),
            ("v26a", "'v26a' has 'v26', which is no vertex"),
            ("v99999999999a", "'v99999999999a' has 'v99999999999', which is no vertex"),
            ("äb", "'äb' has 'ä', which is no vertex"),
            ("aba", "'aba' has the vertex a twice"),
            ("Sab,cd,baS", "the hyperedge Sab stands twice"),
            ("ab,a", "a alone is a vertex on no hyperedge"),
            ("ab,c,c", "c alone is a vertex on no hyperedge"),
            ("{a},a", "a alone is a vertex on no hyperedge"),
            ("{a},{a}", "the hyperedge {a} stands twice"),
            ("{}", "hyperedge 1 is empty"),
            ("{a", "'{a' has '{', which is no vertex"),
            ("a}", "'a}' has '}', which is no vertex"),
        ] {
            let error = Named::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(beginning), "{text}: {error}");
        }
        let many: Vec<String> = (27..92).map(|number| format!("v{number}")).collect();
        assert_eq!(Named::parse(&many.concat()), Err(NameError::TooManyVertices { vertices: 65 }));
    }
}
