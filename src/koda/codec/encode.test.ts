/** The text of messages, and the values that no message can carry. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { WireproofError } from '../../kit/base/index.ts';
import { decodeText, encodeText, eventCodec, mostBytes } from '../codec.ts';
import type { EngineEvent, MessageKind, Messages } from '../messages.ts';

/** Encodes a value whose type is wrong. */
const encode = (kind: MessageKind, message: unknown, argsText?: string): string =>
  encodeText(kind, message as Messages[MessageKind], argsText === undefined ? {} : { argsText });

function refusalOf(kind: MessageKind, message: unknown, argsText?: string): string {
  try {
    return `text: ${encode(kind, message, argsText)}`;
  } catch (error) {
    if (error instanceof WireproofError && error.code === 'usage') return error.message;
    throw error;
  }
}

const call = (args: unknown): unknown => ({
  type: 'tool_call_start',
  id: '1',
  name: 'n',
  args,
  is_sub_agent: true,
});
const usage = (used: unknown): unknown => ({ type: 'context_usage', used, max: 0 });
const status = (percentage: unknown): unknown => ({
  type: 'status_update',
  model: '',
  provider: '',
  context_pct: percentage,
  approval_mode: '',
  active_tools: 0,
});

describe('the writer of messages', () => {
  it('writes the tag, then every field in the order of the tables, without unknown ones (KODA-01, KODA-02)', () => {
    const { type, ...rest } = {
      type: 'action_blocked',
      preview: null,
      detail: 'd',
      tool_name: 't',
      unknown: 1,
    };
    expect(encode('event', { ...rest, type })).toBe(
      '{"type":"action_blocked","tool_name":"t","detail":"d","preview":null}',
    );
    expect(encode('command', { images: [], text: '', type: 'user_prompt' })).toBe(
      '{"type":"user_prompt","text":"","images":[]}',
    );
    expect(encode('command', { action: null, cmd: 'memory', type: 'slash_command' })).toBe(
      '{"type":"slash_command","cmd":"memory","action":null}',
    );
  });

  it('writes previews with all their fields', () => {
    const preview = {
      kind: 'Edit',
      path: 'p',
      replacements: [{ index: 0, total: 1, start_line: 7, old_lines: ['a'], new_lines: [] }],
      truncated_count: '18446744073709551615',
    };
    expect(encode('event', { type: 'action_blocked', tool_name: '', detail: '', preview })).toBe(
      '{"type":"action_blocked","tool_name":"","detail":"","preview":{"kind":"Edit","path":"p","replacements":[{"index":0,"total":1,"start_line":7,"old_lines":["a"],"new_lines":[]}],"truncated_count":18446744073709551615}}',
    );
  });

  it('writes large integers with all digits (KODA-10)', () => {
    expect(encode('event', usage('9007199254740993'))).toContain('"used":9007199254740993,');
    expect(encode('event', usage(Number.MAX_SAFE_INTEGER))).toContain('"used":9007199254740991,');
    for (const used of [
      '5',
      '9007199254740991',
      '18446744073709551616',
      '-9007199254740993',
      '',
      '1e9',
      '0x1',
      '09007199254740993',
      ' 9007199254740993',
      2 ** 53,
      -1,
      0.5,
      NaN,
      null,
      true,
    ])
      expect(refusalOf('event', usage(used))).toMatch(
        /^expected used to be an integer from 0 to 2\^64 - 1; came/,
      );
  });

  it('refuses NaN and infinite numbers (KODA-12)', () => {
    for (const value of [NaN, Infinity, -Infinity, null, '1', undefined])
      expect(refusalOf('event', status(value))).toMatch(/^expected context_pct to be a number; came/);
    expect(encode('event', status(-0))).toContain('"context_pct":-0.0,');
    expect(encode('event', status(1e300))).toContain('"context_pct":1e+300,');
    for (const args of [NaN, [Infinity], { a: [{ b: NaN }] }])
      expect(refusalOf('event', call(args))).toBe(
        `expected args to be any JSON; came ${typeof args === 'number' ? 'NaN' : 'object'}`,
      );
  });

  it('refuses lone surrogates (KODA-16) everywhere', () => {
    for (const text of ['\ud800', 'a\udc00', '\udc00\ud800']) {
      expect(refusalOf('event', { type: 'text_delta', text })).toMatch(/^expected text to be a string/);
      expect(refusalOf('event', { type: 'loop_cap_reached', cap: 1, recent_tools: [text] })).toMatch(
        /^expected recent_tools/,
      );
      for (const args of [text, [text], { [text]: 1 }])
        expect(refusalOf('event', call(args))).toMatch(/^expected args/);
    }
    expect(encode('event', { type: 'text_delta', text: '𝄞\0\u2028"\\' })).toBe(
      '{"type":"text_delta","text":"𝄞\\u0000\u2028\\"\\\\"}',
    );
  });

  it('refuses args that JSON cannot carry', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    for (const args of [undefined, [undefined], { a: () => 1 }, 1n, Symbol('x'), new Date(0), cycle])
      expect(refusalOf('event', call(args))).toMatch(/^expected args to be any JSON/);
    const nested = (levels: number): unknown => {
      let value: unknown = [];
      for (let i = 1; i < levels; i++) value = [value];
      return value;
    };
    expect(decodeText('event', encode('event', call(nested(126)))).ok).toBe(true);
    expect(refusalOf('event', call(nested(127)))).toMatch(/^expected args/);
  });

  it('refuses values in args whose content JSON.stringify loses, and writes plain ones of any realm', () => {
    const more = Object.assign([1], { more: 2 });
    const objects = [
      new Map([['a', 1]]),
      new Set([1]),
      new String('x'),
      new Number(1),
      /x/,
      Object.create({ a: 1 }),
    ];
    for (const args of [...objects, more, Array(1), [Array(1)], Object.assign([], { toJSON: () => 1 })])
      for (const placed of [args, [args], { a: args }])
        expect(refusalOf('event', call(placed))).toMatch(/^expected args to be any JSON/);
    const bare: unknown = Object.assign(Object.create(null), { a: 1 });
    for (const args of [bare, runInNewContext('({ a: 1 })'), { a: 1 }])
      expect(encode('event', call(args))).toContain('"args":{"a":1}');
    expect(encode('event', call(runInNewContext('[[1]]')))).toContain('"args":[[1]]');
    expect(encode('event', call(JSON.parse('{"__proto__":{"a":1}}')))).toContain(
      '"args":{"__proto__":{"a":1}}',
    );
  });

  it('refuses inherited fields, and lists with holes', () => {
    for (const parent of [{ type: 'quit' }, Object.assign(Object.create(null), { type: 'quit' })])
      expect(refusalOf('command', Object.create(parent))).toMatch(
        /^expected type to be a known tag; came nothing/,
      );
    const child = Object.assign(Object.create({ text: 'x' }), { type: 'text_delta' }) as unknown;
    expect(refusalOf('event', child)).toMatch(/^expected text to be a string; came nothing/);
    const image = Object.assign(Object.create({ data: '' }), { mime_type: '' }) as unknown;
    const prompt = { type: 'user_prompt', text: '', images: [image] };
    expect(refusalOf('command', prompt)).toMatch(/^expected images\[0\]\.data to be a string; came nothing/);
    expect(refusalOf('command', { ...prompt, images: Array(1) })).toMatch(
      /^expected images to be a list of objects/,
    );
    expect(refusalOf('event', { type: 'loop_cap_reached', cap: 1, recent_tools: Array(1) })).toMatch(
      /^expected recent_tools to be a list of strings/,
    );
    class Own {
      readonly type = 'quit';
    }
    expect(encode('command', new Own())).toBe('{"type":"quit"}');
  });

  it('refuses messages that a decoder refuses for their length', () => {
    const frame = encode('event', { type: 'text_delta', text: '' }).length;
    const ofLength = (bytes: number): unknown => ({
      type: 'text_delta',
      text: 'é'.repeat((bytes - frame) / 2),
    });
    const most = mostBytes - (frame % 2);
    expect(decodeText('event', encode('event', ofLength(most))).ok).toBe(true);
    expect(refusalOf('event', ofLength(most + 2))).toBe('expected at most 1048576 bytes; came more');
    const options = { maxBytes: frame + 2 };
    expect(encodeText('event', { type: 'text_delta', text: 'é' }, options)).toHaveLength(frame + 1);
    expect(() => encodeText('event', { type: 'text_delta', text: 'éx' }, options)).toThrow(WireproofError);
  });

  // spec/koda/README.md shows these lines.
  it.each(['{"order":2512292042121000001}', '{"a":-0.0,"b":[18446744073709551615]}', '9007199254740993'])(
    'writes a decoded message again with all digits of its args: %s',
    (args) => {
      const text = `{"type":"tool_call_start","id":"c","name":"Buy","args":${args},"is_sub_agent":false}`;
      const decoded = decodeText('event', text);
      expect(decoded.ok).toBe(true);
      if (!decoded.ok) return;
      const { message, ...exact } = decoded.value;
      expect(encodeText('event', message, exact)).toBe(text);
    },
  );

  it('writes argsText in the place of args, in canonical form', () => {
    expect(
      encode(
        'event',
        call(0),
        ' { "a" : 18446744073709551615,\n"b": [-0, 1.0, "\\u0041", null, {}], "a": 9007199254740993 } ',
      ),
    ).toBe(
      '{"type":"tool_call_start","id":"1","name":"n","args":{"a":9007199254740993,"b":[-0.0,1,"A",null,{}]},"is_sub_agent":true}',
    );
    expect(refusalOf('event', call(0), '{')).toMatch(/^expected argsText to be JSON/);
    expect(refusalOf('event', call(0), '1,"is_sub_agent":false')).toMatch(/^expected argsText to be JSON/);
    expect(refusalOf('event', call(0), `${'['.repeat(127)}${']'.repeat(127)}`)).toMatch(/^expected argsText/);
  });

  it.each([
    ['event', null, 'expected the message to be an object; came object'],
    ['event', [], 'expected the message to be an object; came object'],
    ['event', {}, 'expected type to be a known tag; came nothing'],
    ['event', { type: 'quit' }, 'expected type to be a known tag; came string'],
    ['event', { type: 'text_delta' }, 'expected text to be a string; came nothing'],
    [
      'event',
      { type: 'turn_end', turn_id: '', reason: 'complete' },
      'expected reason to be an object; came string',
    ],
    [
      'event',
      { type: 'turn_end', turn_id: '', reason: { kind: 'Complete' } },
      'expected reason.kind to be a known tag; came string',
    ],
    [
      'event',
      { type: 'loop_cap_reached', cap: 2 ** 32, recent_tools: [] },
      'expected cap to be an integer from 0 to 2^32 - 1; came 4294967296',
    ],
    ['command', { type: 'user_prompt', text: '' }, 'expected images to be a list of objects; came nothing'],
    [
      'command',
      { type: 'user_prompt', text: '', images: [{ data: '' }] },
      'expected images[0].mime_type to be a string; came nothing',
    ],
    ['command', { type: 'user_prompt', text: '', images: [1] }, 'expected images[0] to be an object; came 1'],
    ['command', { type: 'slash_command', cmd: 'memory' }, 'expected action to be a string; came nothing'],
    [
      'command',
      { type: 'slash_command', cmd: { memory: {} } },
      'expected cmd to be a known tag; came object',
    ],
    [
      'command',
      { type: 'loop_decision', action: { stop: null } },
      'expected action to be stop, continue50 or continue200; came object',
    ],
  ] as const)('refuses an %s of wrong types: %j', (kind, message, refusal) => {
    expect(refusalOf(kind, message)).toBe(refusal);
  });

  it('serves the codecs: UTF-8 without a line break, and notes of the parts that a message does not show', () => {
    const message: EngineEvent = { type: 'text_delta', text: 'é\n' };
    expect(Buffer.from(eventCodec.encode(message)).toString('utf8')).toBe(
      '{"type":"text_delta","text":"é\\n"}',
    );
    const noteOf = (text: string): unknown => {
      const decoded = eventCodec.decode(Buffer.from(text));
      return decoded.ok ? decoded.value.note : decoded.error;
    };
    expect(noteOf('{"type":"text_done"}')).toBeUndefined();
    expect(noteOf('{"type":"action_blocked","tool_name":"","detail":""}')).toBe('preview is absent');
    expect(noteOf(encode('event', call(0), '9007199254740993'))).toBe(
      'args holds a number that a double cannot hold: see the bytes',
    );
  });
});
