//! Games as the paper prints them, read as they stand: nothing is brought to canonical form, so that a cell with another game of the
//! same value is another cell.

use super::super::quantity::Form;

/// A game in braces, an integer of at least 0, or a nimber: its options on each side, in the order in which they are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    left: Vec<Self>,
    right: Vec<Self>,
}

impl Printed {
    /// Reads options with commas between them; an empty text has none. Nothing, if the text is something else.
    pub fn options(text: &str) -> Option<Vec<Self>> {
        let mut rest = text.trim();
        if rest.is_empty() {
            return Some(Vec::new());
        }
        let options = list(&mut rest)?;
        rest.is_empty().then_some(options)
    }

    /// Reads one game.
    pub fn game(text: &str) -> Option<Self> {
        let mut options = Self::options(text)?;
        if options.len() == 1 { options.pop() } else { None }
    }

    /// The integer k >= 0, {k-1|}.
    fn integer(number: u32) -> Self {
        let left = number.checked_sub(1).map(Self::integer);
        Self { left: left.into_iter().collect(), right: Vec::new() }
    }

    /// The nimber *k, both of whose players move to 0, *, ..., *(k-1).
    fn nimber(size: u32) -> Self {
        let options: Vec<Self> = (0..size).map(Self::nimber).collect();
        Self { left: options.clone(), right: options }
    }

    /// Whether the canonical form of a heap is this, option by option. `forms` has those of the heaps from 0 on, and options are
    /// heaps.
    pub fn is_form(&self, forms: &[&Form], heap: u64) -> bool {
        let form = usize::try_from(heap).ok().and_then(|heap| forms.get(heap));
        form.is_some_and(|form| are_options(&self.left, forms, &form.left) && are_options(&self.right, forms, &form.right))
    }
}

/// Whether these are the options that heaps stand for: as many, and each heap is one of them. Heaps that are options of one canonical
/// form have different values, so no two of them are the same printed option.
pub fn are_options(printed: &[Printed], forms: &[&Form], heaps: &[u64]) -> bool {
    printed.len() == heaps.len() && heaps.iter().all(|heap| printed.iter().any(|option| option.is_form(forms, *heap)))
}

/// Games with commas between them, at least one.
fn list(rest: &mut &str) -> Option<Vec<Printed>> {
    let mut games = vec![one(rest)?];
    while let Some(after) = rest.strip_prefix(',') {
        *rest = after.trim_start();
        games.push(one(rest)?);
    }
    Some(games)
}

/// A game at the head of a text, which is cut off.
fn one(rest: &mut &str) -> Option<Printed> {
    if let Some(after) = rest.strip_prefix('{') {
        *rest = after;
        let left = side(rest, '|')?;
        let right = side(rest, '}')?;
        return Some(Printed { left, right });
    }
    let is_nimber = rest.starts_with('*');
    let digits = rest.strip_prefix('*').unwrap_or(rest);
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    let (number, after) = digits.split_at(end);
    *rest = after;
    match (is_nimber, number) {
        (true, "") => Some(Printed::nimber(1)),
        // A nimber has twice as many positions as the one before; those that are printed are small.
        (true, number) => number.parse().ok().filter(|size| *size <= 16).map(Printed::nimber),
        (false, number) => number.parse().ok().filter(|number| *number <= 1000).map(Printed::integer),
    }
}

/// The options up to a mark, which is cut off too.
fn side(rest: &mut &str, mark: char) -> Option<Vec<Printed>> {
    let options = if rest.starts_with(mark) { Vec::new() } else { list(rest)? };
    *rest = rest.strip_prefix(mark)?;
    Some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(least: u64, left: &[u64], right: &[u64]) -> Form {
        Form { least, left: left.to_vec(), right: right.to_vec(), name: None, is_all_small: false, text: String::new() }
    }

    #[test]
    fn games_are_read_as_they_stand() {
        let zero = Printed::integer(0);
        assert_eq!(Printed::game("0"), Some(zero.clone()));
        assert_eq!(Printed::game("{|}"), Some(zero.clone()));
        assert_eq!(Printed::game("{1|}"), Some(Printed::integer(2)));
        assert_eq!(Printed::game("{0,*|0,*}"), Some(Printed::nimber(2)));
        assert_eq!(Printed::game("{1,{1|0}|0}").map(|game| (game.left.len(), game.right)), Some((2, vec![zero])));
        assert_eq!(Printed::options(""), Some(Vec::new()));
        for text in ["", "{0|", "{0}", "0,", "x", "{0|0}}", "**", "-1", "{0||0}", "0 0"] {
            assert_eq!(Printed::game(text), None, "{text}");
        }
    }

    /// T_4(n;3,7) up to heap 6: 0 1 2 3 4 {4|0} {4,{4|0}|0}.
    #[test]
    fn a_cell_of_the_same_value_is_another_cell() {
        let forms: Vec<Form> = (0..5).map(|heap: u64| form(heap, &heap.checked_sub(1).into_iter().collect::<Vec<_>>(), &[])).collect();
        let forms: Vec<Form> = forms.into_iter().chain([form(5, &[4], &[0]), form(6, &[4, 5], &[0])]).collect();
        let forms: Vec<&Form> = forms.iter().collect();
        let is = |text: &str, heap| Printed::game(text).unwrap().is_form(&forms, heap);
        assert!(is("{4|0}", 5) && is("{4,{4|0}|0}", 6) && is("{{4|0},4|0}", 6) && is("{{3|}|0}", 5) && is("4", 4));
        // A dominated option, one of the same value, one twice, one too few, the sides exchanged, and a heap that is not there.
        for (text, heap) in [("{4,3|0}", 5), ("{4,{4,3|0}|0}", 6), ("{4,4|0}", 5), ("{4|0}", 6), ("{0|4}", 5), ("{4,{4|0}|0}", 7), ("5", 4)]
        {
            assert!(!is(text, heap), "{text}");
        }
    }
}
