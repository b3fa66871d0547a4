/** What is made of single answers: by the requirement list's known answers, and the words of the testee protocol. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { judgeAnswer, showsRequirement } from './judge.ts';
import type { AnswerClaims, Test } from './judge.ts';

const test = (row: string, more: Partial<Test> = {}): Test => ({
  requirements: [`TOON-${row}`],
  result: 'valid',
  ...more,
});

const invalid = (row: string, more: Partial<Test> = {}): Test => test(row, { result: 'invalid', ...more });

const error = (code: string, message = 'no'): JsonObject => ({ error: { code, message } });

/** The known HEARTBEAT (toon.md, "Bytes"), asked for and answered. */
const heartbeat = '0106020000000068e5cf8b010000010000007b7d';
const sending = {
  op: 'toon.encode',
  type: 'HEARTBEAT',
  payload: {},
  sequenceId: 1,
  timestamp: '1700000000000',
};
const decoding = { op: 'toon.decode', wire: heartbeat };
const decoded = {
  header: { version: 1, type: 6, payloadLength: 2, timestamp: '1700000000000', sequenceId: 1 },
  payload: {},
  trailing: 0,
};

/** The known TOOL_RESULT whose `data` is 2000 × x, and what asks for it. */
const header = '0103240000000068e5cf8b01000007000000';
const squeezed = `5a7b2264617461223a22${'ff78ff'.repeat(7)}ff78d7227d`;
const large = {
  ...sending,
  type: 'TOOL_RESULT',
  payload: { data: 'x'.repeat(2000) },
  sequenceId: 7,
  compress: true,
};

const wire = (hex: string): JsonObject => ({ ok: { wire: hex } });
const patch = (at: number, hex: string): JsonObject =>
  wire(heartbeat.slice(0, at * 2) + hex + heartbeat.slice(at * 2 + hex.length));

describe('an answer', () => {
  it.each<[string, JsonObject, string]>([
    ['neither ok nor error', {}, 'neither'],
    ['both', { ok: {}, ...error('bad-type') }, 'both'],
    ['ok that is no object', { ok: true }, 'expected an object as ok; came true'],
    ['error that is null', { error: null }, 'neither'],
    ['unsupported', { unsupported: true }, 'does not support'],
  ])('that is %s is never right', (_, answer, words) => {
    for (const result of ['valid', 'invalid', 'acceptable'] as const)
      expect(judgeAnswer(test('04', { result }), decoding, answer)).toContain(words);
  });

  it('is never right for an unknown operation', () => {
    expect(judgeAnswer(test('04'), { op: 'toon.guess' }, { ok: {} })).toBe(
      'expected an operation of TOON; the request has "toon.guess"',
    );
  });

  it('may refuse invalid and acceptable inputs, but not valid ones', () => {
    expect(judgeAnswer(invalid('06'), decoding, error('bad-version'))).toBeUndefined();
    expect(judgeAnswer(test('28', { result: 'acceptable' }), decoding, error('bad-input'))).toBeUndefined();
    expect(judgeAnswer(test('09'), decoding, error('bad-input', 'what?'))).toBe(
      'expected ok; came a refusal: code "bad-input", message "what?"',
    );
  });

  it('must not accept invalid inputs', () => {
    expect(judgeAnswer(invalid('06', { error: 'bad-version' }), decoding, { ok: decoded })).toBe(
      'expected a refusal (bad-version); came ok with an object with header, payload, trailing',
    );
  });

  it('has its code compared only when the testee says that it gives codes, and one is expected', () => {
    const codes: AnswerClaims = { codes: true };
    expect(judgeAnswer(invalid('06', { error: 'bad-version' }), decoding, error('nope'))).toBeUndefined();
    expect(judgeAnswer(invalid('26'), decoding, error('nope'), codes)).toBeUndefined();
    expect(judgeAnswer(invalid('06', { error: 'bad-version' }), decoding, error('bad-type'), codes)).toBe(
      'expected a refusal with code bad-version; came "bad-type"',
    );
    expect(judgeAnswer(invalid('06', { error: 'bad-version' }), decoding, { error: 'no' }, codes)).toContain(
      'came ""',
    );
  });
});

