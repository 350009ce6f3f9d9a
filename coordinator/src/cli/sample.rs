//! Samples of a space: on how many configurations the hypotheses are true of the claims that a manifest states. Nothing is left to
//! chance or to the clock: the same manifest gives the same sample.

use refute_connect::size::DEFAULT_MEMORY_BYTES;
use refute_shared::families::{Pulse, Task};
use refute_shared::sweep::{Record, Shard, Sweep, Tally};

/// On how many of some configurations the hypothesis of each of some claims is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many configurations were looked at.
    pub configurations: u128,
    /// The claims, by their place in the sweep, and on how many of these configurations the hypothesis of each is true.
    pub meant: Vec<(usize, u128)>,
}

/// The samples of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// Configurations that are spread over the space, each by itself: for hypotheses that ask for nothing that is solved.
    pub spread: Option<Sample>,
    /// Parts of the space that are solved quickly: for the other hypotheses, and for spaces whose configurations are not known before
    /// they are solved.
    pub solved: Option<Sample>,
    /// Whether some hypothesis was to be looked at in parts that are solved and none is solved quickly enough.
    pub lacks_solved: bool,
}

impl Samples {
    /// The samples of the claims that the manifest states.
    pub fn of(sweep: &Sweep) -> Self {
        // What is about a whole is judged at one configuration of many, which a sample says nothing about.
        let is_about_positions = |index: &usize| sweep.claims[*index].stated.as_ref().is_some_and(|stated| stated.per.is_none());
        let stated: Vec<usize> = (0..sweep.claims.len()).filter(is_about_positions).collect();
        let spread = spread(sweep, &stated);
        let is_left = |claim: &usize| !spread.iter().flat_map(|sample| &sample.meant).any(|(known, _)| known == claim);
        let left: Vec<usize> = stated.into_iter().filter(is_left).collect();
        let solved = if left.is_empty() { None } else { solved(sweep, &left) };
        Self { lacks_solved: !left.is_empty() && solved.is_none(), spread, solved }
    }
}

/// The most configurations of a sample that is spread over the space, a power of 2.
const SPREAD: u32 = 1 << 15;
/// All of them take about so many steps of the language: less than a second, unless a single one takes that many.
const STEPS: u64 = 1 << 21;

/// Configurations of all of the space, or where these are many one of each of [`SPREAD`] equal stretches of it, at a place that looks
/// random; in an order in which the first ones, too, are spread over all of it. None if some box does not tell its configurations.
fn spread(sweep: &Sweep, stated: &[usize]) -> Option<Sample> {
    let whole = |box_index| Shard { box_index, start: 0, end: sweep.space.units(box_index) };
    let starts: Vec<u128> = (0..sweep.space.boxes())
        .scan(0, |before, box_index| Some(std::mem::replace(before, *before + sweep.space.configurations(&whole(box_index)))))
        .collect();
    let total = sweep.space.total();
    let stretches = u128::from(SPREAD);
    let (mut configurations, mut steps) = (0, 0);
    let mut meant: Vec<Option<u128>> = vec![Some(0); stated.len()];
    for index in (0..SPREAD).map(shuffled).map(u128::from) {
        let number = match total {
            _ if total <= stretches => Some(index).filter(|index| *index < total),
            _ => {
                // Boxes have fewer than 2^79 configurations, and there are at most a thousand.
                let (low, high) = (total * index / stretches, total * (index + 1) / stretches);
                Some(low + looks_random(index as u64) % (high - low))
            }
        };
        let Some(number) = number else { continue };
        if steps > STEPS {
            break;
        }
        let at = starts.partition_point(|start| *start <= number).checked_sub(1)?;
        // There are as many boxes as places.
        let found = sweep.space.hypotheses(at as u32, number - starts[at])?;
        configurations += 1;
        steps += found.steps;
        for (sum, is_true) in meant.iter_mut().zip(found.are_true) {
            *sum = sum.zip(is_true).map(|(sum, is_true)| sum + u128::from(is_true));
        }
    }
    let meant: Vec<(usize, u128)> = stated.iter().zip(meant).filter_map(|(claim, meant)| Some((*claim, meant?))).collect();
    (configurations > 0 && !meant.is_empty()).then_some(Sample { configurations, meant })
}

