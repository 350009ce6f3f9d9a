//! The names under which claims of a manifest find something of a position of Graph Nim.

use crate::families::{Described, GameBox, Named, lacks_under_misere, whole};
use crate::language::syntax::is_name;
use crate::language::{Lacking, Reach, Reading, Reason, Type, Value};
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::GraphNim;
use super::about::edge_name;
use super::boxes::BoxKind;
use super::claims::{H1, Special, Subject, View, special};
use super::graph::{Graph, NAMED};
use super::neighbours;
use super::position::Position;
use super::wanted::{GRUNDY, P_POSITIONS, Wanted};

type Name = Named<GraphNim>;

/// The names that positions have.
pub fn names(of: Described<'_, GraphNim>) -> Vec<Name> {
    match of {
        Described::Family => {
            let edge = "the weight of edge AB; likewise every edge of the graph, by its two ends: BC, CD, EF, ...";
            let sum = "the sum of the weights of the edges at vertex A; likewise every vertex: sum_B, sum_C, ...";
            let of_position = [weight("AB".to_owned(), ['A', 'B'], edge), vertex_sum('A', sum)];
            let parts = [of_weights(), of_graph(), of_galaxy(), of_h1(), of_triangle(), of_whole().into()];
            of_position.into_iter().chain(parts.into_iter().flatten()).chain([outcome(), grundy()]).collect()
        }
        Described::Box(BoxKind::Weights(weights)) => of_subject(weights.subject(), weights.wanted()),
        Described::Position(Position::Weights(subject, _, wanted)) => of_subject(subject, *wanted),
        Described::Box(BoxKind::EdgeSets(_)) | Described::Position(Position::EdgeSet(_)) => of_graph(),
    }
}

/// Grundy values, where the box does not ask for them or misère play has none.
pub fn lacks(of: Described<'_, GraphNim>) -> Vec<Lacking> {
    let wanted = match of {
        Described::Box(BoxKind::Weights(weights)) => weights.wanted(),
        Described::Position(Position::Weights(_, _, wanted)) => *wanted,
        Described::Family | Described::Box(BoxKind::EdgeSets(_)) | Described::Position(Position::EdgeSet(_)) => return Vec::new(),
    };
    let why = "Grundy values are solved where a box has quantities = [\"grundy\"]";
    match wanted {
        Wanted::Grundy => Vec::new(),
        Wanted::Outcome(Play::Normal) => vec![Lacking { name: GRUNDY, of: Type::Integer, why }],
        Wanted::Outcome(Play::Misere) => lacks_under_misere(),
    }
}

/// The names that positions on a graph have of which so much is solved.
fn of_subject(subject: &Subject, wanted: Wanted) -> Vec<Name> {
    let mut names = of_edges(&subject.graph);
    names.extend(of_weights());
    names.extend(of_graph());
    if subject.stars.is_some() {
        names.extend(of_galaxy());
    }
    match &subject.named {
        Some(("H1", _)) => names.extend(of_h1()),
        Some(("G4" | "K3", _)) => names.extend(of_triangle()),
        _ => {}
    }
    names.push(outcome());
    names.extend(of_whole());
    if wanted == Wanted::Grundy {
        names.push(grundy());
    }
    names
}

/// The edges and the vertices, as far as they can be written in an expression.
fn of_edges(graph: &Graph) -> Vec<Name> {
    let edges = graph.edges().iter().filter_map(|[u, v]| {
        let ends = [graph.label(*u), graph.label(*v)];
        let name = edge_name(ends);
        let meaning = format!("the weight of edge {}{}", ends[0], ends[1]);
        is_name(&name).then(|| weight(name, ends, meaning))
    });
    let vertices = (0..graph.vertices()).map(|vertex| graph.label(vertex)).filter(char::is_ascii_alphanumeric);
    let sums = vertices.map(|label| vertex_sum(label, format!("the sum of the weights of the edges at vertex {label}")));
    edges.chain(sums).collect()
}

