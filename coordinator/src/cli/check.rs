//! `refute check`: what a manifest means, without running it.

use clap::Args;
use refute_connect::size::DEFAULT_MEMORY_BYTES;
use refute_shared::claim::Claim;
use refute_shared::families::{Cost, Pulse, Task};
use refute_shared::language::Variable;
use refute_shared::sweep::{Plan, Record, Shard, Sweep, Tally};
use refute_shared::text::{bytes, duration, grouped, several};
use serde_json::{Value, json};

use crate::report::cut;

use super::exit::{Failure, Output};
use super::manifest_source::ManifestSource;

/// What a manifest means, without running it: boxes, sizes, claims, estimated cost and memory
#[derive(Args, Debug)]
#[command(after_help = "Example: refute check h1 --set space.weights=0..=64")]
pub struct Check {
    #[command(flatten)]
    source: ManifestSource,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub fn run(&self) -> Result<Output, Failure> {
        let sweep = self.source.sweep()?;
        let plan = Plan::new(sweep.space.as_ref(), sweep.options()).map_err(Failure::wrong)?;
        Ok(if self.json { Output::line(to_json(&sweep, &plan)) } else { Output::page(&text(&sweep, &plan)) })
    }
}

/// A box: its words, how many configurations it has and what it costs.
fn boxes(sweep: &Sweep) -> Vec<(String, u128, Cost)> {
    let whole = |box_index| Shard { box_index, start: 0, end: sweep.space.units(box_index) };
    let describe = |index| {
        let shard = whole(index);
        (sweep.space.describe(index), sweep.space.configurations(&shard), sweep.space.cost(&shard))
    };
    (0..sweep.space.boxes()).map(describe).collect()
}

fn text(sweep: &Sweep, plan: &Plan) -> String {
    let boxes = boxes(sweep);
    let mut lines = vec![format!("{}: {}", sweep.id(), sweep.family.id())];
    let of_box = |(text, configurations, cost): &(String, u128, Cost)| {
        let (size, time, tables) = (several(*configurations, "configuration"), duration(cost.seconds), bytes(cost.bytes));
        format!("  box: {text}: {size}, about {time} of one core, {tables} of tables per slot")
    };
    lines.extend(cut(boxes.iter().map(of_box).collect()));
    let keeps = (0..sweep.space.boxes()).filter_map(|index| Some((index, sweep.space.keeps(index)?)));
    let keeps = keeps.map(|(index, keeps)| format!("  a slot keeps of {}: {keeps}", sweep.space.describe(index)));
    lines.extend(cut(keeps.collect()));
    let time = duration(boxes.iter().map(|(_, _, cost)| cost.seconds).sum());
    let most = boxes.iter().map(|(_, _, cost)| cost.bytes).max().unwrap_or(0);
    let (size, shards) = (several(sweep.configurations(), "configuration"), several(plan.shards().into(), "shard"));
    lines.push(format!("  in all {size} in {shards}, about {time} of one core, at most {} of tables per slot", bytes(most)));
    lines.extend(too_large(most));
    lines.push(if sweep.claims.is_empty() {
        "  no claims: none is named and none can speak about this space".to_owned()
    } else {
        format!("  {}:", several(sweep.claims.len() as u128, "claim"))
    });
    lines.extend(sweep.claims.iter().enumerate().map(|(index, claim)| {
        let note = if sweep.space.can_speak(index) { "" } else { " (cannot speak about this space)" };
        format!("    {}{note}", claim.id)
    }));
    lines.extend(stated_lines(sweep));
    lines.join("\n") + "\n"
}

/// What the claims that the manifest states are made of: the type of each name, and how often their hypotheses are true.
fn stated_lines(sweep: &Sweep) -> Vec<String> {
    if sweep.stated().is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["  names:".to_owned()];
    for (Variable { name, of, .. }, lacking) in sweep.space.stated_names() {
        let note = match &lacking[..] {
            [] => String::new(),
            [only] => format!("; {} has no such name, and the claims that use it are silent there", sweep.space.describe(*only)),
            several => format!("; {} boxes have no such name, and the claims that use it are silent there", several.len()),
        };
        lines.push(format!("    {name}: {of}{note}"));
    }
    match sample(sweep) {
        None => lines.push("  no part of the space is solved quickly enough to say how often the hypotheses are true".to_owned()),
        Some(tally) => {
            lines.push(format!("  of a sample of {}:", several(tally.decided, "configuration")));
            // What is about a whole is judged at one configuration of many, which a sample says nothing about.
            let is_about_positions = |claim: &Claim| claim.stated.as_ref().is_some_and(|stated| stated.per.is_none());
            let claims = sweep.claims.iter().enumerate().filter(|(_, claim)| is_about_positions(claim));
            lines.extend(claims.map(|(index, claim)| {
                let meant = tally.decided - tally.silent(index);
                let share = 100.0 * meant as f64 / tally.decided as f64;
                format!("    the hypothesis of {} is true on {} ({share:.2} %)", claim.id, grouped(meant))
            }));
        }
    }
    lines
}

