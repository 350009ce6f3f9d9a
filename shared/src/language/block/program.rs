//! Holds a claim against a block: finds the window outside of which it is silent, and judges the lanes inside.

use std::ops::Range;

use crate::language::bounds::{LANES, LANES_WITH_STEPS};
use crate::language::claim::Claim;
use crate::language::positions::{Alone, Positions};
use crate::language::scope::Expression;
use crate::language::syntax::{Arithmetic, Function, Kind, Node, Quantifier};
use crate::language::value::{Reading, Verdict};
use crate::value::Games;

use super::column::{Block, Column, Selection, Vector};
use super::evaluate::Bits;
use super::machine::{Machine, Run};
use super::mask::Mask;
use super::shared::{Shared, share};
use super::window::{Conjunct, window};

/// A claim, made ready to be held against blocks of positions. It is made once, and may be shared between threads.
#[derive(Clone, Debug)]
pub struct Program {
    claim: Claim,
    conjuncts: Vec<Conjunct>,
    /// What is said, with the numbers of what is shared, as in the conjuncts.
    statement: Node,
    /// The parts that occur more than once.
    shared: Vec<Shared>,
    /// Whether the hypothesis, and what is said, may run out of steps.
    takes_steps: [bool; 2],
    /// How many lanes are worked out at a time.
    lanes: usize,
}

/// What a claim comes to along a block. At the lanes that are not in [`Judged::range`] it is silent.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'m> {
    /// The first lane that was looked at.
    pub first: usize,
    /// What it comes to there and at the lanes after it.
    pub verdicts: &'m [Verdict],
}

/// The lanes of a block at which a claim may speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// At all other lanes it is silent. Without lanes the hypothesis is false all along the block.
    pub lanes: Range<usize>,
    /// Whether the hypothesis is known to be true at all of these.
    pub is_true: bool,
}

impl Judged<'_> {
    /// The lanes that were looked at.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.verdicts.len()
    }

    /// What the claim comes to at a lane.
    #[must_use]
    pub fn at(&self, lane: usize) -> Verdict {
        lane.checked_sub(self.first).and_then(|lane| self.verdicts.get(lane)).copied().unwrap_or(Verdict::Silent)
    }
}

impl Program {
    /// A claim, made ready.
    #[must_use]
    pub fn new(claim: &Claim) -> Self {
        let mut conjuncts = claim.condition().map_or_else(Vec::new, conjuncts);
        let mut statement = claim.statement().tree().clone();
        let shared = share(conjuncts.iter_mut().map(|conjunct| &mut conjunct.node).chain([&mut statement]));
        let trees = || claim.condition().into_iter().chain([claim.statement()]).map(Expression::tree);
        // Lists that differ from lane to lane take their length at each lane, so there are fewer lanes at a time.
        let elements: usize =
            trees().map(|tree| count(tree, &|node| if let Kind::List(elements) = &node.kind { elements.len() } else { 0 })).sum();
        let takes_steps = |expression: &Expression| count(expression.tree(), &|node| usize::from(takes_steps(node, expression))) > 0;
        let takes_steps = [claim.condition().is_some_and(takes_steps), takes_steps(claim.statement())];
        let most = if takes_steps == [false; 2] { LANES } else { LANES_WITH_STEPS };
        Self { claim: claim.clone(), conjuncts, statement, shared, takes_steps, lanes: (most / (1 + elements / 64)).max(1) }
    }

    /// How many positions are worked out at a time. A longer block is worked out in parts; one of this length takes at most some
    /// seconds, also where every position takes all the steps that it may.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The lanes of a block at which the claim may speak, found without a look at each lane. It is the more exact the more of the
    /// hypothesis compares a [`Column::Counting`] with what is constant along the block.
    ///
    /// Columns that the hypothesis does not use are not looked at: so a caller may ask first and solve afterwards, and only where
    /// it has to.
    ///
    /// Cost: that of working out, once, what is constant along the block in the hypothesis.
    #[must_use]
    pub fn window(&self, block: &Block<'_>, games: &mut Games, machine: &mut Machine) -> Window {
        let mut rest = std::mem::take(&mut machine.rest);
        let lanes = self.window_and_rest(block, games, machine, &mut rest);
        let may_be_absent = |index: &usize| matches!(block.columns.get(*index), Some(Column::Readings(_)));
        let is_true = rest.is_empty() && !self.claim.uses().iter().any(may_be_absent);
        machine.rest = rest;
        Window { lanes, is_true }
    }

