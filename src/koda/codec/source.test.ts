/** The sixteen tests of event.rs, by name: each message is written, and read again as itself. */
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../codec.ts';
import type { ApprovalDecision, EngineCommand, EngineEvent, TurnEndReason } from '../messages.ts';

const read = (decoded: ReturnType<typeof decodeText>): unknown =>
  decoded.ok ? decoded.value : decoded.error.message;

/** Writes an event, reads it again, and returns its text. */
function event(message: EngineEvent): string {
  const text = encodeText('event', message);
  expect(read(decodeText('event', text))).toEqual({ message });
  return text;
}

function command(message: EngineCommand): string {
  const text = encodeText('command', message);
  expect(read(decodeText('command', text))).toEqual({ message });
  return text;
}

const response = (decision: ApprovalDecision): string =>
  command({ type: 'approval_response', id: 'approval_1', decision });

const turnEnd = (reason: TurnEndReason): string => event({ type: 'turn_end', turn_id: 'turn-1', reason });

describe('event.rs, mod tests', () => {
  it('test_ask_user_request_roundtrip', () => {
    expect(
      event({
        type: 'ask_user_request',
        id: 'ask-1',
        question: 'Which database?',
        options: ['SQLite', 'PostgreSQL'],
      }),
    ).toBe(
      '{"type":"ask_user_request","id":"ask-1","question":"Which database?","options":["SQLite","PostgreSQL"]}',
    );
  });

  it('test_ask_user_response_roundtrip', () => {
    expect(command({ type: 'ask_user_response', id: 'ask-1', answer: 'SQLite' })).toBe(
      '{"type":"ask_user_response","id":"ask-1","answer":"SQLite"}',
    );
  });

  it('test_engine_event_text_delta_roundtrip', () => {
    expect(event({ type: 'text_delta', text: 'Hello world' })).toBe(
      '{"type":"text_delta","text":"Hello world"}',
    );
  });

  it('test_engine_event_tool_call_roundtrip', () => {
    expect(
      event({
        type: 'tool_call_start',
        id: 'call_123',
        name: 'Bash',
        args: { command: 'cargo test' },
        is_sub_agent: false,
      }),
    ).toBe(
      '{"type":"tool_call_start","id":"call_123","name":"Bash","args":{"command":"cargo test"},"is_sub_agent":false}',
    );
  });

  it('test_engine_event_approval_request_roundtrip', () => {
    expect(
      event({
        type: 'approval_request',
        id: 'approval_1',
        tool_name: 'Bash',
        detail: 'rm -rf node_modules',
        preview: null,
      }),
    ).toBe(
      '{"type":"approval_request","id":"approval_1","tool_name":"Bash","detail":"rm -rf node_modules","preview":null}',
    );
  });

  it('test_engine_event_footer_roundtrip', () => {
    expect(
      event({
        type: 'footer',
        prompt_tokens: 4400,
        completion_tokens: 251,
        cache_read_tokens: 0,
        thinking_tokens: 0,
        total_chars: 1000,
        elapsed_ms: 43200,
        rate: 5.8,
        context: '1.9k/32k (5%)',
      }),
    ).toBe(
      '{"type":"footer","prompt_tokens":4400,"completion_tokens":251,"cache_read_tokens":0,"thinking_tokens":0,"total_chars":1000,"elapsed_ms":43200,"rate":5.8,"context":"1.9k/32k (5%)"}',
    );
  });

  it('test_engine_event_simple_variants_roundtrip', () => {
    for (const type of [
      'text_done',
      'thinking_start',
      'thinking_done',
      'response_start',
      'spinner_stop',
    ] as const)
      expect(event({ type })).toBe(`{"type":"${type}"}`);
    expect(event({ type: 'info', message: 'hello' })).toBe('{"type":"info","message":"hello"}');
    expect(event({ type: 'warn', message: 'careful' })).toBe('{"type":"warn","message":"careful"}');
    expect(event({ type: 'error', message: 'oops' })).toBe('{"type":"error","message":"oops"}');
  });

  it('test_engine_command_user_prompt_roundtrip', () => {
    expect(command({ type: 'user_prompt', text: 'fix the bug', images: [] })).toBe(
      '{"type":"user_prompt","text":"fix the bug","images":[]}',
    );
  });

  it('test_engine_command_approval_roundtrip', () => {
    expect(response({ decision: 'reject_with_feedback', feedback: 'use npm ci instead' })).toBe(
      '{"type":"approval_response","id":"approval_1","decision":{"decision":"reject_with_feedback","feedback":"use npm ci instead"}}',
    );
  });

  it('test_engine_command_slash_commands_roundtrip', () => {
    for (const cmd of ['compact', 'cost', 'help'] as const)
      expect(command({ type: 'slash_command', cmd })).toBe(`{"type":"slash_command","cmd":"${cmd}"}`);
    expect(command({ type: 'slash_command', cmd: 'switch_model', model: 'gpt-4' })).toBe(
      '{"type":"slash_command","cmd":"switch_model","model":"gpt-4"}',
    );
    expect(command({ type: 'slash_command', cmd: 'set_trust', mode: 'yolo' })).toBe(
      '{"type":"slash_command","cmd":"set_trust","mode":"yolo"}',
    );
    expect(command({ type: 'interrupt' })).toBe('{"type":"interrupt"}');
    expect(command({ type: 'quit' })).toBe('{"type":"quit"}');
  });

  it('test_approval_decision_variants', () => {
    response({ decision: 'approve' });
    response({ decision: 'reject' });
    response({ decision: 'reject_with_feedback', feedback: 'try again' });
  });

  it('test_image_attachment_roundtrip', () => {
    const images = [{ data: 'base64data==', mime_type: 'image/png' }];
    expect(command({ type: 'user_prompt', text: '', images })).toBe(
      '{"type":"user_prompt","text":"","images":[{"data":"base64data==","mime_type":"image/png"}]}',
    );
  });

  it('test_turn_lifecycle_roundtrip', () => {
    expect(event({ type: 'turn_start', turn_id: 'turn-1' })).toBe('{"type":"turn_start","turn_id":"turn-1"}');
    expect(turnEnd({ kind: 'complete' })).toBe(
      '{"type":"turn_end","turn_id":"turn-1","reason":{"kind":"complete"}}',
    );
    turnEnd({ kind: 'error', message: 'oops' });
    turnEnd({ kind: 'cancelled' });
  });

  it('test_loop_cap_reached_roundtrip', () => {
    expect(event({ type: 'loop_cap_reached', cap: 200, recent_tools: ['Bash', 'Edit'] })).toBe(
      '{"type":"loop_cap_reached","cap":200,"recent_tools":["Bash","Edit"]}',
    );
  });

  it('test_loop_decision_roundtrip', () => {
    for (const action of ['continue50', 'stop', 'continue200'] as const)
      expect(command({ type: 'loop_decision', action })).toBe(
        `{"type":"loop_decision","action":"${action}"}`,
      );
  });

  it('test_turn_end_reason_variants', () => {
    turnEnd({ kind: 'complete' });
    turnEnd({ kind: 'cancelled' });
    expect(turnEnd({ kind: 'error', message: 'failed' })).toContain('{"kind":"error","message":"failed"}');
  });
});