/// At how many places of a box a sample is taken, and of how many boxes.
const PLACES: u64 = 64;
const BOXES: u32 = 16;
/// A place of a sample has about so many configurations.
const CONFIGURATIONS: u128 = 512;
/// All of a sample takes about so long, in seconds by the estimate.
const SECONDS: f64 = 1.0;

/// The tally of a few small parts of the space, spread evenly over its boxes; none if each would take long.
fn sample(sweep: &Sweep) -> Option<Tally> {
    struct GoOn;
    impl Pulse for GoOn {
        fn beat(&mut self, _decided: u128) -> bool {
            true
        }
    }
    let task = Task { counterexamples: 1, record: Record::None, budget_bytes: DEFAULT_MEMORY_BYTES };
    let mut solver = sweep.space.solver();
    let (mut sum, mut seconds) = (Tally::new(sweep.claims.len()), 0.0);
    for box_index in 0..sweep.space.boxes().min(BOXES) {
        let units = sweep.space.units(box_index);
        let each = sweep.space.configurations(&Shard { box_index, start: 0, end: 1 }).max(1);
        // At most as many units as configurations.
        let count = u64::try_from(CONFIGURATIONS / each).unwrap_or(1).clamp(1, units.div_ceil(PLACES).max(1));
        let mut starts: Vec<u64> = (0..PLACES).map(|place| (units / PLACES * place).min(units - 1)).collect();
        starts.dedup();
        for start in starts {
            let shard = Shard { box_index, start, end: (start + count).min(units) };
            let cost = sweep.space.cost(&shard);
            if seconds + cost.seconds > SECONDS || cost.bytes > u128::from(DEFAULT_MEMORY_BYTES) {
                continue;
            }
            seconds += cost.seconds;
            let result = solver.solve(&shard, &task, &mut GoOn).ok()?;
            sum.merge(&result.tally).ok()?;
        }
    }
    (sum.decided > 0).then_some(sum)
}

/// That no slot with the default of --memory can hold the largest table, and what would do.
fn too_large(needed: u128) -> Option<String> {
    let default = DEFAULT_MEMORY_BYTES.into();
    let (tables, gib) = (bytes(needed), needed.div_ceil(1 << 30));
    (needed > default).then(|| {
        format!(
            "  the default of {} per slot is too little for {tables} of tables: 'refute run' and 'refute-worker' need --memory {gib}GiB",
            bytes(default)
        )
    })
}

fn to_json(sweep: &Sweep, plan: &Plan) -> Value {
    let boxes: Vec<Value> = boxes(sweep)
        .into_iter()
        .map(|(text, configurations, cost)| {
            let (configurations, needed) = (configurations.to_string(), cost.bytes.to_string());
            json!({ "box": text, "configurations": configurations, "seconds": cost.seconds, "bytes": needed })
        })
        .collect();
    let mut json = json!({
        "id": sweep.id(),
        "family": sweep.family.id(),
        "boxes": boxes,
        "configurations": sweep.configurations().to_string(),
        "shards": plan.shards(),
        "claims": sweep.claim_ids(),
    });
    let names = sweep.space.stated_names();
    if !sweep.stated().is_empty() {
        json["names"] = names
            .iter()
            .map(|(variable, lacking)| json!({ "name": variable.name, "type": variable.of.to_string(), "boxes_without": lacking }))
            .collect();
        json["sample"] = sample(sweep).map_or(Value::Null, |tally| {
            let stated = sweep.claims.iter().enumerate().filter(|(_, claim)| claim.stated.is_some());
            let meant: serde_json::Map<String, Value> = stated
                .map(|(index, claim)| (claim.id.clone().into_owned(), json!((tally.decided - tally.silent(index)).to_string())))
                .collect();
            json!({ "configurations": tally.decided.to_string(), "meant": meant })
        });
    }
    json
}