    fn window_and_rest(&self, block: &Block<'_>, games: &mut Games, machine: &mut Machine, rest: &mut Vec<usize>) -> Range<usize> {
        let is_absent = |index: &usize| matches!(block.columns.get(*index), None | Some(Column::Constant(Reading::Absent)));
        if self.claim.uses().iter().any(is_absent) {
            return 0..0;
        }
        // What looks at other positions is passed over.
        let mut alone = Alone;
        let mut run = Run::new(machine, *block, Selection::Window(0..1), (games, &mut alone), (self.takes_steps[0], &[]));
        let window = window(&self.conjuncts, block.lanes, rest, &mut run);
        if self.takes_steps[0] {
            // What was worked out took steps, and takes them again where they count.
            rest.clear();
            rest.extend(0..self.conjuncts.len());
        }
        window
    }

    /// Holds the claim against each position of a block. Games are of the store `games`, other positions of `others`: see
    /// [`crate::language::walk::evaluate`].
    ///
    /// Cost: per lane of the window some 0.5 ns an operator on whole numbers, of outcomes less; lane by lane, and so slower, where
    /// games or lists differ from lane to lane. What is said is worked out only where the hypothesis is true.
    pub fn judge<'m>(&self, block: &Block<'_>, games: &mut Games, others: &mut dyn Positions, machine: &'m mut Machine) -> Judged<'m> {
        let mut rest = std::mem::take(&mut machine.rest);
        let window = self.window_and_rest(block, games, machine, &mut rest);
        machine.verdicts.clear();
        machine.verdicts.resize(window.len(), Verdict::Silent);
        let kept = others.kept();
        for start in window.clone().step_by(self.lanes) {
            let part = start..window.end.min(start + self.lanes);
            self.judge_part(block, part, start - window.start, &rest, (&mut *games, &mut *others), machine);
            others.release(kept);
        }
        machine.rest = rest;
        Judged { first: window.start, verdicts: &machine.verdicts }
    }

    /// Judges some lanes, whose verdicts begin at `at`.
    fn judge_part(
        &self,
        block: &Block<'_>,
        part: Range<usize>,
        at: usize,
        rest: &[usize],
        (games, others): (&mut Games, &mut dyn Positions),
        machine: &mut Machine,
    ) {
        let mut run =
            Run::new(machine, *block, Selection::Window(part.clone()), (&mut *games, &mut *others), (self.takes_steps[0], &self.shared));
        let mask = self.present(&mut run);
        let open = if rest.is_empty() {
            mask
        } else {
            let operands = rest.iter().filter_map(|index| self.conjuncts.get(*index)).map(|conjunct| &conjunct.node);
            let found = run.until(operands, false, &mask);
            if run.deaths > 0 {
                for lane in mask.iter() {
                    if let Some(reason) = run.reason(lane) {
                        run.machine.verdicts[at + lane] = Verdict::Undefined(reason);
                    }
                }
            }
            let open = match Bits::of(found) {
                Bits::Same(false) => {
                    run.recycle_kept();
                    return run.recycle_bytes(mask.lanes);
                }
                Bits::Same(true) => mask,
                Bits::Each(bytes) => {
                    let open = run.narrowed(&mask, &bytes, true);
                    run.recycle_bytes(mask.lanes);
                    run.recycle_bytes(bytes);
                    open
                }
            };
            if run.deaths == 0 { open } else { run.alive(&open) }
        };
        if open.count == 0 {
            run.recycle_kept();
            return run.recycle_bytes(open.lanes);
        }
        let lanes = part.len();
        if open.count * 4 < lanes && lanes > 64 {
            run.recycle_kept();
            // Few lanes are left: they are put side by side.
            let mut selected = std::mem::take(&mut machine.selected);
            selected.clear();
            // A block has less than 2^32 lanes.
            selected.extend(open.iter().map(|lane| (part.start + lane) as u32));
            machine.bytes_back(open.lanes);
            let mut run = Run::new(machine, *block, Selection::Lanes(&selected), (games, others), (self.takes_steps[1], &self.shared));
            let all = run.all();
            run.judge(&self.statement, &all);
            run.recycle_kept();
            run.recycle_bytes(all.lanes);
            for (found, lane) in machine.found.iter().zip(&selected) {
                machine.verdicts[at + (*lane as usize - part.start)] = *found;
            }
            machine.selected = selected;
        } else {
            // What the hypothesis has in common with what is said is known at these lanes.
            let (kept, elements_met) = (std::mem::take(&mut run.kept), run.elements_met);
            let mut run = Run::new(machine, *block, Selection::Window(part), (games, others), (self.takes_steps[1], &self.shared));
            (run.kept, run.elements_met) = (kept, elements_met);
            run.judge(&self.statement, &open);
            run.recycle_kept();
            for ((asked, verdict), found) in open.lanes.iter().zip(&mut machine.verdicts[at..]).zip(&machine.found) {
                if *asked != 0 {
                    *verdict = *found;
                }
            }
            machine.bytes_back(open.lanes);
        }
    }

