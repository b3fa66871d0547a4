/** Requests that a provider refuses with 400 (LLM-C08): the reason quotes the provider, and the part that it refuses. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { quoted } from '../requests.ts';
import { Trace, call } from '../trace.test-helper.ts';

const user = { role: 'user', content: 'Hi.' };
const tools = [{ name: 'f', input_schema: { type: 'object' } }];
const one = call('{}');
const asked = { type: 'tool_use', id: one['id'] ?? '', name: 'f', input: {} };
const result = (more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: one['id'] ?? '',
  content: 'kept',
  ...more,
});
const body = (...messages: readonly Json[]): JsonObject => ({
  model: 'm',
  max_tokens: 99,
  tools,
  messages: [user, ...messages],
});

/** The violations of a request that answers a call with these blocks. */
const answering = (...content: readonly JsonObject[]): readonly string[] => {
  const trace = new Trace().ask({ tools: [{ name: 'f', output: 'kept' }] }).request(body());
  trace.answered({ calls: [one], stop: 'tool_use' });
  trace.request(body({ role: 'assistant', content: [asked] }, { role: 'user', content }));
  return trace.answered({}).judged().violated['LLM-C08'] ?? [];
};

describe('the results of calls', () => {
  it('may have a text behind them', () => {
    expect(answering(result(), { type: 'text', text: 'Go on.' })).toEqual([]);
  });

  // qwen-code#8161: a text before the results.
  it('must come before a text', () => {
    const [message] = answering({ type: 'text', text: 'Here.' }, result());
    expect(message).toContain('ids were found without `tool_result` blocks immediately after: id-f-2');
    expect(message).toContain('came messages[2]: {"role":"user","content":[{"type":"text","text":"Here."}');
  });

  // trae-agent#230, markform#153: an error without content.
  it('must have content where they are errors', () => {
    const [message] = answering(result({ content: '', is_error: true }));
    expect(message).toContain('content cannot be empty if `is_error` is true; came messages[2].content[0]');
  });

  // hive-mind#1324: half a surrogate pair.
  it('must be whole characters', () => {
    const [message] = answering(result({ content: 'cut here \ud83d' }));
    expect(message).toContain('no low surrogate in string');
    expect(message).toContain('came messages[2].content[0].content: "cut here \\ud83d"');
  });

  it('must not have a text of white space beside them', () => {
    const [message] = answering(result(), { type: 'text', text: ' \n' });
    expect(message).toContain('must contain non-whitespace text');
  });
});

// codex#8174, copilot-cli#2581: tools with illegal names. The simulated provider refuses the first request.
describe('the first request', () => {
  const refused = { status: 400, error: 'tools: Tool names must be unique.', place: 'tools[1]' };
  const doubled = { ...body(), tools: [...tools, ...tools] };

  it('of a program is judged when it offers tools', () => {
    const { violated } = new Trace().request(doubled, refused).judged();
    expect(violated['LLM-C08']).toEqual([
      expect.stringMatching(
        /refused with 400: tools: Tool names must be unique\.; came tools\[1\]: \{"name":"f"/,
      ),
    ]);
    expect(new Trace().request({ model: 'm' }, refused).judged().violated).toEqual({});
  });

  it('of a testee is judged, and a script without a turn for it is not its fault', () => {
    expect(new Trace().ask().request(doubled, refused).judged().violated).toHaveProperty('LLM-C08');
    const unmatched = { status: 400, error: 'the script has 1 turn and this is request 2; all are used up' };
    expect(new Trace().ask().request(body(), unmatched).judged().violated).toEqual({});
  });
});

describe('a quoted part', () => {
  it.each([
    ['messages[0].content', '"Hi."'],
    ['tools[0].custom.name', '"f"'],
    ['', '{"model":"m","max_tokens":99'],
    ['nowhere[3]', '{"model":"m"'],
  ])('at %s', (place, part) => {
    expect(quoted(body(), place)).toContain(part);
  });

  it('is cut', () => {
    expect(quoted({ a: 'x'.repeat(1000) }, 'a').length).toBeLessThan(210);
  });
});
