/** Scripts as documents: the resulting scripts, and the refusal of each fault with its position. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { anyScript } from '../arbitrary/answer.ts';
import { written } from './script.test-helper.ts';
import { checkScript } from './check.ts';
import { scriptLimits, turnDefaults } from './script.ts';
import type { Script, Step, ScriptTurn } from './script.ts';

const check = (value: unknown): Script => {
  const checked = checkScript(value);
  if (!checked.ok) throw new Error(`${checked.error.path}: ${checked.error.message}`);
  return checked.value;
};
const turnOf = (turn: JsonObject): ScriptTurn | undefined =>
  check({ turns: [{ steps: [{ text: 'x' }], ...turn }] }).turns[0];
const stepOf = (step: Json): Step | undefined => check({ turns: [{ steps: [step] }] }).turns[0]?.steps[0];

describe('a document', () => {
  it('gives the script that it was written from', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const turns = script.turns.map((turn) =>
          turn.chunk === 'byte' ? { ...turn, split: 'byte' as const } : turn,
        );
        expect(check(written(script))).toEqual({ ...script, turns });
      }),
    );
  });

  it('needs only steps; everything else has defaults', () => {
    expect(check({ turns: [{ steps: [{ text: 'Hello' }] }] })).toEqual({
      model: 'wireproof-1',
      tokenizer: { units: 4 },
      turns: [{ ...turnDefaults, steps: [{ do: 'text', text: 'Hello' }] }],
    });
  });

  it.each([
    [{ tool_call: { name: 'a', input: { b: [1] } } }, { do: 'tool_call', name: 'a', arguments: '{"b":[1]}' }],
    [{ tool_call: { name: 'a', input: 7 } }, { do: 'tool_call', name: 'a', arguments: '7' }],
    [{ tool_call: { name: 'a', arguments: '{"b":' } }, { do: 'tool_call', name: 'a', arguments: '{"b":' }],
    [{ thinking: { text: 'hm', signature: 's' } }, { do: 'thinking', text: 'hm', signature: 's' }],
    [
      { text: { text: 'a', fill: { text: 'bc', bytes: 5 } } },
      { do: 'text', text: 'a', fill: { text: 'bc', bytes: 5 } },
    ],
    [{ wait: '1.5s' }, { do: 'wait', ms: 1500 }],
    [{ wait: '1h' }, { do: 'wait', ms: 3_600_000 }],
    [{ usage: { input: 1, cache_read: 2 } }, { do: 'usage', usage: { inputTokens: 1, cacheReadTokens: 2 } }],
    [
      { stop: { reason: 'stop_sequence', sequence: 'END' } },
      { do: 'stop', reason: 'stop_sequence', sequence: 'END' },
    ],
    [
      { error: { type: 'overloaded', message: 'm', status: 529, retry_after: '2s', should_retry: false } },
      {
        do: 'error',
        error: { type: 'overloaded', message: 'm', status: 529, retryAfter: 2, shouldRetry: false },
      },
    ],
    [
      { error: { type: 'overloaded', message: 'm', status: 529, retry_after: '2.5s' } },
      { do: 'error', error: { type: 'overloaded', message: 'm', status: 529, retryAfterMs: 2500 } },
    ],
  ])('may have %j', (step, expected) => expect(stepOf(step)).toEqual(expected));

  it('translates the words of matches and variants', () => {
    expect(
      turnOf({
        match: { tool_result: 'a', stream: true },
        variants: { block_stop: false, ollama: 'leaked' },
      }),
    ).toMatchObject({
      match: { toolResult: 'a', stream: true },
      variants: { blockStop: false, ollama: 'leaked' },
    });
  });

  it('writes byte by byte when it generates by bytes, unless split is set', () => {
    expect(turnOf({ chunk: 'byte' })?.split).toBe('byte');
    expect(turnOf({ chunk: 'byte', split: 'utf8' })?.split).toBe('utf8');
  });
});

const steps = (...list: Json[]): Json => ({ turns: [{ steps: list }] });
const cut = (at: Json, step = 0): Json => ({
  turns: [{ steps: [{ tool_call: { name: 'a', input: { b: 'c' } } }, { text: 'déf' }], cut: { step, at } }],
});

describe('a refusal', () => {
  it.each<[string, unknown, string, string, RegExp]>([
    ['no object', [], 'bad-shape', '', /expected an object; came a list of 0/],
    ['no turns', {}, 'bad-shape', '', /expected the key turns; came no keys/],
    ['an empty list of turns', { turns: [] }, 'bad-shape', 'turns', /a list of 1 to 1000 items/],
    [
      'an unknown key',
      { turns: [{ steps: [], sings: 1 }] },
      'bad-shape',
      'turns[0]',
      /no keys but match, .*; came the key "sings"/,
    ],
    [
      'an unknown step',
      steps({ txt: 'x' }),
      'bad-shape',
      'turns[0].steps[0]',
      /no keys but thinking, redacted_thinking, text, .*; came the key "txt"/,
    ],
    [
      'two steps in one',
      steps({ text: 'x', ping: true }),
      'bad-shape',
      'turns[0].steps[0]',
      /exactly one of thinking, redacted_thinking, text, .*; came the keys text, ping/,
    ],
    [
      'invalid text',
      steps({ text: 5 }),
      'bad-shape',
      'turns[0].steps[0].text',
      /a string or an object; came 5/,
    ],
    ['half a pair', steps({ text: '\uD800' }), 'bad-text', 'turns[0].steps[0].text', /half of a surrogate/],
    [
      'a comment of two lines',
      steps({ comment: 'a\nb' }),
      'bad-text',
      'turns[0].steps[0].comment',
      /one line/,
    ],
    ['a wait without unit', steps({ wait: '20' }), 'bad-text', 'turns[0].steps[0].wait', /200ms/],
    ['a wait of two hours', steps({ wait: '2h' }), 'too-large', 'turns[0].steps[0].wait', /1h/],
    [
      'input and arguments',
      steps({ tool_call: { name: 'a', input: {}, arguments: '' } }),
      'bad-shape',
      'turns[0].steps[0].tool_call',
      /exactly one of input, arguments; came the keys name, input, arguments/,
    ],
    [
      'neither of them',
      steps({ tool_call: { name: 'a' } }),
      'bad-shape',
      'turns[0].steps[0].tool_call',
      /exactly one of input, arguments; came the keys name/,
    ],
    [
      'input that is not JSON',
      steps({ tool_call: { name: 'a', input: { b: NaN } } }),
      'bad-shape',
      'turns[0].steps[0].tool_call.input',
      /JSON.*; came NaN/,
    ],
    // LLM-C20: numbers beyond 2^53 keep their value or are refused.
    [
      'an integer that a reader of YAML has changed',
      steps({ tool_call: { name: 'a', input: [2 ** 53] } }),
      'bad-shape',
      'turns[0].steps[0].tool_call.input',
      /larger ones as arguments/,
    ],
    [
      'an error first without status',
      steps({ error: { type: 'a', message: 'b' } }),
      'bad-shape',
      'turns[0].steps[0].error',
      /status/,
    ],
    [
      'a status that is no error',
      steps({ error: { type: 'a', message: 'b', status: 200 } }),
      'bad-value',
      'turns[0].steps[0].error.status',
      /400 to 599/,
    ],
    [
      'a step after the stop',
      steps({ stop: 'end_turn' }, { text: 'x' }),
      'bad-order',
      'turns[0].steps[1]',
      /only usage after stop/,
    ],
    ['an unknown stop', steps({ stop: 'tired' }), 'bad-value', 'turns[0].steps[0].stop', /end_turn/],
    [
      'a stop sequence without its text',
      steps({ stop: 'stop_sequence' }),
      'bad-shape',
      'turns[0].steps[0].stop',
      /sequence/,
    ],
    [
      'a barrier without a step before it',
      steps({ barrier: { name: 'a', at: { byte: 1 } } }),
      'bad-order',
      'turns[0].steps[0]',
      /before a barrier/,
    ],
    [
      'a barrier beyond its step',
      steps({ text: 'é' }, { barrier: { name: 'a', at: { byte: 3 } } }),
      'bad-place',
      'turns[0].steps[1]',
      /at most byte 2.*came 3/,
    ],
    ['a cut in a missing step', cut({ char: 0 }, 2), 'bad-place', 'turns[0].cut.step', /below 2/],
    ['a cut beyond its step', cut({ char: 4 }, 1), 'bad-place', 'turns[0].cut.at', /at most character 3/],
    [
      'a JSON place in a text',
      cut({ json: 'inside-key' }, 1),
      'bad-place',
      'turns[0].cut.at',
      /only a tool_call/,
    ],
    [
      'a JSON place that does not exist',
      cut({ json: 'inside-number' }),
      'bad-place',
      'turns[0].cut.at',
      /inside-number/,
    ],
    [
      'two places',
      cut({ char: 1, byte: 1 }),
      'bad-shape',
      'turns[0].cut.at',
      /exactly one of byte, char, token; came the keys char, byte/,
    ],
    [
      'tool_use after a cut',
      { turns: [{ steps: [{ text: 'abc' }, { stop: 'tool_use' }], cut: { step: 0, at: { char: 1 } } }] },
      'bad-order',
      'turns[0].cut',
      /signal: lying/,
    ],
    [
      'an unknown dialect',
      { turns: [{ steps: [{ text: 'x' }], match: { dialect: 'klingon' } }] },
      'bad-value',
      'turns[0].match.dialect',
      /anthropic/,
    ],
    [
      'a token of one unit',
      { tokenizer: { units: 1 }, turns: [{ steps: [{ text: 'x' }] }] },
      'bad-value',
      'tokenizer.units',
      /from 2 to 1000/,
    ],
  ])('of %s names the position and the fault', (_, document, code, path, message) => {
    const checked = checkScript(document);
    expect(checked).toMatchObject({ ok: false, error: { code, path } });
    expect(checked.ok ? '' : checked.error.message).toMatch(message);
  });

  it('comes for a document beyond the limits, before the script is built', () => {
    const code = (document: unknown): string => {
      const checked = checkScript(document);
      return checked.ok ? 'ok' : checked.error.code;
    };
    const fill = { text: 'x', bytes: 9 * 1024 * 1024 };
    const many = (n: number): Json => ({ steps: Array.from({ length: n }, () => ({ ping: true })) });
    let deep: Json = 1;
    for (let i = 0; i < 150; i++) deep = [deep];
    expect(code(steps({ text: { text: '', fill } }))).toBe('ok');
    expect(code(steps({ text: { text: '', fill } }, { text: { text: '', fill } }))).toBe('too-large');
    expect(code({ turns: Array.from({ length: scriptLimits.turns + 1 }, () => many(1)) })).toBe('too-large');
    expect(code({ turns: [many(6000), many(6000)] })).toBe('too-large');
    expect(code(steps({ tool_call: { name: 'a', input: deep } }))).toBe('too-large');
  });

  it('comes for input that is circular, or vast through aliases', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    let vast: unknown = 'lol';
    for (let i = 0; i < 40; i++) vast = [vast, vast];
    for (const input of [circle, vast])
      expect(checkScript({ turns: [{ steps: [{ tool_call: { name: 'a', input } }] }] })).toMatchObject({
        ok: false,
        error: { code: 'too-large', path: 'turns[0].steps[0].tool_call.input' },
      });
  });

  it('comes for any invalid value: nothing throws', () => {
    const part = fc.anything({
      maxDepth: 3,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    const anyDocument = fc.oneof(
      part,
      fc.record({
        turns: fc.array(fc.record({ steps: fc.array(part), cut: part, match: part, chunk: part })),
      }),
    );
    fc.assert(
      fc.property(anyDocument, (document) => {
        const checked = checkScript(document);
        if (!checked.ok) expect(checked.error.message).toMatch(/^expected .+; came .+/);
      }),
      { numRuns: 500 },
    );
  });
});