/// The numbers below [`SPREAD`] in another order: an odd multiple of each, so that each comes once, and near the golden section, so that
/// those which come first are spread evenly.
fn shuffled(index: u32) -> u32 {
    index.wrapping_mul(20_251) % SPREAD
}

/// A number that depends on another in no simple way: two words of SplitMix64.
fn looks_random(seed: u64) -> u128 {
    let word = |state: u64| {
        let mut word = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    u128::from(word(2 * seed + 1)) << 64 | u128::from(word(2 * seed + 2))
}

/// The most boxes of which parts are solved, and the most parts of a box.
const BOXES: u64 = 16;
const PLACES: u64 = 64;
/// A part has about so many configurations.
const CONFIGURATIONS: u128 = 512;
/// All parts take about so long, in seconds by the estimate.
const SECONDS: f64 = 1.0;

/// Small parts of the space, spread over it: one of each of equal stretches of a box, at a place that looks random, in as many stretches
/// as are solved quickly. None if no part is.
fn solved(sweep: &Sweep, claims: &[usize]) -> Option<Sample> {
    struct GoOn;
    impl Pulse for GoOn {
        fn beat(&mut self, _decided: u128) -> bool {
            true
        }
    }
    let task = Task { counterexamples: 1, record: Record::None, budget_bytes: DEFAULT_MEMORY_BYTES };
    let mut solver = sweep.space.solver();
    let mut sum = Tally::new(sweep.claims.len());
    let boxes = u64::from(sweep.space.boxes());
    let count = boxes.min(BOXES);
    for place in 0..count {
        // Below the number of boxes.
        let box_index = stretch(boxes, place, count, 1).start as u32;
        for shard in parts(sweep, box_index, SECONDS / count as f64) {
            let result = solver.solve(&shard, &task, &mut GoOn).ok()?;
            sum.merge(&result.tally).ok()?;
        }
    }
    let meant = claims.iter().map(|claim| (*claim, sum.decided - sum.silent(*claim))).collect();
    (sum.decided > 0).then_some(Sample { configurations: sum.decided, meant })
}

/// As many parts of a box as are solved in so many seconds; none if one takes longer, or more memory than there is.
fn parts(sweep: &Sweep, box_index: u32, seconds: f64) -> Vec<Shard> {
    let units = sweep.space.units(box_index);
    let each = sweep.space.configurations(&Shard { box_index, start: 0, end: 1 }).max(1);
    // At most as many units as configurations.
    let length = u64::try_from(CONFIGURATIONS / each).unwrap_or(1).max(1);
    let mut count = units.div_ceil(length).min(PLACES);
    while count > 0 {
        let shards: Vec<Shard> = (0..count)
            .map(|place| {
                let std::ops::Range { start, end } = stretch(units, place, count, length);
                Shard { box_index, start, end }
            })
            .collect();
        let costs: Vec<_> = shards.iter().map(|shard| sweep.space.cost(shard)).collect();
        let fits = costs.iter().all(|cost| cost.bytes <= u128::from(DEFAULT_MEMORY_BYTES));
        if fits && costs.iter().map(|cost| cost.seconds).sum::<f64>() <= seconds {
            return shards;
        }
        count /= 2;
    }
    Vec::new()
}

/// At most so many numbers in a row, of a stretch of the numbers below `all` that is cut into `count` of them, from a place in it on that
/// looks random. There are at least `count` numbers.
fn stretch(all: u64, place: u64, count: u64, length: u64) -> std::ops::Range<u64> {
    let end = |place: u64| (u128::from(all) * u128::from(place) / u128::from(count)) as u64;
    let (low, high) = (end(place), end(place + 1));
    let length = length.min(high - low);
    let start = low + (looks_random(place) % u128::from(high - low - length + 1)) as u64;
    start..start + length
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use refute_shared::sweep::Manifest;

    use super::*;

    fn samples(rest: &str) -> Samples {
        let text = format!("name = \"sampled\"\nfamily = \"graph-nim\"\n{rest}");
        Samples::of(&Manifest::parse(&text).and_then(Sweep::resolve).unwrap())
    }

    #[test]
    fn the_order_of_a_sample_has_each_stretch_once_and_its_beginning_is_spread() {
        assert_eq!((0..SPREAD).map(shuffled).collect::<BTreeSet<u32>>(), (0..SPREAD).collect());
        for count in [16, 256, 4096] {
            let mut first: Vec<u32> = (0..count).map(shuffled).collect();
            first.sort_unstable();
            let ends = first.iter().copied().chain([SPREAD + first[0]]);
            let longest = ends.clone().zip(ends.skip(1)).map(|(one, next)| next - one).max().unwrap();
            assert!(longest <= 4 * SPREAD / count, "{count}: {longest}");
        }
    }

    #[test]
    fn stretches_have_their_length_and_do_not_meet() {
        for (all, count, length) in [(1, 1, 512), (64, 64, 1), (65, 64, 8), (100_000, 64, 512), (u64::MAX, 64, 512)] {
            let found: Vec<_> = (0..count).map(|place| stretch(all, place, count, length)).collect();
            assert!(found.iter().all(|one| !one.is_empty() && one.end - one.start <= length && one.end <= all), "{found:?}");
            assert!(found.is_sorted_by(|one, next| one.end <= next.start), "{found:?}");
        }
    }

    #[test]
    fn a_small_space_is_looked_at_whole() {
        let claims = "[[claim]]\nid = \"mine/a\"\nwhere = \"AB == 3\"\nsays = \"true\"\n[[claim]]\nid = \"mine/b\"\nsays = \"true\"\n";
        let found =
            samples(&format!("{claims}[[space]]\ngraph = \"H1\"\nweights = \"0..=4\"\n[[space]]\ngraph = \"K3\"\nweights = \"1..=5\"\n"));
        let sample = Sample { configurations: 625 + 125, meant: vec![(0, 125 + 25), (1, 750)] };
        assert_eq!(found, Samples { spread: Some(sample), solved: None, lacks_solved: false });
    }

    #[test]
    fn a_rare_hypothesis_of_a_large_space_is_met() {
        let space = "[space]\ngraph = \"H1\"\nweights = \"0..=256\"\n";
        let claim = "[[claim]]\nid = \"mine/r5\"\nwhere = \"EF >= 11 && AB % pow2(floor_log2(EF) + 1) == 5 && BC == 1\"\nsays = \"outcome == P <=> CD == AB + 1\"\n";
        let Samples { spread: Some(Sample { configurations, meant }), solved: None, .. } = samples(&format!("{claim}{space}")) else {
            panic!()
        };
        assert_eq!(configurations, u128::from(SPREAD));
        // It is true on 257 (CD) times the sum over EF of the number of AB up to 256 with remainder 5, of 257^4.
        let of_ab = |ef: u32| (0..=256u32).filter(|ab| ab % (1 << (ef.ilog2() + 1)) == 5).count();
        let share = (11..=256).map(of_ab).sum::<usize>() as f64 / 257f64.powi(3);
        let (expected, found) = (share * configurations as f64, meant[0].1 as f64);
        assert!(found > 0.0 && (found - expected).abs() < 4.0 * expected.sqrt(), "{found}, and {expected} are expected");
    }

    #[test]
    fn a_hypothesis_that_asks_a_solver_is_looked_at_in_parts_that_are_solved() {
        let claims = "[[claim]]\nid = \"mine/a\"\nwhere = \"outcome == P\"\nsays = \"true\"\n[[claim]]\nid = \"mine/b\"\nwhere = \"AB == 3\"\nsays = \"true\"\n";
        let found = samples(&format!("{claims}[space]\ngraph = \"H1\"\nweights = \"0..=32\"\n"));
        let (spread, solved) = (found.spread.unwrap(), found.solved.unwrap());
        assert_eq!((spread.meant.len(), spread.meant[0].0), (1, 1));
        assert_eq!((solved.meant.len(), solved.meant[0].0), (1, 0));
        // There is at most one P-position a line.
        assert!(solved.meant[0].1 > 0 && solved.meant[0].1 * 33 <= solved.configurations);
    }

    #[test]
    fn a_hypothesis_that_takes_many_steps_is_looked_at_on_fewer_configurations() {
        let claim = "[[claim]]\nid = \"mine/a\"\nwhere = \"all(m in 0..=900000, m >= 0)\"\nsays = \"true\"\n";
        let found = samples(&format!("{claim}[space]\ngraph = \"H1\"\nweights = \"0..=32\"\n"));
        assert_eq!(found.spread.unwrap(), Sample { configurations: 3, meant: vec![(0, 3)] });
    }
}
