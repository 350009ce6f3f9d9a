//! Games outside any store: how a game is handed from one store to another.

use std::collections::HashMap;

use super::{GameId, Games, ValueError};

/// A game in canonical form, in no store: its positions, each after its options and the game itself last, by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape(Box<[[Box<[u32]>; 2]]>);

impl Games {
    /// A game of this store as one of none; nothing if it has more than so many positions, itself included.
    ///
    /// Cost: O(positions and their options).
    #[must_use]
    pub fn shape(&self, game: GameId, most: usize) -> Option<Shape> {
        let mut places: HashMap<GameId, u32> = HashMap::new();
        let mut positions: Vec<[Box<[u32]>; 2]> = Vec::new();
        let mut waiting = vec![game];
        while let Some(game) = waiting.last().copied() {
            if places.contains_key(&game) {
                waiting.pop();
                continue;
            }
            let options = self.left(game).iter().chain(self.right(game));
            let missing: Vec<GameId> = options.filter(|option| !places.contains_key(option)).copied().collect();
            if !missing.is_empty() {
                waiting.extend(missing);
                continue;
            }
            if positions.len() == most {
                return None;
            }
            let side = |options: &[GameId]| options.iter().map(|option| places[option]).collect();
            let position = [side(self.left(game)), side(self.right(game))];
            places.insert(game, u32::try_from(positions.len()).ok()?);
            positions.push(position);
        }
        Some(Shape(positions.into()))
    }

    /// The game of this store that has a shape.
    ///
    /// Cost: O(positions and their options); nothing is compared.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn of_shape(&mut self, shape: &Shape) -> Result<GameId, ValueError> {
        let mut games: Vec<GameId> = Vec::with_capacity(shape.0.len());
        for [left, right] in &shape.0 {
            let side = |places: &[u32]| places.iter().map(|place| games[*place as usize]).collect();
            let game = self.insert(side(left), side(right))?;
            games.push(game);
        }
        Ok(games.last().copied().unwrap_or(Self::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_goes_from_store_to_store_as_it_is() {
        for text in ["0", "3", "-1/2", "*5", "^^*", "{2||1|0}", "{^,*2|0}", "{4|0}"] {
            let (mut from, mut to) = (Games::new(1 << 20), Games::new(1 << 20));
            let game = from.parse(text).unwrap();
            // Other games in the other store, so that ids differ.
            to.parse("{5|*3}").unwrap();
            let shape = from.shape(game, 100).unwrap();
            let moved = to.of_shape(&shape).unwrap();
            assert_eq!(moved, to.parse(text).unwrap(), "{text}");
            assert_eq!(to.text(moved), from.text(game));
        }
    }

    #[test]
    fn a_game_of_too_many_positions_has_no_shape() {
        let mut games = Games::new(1 << 20);
        let five = games.parse("5").unwrap();
        assert!(games.shape(five, 6).is_some());
        assert_eq!(games.shape(five, 5), None);
    }
}