describe('toon.decode', () => {
  const all = test('01', { expect: decoded });
  const ok = (more: JsonObject): JsonObject => ({ ok: { ...decoded, ...more } });

  it('is right when header and payload are as expected', () => {
    expect(judgeAnswer(all, decoding, { ok: decoded })).toBeUndefined();
    expect(judgeAnswer(all, decoding, ok({ more: 1 }))).toBeUndefined();
  });

  it('is judged only by the expected members', () => {
    const header = { timestamp: '1700000000000' };
    expect(judgeAnswer(test('28', { expect: { header } }), decoding, { ok: { header } })).toBeUndefined();
    expect(judgeAnswer(test('37', { expect: {} }), decoding, { ok: {} })).toBeUndefined();
  });

  it.each([
    ['a number', { sequenceId: 2 }, 'header.sequenceId: expected 1; came 2'],
    ['a number that is a text', { sequenceId: '1' }, 'header.sequenceId: expected 1; came "1"'],
    [
      'a timestamp that is a number',
      { timestamp: 1_700_000_000_000 },
      'header.timestamp: expected "1700000000000"',
    ],
    ['a field that is not there', { type: undefined }, 'header.type: expected 6; came nothing'],
  ])('is wrong with %s', (_, wrong, words) => {
    const header = { ...decoded.header, ...wrong } as JsonObject;
    expect(judgeAnswer(all, decoding, ok({ header }))).toContain(words);
  });

  it('TOON-42: payloads are compared as parsed JSON, numbers exactly', () => {
    const expected = { a: [1, { b: 0.5 }], c: '\u00e9' };
    const judge = (payload: JsonObject): string | undefined =>
      judgeAnswer(test('42', { expect: { payload: expected } }), decoding, ok({ payload }));
    expect(judge({ c: '\u00e9', a: [1, { b: 0.5 }] })).toBeUndefined();
    expect(judge({ ...expected, a: [1, { b: 0.25 }] })).toBe('payload.a[1].b: expected 0.5; came 0.25');
    expect(judge({ ...expected, a: [1] })).toBe('payload.a: expected an array of 2; came an array of 1');
    expect(judge({ ...expected, c: 'e\u0301' })).toContain('payload.c: expected');
    expect(judge({ a: expected.a })).toBe('payload.c: expected "\u00e9"; came nothing');
    expect(judge({ ...expected, d: null })).toBe('payload.d: expected no such key; came null');
    expect(judge({ ...expected, a: '1' })).toBe('payload.a: expected an array of 2; came "1"');
  });

  it('a very deep payload is compared without recursion', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as JsonObject;
    const judge = (expected: JsonObject, came: JsonObject): string | undefined =>
      judgeAnswer(test('42', { expect: { payload: expected } }), decoding, ok({ payload: came }));
    expect(judge({}, deep)).toBe('payload: expected {}; came an array of 1');
    expect(judge(deep, deep)).toBeUndefined();
  });

  it('TOON-44: only this row demands a count of trailing bytes', () => {
    const judge = (row: string, trailing: number): string | undefined =>
      judgeAnswer(test(row, { expect: { payload: {}, trailing: 3 } }), decoding, ok({ trailing }));
    expect(judge('09', 0)).toBeUndefined();
    expect(judge('44', 3)).toBeUndefined();
    expect(judge('44', 0)).toBe('trailing: expected 3; came 0');
  });

  it('TOON-43: a refusal names JSON or the header', () => {
    const bare = invalid('43', { expect: { hint: true } });
    const refused = (message: string): string | undefined =>
      judgeAnswer(bare, decoding, error('bad-version', message));
    expect(refused('this looks like bare JSON')).toBeUndefined();
    expect(refused('there is no TOON header')).toBeUndefined();
    expect(refused('version 123')).toContain(
      'names the likely mistake, JSON without a header; came "version 123"',
    );
    expect(judgeAnswer(invalid('06'), decoding, error('bad-version', 'version 123'))).toBeUndefined();
  });
});

