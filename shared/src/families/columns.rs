//! Positions as the rows of a table: each part of a position under a name of its own.

use serde_json::Value;

/// The parts of a position, as reports show it, by their names: numbers, truth values and texts as they are, a list as one text with
/// spaces between its items.
#[must_use]
pub fn flat(parameters: &Value) -> Vec<(String, Value)> {
    match parameters {
        Value::Object(parts) => parts.iter().map(|(name, part)| (name.clone(), cell(part))).collect(),
        other => vec![("position".to_owned(), cell(other))],
    }
}

/// A value that fits into a cell.
fn cell(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::String(items.iter().map(item).collect::<Vec<_>>().join(" ")),
        Value::Object(_) => Value::String(value.to_string()),
        other => other.clone(),
    }
}

fn item(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_part_of_a_position_is_a_cell() {
        let position = json!({ "left": [1, 2], "heap": 7, "graph": "H1", "is": true, "paths": [["a"], 1], "of": { "a": 1 } });
        let expected = [
            ("left", json!("1 2")),
            ("heap", json!(7)),
            ("graph", json!("H1")),
            ("is", json!(true)),
            ("paths", json!("[\"a\"] 1")),
            ("of", json!("{\"a\":1}")),
        ];
        assert_eq!(flat(&position), expected.map(|(name, cell)| (name.to_owned(), cell)));
        assert_eq!(flat(&json!([3, 4])), [("position".to_owned(), json!("3 4"))]);
    }
}
