//! A library that answers tests. This one drives a testee: a program that answers operations on stdin and stdout, one JSON
//! object a line. Put your own library here.
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

pub struct Library {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Library {
    pub fn start(command: &[String]) -> Result<Self, String> {
        let child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| format!("{}: {error}", command[0]))?;
        let (input, output) = (
            child.stdin.take().ok_or("no stdin")?,
            child.stdout.take().ok_or("no stdout")?,
        );
        Ok(Library {
            input,
            output: BufReader::new(output),
        })
    }

    /// {"ok": {…}}, {"error": {…}} for an input that is refused, or {"unsupported": true}.
    pub fn answer(&mut self, op: &str, test: &Value) -> Result<Value, String> {
        let mut request = test.clone();
        if let Value::Object(members) = &mut request {
            members.retain(|key, _| {
                !["comment", "flags", "requirements", "result", "expect", "error"].contains(&key.as_str())
            });
        }
        request["op"] = op.into();
        let mut line = String::new();
        let sent = writeln!(self.input, "{request}");
        sent.and_then(|()| self.output.read_line(&mut line))
            .map_err(|error| format!("the program: {error}"))?;
        match serde_json::from_str(&line) {
            // JSON can carry half of a surrogate pair, and nest deeper than 128, and serde_json can read neither.
            Err(error) if line.contains("\\ud") || error.to_string().starts_with("recursion") => {
                Ok(serde_json::json!({ "unsupported": true }))
            }
            read => read.map_err(|error| format!("the answer to {}: {error}", test["id"])),
        }
    }
}
