//! The names under which claims of a manifest find something of a hypergraph.

use crate::families::{Described, Named, whole};
use crate::language::{Reading, Type, Value};
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::HypergraphTakeaway;
use super::claims::Position;
use super::member::{Group, Member};

/// The names that positions have.
pub fn names(of: Described<'_, HypergraphTakeaway>) -> Vec<Named<HypergraphTakeaway>> {
    let has_members = match of {
        Described::Family => true,
        Described::Box(one) => one.has_members(),
        Described::Position(position) => Member::of(&position.named.hypergraph).is_some(),
    };
    let mut names = of_any();
    if has_members {
        names.extend(of_members());
    }
    if play(&of) != Some(Play::Misere) {
        names.push(grundy());
    }
    names.push(outcome());
    names.push(Named::positions(
        "options",
        "what a move leaves, one for each move: first without each vertex, then without each hyperedge",
        |around| {
            let hypergraph = &around.position.named.hypergraph;
            Some(u64::from(hypergraph.vertices()) + hypergraph.hyperedges().len() as u64)
        },
        |around, index| {
            let vertices = around.position.named.hypergraph.vertices();
            match u32::try_from(index).ok().filter(|vertex| *vertex < vertices) {
                Some(vertex) => Some(around.position.option(|named| named.without_vertex(vertex))),
                None => {
                    let place = usize::try_from(index - u64::from(vertices)).ok()?;
                    (place < around.position.named.hypergraph.hyperedges().len())
                        .then(|| around.position.option(|named| named.without_hyperedge(place)))
                }
            }
        },
    ));
    names
}

/// How what is described is played, if that is said.
pub fn play(of: &Described<'_, HypergraphTakeaway>) -> Option<Play> {
    match of {
        Described::Family => None,
        Described::Box(one) => Some(one.play()),
        Described::Position(position) => Some(position.play),
    }
}

fn of_any() -> Vec<Named<HypergraphTakeaway>> {
    vec![
        Named::integer("vertices", "|V|, the number of vertices", |view: &Position| Some(view.vertices)),
        Named::integer("edges", "|E|, the number of hyperedges", |view: &Position| Some(view.hyperedges)),
        Named::integers("degrees", "in how many hyperedges each vertex lies, ascending", |view: &Position| Some(view.degrees())),
        Named::integers("edge_sizes", "how many vertices each hyperedge has, ascending", |view: &Position| Some(view.sizes())),
        Named::boolean("all_odd", "whether every hyperedge has an odd number of vertices", |view: &Position| Some(view.all_odd)),
        Named::boolean("all_even", "whether every hyperedge has an even number of vertices", |view: &Position| Some(view.all_even)),
        Named::boolean(
            "has_marked_coloring",
            "whether every hyperedge has an even number of vertices and some set of vertices meets each in an odd number",
            |view: &Position| Some(view.all_even_and_marked),
        ),
        Named::boolean(
            "is_member",
            "whether it is a member of the family of section 1: X, S, and hyperedges {S,u,v}",
            |view: &Position| Some(view.member.is_some()),
        ),
    ]
}

/// What members have and other hypergraphs do not.
fn of_members() -> Vec<Named<HypergraphTakeaway>> {
    let count = |name: &str, meaning: &str, read: fn(&Member) -> u32| {
        let meaning = format!("{meaning}; of a member");
        Named::integer(name, meaning, move |view: &Position| view.member.as_ref().map(read))
    };
    let most = "the greatest |E(Y)| of all members with the same |V(X)|; of a member";
    vec![
        count("x_vertices", "|V(X)|", |member| member.x),
        count("y_edges", "|E(Y)|, the number of hyperedges {S,u,v}", |member| member.y),
        count("y_vertices", "|V(Y)|, the number of vertices in hyperedges {S,u,v}", |member| member.a + member.b + 1),
        count("in_a", "how many vertices of X are in subcategory A, in one hyperedge of Y", |member| member.a),
        count("in_b", "how many vertices of X are in subcategory B, in two", |member| member.b),
        count("in_c", "how many vertices of X are in subcategory C, in none", |member| member.c),
        count("group", "its group of Lemma 6, from 1 to 5; 0 if it is in none", |member| member.group().map_or(0, number)),
        Named::integer("greatest_y_edges", most, |view: &Position| view.member.as_ref().map(|_| view.greatest_y)),
    ]
}

fn number(group: Group) -> u32 {
    match group {
        Group::I => 1,
        Group::II => 2,
        Group::III => 3,
        Group::IV => 4,
        Group::V => 5,
    }
}

fn grundy() -> Named<HypergraphTakeaway> {
    let asked = Impartial::Grundy(Nimber(0));
    Named::predicted("grundy", Type::Integer, "the Grundy value", asked, |_, value: &Impartial, _| {
        value.grundy().map_or(Reading::Absent, |grundy| whole(grundy.0))
    })
}

fn outcome() -> Named<HypergraphTakeaway> {
    let asked = Impartial::Outcome(Outcome::P);
    Named::predicted("outcome", Type::Outcome, "P where who moves loses, else N", asked, |_, value: &Impartial, _| {
        Value::Outcome(value.outcome()).into()
    })
}
