//! Runs a folder of golden vectors against your library: run-vectors FOLDER COMMAND [ARGUMENT...]
//!
//! answer.rs says what COMMAND is. Exit code: 0 all passed, 1 a test failed or a file is not the manifest's, 2 wrong usage.
mod answer;
mod compare;
mod sha256;

use answer::Library;
use compare::{is_runnable, wrong};
use serde_json::Value;
use std::{collections::BTreeMap, env, fs, process::exit};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.len() < 2 {
        println!("usage: run-vectors FOLDER COMMAND [ARGUMENT...]");
        exit(2);
    }
    let counts = run(&arguments[0], &arguments[1..]).unwrap_or_else(|fault| {
        println!("{fault}");
        exit(1);
    });
    counts.iter().for_each(|(outcome, n)| println!("{n} {outcome}"));
    exit(i32::from(
        counts.contains_key("failed") || !counts.contains_key("passed"),
    ));
}

fn run(folder: &str, command: &[String]) -> Result<BTreeMap<String, u32>, String> {
    let (manifest, _) = read(&format!("{folder}/manifest.json"))?;
    let (mut library, mut counts) = (Library::start(command)?, BTreeMap::new());
    for (name, listed) in manifest["files"].as_object().ok_or("manifest.json: no files")? {
        let (file, sum) = read(&format!("{folder}/{name}"))?;
        if listed["sha256"] != sum.as_str() {
            return Err(format!("{name}: its SHA-256 is not that of manifest.json"));
        }
        for group in list(&file["groups"]) {
            let op = group["op"].as_str().unwrap_or_default();
            for test in list(&group["tests"]) {
                *counts.entry(play(&mut library, op, test)?).or_insert(0) += 1;
            }
        }
    }
    Ok(counts)
}

/// Plays one test, prints what is wrong with the answer, and gives the outcome.
fn play(library: &mut Library, op: &str, test: &Value) -> Result<String, String> {
    if !is_runnable(op, &test["expect"]) {
        return Ok(format!("skipped: {op}, which wireproof check judges by facts"));
    }
    let answer = library.answer(op, test)?;
    if answer["unsupported"] == true {
        return Ok(format!("skipped: {op}, which the library does not have"));
    }
    let Some((expected, came)) = wrong(op, test, &answer) else {
        return Ok("passed".into());
    };
    let short = |text: String| text.chars().take(500).collect::<String>();
    println!(
        "{}: {}\n  expected {}\n  came     {}",
        test["id"],
        test["comment"],
        short(expected),
        short(came)
    );
    Ok("failed".into())
}

/// Parses a file, and gives its SHA-256.
fn read(path: &str) -> Result<(Value, String), String> {
    let data = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let value = serde_json::from_slice(&data).map_err(|error| format!("{path}: {error}"))?;
    Ok((value, sha256::sha256(&data)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
