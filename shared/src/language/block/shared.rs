//! Finds the parts that occur more than once in a claim, and says what is kept of each while a block is worked out.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::language::syntax::{Kind, Node};

use super::column::Vector;
use super::mask::Mask;

/// The most parts of a claim that are kept.
const MOST: usize = 64;

/// The fewest parts below and with a node, for which it is worth to keep what it came to: an operator with its operands.
const FEWEST_PARTS: usize = 3;

/// A part that occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// How many quantifiers stand between it and the innermost one whose name it has, if it has any.
    pub innermost: Option<usize>,
}

/// What a shared part came to.
pub struct Kept<'a> {
    /// Where it was worked out.
    pub mask: Mask,
    pub vector: Vector<'a>,
    /// The element of the innermost quantifier whose name it has.
    pub element: Option<u64>,
    /// The steps that it took at each lane, if anything takes steps.
    pub steps: Vec<u64>,
}

/// A node with what is below it, as it is met.
struct Met<'n> {
    node: &'n Node,
    digest: u64,
    /// How many quantifiers stand between it and those whose names it has, a bit each; none if there are more than bits.
    free: Option<u128>,
    /// How many nodes there are with those below it.
    size: usize,
}

/// Finds the parts that occur more than once in some trees, and numbers them there from 1 on.
///
/// Cost: O(parts).
pub fn share<'n>(trees: impl IntoIterator<Item = &'n mut Node>) -> Vec<Shared> {
    let mut trees: Vec<&mut Node> = trees.into_iter().collect();
    let (numbers, shared) = {
        let mut met = Vec::new();
        for tree in &trees {
            meet(tree, &mut met);
        }
        numbered(&met)
    };
    let mut numbers = numbers.into_iter();
    for tree in &mut trees {
        write(tree, &mut numbers);
    }
    shared
}

/// Takes in a tree, from the top to the bottom and from left to right, and gives the digest of its root and the names that are
/// free in it.
fn meet<'n>(node: &'n Node, met: &mut Vec<Met<'n>>) -> (u64, Option<u128>) {
    let index = met.len();
    met.push(Met { node, digest: 0, free: None, size: 0 });
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(&node.kind).hash(&mut hasher);
    let mut free = Some(0);
    match &node.kind {
        Kind::Integer(integer) => integer.hash(&mut hasher),
        Kind::Boolean(boolean) => boolean.hash(&mut hasher),
        Kind::Game(text) => text.hash(&mut hasher),
        Kind::Variable(named) | Kind::Positions(named) | Kind::Field(_, named) => named.index.hash(&mut hasher),
        Kind::Bound(named) => {
            named.index.hash(&mut hasher);
            free = u32::try_from(named.index).ok().and_then(|index| 1u128.checked_shl(index));
        }
        Kind::Arithmetic(operator, _) => operator.hash(&mut hasher),
        Kind::Compare(_, rest) => rest.iter().for_each(|(sign, _)| sign.hash(&mut hasher)),
        Kind::Call(function, _) => function.hash(&mut hasher),
        Kind::Quantified(quantified) => quantified.quantifier.hash(&mut hasher),
        _ => {}
    }
    let children = node.children();
    let last = children.len().saturating_sub(1);
    for (place, child) in children.into_iter().enumerate() {
        let (digest, below) = meet(child, met);
        digest.hash(&mut hasher);
        // The body of a quantifier comes last, and its own name is not free outside.
        let is_body = place == last && matches!(node.kind, Kind::Quantified(_));
        free = free.zip(below).map(|(free, below)| free | if is_body { below >> 1 } else { below });
    }
    let size = met.len() - index;
    let (digest, met) = (hasher.finish(), &mut met[index]);
    (met.digest, met.free, met.size) = (digest, free, size);
    (digest, free)
}

/// The number of each node, 0 for those that are not shared, and what is known of those that are.
fn numbered(met: &[Met<'_>]) -> (Vec<u32>, Vec<Shared>) {
    // Equal nodes by one of them, with all places at which they are met. What is below one is met below the first of them alone.
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut index = 0;
    while let Some(Met { node, digest, size, .. }) = met.get(index) {
        let alike = known.entry(*digest).or_default();
        match alike.iter().find(|class| met[classes[**class][0]].node == *node) {
            Some(class) => {
                classes[*class].push(index);
                index += size;
            }
            None => {
                alike.push(classes.len());
                classes.push(vec![index]);
                index += 1;
            }
        }
    }
    let parts = |class: &Vec<usize>| met[class[0]].node.parts;
    let is_worth = |class: &Vec<usize>| {
        let Met { node, free, .. } = &met[class[0]];
        class.len() > 1 && node.parts >= FEWEST_PARTS && free.is_some() && !matches!(node.kind, Kind::At(_))
    };
    classes.retain(is_worth);
    classes.sort_by_key(|class| std::cmp::Reverse(parts(class) * (class.len() - 1)));
    classes.truncate(MOST);
    let mut numbers = vec![0; met.len()];
    for (number, class) in (1..).zip(&classes) {
        class.iter().for_each(|index| numbers[*index] = number);
    }
    let innermost = |free: u128| (free != 0).then(|| free.trailing_zeros() as usize);
    let shared = classes.iter().map(|class| Shared { innermost: met[class[0]].free.and_then(innermost) });
    (numbers, shared.collect())
}

fn write(node: &mut Node, numbers: &mut impl Iterator<Item = u32>) {
    node.shared = numbers.next().unwrap_or(0);
    node.children_mut().into_iter().for_each(|child| write(child, numbers));
}
