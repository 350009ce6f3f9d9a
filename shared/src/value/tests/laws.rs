//! The laws of games on random trees: outcomes and order are those of plain play, sums are a group, stops bound numbers, and
//! both stores agree.

use proptest::prelude::*;

use super::super::{GameId, Games, Order, Ordered, Outcome, ValueClass};

/// A game as a tree of options, as written.
#[derive(Clone, Debug)]
pub struct Tree(Vec<Tree>, Vec<Tree>);

impl Tree {
    pub fn canonical_in(&self, games: &mut Games) -> GameId {
        let left: Vec<GameId> = self.0.iter().map(|option| option.canonical_in(games)).collect();
        let right: Vec<GameId> = self.1.iter().map(|option| option.canonical_in(games)).collect();
        games.canonical(&left, &right).unwrap()
    }

    fn ordered(&self, games: &mut Ordered) -> ValueClass {
        let left = self.0.iter().map(|option| option.ordered(games)).collect();
        let right = self.1.iter().map(|option| option.ordered(games)).collect();
        games.add(left, right).unwrap()
    }

    fn negative(&self) -> Self {
        let negatives = |options: &[Self]| options.iter().map(Self::negative).collect();
        Self(negatives(&self.1), negatives(&self.0))
    }

    /// Who wins this plus another one, by play alone: whether the player who starts does.
    fn wins(&self, other: &Self, left_starts: bool) -> bool {
        let options = |tree: &Self| if left_starts { tree.0.clone() } else { tree.1.clone() };
        options(self).iter().any(|option| !option.wins(other, !left_starts))
            || options(other).iter().any(|option| !self.wins(option, !left_starts))
    }

    fn outcome(&self, other: &Self) -> Outcome {
        Outcome::of(self.wins(other, true), self.wins(other, false))
    }
}