    /// The lanes at which no name is absent.
    fn present(&self, run: &mut Run<'_, '_>) -> Mask {
        let mut mask = run.all();
        for index in self.claim.uses() {
            if let Some(Column::Readings(readings)) = run.block.columns.get(*index) {
                for lane in 0..run.lanes {
                    if matches!(readings.get(run.selection.lane(lane)), None | Some(Reading::Absent)) {
                        mask.lanes[lane] = 0;
                    }
                }
            }
        }
        Mask::of(mask.lanes)
    }
}

impl<'a> Run<'_, 'a> {
    /// What a statement that is a whole comes to at the lanes of a mask.
    fn judge(&mut self, node: &Node, mask: &Mask) {
        self.machine.found.clear();
        self.machine.found.resize(self.lanes, Verdict::Held);
        self.statement(node, mask);
        if self.deaths > 0 {
            for lane in mask.iter() {
                if let Some(reason) = self.reason(lane) {
                    self.machine.found[lane] = Verdict::Undefined(reason);
                }
            }
        }
    }

    fn statement(&mut self, node: &Node, mask: &Mask) {
        let found = match &node.kind {
            Kind::Implies(pair) => {
                let open = match self.bits(&pair[0], mask) {
                    Bits::Same(true) => return self.statement(&pair[1], mask),
                    Bits::Same(false) => Mask { lanes: vec![0; self.lanes], count: 0 },
                    Bits::Each(bytes) => self.narrowed(mask, &bytes, true),
                };
                self.vacuous(mask, &open);
                return self.statement(&pair[1], &open);
            }
            Kind::Quantified(quantified) if quantified.quantifier == Quantifier::All && mask.count > 0 => {
                let Some(elements) = self.elements(&quantified.domain, mask) else { return };
                let open = self.having(&elements, 0, mask);
                self.vacuous(mask, &open);
                let found = self.quantified(quantified, elements, &open);
                return self.settle(found, &open);
            }
            _ => self.vector(node, mask),
        };
        self.settle(found, mask);
    }

    /// The lanes of a mask that are not open have nothing to say.
    fn vacuous(&mut self, mask: &Mask, open: &Mask) {
        if open.count < mask.count {
            for ((verdict, asked), open) in self.machine.found.iter_mut().zip(&mask.lanes).zip(&open.lanes) {
                if asked & !open != 0 {
                    *verdict = Verdict::Vacuous;
                }
            }
        }
    }

    /// The lanes of a mask hold or are refuted. They are held until here.
    fn settle(&mut self, found: Vector<'a>, mask: &Mask) {
        match Bits::of(found) {
            Bits::Same(true) => {}
            Bits::Same(false) => mask.iter().for_each(|lane| self.machine.found[lane] = Verdict::Refuted),
            Bits::Each(bytes) => {
                for ((verdict, asked), byte) in self.machine.found.iter_mut().zip(&mask.lanes).zip(&bytes) {
                    if asked & (byte ^ 1) != 0 {
                        *verdict = Verdict::Refuted;
                    }
                }
                self.recycle_bytes(bytes);
            }
        }
    }
}

/// The operands of a condition.
fn conjuncts(condition: &Expression) -> Vec<Conjunct> {
    let tree = condition.tree();
    let operands = if let Kind::And(operands) = &tree.kind { &operands[..] } else { std::slice::from_ref(tree) };
    let conjunct = |node: &Node| {
        let (mut uses, mut relates) = (Vec::new(), false);
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match &node.kind {
                Kind::Variable(variable) => uses.push(variable.index),
                Kind::Positions(_) | Kind::At(_) => relates = true,
                _ => {}
            }
            open.extend(node.children());
        }
        uses.sort_unstable();
        uses.dedup();
        Conjunct { node: node.clone(), uses, relates }
    };
    operands.iter().map(conjunct).collect()
}

/// Adds up something over all nodes of a tree.
fn count(node: &Node, of: &impl Fn(&Node) -> usize) -> usize {
    of(node) + node.children().into_iter().map(|child| count(child, of)).sum::<usize>()
}

/// Whether a part may take steps; sums and differences do so only of games.
fn takes_steps(node: &Node, expression: &Expression) -> bool {
    match &node.kind {
        Kind::Quantified(_) | Kind::Call(Function::HasAtomicWeight | Function::OutcomeWithFarStar, _) => true,
        Kind::Arithmetic(Arithmetic::Plus | Arithmetic::Minus, _) => expression.has_games(),
        _ => false,
    }
}
