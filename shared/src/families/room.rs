//! How much the boxes of a sweep may take before any of it is solved: counted while they are made, each before its work.

use crate::sweep::ManifestError;
use crate::text::{bytes, grouped};

/// The most boxes of a sweep. A table of a manifest may stand for many.
pub const MAX_BOXES: usize = 1_000;

/// The most numbers of eight bytes that its boxes keep, such as the heaps at which rulesets begin.
const MAX_NUMBERS: u128 = 1 << 22;

/// The most steps in which they are made. A step is a nanosecond or less of one core where it was measured, a 2-core x86-64 machine.
const MAX_STEPS: u128 = 1 << 30;

/// What a sweep has taken so far. Each box takes what it needs, by a closed form, before it does the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    boxes: usize,
    numbers: u128,
    steps: u128,
}

impl Room {
    /// What its boxes keep, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        8 * self.numbers
    }

    /// The steps that it takes to make them.
    #[must_use]
    pub fn work(&self) -> u128 {
        self.steps
    }

    /// Takes so many boxes.
    ///
    /// # Errors
    /// [`ManifestError`], if there would be more than [`MAX_BOXES`].
    pub fn boxes(&mut self, count: usize) -> Result<(), ManifestError> {
        self.boxes = self.boxes.saturating_add(count);
        if self.boxes <= MAX_BOXES {
            return Ok(());
        }
        let problem = format!(
            "there are at least {} boxes, and a sweep has at most {}; make several sweeps of them",
            self.boxes,
            grouped(MAX_BOXES as u128)
        );
        Err(ManifestError::field("space", problem))
    }

    /// Takes room for so many numbers that a box keeps.
    ///
    /// # Errors
    /// [`ManifestError`] names the field on which their number depends.
    pub fn numbers(&mut self, field: &str, count: u128) -> Result<(), ManifestError> {
        self.numbers = self.numbers.saturating_add(count);
        if self.numbers <= MAX_NUMBERS {
            return Ok(());
        }
        let problem = format!(
            "the boxes up to this one take more than {} of memory before anything is solved; make several sweeps of them, or take shorter \
             ranges",
            bytes(8 * MAX_NUMBERS)
        );
        Err(ManifestError::field(field, problem))
    }

    /// Takes so many steps of work.
    ///
    /// # Errors
    /// [`ManifestError`] names the field on which they depend.
    pub fn steps(&mut self, field: &str, count: u128) -> Result<(), ManifestError> {
        self.steps = self.steps.saturating_add(count);
        if self.steps <= MAX_STEPS {
            return Ok(());
        }
        let problem = format!(
            "to make the boxes up to this one takes more than {} steps before anything is solved; make several sweeps of them",
            grouped(MAX_STEPS)
        );
        Err(ManifestError::field(field, problem))
    }
}

#[cfg(test)]
mod tests {
    use crate::families::find;
    use crate::families::testing::{refusal, sweep};

    /// What a sweep of these boxes of a family is told; nothing if it is accepted.
    fn told(family: &str, tables: &[(usize, &str)]) -> Option<String> {
        let text = tables.iter().map(|(count, table)| format!("[[space]]\n{table}\n").repeat(*count)).collect::<String>();
        refusal(find(family).unwrap(), &text)
    }

    #[test]
    fn a_sweep_has_at_most_a_thousand_boxes_however_they_are_written() {
        assert_eq!(told("null", &[(1_000, "heap = 1")]), None);
        let names = |count: usize| format!("graph = \"{}\"\nweights = 1", "H1 ".repeat(count));
        let six = (1, "graphs = { edges = 6 }\nweights = 1");
        assert_eq!(told("graph-nim", &[(1, &names(1_000))]), None);
        assert_eq!(told("graph-nim", &[(1, &names(1_000 - 68)), six]), None);
        for (family, tables, count) in [
            ("null", vec![(1_001, "heap = 1")], 1_001),
            ("graph-nim", vec![(1, &*names(1_001))], 1_001),
            ("graph-nim", vec![(1, &*names(1_000 - 67)), six], 1_001),
            ("graph-nim", vec![(1, &*names(300_000))], 300_000),
            ("graph-nim", vec![(100, six.1)], 100 + 14 * 67),
        ] {
            let sentence = format!("space: there are at least {count} boxes, and a sweep has at most 1,000; make several sweeps of them");
            assert_eq!(told(family, &tables), Some(sentence));
        }
    }

