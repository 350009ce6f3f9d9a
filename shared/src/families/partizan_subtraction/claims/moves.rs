//! What sections 1, 4 and 6 say of the number of moves in a row that a player needs.

use crate::claim::{Prediction, Relation};

use super::super::quantity::{Form, Value};
use super::position::{Position, Question, Says, relation};

/// The least number of moves in a row with which Left gets to the game without options. `forms` has the heaps from 0 on.
pub fn left_moves_to_end(forms: &[&Form], heap: u64) -> Option<u64> {
    let mut least: Vec<Option<u64>> = Vec::new();
    for form in forms {
        let is_ended = form.left.is_empty() && form.right.is_empty();
        let moves = form.left.iter().filter_map(|option| *least.get(usize::try_from(*option).ok()?)?).min();
        least.push(if is_ended { Some(0) } else { moves.map(|moves| moves + 1) });
    }
    *least.get(usize::try_from(heap).ok()?)?
}

/// Whether Right can move to 0 now and after any number of Left's moves in a row, as long as it is not 0.
pub fn right_can_end_any_time(forms: &[&Form], heap: u64) -> bool {
    let mut seen = vec![false; forms.len()];
    let mut waiting = vec![heap];
    while let Some(heap) = waiting.pop() {
        let Some(place) = usize::try_from(heap).ok().filter(|place| *place < forms.len()) else { return false };
        if std::mem::replace(&mut seen[place], true) {
            continue;
        }
        if forms[place].least != 0 && !forms[place].right.contains(&0) {
            return false;
        }
        waiting.extend(&forms[place].left);
    }
    true
}

/// The canonical forms of all heaps up to this one.
fn forms_up_to(position: &Position) -> Vec<Question> {
    (0..=position.heap).map(|heap| Question::Form(position.at(heap))).collect()
}

/// That Left needs so many moves in a row to end the canonical form of a heap, and Right can end it at any time.
pub fn needs_moves(position: &Position, moves: u64) -> Says {
    let heap = position.heap;
    let holds = move |values: &[Value]| {
        let forms: Vec<&Form> = values.iter().filter_map(Value::form).collect();
        left_moves_to_end(&forms, heap) == Some(moves) && right_can_end_any_time(&forms, heap)
    };
    let says = format!("Left needs {moves} moves in a row to end it, Right can end it at any time");
    relation(forms_up_to(position), holds, says, "it ends in another number of moves in a row")
}

/// Section 1, for all a < b.
pub fn section_1_moves(position: &Position) -> Says {
    if position.is_full() { needs_moves(position, position.heap.div_ceil(position.support.a)) } else { Prediction::Silent }
}

/// Section 1: who can move to 0 in the canonical form.
pub fn section_1_delay(position: &Position) -> Says {
    if !position.is_full() || position.heap == 0 {
        return Prediction::Silent;
    }
    let left_can = position.heap <= position.support.a;
    let holds = move |values: &[Value]| {
        values.iter().all(|value| value.form().is_some_and(|form| form.left.contains(&0) == left_can && form.right.contains(&0)))
    };
    let says = if left_can { "both can move to 0" } else { "Right can move to 0 and Left cannot" };
    relation(vec![Question::Form(*position)], holds, says, "other players can move to 0")
}

/// The least number of Left's moves in a row that leave a heap of at most `rest`: she takes as many as she may.
fn moves_down_to(position: &Position, rest: u64) -> u64 {
    let (mut heap, mut moves) = (position.heap, 0);
    while heap > rest {
        heap = heap.saturating_sub(position.support.a);
        moves += 1;
    }
    moves
}

/// Section 4, equation (3): the moves to a heap below a+1.
pub fn section_4_moves(position: &Position) -> Says {
    let a = position.support.a;
    if !position.is_full() || position.heap <= a {
        return Prediction::Silent;
    }
    let moves = moves_down_to(position, a);
    counted(moves, [(position.heap - a).div_ceil(a), position.heap.div_ceil(a) - 1])
}

/// Section 6, and section 1 on table 4: the moves to a heap below R, and the turns that Right can wait.
pub fn section_6_moves(position: &Position) -> Says {
    let Some(onset) = position.onset().filter(|onset| position.is_truncated() && position.heap >= *onset) else {
        return Prediction::Silent;
    };
    let (a, heap) = (position.support.a, position.heap);
    let moves = moves_down_to(position, onset - 1);
    counted(moves, [(heap - (onset - 1)).div_ceil(a), (heap - onset) / a + 1])
}

/// That a number of moves is what is printed, in both of its forms.
pub fn counted(moves: u64, printed: [u64; 2]) -> Says {
    let holds = printed.iter().all(|number| *number == moves);
    let says = format!("Left needs {} moves, and {} by the other form", printed[0], printed[1]);
    Prediction::Relation(Box::new(Relation::of_position(holds, says, format!("Left needs {moves} moves"))))
}
