//! Reads reports in JSON, and checks what holds of every complete and of every unfinished one.

use serde_json::Value;

/// A number that is written as a decimal string.
#[track_caller]
pub fn decimal(value: &Value) -> u128 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is not a string"));
    let number: u128 = text.parse().unwrap();
    assert_eq!(number.to_string(), text, "not in its plain form");
    number
}

/// The fingerprint of a complete sweep.
#[track_caller]
pub fn fingerprint(report: &Value) -> String {
    assert_eq!(report["state"], "complete");
    report["fingerprint"].as_str().unwrap().to_owned()
}

/// All of a report that depends on the sweep alone: neither on its name nor on how long it took, nor on who solved it.
pub fn findings(report: &Value) -> Value {
    let mut findings = report.clone();
    findings["seconds"] = Value::Null;
    findings["sweep"]["id"] = Value::Null;
    findings["sweep"]["name"] = Value::Null;
    findings["sweep"]["replicas"] = Value::Null;
    findings["sweep"]["hosts"] = Value::Null;
    findings
}

#[track_caller]
pub fn claim<'a>(report: &'a Value, id: &str) -> &'a Value {
    let claims = report["claims"].as_array().unwrap();
    claims.iter().find(|claim| claim["id"] == id).unwrap_or_else(|| panic!("no claim {id}"))
}

/// What holds of every report of a complete sweep of so many configurations.
#[track_caller]
pub fn check_complete(report: &Value, configurations: u128) {
    assert_eq!(report["state"], "complete");
    assert_eq!(decimal(&report["configurations"]["total"]), configurations);
    assert_eq!(decimal(&report["configurations"]["decided"]), configurations);
    let fingerprint = fingerprint(report);
    let is_hex = fingerprint.len() == 32 && fingerprint.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    assert!(is_hex, "{fingerprint}");
    for claim in report["claims"].as_array().unwrap() {
        let [held, vacuous, undefined, refuted, silent] =
            ["held", "vacuous", "undefined", "refuted", "silent"].map(|key| decimal(&claim[key]));
        assert_eq!(held + vacuous + undefined + refuted + silent, configurations, "{claim}");
        let verdict = match (refuted, undefined, held) {
            (1.., _, _) => "refuted",
            (0, 1.., _) => "incomplete",
            (0, 0, 0) => "silent",
            (0, 0, _) => "held",
        };
        assert_eq!(claim["verdict"], verdict, "{claim}");
    }
}

/// What holds of every report of a sweep that is not complete: nothing is held and nothing silent.
#[track_caller]
pub fn check_unfinished(report: &Value, state: &str) {
    assert_eq!(report["state"], state);
    assert_eq!(report["fingerprint"], Value::Null);
    let [total, decided] = ["total", "decided"].map(|key| decimal(&report["configurations"][key]));
    assert!(decided < total, "{decided} of {total}");
    for claim in report["claims"].as_array().unwrap() {
        let verdict = claim["verdict"].as_str().unwrap();
        let refuted = claim["counterexamples"].as_array().unwrap().iter().any(|found| found["confirmed"] == true);
        assert_eq!(verdict, if refuted { "refuted" } else { "incomplete" }, "{claim}");
    }
}