describe('toon.validate', () => {
  const valid = (is: unknown): JsonObject => ({ ok: { valid: is } as JsonObject });
  const validating = { op: 'toon.validate', wire: heartbeat };

  it('answers true for valid messages, and false where other operations refuse', () => {
    expect(judgeAnswer(test('08'), validating, valid(true))).toBeUndefined();
    expect(judgeAnswer(test('08'), validating, valid(false))).toBe('expected valid: true; came false');
    expect(judgeAnswer(invalid('08'), validating, valid(false))).toBeUndefined();
    expect(judgeAnswer(invalid('08'), validating, valid(true))).toBe('expected valid: false; came true');
    expect(judgeAnswer(test('05', { expect: { valid: false } }), validating, valid(false))).toBeUndefined();
  });

  it('may answer true or false for acceptable messages, but must answer', () => {
    const either = test('08', { result: 'acceptable', expect: { valid: true } });
    expect(judgeAnswer(either, validating, valid(true))).toBeUndefined();
    expect(judgeAnswer(either, validating, valid(false))).toBeUndefined();
    expect(judgeAnswer(either, validating, valid('yes'))).toBe(
      'expected valid to be true or false; came "yes"',
    );
  });
});

describe('toon.encode', () => {
  const judge = (row: string, answer: JsonObject, request: JsonObject = sending): string | undefined =>
    judgeAnswer(test(row), request, answer);

  it.each(['01', '02', '03', '12', '13', '14', '27', '28', '32', '42', '47'])(
    'TOON-%s: the known HEARTBEAT is right',
    (row) => {
      expect(judge(row, wire(heartbeat))).toBeUndefined();
    },
  );

  it.each(['01', '02', '03', '12', '13', '14', '15', '16', '19', '20', '22', '42'])(
    'TOON-%s: the known TOOL_RESULT is right, compressed and plain',
    (row) => {
      const plain = Buffer.from(JSON.stringify(large.payload)).toString('hex');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(plain.length / 2);
      expect(judge(row, wire(header + squeezed), large)).toBeUndefined();
      expect(
        judge(row, wire(header.replace('24000000', length.toString('hex')) + plain), large),
      ).toBeUndefined();
    },
  );

  it('is right however the JSON is written', () => {
    const spaced = wire(`01060500000000${heartbeat.slice(14, 36)}${Buffer.from('{ \n }').toString('hex')}`);
    for (const row of ['01', '03', '13', '42', '47']) expect(judge(row, spaced)).toBeUndefined();
  });

  it('fails when its wire is not hex or not a message', () => {
    expect(judge('02', wire('01f'))).toBe('expected wire as hex; came "01f"');
    expect(judge('02', { ok: {} })).toBe('expected wire as hex; came nothing');
    expect(judge('02', wire('01'))).toBe('expected a header of 18 bytes; came 1 in all');
  });

  it('TOON-01: type, timestamp and sequenceId are in their places', () => {
    expect(judge('01', patch(1, '05'))).toBe('expected type "HEARTBEAT" at offset 1, which is 6; came 5');
    expect(judge('01', patch(14, '00000001'))).toBe('expected sequenceId 1; came 16777216');
    expect(judge('01', patch(6, '0000018bcfe56800'))).toContain('expected timestamp "1700000000000"; came');
  });

  it('one wrong fact violates its row only', () => {
    const [version, length] = [patch(0, '02'), patch(2, '03000000')];
    expect(judge('02', version)).toBe('expected version 1; came 2');
    expect(judge('03', length)).toBe('expected payloadLength 2, the bytes that follow the header; came 3');
    for (const row of ['01', '03', '12', '13', '14', '42']) expect(judge(row, version)).toBeUndefined();
    for (const row of ['01', '02', '12', '13', '14', '42']) expect(judge(row, length)).toBeUndefined();
  });

  it('TOON-12: there is no byte-order mark', () => {
    const marked = wire(`${heartbeat.slice(0, 36)}efbbbf7b7d`);
    expect(judge('12', marked)).toContain('no byte order mark');
    expect(judge('42', marked)).toBeUndefined();
  });

  it('TOON-13: a payload is an object', () => {
    expect(judge('13', wire(`${heartbeat.slice(0, 36)}5b5d`))).toBe(
      'expected an object as payload; came an array of 0',
    );
    expect(judge('13', wire(`${heartbeat.slice(0, 36)}7b`))).toBe(
      'expected a payload that can be read; the payload is not JSON',
    );
  });

  it('TOON-14: payloads of at most 1024 bytes are not compressed', () => {
    expect(judge('14', wire(`${heartbeat.slice(0, 36)}5a7b7d`))).toContain(
      'expected no compression of 2 bytes',
    );
  });

  it('TOON-15: payloads that do not get shorter are not compressed', () => {
    const text = `{"data":"${'ab'.repeat(600)}"}`;
    const longer = wire(`${header}5a${Buffer.from(text).toString('hex')}`);
    expect(judge('15', longer, large)).toBe(
      'expected compression only if it is shorter; came 1212 bytes with magic and RLE for 1211 without',
    );
  });

  it('TOON-16: RLE without the magic is recognised', () => {
    expect(judge('16', wire(header + squeezed.slice(2)), large)).toBe(
      'expected 0x5A before RLE; the payload is RLE and begins with 7b226461',
    );
    expect(judge('42', wire(header + squeezed.slice(2)), large)).toContain('the payload is not UTF-8');
  });

  it.each([
    ['19', `5a7b2264617461223a22${'ff78ff'.repeat(7)}${'78'.repeat(215)}227d`, '7 triples and 215 literal'],
    ['20', `5a7b2264617461223a22${'ff78fa'.repeat(8)}227d`, 'came 8 triples'],
    ['22', `5a7b2264617461223a22${'ff78ff'.repeat(7)}ff78d7ff7800227d`, 'no count of 0'],
  ])(
    'TOON-%s: runs are written as they should be, and others of the three do not mind',
    (row, payload, words) => {
      for (const other of ['19', '20', '22']) {
        const said = judge(other, wire(header + payload), large);
        if (other === row) expect(said).toContain(words);
        else expect(said).toBeUndefined();
      }
    },
  );

  it('TOON-27: compress: false is honoured', () => {
    const asked = { ...large, compress: false };
    expect(judge('27', wire(header + squeezed), asked)).toContain('not compressed; it begins with 0x5A');
    expect(judge('27', wire(header + squeezed), large)).toBeUndefined();
  });

  it('TOON-28: a timestamp is exact, or refused', () => {
    const asked = { ...sending, timestamp: '9007199254740993' };
    const exact = patch(6, '0100000000002000');
    const rounded = patch(6, '0000000000002000');
    const acceptable = test('28', { result: 'acceptable' });
    expect(judgeAnswer(acceptable, asked, exact)).toBeUndefined();
    expect(judgeAnswer(acceptable, asked, error('bad-input'))).toBeUndefined();
    expect(judgeAnswer(acceptable, asked, rounded)).toBe(
      'expected timestamp "9007199254740993"; came "9007199254740992"',
    );
  });

  it('TOON-47: heartbeats carry {}', () => {
    expect(judge('47', wire(`${heartbeat.slice(0, 36)}6e756c6c`))).toBe('payload: expected {}; came null');
  });

  it('is judged by the facts of the vector, if it has any', () => {
    const facts = (expect: JsonObject, answer = wire(heartbeat)): string | undefined =>
      judgeAnswer(test('01', { expect }), sending, answer);
    expect(facts({ type: 'HEARTBEAT' }, patch(14, '02'))).toBeUndefined();
    expect(
      facts({ version: 1, framed: true, payload: {}, compressed: false, without: ['bom'] }),
    ).toBeUndefined();
    expect(facts({ compressed: true })).toBe('expected a compressed payload; it does not begin with 0x5A');
    expect(facts({ compressed: 'may' })).toBeUndefined();
    expect(facts({}, patch(0, '09'))).toBeUndefined();
  });

  it('a whole wire is one right answer of many', () => {
    expect(
      judgeAnswer(test('02', { expect: { wire: heartbeat } }), sending, patch(14, '02')),
    ).toBeUndefined();
    expect(judgeAnswer(test('02', { expect: { wire: heartbeat } }), sending, patch(0, '02'))).toContain(
      'version',
    );
  });

  it('does not exercise compression rows without compression, which is optional', () => {
    const plain = wire(header + Buffer.from(JSON.stringify(large.payload)).toString('hex'));
    const shows = (row: string, answer: JsonObject): boolean =>
      showsRequirement(`TOON-${row}`, large, answer);
    for (const row of ['16', '19', '20', '22']) {
      expect(shows(row, plain)).toBe(false);
      expect(shows(row, wire(header + squeezed))).toBe(true);
    }
    expect([shows('14', plain), shows('14', wire(heartbeat))]).toEqual([false, true]);
    expect([shows('15', plain), shows('15', wire(heartbeat))]).toEqual([true, false]);
    expect([shows('42', plain), shows('32', error('bad-input'))]).toEqual([true, true]);
  });
});