    #[test]
    fn what_boxes_keep_is_bounded_over_all_of_a_sweep() {
        let edge = "b = \"1..=65535\"\nheap = 1\ntau = \"b-a\"\na = 1";
        let sets = "left = \"1..=65535\"\nright = \"1..=65535\"\nheap = 1";
        let family = "partizan-subtraction";
        assert_eq!(told(family, &[(64, edge)]), None);
        for (tables, field) in [
            (vec![(65, edge)], "space.b"),
            (vec![(2_000 / 2, edge)], "space.b"),
            (vec![(65, sets)], "space.left"),
            // The second is refused before it is made.
            (vec![(63, edge), (1, "b = \"1..=230\"")], "space.heap"),
        ] {
            let found = told(family, &tables).unwrap_or_default();
            let sentence = format!("{field}: the boxes up to this one take more than 32.0 MiB of memory before anything is solved; ");
            assert!(found.starts_with(&sentence), "{found}");
        }
        let members = "vertices = \"2..=62\"";
        assert_eq!(told("hypergraph-takeaway", &[(8, members)]), None);
        assert!(told("hypergraph-takeaway", &[(9, members)]).is_some_and(|found| found.starts_with("space.vertices: the boxes up to")));
    }

    #[test]
    fn what_making_boxes_takes_is_bounded_over_all_of_a_sweep() {
        // 5,040 permutations of 7 vertices each time, and 21 possible hyperedges.
        let all = "all = { vertices = 7 }\nuniform = 2";
        let found = told("hypergraph-takeaway", &[(200, all)]).unwrap_or_default();
        let sentence =
            "space.all.vertices: to make the boxes up to this one takes more than 1,073,741,824 steps before anything is solved; ";
        assert!(found.starts_with(sentence), "{found}");
    }

    /// What can be worked out of a text at once is not worked out piece by piece.
    #[test]
    fn texts_that_name_very_much_are_refused_early() {
        let mut many = Vec::new();
        for first in 'a'..='z' {
            many.extend(('A'..='Z').flat_map(|second| [format!("{first}{second}"), format!("{first}v{}", 27 + second as u32)]));
        }
        let ranges = "1..=65535,".repeat(50_000);
        for (family, table, expected) in [
            ("graph-nim", format!("edges = \"{}\"\nweights = 1", many[..17].join(" ").replace('v', "w")), "space.edges: "),
            ("graph-nim", format!("edges = \"{}\"\nweights = 1", "AB ".repeat(300_000)), "space.edges: the edge AB stands twice"),
            ("hypergraph-takeaway", format!("edges = \"{}\"", many.join(",")), "space.edges: there are more than 1000 hyperedges"),
            (
                "partizan-subtraction",
                format!("left = \"{ranges}1\"\nright = 1\nheap = 1"),
                "space.left: a set names at most 131070 numbers",
            ),
        ] {
            let found = told(family, &[(1, &table)]).unwrap_or_default();
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn what_a_family_quotes_of_a_box_is_short_and_printable() {
        for text in ["x".repeat(1 << 20), "\\u001b[2J\\n\\u202e".repeat(500)] {
            for (family, key) in [
                ("graph-nim", "graph"),
                ("graph-nim", "edges"),
                ("graph-nim", "graphs"),
                ("graph-nim", "edge_sets"),
                ("partizan-subtraction", "b"),
                ("partizan-subtraction", "left"),
                ("partizan-subtraction", "quantities"),
                ("hypergraph-takeaway", "vertices"),
                ("hypergraph-takeaway", "edges"),
                ("hypergraph-takeaway", "all"),
                ("directed-grabbing", "paths"),
                ("directed-grabbing", "grid"),
                ("null", "heap"),
                ("null", &text),
            ] {
                let rest = match key {
                    "graph" | "edges" if family == "graph-nim" => "weights = 1",
                    "left" => "right = 1\nheap = 1",
                    "quantities" => "b = 3",
                    _ => "",
                };
                let found = told(family, &[(1, &format!("\"{key}\" = [\"{text}\"]\n{rest}"))]);
                let found = found.or_else(|| told(family, &[(1, &format!("\"{key}\" = \"{text}\"\n{rest}"))])).unwrap();
                assert!(found.chars().count() < 400 && !found.contains(crate::text::is_unprintable), "{key}: {found}");
            }
            let weights = format!("graph = \"H1\"\nweights = {{ \"{text}\" = 1, other = \"{text}\" }}");
            let found = told("graph-nim", &[(1, &weights)]).unwrap();
            assert!(found.chars().count() < 400 && !found.contains(crate::text::is_unprintable), "{found}");
        }
    }

    #[test]
    fn what_an_encoding_takes_is_bounded_likewise() {
        let one = sweep(find("null").unwrap(), "[space]\nheap = 1\n").space.encode();
        let inner = one.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']')).unwrap().0;
        let many = |count: usize| one.replace(inner, &vec![inner; count].join(","));
        let decode = |text: String| find("null").unwrap().decode(&text, &[], &[]).map(|space| space.boxes());
        assert_eq!(decode(many(1_000)).ok(), Some(1_000));
        assert!(decode(many(1_001)).is_err_and(|error| error.to_string().contains("at most 1,000")));
    }
}
