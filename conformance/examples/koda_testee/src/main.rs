//! A testee of the suite `koda/codec`: serde itself, with the types of Koda's `event.rs`. It reads one request a line
//! on stdin and answers each on stdout. It shares no code with the kit: the types are written from spec/koda/README.md.
//!
//! ```text
//! cargo build --release
//! wireproof check koda/codec --profile serde -- target/release/koda-testee
//! ```
//!
//! The profile tolerates KODA-69: serde also reads an array of the fields in the place of an object, and the number of a
//! variant in the place of its tag. `hello` claims no codes, because serde has none: they are guessed from its messages,
//! and an integer out of its range is sometimes an "invalid type" (2^64 is a float to serde_json).
//!
//! The crates of Debian are enough: `apt install librust-serde-dev librust-serde-json-dev librust-serde-derive-dev`, and
//! `cargo build --release --offline --config 'source.crates-io.replace-with="debian"'
//! --config 'source.debian.directory="/usr/share/cargo/registry"'`.
use std::io::{self, BufRead, BufWriter, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        writeln!(out, "{}", answer(&line))?;
        out.flush()?;
    }
    Ok(())
}

/// Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` for an operation that it does not have.
fn answer(line: &str) -> Value {
    let request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return refusal(&Value::Null, "bad-input", &error.to_string()),
    };
    let id = &request["id"];
    match request["op"].as_str() {
        Some("hello") => json!({"id": id, "ok": {
            "name": "koda-serde",
            "version": env!("CARGO_PKG_VERSION"),
            "ops": ["hello", "koda.decode", "koda.encode"],
        }}),
        Some("koda.decode" | "koda.encode") => {
            let Some(text) = request["text"].as_str() else {
                return refusal(id, "bad-input", "expected text to be a string");
            };
            match request["kind"].as_str() {
                Some("event") => recoded::<EngineEvent>(id, text),
                Some("command") => recoded::<EngineCommand>(id, text),
                _ => refusal(id, "bad-input", "expected kind to be event or command"),
            }
        }
        _ => json!({"id": id, "unsupported": true}),
    }
}

/// Decodes a message and encodes it again.
fn recoded<M: DeserializeOwned + Serialize>(id: &Value, text: &str) -> Value {
    let message: M = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(error) => return refusal(id, code_of(&error), &error.to_string()),
    };
    match serde_json::to_string(&message) {
        Ok(text) => json!({"id": id, "ok": {"text": text}}),
        Err(error) => refusal(id, "internal", &error.to_string()),
    }
}

fn refusal(id: &Value, code: &str, message: &str) -> Value {
    json!({"id": id, "error": {"code": code, "message": message}})
}

/// serde gives no code: its message begins with the kind of the fault.
fn code_of(error: &serde_json::Error) -> &'static str {
    const CODES: [(&str, &str); 6] = [
        ("unknown variant", "bad-tag"),
        ("missing field", "missing-field"),
        ("duplicate field", "duplicate-field"),
        ("recursion limit exceeded", "too-deep"),
        ("invalid value: integer", "out-of-range"),
        ("invalid", "bad-type"),
    ];
    let message = error.to_string();
    let known = CODES.iter().find(|(start, _)| message.starts_with(start));
    match known {
        Some((start, code)) if *start != "invalid" || error.is_data() => code,
        _ => "bad-json",
    }
}

// The types of event.rs, and those that it names from other files.

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum EngineEvent {
    TextDelta { text: String },
    TextDone,
    ThinkingStart,
    ThinkingDelta { text: String },
    ThinkingDone,
    ResponseStart,
    ToolCallStart { id: String, name: String, args: Value, is_sub_agent: bool },
    ToolCallResult { id: String, name: String, output: String },
    ToolOutputLine { id: String, line: String, is_stderr: bool },
    SubAgentStart { agent_name: String },
    ApprovalRequest { id: String, tool_name: String, detail: String, preview: Option<DiffPreview> },
    AskUserRequest { id: String, question: String, options: Vec<String> },
    ActionBlocked { tool_name: String, detail: String, preview: Option<DiffPreview> },
    ContextUsage { used: usize, max: usize },
    StatusUpdate {
        model: String,
        provider: String,
        context_pct: f64,
        approval_mode: String,
        active_tools: usize,
    },
    Footer {
        prompt_tokens: i64,
        completion_tokens: i64,
        cache_read_tokens: i64,
        thinking_tokens: i64,
        total_chars: usize,
        elapsed_ms: u64,
        rate: f64,
        context: String,
    },
    SpinnerStart { message: String },
    SpinnerStop,
    TurnStart { turn_id: String },
    TurnEnd { turn_id: String, reason: TurnEndReason },
    LoopCapReached { cap: u32, recent_tools: Vec<String> },
    Info { message: String },
    Warn { message: String },
    Error { message: String },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum TurnEndReason {
    Complete,
    Cancelled,
    Error { message: String },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind")]
enum DiffPreview {
    Edit { path: String, replacements: Vec<Replacement>, truncated_count: usize },
    WriteNew { line_count: usize, byte_count: usize, first_lines: Vec<String>, truncated: bool },
    WriteOverwrite {
        old_line_count: usize,
        old_byte_count: usize,
        new_line_count: usize,
        new_byte_count: usize,
        first_lines: Vec<String>,
        truncated: bool,
    },
    DeleteFile { line_count: usize, byte_count: usize },
    DeleteDir { recursive: bool },
    FileNotYetExists,
    PathNotFound,
}

#[derive(Serialize, Deserialize)]
struct Replacement {
    index: usize,
    total: usize,
    start_line: usize,
    old_lines: Vec<String>,
    new_lines: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum EngineCommand {
    UserPrompt {
        text: String,
        #[serde(default)]
        images: Vec<ImageAttachment>,
    },
    Interrupt,
    AskUserResponse { id: String, answer: String },
    ApprovalResponse { id: String, decision: ApprovalDecision },
    LoopDecision { action: LoopContinuation },
    SlashCommand(SlashCommand),
    Quit,
}

#[derive(Serialize, Deserialize)]
struct ImageAttachment {
    data: String,
    mime_type: String,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
enum ApprovalDecision {
    Approve,
    Reject,
    RejectWithFeedback { feedback: String },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LoopContinuation {
    Stop,
    Continue50,
    Continue200,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "snake_case")]
enum SlashCommand {
    Compact,
    SwitchModel { model: String },
    SwitchProvider { provider: String },
    ListSessions,
    DeleteSession { id: String },
    SetTrust { mode: String },
    Cost,
    Memory { action: Option<String> },
    Help,
    InjectPrompt { text: String },
}