describe('toon.rle.encode and toon.rle.decode', () => {
  const bytes = (hex: string): JsonObject => ({ ok: { bytes: hex } });
  const encoding = { op: 'toon.rle.encode', bytes: '41'.repeat(256) };

  it('give the bytes that are expected', () => {
    const run = test('20', { expect: { bytes: 'ff41ff41' } });
    expect(judgeAnswer(run, encoding, bytes('ff41ff41'))).toBeUndefined();
    expect(judgeAnswer(run, encoding, bytes('FF41FF41'))).toBeUndefined();
    expect(judgeAnswer(run, encoding, bytes('ff4100'))).toBe(
      'bytes: expected ff41ff41; came ff4100, which differs at byte 2',
    );
    const expansion = test('23', { expect: { bytes: '414141' } });
    expect(
      judgeAnswer(expansion, { op: 'toon.rle.decode', bytes: 'ff4103' }, bytes('414141')),
    ).toBeUndefined();
    expect(judgeAnswer(expansion, { op: 'toon.rle.decode', bytes: 'ff4103' }, bytes('4141'))).toContain(
      'expected 414141; came 4141',
    );
    expect(judgeAnswer(expansion, { op: 'toon.rle.decode', bytes: 'ff4103' }, { ok: {} })).toContain(
      'as hex',
    );
  });

  it('or avoid forbidden forms, and expand to the given bytes', () => {
    const asked = { ...encoding, bytes: '41'.repeat(255) };
    const without = (word: string): Test => test('22', { expect: { without: [word] } });
    expect(judgeAnswer(without('count-zero'), asked, bytes('ff41ff'))).toBeUndefined();
    expect(judgeAnswer(without('count-zero'), asked, bytes('ff41ffff4100'))).toContain('no count of 0');
    expect(judgeAnswer(without('run-split'), asked, bytes('ff41ffff4100'))).toBeUndefined();
    expect(judgeAnswer(without('run-split'), asked, bytes('ff41fe'))).toContain('once expanded: expected');
    expect(judgeAnswer(without('run-split'), asked, bytes('ff41'))).toContain('cut off');
    expect(judgeAnswer(test('19'), asked, bytes('41'.repeat(255)))).toContain('255 literal');
  });

  it('shows a long difference where it begins', () => {
    const long = test('17', { expect: { bytes: `${'41'.repeat(500)}42` } });
    expect(judgeAnswer(long, { op: 'toon.rle.decode', bytes: '' }, bytes('41'.repeat(501)))).toBe(
      'bytes: expected …4141414142 (501 bytes); came …4141414141 (501 bytes), which differs at byte 500',
    );
  });
});

