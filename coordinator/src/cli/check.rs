//! `refute check`: what a manifest means, without running it.

use clap::Args;
use refute_connect::size::DEFAULT_MEMORY_BYTES;
use refute_shared::families::Cost;
use refute_shared::language::Variable;
use refute_shared::sweep::{Plan, Shard, Sweep};
use refute_shared::text::{bytes, duration, grouped, several};
use serde_json::{Value, json};

use crate::report::cut;

use super::exit::{Failure, Output};
use super::manifest_source::ManifestSource;
use super::sample::{Sample, Samples};

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
    let Samples { spread, solved, lacks_solved } = Samples::of(sweep);
    let all = sweep.configurations();
    for (sample, parts) in [(spread, ""), (solved, ", in parts of the space that are solved quickly")] {
        let Some(Sample { configurations, meant }) = sample else { continue };
        let heading = match configurations == all {
            true => format!("  of all {}:", several(all, "configuration")),
            false => format!("  of a sample of {}, spread over the space{parts}:", several(configurations, "configuration")),
        };
        // Both samples may be the whole space.
        if !lines.contains(&heading) {
            lines.push(heading);
        }
        lines.extend(meant.into_iter().map(|(index, meant)| {
            let share = 100.0 * meant as f64 / configurations as f64;
            format!("    the hypothesis of {} is true on {} ({share:.2} %)", sweep.claims[index].id, grouped(meant))
        }));
    }
    if lacks_solved {
        lines.push("  no part of the space is solved quickly enough to say how often the other hypotheses are true".to_owned());
    }
    lines
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
        let Samples { spread, solved, .. } = Samples::of(sweep);
        json["sample"] = sample_to_json(sweep, spread);
        json["solved_sample"] = sample_to_json(sweep, solved);
    }
    json
}

fn sample_to_json(sweep: &Sweep, sample: Option<Sample>) -> Value {
    sample.map_or(Value::Null, |Sample { configurations, meant }| {
        let meant: serde_json::Map<String, Value> =
            meant.into_iter().map(|(index, meant)| (sweep.claims[index].id.clone().into_owned(), json!(meant.to_string()))).collect();
        json!({ "configurations": configurations.to_string(), "meant": meant })
    })
}
