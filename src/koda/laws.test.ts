/** The codecs of Koda against the laws of codecs, against their own schemas, and against themselves. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../kit/base/index.ts';
import { isArray, isObject } from '../kit/base/index.ts';
import { roundTrip, total } from '../kit/laws/index.ts';
import { lineFraming } from '../kit/testee/index.ts';
import { commandArbitrary, eventArbitrary, hostileTextArbitrary, messageArbitrary } from './arbitrary.ts';
import { commandCodec, decodeText, encodeText, eventCodec } from './codec.ts';
import type { MessageKind } from './messages.ts';

const runs = { numRuns: 3000, seed: 7 };
const kinds: readonly MessageKind[] = ['event', 'command'];

describe('the laws of codecs', () => {
  it('hold for every message', () => {
    fc.assert(roundTrip(eventCodec, eventArbitrary), runs);
    fc.assert(roundTrip(commandCodec, commandArbitrary), runs);
  });

  it('hold for any bytes', () => {
    fc.assert(total(eventCodec, eventArbitrary.map(eventCodec.encode)), runs);
    fc.assert(total(commandCodec, commandArbitrary.map(commandCodec.encode)), runs);
    for (const [kind, codec] of [
      ['event', eventCodec],
      ['command', commandCodec],
    ] as const)
      fc.assert(
        total<unknown>(
          codec as never,
          hostileTextArbitrary(kind).map((text) => Buffer.from(text)),
        ),
        runs,
      );
  });

  it('are tried on every type of message', () => {
    const types = new Set(fc.sample(eventArbitrary, runs).map(({ type }) => type));
    expect(types.size).toBe(24);
    const commands = fc.sample(commandArbitrary, runs);
    expect(new Set(commands.map(({ type }) => type)).size).toBe(7);
    expect(new Set(commands.map((command) => ('cmd' in command ? command.cmd : ''))).size).toBe(11);
  });
});

describe.each(kinds)('the texts of an %s', (kind) => {
  it('are read alike, whether they are canonical or not', () => {
    fc.assert(
      fc.property(hostileTextArbitrary(kind), (text) => {
        // A blank at the end keeps a text from the reader of canonical text.
        const [fast, general] = [decodeText(kind, text), decodeText(kind, `${text} `)];
        const value = (decoded: typeof fast): unknown => (decoded.ok ? decoded.value : decoded.error.code);
        expect(value(fast)).toEqual(value(general));
      }),
      runs,
    );
  });

  it('have one canonical form, which both readings accept', () => {
    let accepted = 0;
    fc.assert(
      fc.property(hostileTextArbitrary(kind), (text) => {
        const decoded = decodeText(kind, text, { serde: true });
        if (!decoded.ok) return;
        accepted++;
        const canonical = encodeText(kind, decoded.value.message, decoded.value);
        const again = decodeText(kind, canonical);
        if (!again.ok) throw new Error(`refused: ${again.error.message}`);
        expect(again.value.message).toEqual(decoded.value.message);
        expect(again.value.omitted).toBeUndefined();
        expect(encodeText(kind, again.value.message, again.value)).toBe(canonical);
      }),
      runs,
    );
    expect(accepted).toBeGreaterThan(runs.numRuns / 10);
  });

  it('are refused by the strict reading only for what the serde reading adds (KODA-69)', () => {
    fc.assert(
      fc.property(hostileTextArbitrary(kind), (text) => {
        const [strict, free] = [decodeText(kind, text), decodeText(kind, text, { serde: true })];
        if (strict.ok) expect(free).toEqual(strict);
        else if (free.ok)
          expect(['positional', 'numeric-tag', 'object-action']).toContain(strict.error.fault);
      }),
      runs,
    );
  });

  it('leave Object.prototype alone', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const text of fc.sample(hostileTextArbitrary(kind), runs)) {
      decodeText(kind, text);
      decodeText(kind, text, { serde: true });
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(Object.keys({}).length + Object.keys([]).length).toBe(0);
  });
});

describe('lines', () => {
  it('are the same messages, however their bytes are cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 5 }), fc.array(fc.nat(200)), (events, cuts) => {
        const framer = lineFraming();
        const bytes = Buffer.concat(
          events.map((event) => framer.wrap?.(eventCodec.encode(event)) ?? new Uint8Array()),
        );
        const places = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ];
        const lines = places.flatMap((place, i) =>
          framer.push(bytes.subarray(place, places[i + 1] ?? place)),
        );
        const decoded = lines.map((line) => eventCodec.decode(line));
        expect(framer.end()).toBeUndefined();
        expect(decoded.map((each) => each.ok && each.value.message)).toEqual(events);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

/** The fields that are integers, wherever they are. */
const integers: ReadonlySet<string> = new Set(
  [
    'used max active_tools cap prompt_tokens completion_tokens cache_read_tokens thinking_tokens total_chars elapsed_ms',
    'index total start_line truncated_count line_count byte_count',
    'old_line_count old_byte_count new_line_count new_byte_count',
  ].flatMap((names) => names.split(' ')),
);