/// Trees of height at most 4 with up to 2 options a side.
pub fn tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree(Vec::new(), Vec::new())).boxed();
    (0..4).fold(leaf, |smaller, _| {
        let options = || prop::collection::vec(smaller.clone(), 0..=2);
        (options(), options()).prop_map(|(left, right)| Tree(left, right)).boxed()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn order_and_outcome_agree_with_plain_play(x in tree(), y in tree()) {
        let mut games = Games::new(u64::MAX);
        let (g, h) = (x.canonical_in(&mut games), y.canonical_in(&mut games));
        let zero = Tree(Vec::new(), Vec::new());
        prop_assert_eq!(games.outcome(g).unwrap(), x.outcome(&zero));
        let order = games.compare(g, h).unwrap();
        prop_assert_eq!(order.outcome_of_difference(), x.outcome(&y.negative()));
        prop_assert_eq!(order == Order::Equal, g == h);
        let sum = games.sum(g, h).unwrap();
        prop_assert_eq!(games.outcome(sum).unwrap(), x.outcome(&y));
    }

    #[test]
    fn sums_commute_associate_and_cancel(x in tree(), y in tree(), z in tree()) {
        let mut games = Games::new(u64::MAX);
        let [g, h, k] = [x, y, z].map(|tree| tree.canonical_in(&mut games));
        let mut sum = |one, other| games.sum(one, other).unwrap();
        prop_assert_eq!(sum(g, h), sum(h, g));
        let (left, right) = (sum(g, h), sum(h, k));
        prop_assert_eq!(sum(left, k), sum(g, right));
        prop_assert_eq!(sum(g, Games::ZERO), g);
        prop_assert_eq!(games.difference(g, g).unwrap(), Games::ZERO);
        prop_assert_eq!(games.difference(left, h).unwrap(), g);
        let negative = games.negative(g).unwrap();
        prop_assert_eq!(games.negative(negative).unwrap(), g);
    }

    #[test]
    fn the_order_is_one_and_sums_keep_it(x in tree(), y in tree(), z in tree()) {
        let mut games = Games::new(u64::MAX);
        let [g, h, k] = [x, y, z].map(|tree| tree.canonical_in(&mut games));
        let (one, two) = (games.sum(g, k).unwrap(), games.sum(h, k).unwrap());
        prop_assert_eq!(games.compare(g, h).unwrap(), games.compare(one, two).unwrap());
        prop_assert!(games.at_most(g, g).unwrap());
        if games.at_most(g, h).unwrap() && games.at_most(h, k).unwrap() {
            prop_assert!(games.at_most(g, k).unwrap());
        }
    }

    #[test]
    fn a_canonical_form_is_its_own_and_has_neither_dominated_nor_reversible_options(x in tree()) {
        let mut games = Games::new(u64::MAX);
        let g = x.canonical_in(&mut games);
        let (left, right) = (games.left(g).to_vec(), games.right(g).to_vec());
        prop_assert_eq!(games.canonical(&left, &right).unwrap(), g);
        for option in &left {
            prop_assert!(left.iter().all(|other| other == option || !games.at_most(*option, *other).unwrap()));
            let answers = games.right(*option).to_vec();
            prop_assert!(answers.iter().all(|answer| !games.at_most(*answer, g).unwrap()));
        }
        for option in &right {
            prop_assert!(right.iter().all(|other| other == option || !games.at_most(*other, *option).unwrap()));
            let answers = games.left(*option).to_vec();
            prop_assert!(answers.iter().all(|answer| !games.at_most(g, *answer).unwrap()));
        }
    }

    /// Stops, numbers and infinitesimals by comparison with numbers alone.
    #[test]
    fn stops_bound_the_numbers_that_a_game_is_confused_with(x in tree()) {
        let mut games = Games::new(u64::MAX);
        let g = x.canonical_in(&mut games);
        let (left, right) = games.stops(g);
        prop_assert!(right <= left);
        for numerator in -40..=40 {
            let number = super::super::Dyadic::new(numerator, 3).unwrap();
            let value = games.number(number).unwrap();
            let order = games.compare(g, value).unwrap();
            if number > left { prop_assert_eq!(order, Order::Less); }
            if number < right { prop_assert_eq!(order, Order::Greater); }
            if right < number && number < left { prop_assert_eq!(order, Order::Confused); }
            prop_assert_eq!(order == Order::Equal, games.as_number(g) == Some(number));
        }
    }

    /// The store that compares all games with all gives the same forms and the same order as the general one.
    #[test]
    fn the_ordered_store_equals_the_general_one(trees in prop::collection::vec(tree(), 1..4)) {
        let (mut games, mut ordered) = (Games::new(u64::MAX), Ordered::new());
        let found: Vec<(GameId, ValueClass)> = trees.iter().map(|tree| (tree.canonical_in(&mut games), tree.ordered(&mut ordered))).collect();
        for (game, class) in &found {
            let other = ordered.game(*class);
            prop_assert_eq!(games.text(*game), ordered.games_mut().text(other));
            for (game_two, class_two) in &found {
                prop_assert_eq!(games.compare(*game, *game_two).unwrap(), ordered.compare(*class, *class_two));
            }
        }
    }
}

#[test]
fn known_equations_hold() {
    let mut games = Games::new(u64::MAX);
    let mut parse = |text: &str| games.parse(text).unwrap();
    let (up, star, up_star) = (parse("^"), parse("*"), parse("{0,*|0}"));
    let (two, hot, half, one) = (parse("2"), parse("{2|0}"), parse("1/2"), parse("1"));
    assert_eq!(games.sum(up, star).unwrap(), up_star);
    assert_eq!(games.sum(hot, hot).unwrap(), two);
    assert_eq!(games.sum(half, half).unwrap(), one);
    let three = games.nimber(3).unwrap();
    assert_eq!([games.nimber(1), games.nimber(2)].map(|nimber| games.as_nimber(nimber.unwrap())), [Some(1), Some(2)]);
    let two = games.nimber(2).unwrap();
    assert_eq!(games.sum(two, three).unwrap(), star);
}

#[test]
fn deep_games_overflow_no_stack_and_too_much_work_is_refused() {
    let mut games = Games::new(20_000_000);
    let (large, next) = (games.integer(100_000).unwrap(), games.integer(99_999).unwrap());
    assert_eq!(games.difference(large, next).unwrap(), games.integer(1).unwrap());
    assert_eq!(games.compare(large, next).unwrap(), Order::Greater);
    let deep = games.ups(30_000, 0).unwrap();
    let negative = games.negative(deep).unwrap();
    assert_eq!(games.compare(deep, negative).unwrap(), Order::Greater);
    let mut small = Games::new(1000);
    assert!(small.integer(2000).is_err());
}
