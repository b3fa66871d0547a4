/** serde itself is a conformant codec of Koda, and takes and refuses the same texts as the kit's codec in its serde mode. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileTextArbitrary } from '../../src/koda/arbitrary.ts';
import { decodeText, kodaTesteeWith } from '../../src/koda/index.ts';
import type { MessageKind } from '../../src/koda/index.ts';
import { isObject } from '../../src/kit/base/index.ts';
import type { JsonObject } from '../../src/kit/base/index.ts';
import { readVectors } from '../../src/kit/spec/index.ts';
import { checked } from '../command.test-helper.ts';
import { messageDifference } from '../koda/codec/message-difference.ts';
import { builtByCargo } from './cargo.test-helper.ts';

const { path, why } = builtByCargo(
  'koda_testee',
  ['serde', 'serde_derive', 'serde_json'],
  'cargo librust-serde-dev librust-serde-derive-dev librust-serde-json-dev',
);

interface Text {
  readonly kind: MessageKind;
  readonly text: string;
}

/** The answers of the program to `koda.decode` of these texts. */
function answersOf(program: string, texts: readonly Text[]): readonly JsonObject[] {
  const lines = texts.map(({ kind, text }, id) => JSON.stringify({ id, op: 'koda.decode', kind, text }));
  const { stdout, status } = spawnSync(program, {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 120_000,
  });
  expect(status).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
}

const ours = kodaTesteeWith({ serde: true });

const textIn = ({ ok }: JsonObject): string | undefined =>
  isObject(ok) && typeof ok['text'] === 'string' ? ok['text'] : undefined;

/** The difference between the answers to a text; undefined when both refuse it, or send equal messages. */
function difference({ kind, text }: Text, theirs: JsonObject): string | undefined {
  const [wanted, came] = [textIn(ours({ id: 0, op: 'koda.decode', kind, text })), textIn(theirs)];
  if (wanted === undefined && came === undefined) return undefined;
  const [expected, sent] = [wanted, came].map((one) =>
    one === undefined ? undefined : decodeText(kind, one),
  );
  if (expected?.ok !== true || sent?.ok !== true)
    return `${JSON.stringify(text)}: ours ${wanted ?? 'refuses'}; serde ${came ?? JSON.stringify(theirs)}`;
  const wrong = messageDifference(expected.value, sent.value);
  return wrong === undefined ? undefined : `${JSON.stringify(text)}: ${wrong}`;
}

function differences(program: string, texts: readonly Text[]): readonly string[] {
  const answers = answersOf(program, texts);
  expect(answers.length).toBe(texts.length);
  return texts.flatMap((text, i) => difference(text, answers[i] ?? {}) ?? []);
}

/** Numbers just below, at and beyond the largest double: 1.7976931348623157e308 and digits that follow. */
const topNumber: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('17976931348623', '179769313486231', '1797693134862315', '17976931348623157'),
    fc.stringMatching(/^\d{0,9}$/),
    fc.nat(12),
    fc.constantFrom('e', 'E+', 'e00'),
  )
  .map(([sign, digits, more, point, e]) => {
    const all = digits + more;
    if (point === 0) return `${sign}${all.padEnd(309, '0')}`;
    if (point > 10) return `${sign}0.00${all}${e === 'e00' ? 'e' : e}311`;
    return `${sign}${all.slice(0, point)}.${all.slice(point)}${e}${309 - point}`;
  });

const statusOf = (percentage: string): string =>
  `{"type":"status_update","model":"","provider":"","context_pct":${percentage},"approval_mode":"","active_tools":0}`;
const callOf = (number: string): string =>
  `{"type":"tool_call_start","id":"","name":"","args":[${number}],"is_sub_agent":false}`;

describe('koda_testee (Rust)', () => {
  it('is conformant by the profile serde, with every applicable MUST exercised', async (context) => {
    if (path === undefined) return context.skip(why);
    const { report, code, stderr } = await checked(['koda/codec', '--profile', 'serde'], [path]);
    const bad = report?.requirements.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
    expect({ code, verdict: report?.verdict, stderr }).toMatchObject({ code: 0, verdict: 'conformant' });
    expect(bad).toEqual(['KODA-69']);
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });

  it('decodes every vector as the codec in its serde mode', (context) => {
    if (path === undefined) return context.skip(why);
    const tests = readVectors('koda').flatMap(({ vectors }) =>
      vectors.groups.flatMap((group) => group.tests),
    );
    const texts = tests.map(({ kind, text }) => ({ kind: kind as MessageKind, text: String(text) }));
    expect(differences(path, texts)).toEqual([]);
  });

  it.for<MessageKind>(['event', 'command'])(
    'decodes 50,000 damaged texts of kind %s alike',
    (kind, context) => {
      if (path === undefined) return context.skip(why);
      const texts = fc.sample(hostileTextArbitrary(kind), { numRuns: 50_000, seed: 1 });
      expect(
        differences(
          path,
          texts.map((text) => ({ kind, text })),
        ),
      ).toEqual([]);
    },
  );

  it('takes and refuses the same numbers at the top of the doubles', (context) => {
    if (path === undefined) return context.skip(why);
    const texts = fc
      .sample(topNumber, { numRuns: 20_000, seed: 1 })
      .flatMap((number) => [statusOf(number), callOf(number), `{"type":"text_done","x":${number}}`]);
    const accepted = texts.filter((text) => decodeText('event', text).ok).length;
    expect(Math.min(accepted, texts.length - accepted)).toBeGreaterThan(texts.length / 10);
    expect(
      differences(
        path,
        texts.map((text) => ({ kind: 'event', text })),
      ),
    ).toEqual([]);
  });

  it('answers requests that it does not know, and lines that are no request', (context) => {
    if (path === undefined) return context.skip(why);
    const input = [
      '{"id":1,"op":"koda.guess"}',
      'nonsense',
      '{"id":2,"op":"koda.decode","kind":"event"}',
      '{"id":3,"op":"koda.decode","kind":"neither","text":"{}"}',
      '{"id":4,"op":"hello"}',
    ].join('\n');
    const { stdout, status } = spawnSync(path, { input, encoding: 'utf8', timeout: 60_000 });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(status).toBe(0);
    expect(answers).toMatchObject([
      { id: 1, unsupported: true },
      { id: null, error: { code: 'bad-input' } },
      { id: 2, error: { code: 'bad-input' } },
      { id: 3, error: { code: 'bad-input' } },
      { id: 4, ok: { ops: ['hello', 'koda.decode', 'koda.encode'] } },
    ]);
  });
});