/** The text of a value whose large integers are strings of digits, as a trace has them. */
const textOf = (value: Json): string =>
  JSON.stringify(value, (name, member: unknown) =>
    integers.has(name) && typeof member === 'string' && isLargeInteger(member) ? `\uE000${member}` : member,
  ).replaceAll(/"\uE000(-?\d+)"/g, '$1');

const isLargeInteger = (text: string): boolean => /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text));

/** Values in the place of others: integers are safe, since a trace has no others. */
const odd: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    7,
    -1,
    0.5,
    1e300,
    2 ** 32,
    2 ** 32 - 1,
    Number.MAX_SAFE_INTEGER,
    '',
    'x',
    '5',
    '-0',
    'stop',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
  ],
  ...['-9007199254740992', '-9223372036854775808', '-9223372036854775809', '18446744073709551615'],
  ...[
    '18446744073709551616',
    '09007199254740993',
    '99999999999999999999',
    'complete',
    'approve',
    'continue50',
  ],
  ...[[], ['x'], [0], [null], [{}], {}, { kind: 'complete' }, { kind: 'error' }, { kind: 'PathNotFound' }],
  ...[
    { kind: 'DeleteFile', line_count: 1, byte_count: '18446744073709551615' },
    { kind: 'Edit' },
    { stop: null },
  ],
  ...[{ decision: 'reject' }, { decision: 'reject_with_feedback' }, { decision: 0 }, { cmd: 'help' }],
];

/** A change of the part that a walk comes to at step `at`: another value, no value, or one more member. */
const change = fc.record({
  at: fc.nat(0xffff),
  by: fc.constantFrom('set', 'remove', 'add', 'tag'),
  value: fc.constantFrom(...odd),
  name: fc.constantFrom('x', 'type', 'kind', 'cmd', 'message', 'preview', 'text', 'id'),
  tag: fc.constantFrom(
    'text_done',
    'error',
    'quit',
    'memory',
    'Edit',
    'footer',
    'user_prompt',
    'help',
    'Text_done',
  ),
});

function changed(
  root: Json,
  { at, by, value, name, tag }: typeof change extends fc.Arbitrary<infer C> ? C : never,
): Json {
  const copy = structuredClone(root);
  /** The members of all containers: the container, and the name in it. */
  const places: [{ [name: string]: Json }, string][] = [];
  const walk = (part: Json): void => {
    if (!isObject(part) && !isArray(part)) return;
    for (const [key, member] of Object.entries(part)) {
      places.push([part as { [name: string]: Json }, key]);
      walk(member);
    }
  };
  walk(copy);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return value;
  const [container, key] = place;
  if (by === 'set') container[key] = value;
  else if (by === 'tag') container[key] = tag;
  else if (by === 'add' && !Array.isArray(container)) container[name] = value;
  else if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
  return copy;
}

describe.each(kinds)('spec/koda/%s.schema.json', (kind) => {
  const path = new URL(`../../spec/koda/${kind}.schema.json`, import.meta.url);
  const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(path, 'utf8')) as object,
  );
  const decide = (value: Json): readonly [boolean, boolean] => [
    decodeText(kind, textOf(value)).ok,
    validate(value),
  ];

  it('accepts every message', () => {
    fc.assert(
      fc.property(messageArbitrary[kind], (message) => {
        expect(decide(message as unknown as Json)).toEqual([true, true]);
      }),
      runs,
    );
  });

  it('decides as the codec does on changed values', () => {
    const decisions = { true: 0, false: 0 };
    fc.assert(
      fc.property(
        messageArbitrary[kind],
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (message, changes) => {
          const value = changes.reduce(changed, message as unknown as Json);
          const [codec, schema] = decide(value);
          expect([schema, textOf(value)]).toEqual([codec, textOf(value)]);
          decisions[`${codec}`]++;
        },
      ),
      runs,
    );
    expect(Math.min(decisions.true, decisions.false)).toBeGreaterThan(runs.numRuns / 10);
  });
});
