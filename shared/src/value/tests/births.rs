//! The games born by days 0 to 3 are counted: 1, 4, 22 and 1474 (Siegel, section III.1).

use std::collections::BTreeSet;

use super::super::{GameId, Games};

/// Every game born by the day after that of these games: all sets of options that no other option dominates.
pub fn next_day(games: &mut Games, born: &[GameId]) -> BTreeSet<GameId> {
    let mut antichains: Vec<Vec<GameId>> = vec![Vec::new()];
    for game in born {
        for index in 0..antichains.len() {
            let is_free = antichains[index]
                .clone()
                .into_iter()
                .all(|other| !games.at_most(*game, other).unwrap() && !games.at_most(other, *game).unwrap());
            if is_free {
                let larger = antichains[index].iter().copied().chain([*game]).collect();
                antichains.push(larger);
            }
        }
    }
    let mut found = BTreeSet::new();
    for left in &antichains {
        for right in &antichains {
            found.insert(games.canonical(left, right).unwrap());
        }
    }
    found
}

/// 1, 4, 22 and 1474 games by days 0 to 3 (Siegel, section III.1).
#[test]
fn the_games_born_by_day_3_are_all_there_and_no_more() {
    let mut games = Games::new(u64::MAX);
    let mut born = vec![Games::ZERO];
    for (day, count) in (1..).zip([4, 22, 1474]) {
        let found = next_day(&mut games, &born);
        assert_eq!(found.len(), count, "day {day}");
        assert!(found.iter().all(|game| games.birthday(*game) <= day));
        born = found.into_iter().collect();
    }
    let by_day = |day| born.iter().filter(|game| games.birthday(**game) <= day).count();
    assert_eq!([by_day(0), by_day(1), by_day(2)], [1, 4, 22]);
}
