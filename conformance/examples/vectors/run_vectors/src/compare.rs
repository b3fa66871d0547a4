//! What a right answer is.
use serde_json::Value;

/// The operations whose expect has members of the answer. Others have facts, which wireproof check judges.
const OPERATIONS: [&str; 8] = [
    "fold.decode",
    "koda.decode",
    "koda.encode",
    "toon.decode",
    "toon.validate",
    "toon.rle.decode",
    "toon.rle.encode",
    "toon.stream",
];

/// Whether the members of expect can be compared.
pub fn is_runnable(op: &str, expect: &Value) -> bool {
    OPERATIONS.contains(&op) && expect["without"].is_null() && expect["digits"].is_null()
}

/// What was expected and what came; nothing when the answer is right.
pub fn wrong(op: &str, test: &Value, answer: &Value) -> Option<(String, String)> {
    let (expect, ok) = (&test["expect"], &answer["ok"]);
    if !ok.is_object() || (op == "toon.validate" && ok["valid"] == false) {
        let is_right = test["result"] != "valid" || expect["valid"] == false;
        return if is_right {
            None
        } else {
            Some(("ok".into(), answer.to_string()))
        };
    }
    if test["result"] == "invalid" {
        return Some(("a refusal".into(), ok.to_string()));
    }
    let (key, value) = expect
        .as_object()?
        .iter()
        .find(|(key, value)| !same(op, key, value, &ok[key.as_str()]))?;
    Some((format!("{key}: {value}"), format!("{key}: {}", ok[key.as_str()])))
}

/// Compares a member. Objects of TOON may have more members than expected, texts of Koda are equal as JSON.
fn same(op: &str, key: &str, expected: &Value, came: &Value) -> bool {
    match (expected, came) {
        (Value::Object(e), Value::Object(c)) => {
            let is_open = op.starts_with("toon.") && key != "payload";
            (is_open || e.len() == c.len())
                && e.iter()
                    .all(|(name, value)| c.get(name).map_or(false, |other| same(op, name, value, other)))
        }
        (Value::Array(e), Value::Array(c)) => e.len() == c.len() && e.iter().zip(c).all(|(e, c)| same(op, key, e, c)),
        (Value::Number(e), Value::Number(c)) if e.is_f64() || c.is_f64() => {
            // Two ULP, as spec/koda/vectors.schema.json allows.
            let (e, c) = (e.as_f64().unwrap_or(f64::NAN), c.as_f64().unwrap_or(f64::NAN));
            (e - c).abs() <= 4.5e-16 * e.abs()
        }
        (Value::String(e), Value::String(c)) if op.starts_with("koda.") => {
            let parsed = (serde_json::from_str::<Value>(e), serde_json::from_str::<Value>(c));
            e == c || matches!(parsed, (Ok(e), Ok(c)) if same("", key, &e, &c))
        }
        _ => expected == came,
    }
}