fn weight(name: String, ends: [char; 2], meaning: impl Into<String>) -> Name {
    let weight = Named::integer(name, meaning, move |view: &View| {
        let edge = view.subject.graph.edge_between(ends)?;
        view.weights.get(edge).copied()
    });
    weight.set()
}

fn vertex_sum(label: char, meaning: impl Into<String>) -> Name {
    Named::integer(format!("sum_{label}"), meaning, move |view: &View| {
        let graph = &view.subject.graph;
        let weights = graph.incident(graph.vertex_by_label(label)?).iter().map(|edge| view.weights.get(*edge).copied());
        weights.map(|weight| weight.map(u64::from)).sum::<Option<u64>>()
    })
}

/// Whether it is a position, and no graph without weights.
fn has_weights(view: &View) -> bool {
    !view.weights.is_empty()
}

/// What every position has.
fn of_weights() -> Vec<Name> {
    vec![
        Named::integers("weights", "all weights, in the order of the graph's edges", |view: &View| {
            has_weights(view).then(|| view.weights.clone())
        }),
        Named::integer("total", "the sum of all weights", |view: &View| has_weights(view).then_some(view.sum)),
        Named::positions("options", "the positions that a move leads to, each once", neighbours::count, neighbours::option),
    ]
}

/// What every graph has.
fn of_graph() -> Vec<Name> {
    let counts = [
        Named::integer("edges", "how many edges the graph has", |view: &View| Some(view.subject.graph.edges().len())),
        Named::integer("vertices", "how many vertices the graph has, without isolated ones", |view: &View| {
            Some(view.subject.graph.vertices())
        }),
        Named::boolean("is_galaxy", "whether the graph is a galaxy: every component a star", |view: &View| {
            // A graph without weights is not looked up unless it is asked for.
            Some(view.subject.stars.is_some() || (!has_weights(view) && view.subject.graph.stars().is_some()))
        }),
    ];
    let is_edge_set = "whether it is a graph without weights, of a box of edge sets";
    let is_edge_set = Named::boolean("is_edge_set", is_edge_set, |view: &View| Some(!has_weights(view)));
    let is_named = NAMED.into_iter().map(|(name, edges)| {
        let meaning = format!("whether the graph is isomorphic to {name}, {edges}");
        Named::boolean(format!("is_{name}"), meaning, move |view: &View| Some(is_isomorphic_to(view, name)))
    });
    counts.into_iter().chain([is_edge_set]).chain(is_named).map(|name| name.of(Reach::Both)).collect()
}

/// What a graph has with all of its positions in a box.
fn of_whole() -> [Name; 2] {
    [
        Named::whole(P_POSITIONS, Type::Integer, "how many positions of the box are P"),
        Named::positions(
            "positions",
            "all positions of the graph in the box",
            |around| {
                let one = around.one.filter(|one| matches!(one, BoxKind::Weights(_)))?;
                u64::try_from(one.configurations(0..one.units())).ok()
            },
            |around, index| around.one.and_then(|one: &BoxKind| one.configuration(index.into())),
        )
        .of(Reach::Whole),
    ]
}

/// Whether the graph is isomorphic to the paper's of this name. Of a position's graph that is known; a graph without weights may be
/// isomorphic to none or to several of them for all that is known, and is compared with each.
fn is_isomorphic_to(view: &View, name: &str) -> bool {
    let subject = &view.subject;
    match &subject.named {
        _ if !has_weights(view) => Graph::named(name).is_some_and(|known| subject.graph.isomorphism(&known).is_some()),
        Some((known, _)) => *known == name,
        None => false,
    }
}

/// What positions on galaxy graphs have.
fn of_galaxy() -> Vec<Name> {
    let is_galaxy = |view: &View| view.subject.stars.is_some() && has_weights(view);
    let sums = "the sum of the weights of each star, on a galaxy; len(stars) is how many stars there are";
    vec![
        Named::integers("stars", sums, move |view: &View| {
            is_galaxy(view).then(|| view.subject.star_sums(&view.weights).collect::<Vec<u64>>())
        }),
        Named::integer("stars_xor", "the xor of the stars' sums, on a galaxy", move |view: &View| {
            is_galaxy(view).then_some(view.stars_xor)
        }),
    ]
}