describe('toon.stream', () => {
  const streaming = { op: 'toon.stream', chunks: [heartbeat] };
  const wanted = { messages: [{ payload: {} }, { header: { sequenceId: 2 } }], skipped: 1, pending: 3 };
  const found = {
    messages: [decoded, { ...decoded, header: { ...decoded.header, sequenceId: 2 } }],
    skipped: 1,
    pending: 3,
  };
  const judge = (ok: JsonObject): string | undefined =>
    judgeAnswer(test('39', { expect: wanted }), streaming, { ok: { ...found, ...ok } });

  it('gives the messages in order, and the counts of skipped frames and pending bytes', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({ messages: [decoded] })).toBe('expected 2 messages; came 1');
    expect(judge({ messages: 'none' })).toBe('expected 2 messages; came 0');
    expect(judge({ messages: [decoded, decoded] })).toBe('messages[1].header.sequenceId: expected 2; came 1');
    expect(judge({ messages: [null, decoded] })).toBe('messages[0].payload: expected {}; came nothing');
    expect(judge({ skipped: 0 })).toBe('skipped: expected 1; came 0');
    expect(judge({ pending: 0 })).toBe('pending: expected 3; came 0');
  });

  it('is judged only by the named members', () => {
    const some = test('38', { expect: { messages: wanted.messages } });
    expect(judgeAnswer(some, streaming, { ok: { messages: found.messages } })).toBeUndefined();
  });
});