/// The paper's graph that a position is on.
fn named(view: &View) -> Option<&'static str> {
    view.subject.named.as_ref().filter(|_| has_weights(view)).map(|(name, _)| *name)
}

/// What positions on H1 have: the numbers of section 4.2, which are defined for k = EF >= 1.
fn of_h1() -> Vec<Name> {
    let number = |name: &str, meaning: &str, read: fn(H1) -> u64| {
        let meaning = format!("{meaning}; on H1 with EF >= 1");
        Named::position(name, Type::Integer, meaning, move |view: &View| match H1::of(view) {
            _ if named(view) != Some("H1") => Reading::Absent,
            H1 { ef: 0, .. } => Reading::Undefined(Reason::Logarithm),
            h1 => whole(read(h1)),
        })
    };
    vec![
        number("h1_modulus", "M = 2^(f(EF)+1), the least power of 2 above EF", H1::modulus),
        number("h1_m1", "m1, where AB = M m1 + l1", |h1| h1.quotients()[0]),
        number("h1_l1", "l1, where AB = M m1 + l1 and 0 <= l1 < M", |h1| h1.remainders()[0]),
        number("h1_m2", "m2, where CD = M m2 + l2", |h1| h1.quotients()[1]),
        number("h1_l2", "l2, where CD = M m2 + l2 and 0 <= l2 < M", |h1| h1.remainders()[1]),
    ]
}

/// The ways in which the triangle is special, on G4 and on K3.
fn special_ways(view: &View) -> Option<Vec<Special>> {
    let [ab, bc, ca, _] = view.named;
    named(view).filter(|name| ["G4", "K3"].contains(name)).map(|_| special([ab, bc, ca]).collect())
}

/// What positions on G4 and on K3 have: Definition 4.5, of which all ways have the same k, l and m.
fn of_triangle() -> Vec<Name> {
    let number = |name: &str, meaning: &str, read: fn(&Special) -> u64| {
        let meaning = format!("{meaning}, where {{AB,BC,CA}} is (k,l,m,i)-special; on G4 and K3");
        Named::position(name, Type::Integer, meaning, move |view: &View| match special_ways(view).as_deref() {
            None => Reading::Absent,
            Some([]) => Reading::Undefined(Reason::Unknown),
            Some([first, ..]) => whole(read(first)),
        })
    };
    let every_i = "every i for which {AB,BC,CA} is (k,l,m,i)-special, none where it is not special; on G4 and K3";
    vec![
        Named::boolean("is_special", "whether {AB,BC,CA} is (k,l,m,i)-special for some k, l, m, i; on G4 and K3", |view: &View| {
            special_ways(view).map(|ways| !ways.is_empty())
        }),
        number("special_k", "k", |way| way.k),
        number("special_l", "l", |way| way.l),
        number("special_m", "m", |way| way.m),
        Named::position("special_i", Type::set(Type::Integer), every_i, |view: &View| {
            // An i is at most m + 1, and that is no greater than a weight.
            let every = |ways: Vec<Special>| Value::set_of(ways.iter().map(|way| way.i as i64)).into();
            special_ways(view).map_or(Reading::Absent, every)
        }),
    ]
}

fn outcome() -> Name {
    let asked = Impartial::Outcome(Outcome::P);
    Named::predicted("outcome", Type::Outcome, "P where who moves loses, else N", asked, |_, value: &Impartial, _| {
        Value::Outcome(value.outcome()).into()
    })
}

fn grundy() -> Name {
    let meaning = "the Grundy value, in a box with quantities = [\"grundy\"]";
    Named::predicted("grundy", Type::Integer, meaning, Impartial::Grundy(Nimber(0)), |_, value: &Impartial, _| {
        value.grundy().map_or(Reading::Absent, |grundy| whole(grundy.0))
    })
}
