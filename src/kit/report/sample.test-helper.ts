/** Reports for the tests of this room: a small readable one, and whatever a hostile target could make of one. */
import fc from 'fast-check';
import type { Comparison, Grid, Report, RequirementOutcome } from '../base/index.ts';
import { verdicts } from '../base/index.ts';

const source = { document: 'Fold protocol', revision: 'r3', section: 'section 5.2' } as const;

/** A requirement that passed, but for what is given. */
export const row = (id: string, given: Partial<RequirementOutcome> = {}): RequirementOutcome => ({
  id,
  level: 'MUST',
  text: `The sentence of ${id}.`,
  source,
  verdict: 'pass',
  exercised: 1,
  ...given,
});

/** `n` requirements FOLD-A01, FOLD-A02, … from `first` on. */
export const rows = (n: number, first = 1, given: Partial<RequirementOutcome> = {}): RequirementOutcome[] =>
  Array.from({ length: n }, (_, i) => row(`FOLD-A${String(first + i).padStart(2, '0')}`, given));

/** A violated requirement with all that is known about it. */
export const violated = (id: string, given: Partial<RequirementOutcome> = {}): RequirementOutcome =>
  row(id, {
    verdict: 'fail',
    exercised: 3,
    message: 'expected response.request_id "r1", got "r2"',
    evidence: [{ trace: 'main.jsonl', seq: 13 }],
    excerpt: ['  12 gateway → target send_message', '> 13 target → gateway response'],
    replay: 'wireproof replay main.jsonl --only FOLD-A15',
    ...given,
  });

/** A report of these requirements; counts and scope follow from them, the verdict does not. */
export const sample = (requirements: readonly RequirementOutcome[], given: Partial<Report> = {}): Report => {
  const musts = requirements.filter(({ level }) => level === 'MUST');
  const withVerdict = (...of: readonly string[]): number =>
    musts.filter(({ verdict }) => of.includes(verdict)).length;
  return {
    wireproof: 'report/1',
    kit: '0.1.0',
    suite: 'fold/agent',
    revision: '2025-01',
    target: './my-agent',
    drive: 'passive',
    features: ['tools'],
    seed: '7',
    duration_ms: 2345,
    interrupted: false,
    strict: false,
    verdict: 'conformant',
    scope: {
      drive: 'passive',
      must: {
        applicable: withVerdict('pass', 'fail', 'not-observed'),
        exercised: withVerdict('pass', 'fail'),
        untestable: withVerdict('untestable'),
      },
    },
    counts: countVerdicts(requirements),
    requirements,
    excluded: [],
    scenarios: [],
    problems: [],
    notes: [],
    ...given,
  };
};

const countVerdicts = (requirements: readonly RequirementOutcome[]): Report['counts'] => {
  const counts = { pass: 0, fail: 0, 'not-observed': 0, 'not-applicable': 0, untestable: 0, error: 0 };
  for (const { verdict, follows_from } of requirements) if (follows_from === undefined) counts[verdict] += 1;
  return counts;
};

/** A run in which all went well: 41 MUSTs, some of the rest out of reach. */
export const passing: Report = sample(
  [
    ...rows(41),
    ...rows(6, 42, { verdict: 'untestable', exercised: 0, reason: 'needs the directive drive' }),
    ...rows(9, 50, { level: 'SHOULD' }),
    ...rows(3, 60, { verdict: 'not-applicable', exercised: 0, reason: 'packs are not claimed' }),
  ],
  {
    excluded: [{ id: 'FOLD-A70', reason: 'no peer can see it' }],
    scenarios: [{ name: 'cancel-mid-tool', outcome: 'done', duration_ms: 12 }],
    notes: ['passive drive: the nonce did not come back'],
  },
);

/** A run with every kind of row and every optional property. */
export const mixed: Report = sample(
  [
    ...rows(3),
    violated('FOLD-A15'),
    violated('FOLD-A27', { proves: 'shim' }),
    violated('FOLD-A30', { level: 'SHOULD' }),
    violated('FOLD-A43', {
      follows_from: { id: 'FOLD-A15', why: 'one fault, two sentences' },
    }),
    violated('FOLD-A31', {
      expected_failure: { reason: 'known', issue: 'https://example.org/issues/9' },
    }),
    row('FOLD-A32', { verdict: 'error', exercised: 0, message: 'the rule threw' }),
    ...rows(2, 40, { verdict: 'not-observed', exercised: 0, reason: 'no tool call came' }),
  ],
  {
    verdict: 'not-conformant',
    scenarios: [
      { name: 'cancel', outcome: 'done', duration_ms: 12 },
      { name: 'packs', outcome: 'skipped', reason: 'needs packs', duration_ms: 0 },
    ],
    excluded: [{ id: 'FOLD-A70', reason: 'no peer can see it' }],
    problems: ['FOLD-A99 is listed as an expected failure and is no requirement'],
    notes: ['directive drive: the nonce came back'],
    target_output: ['panic: index out of range'],
  },
);

/** What became of the end of an answer. */
export const lostEnd: Comparison = {
  field: 'end',
  from: 'below',
  below: { label: 'provider said', parts: { text: '"Hello"', end: 'max_tokens', usage: '9 and 5' } },
  above: { label: 'client heard', parts: { text: '"Hello"', end: 'stop' } },
  due: ['length'],
  source: 'A document, section 3',
};

/** Three of four pairs: one fails, one passes with a violated SHOULD, one lacks a MUST. */
export const pairs: Grid = {
  rows: { name: 'client', values: ['red', 'blue'] },
  columns: { name: 'provider', values: ['red', 'blue'] },
  cells: [
    { row: 'red', column: 'red', verdict: 'pass', exercised: 9, failed: ['FOLD-A30'], missing: [] },
    {
      row: 'red',
      column: 'blue',
      verdict: 'fail',
      exercised: 9,
      failed: ['FOLD-A15', 'FOLD-A30'],
      missing: [],
    },
    { row: 'blue', column: 'blue', verdict: 'not-observed', exercised: 8, failed: [], missing: ['FOLD-A02'] },
  ],
};

/** A run of pairs in which the end of an answer was lost. */
export const paired: Report = sample(
  [...rows(3), violated('FOLD-A15', { comparison: lostEnd }), violated('FOLD-A30', { level: 'SHOULD' })],
  { verdict: 'not-conformant', grid: pairs },
);

/** Texts that act somewhere when they are not escaped. */
export const nasty: readonly string[] = [
  '\u001b[2J\u001b]0;title\u0007',
  '\u0000\u0008\u007f\u009b31m',
  'a\u202egnp.exe\u2066x\u2069\u200f\u061c',
  'zero\u200bwidth\ufeff\u2028line\u2029',
  '::error::pwned',
  '  ::set-output name=x::y',
  'first\n::stop-commands::t\r\n##[error]second ##vso[task.complete]',
  ']]><script>alert(1)</script>&amp;"\'',
  '<!-- --><img src=x onerror=alert(1)>',
  '| a | `b` | [c](javascript:d) @everyone #1 https://evil.example www.evil.example',
  '````\n```',
  '\ud800 lone \udfff',
  '\uffff\u{1f600}\u{e0041}',
  'x'.repeat(1000),
];

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 30 }),
  // Long enough to be wrapped, so that a command can land at the start of a line.
  fc.array(fc.constantFrom(...nasty, 'word'), { maxLength: 20 }).map((words) => words.join(' ')),
);

const optional = <K extends string, V>(key: K, value: fc.Arbitrary<V>): fc.Arbitrary<{ [P in K]?: V }> =>
  fc.option(value.map((v) => ({ [key]: v }) as { [P in K]?: V })).map((v) => v ?? {});

const level = fc.constantFrom('MUST', 'SHOULD', 'MAY');

const hostileSide = fc.record({ label: text, parts: fc.dictionary(text, text, { maxKeys: 3 }) });

const hostileComparison: fc.Arbitrary<Comparison> = fc.record({
  field: text,
  from: fc.constantFrom('above', 'below'),
  above: hostileSide,
  below: hostileSide,
  due: fc.array(text, { maxLength: 3 }),
  source: text,
});

const hostileAxis = fc.record({ name: text, values: fc.array(text, { minLength: 1, maxLength: 3 }) });

/** A grid whose cells are on its axes. */
const hostileGrid: fc.Arbitrary<Grid> = fc
  .tuple(
    hostileAxis,
    hostileAxis,
    fc.constantFrom('pass', 'fail', 'not-observed'),
    fc.array(text, { maxLength: 3 }),
  )
  .map(([first, second, verdict, ids]) => ({
    rows: first,
    columns: second,
    cells: first.values.flatMap((one) =>
      second.values.map((other) => ({
        ...{ row: one, column: other, verdict, exercised: 1, failed: ids, missing: ids },
      })),
    ),
  }));

const hostileRow: fc.Arbitrary<RequirementOutcome> = fc
  .tuple(
    fc.record({
      id: text,
      level,
      text,
      source: fc.record({ document: text, revision: text, section: text }),
      verdict: fc.constantFrom(...verdicts),
      exercised: fc.nat(9),
    }),
    optional('reason', text),
    optional('message', text),
    optional('evidence', fc.array(fc.record({ trace: text, seq: fc.nat() }), { maxLength: 4 })),
    optional('excerpt', fc.array(text, { maxLength: 3 })),
    optional('comparison', hostileComparison),
    optional('expected_failure', fc.record({ reason: text, issue: text })),
    optional('follows_from', fc.record({ id: text, why: text })),
    optional('replay', text),
    optional('proves', fc.constant('shim' as const)),
  )
  .map((parts) => Object.assign({}, ...parts) as RequirementOutcome);

/** Any report, with hostile text wherever text can be. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    requirements: fc.array(hostileRow, { maxLength: 6 }),
    more: optional('grid', hostileGrid),
    given: fc.record({
      kit: text,
      suite: text,
      revision: text,
      target: text,
      drive: text,
      seed: text,
      interrupted: fc.boolean(),
      strict: fc.boolean(),
      verdict: fc.constantFrom('conformant', 'not-conformant', 'inconclusive', 'error'),
      scope: fc.record({
        drive: text,
        must: fc.record({ applicable: fc.nat(9), exercised: fc.nat(9), untestable: fc.nat(9) }),
      }),
      excluded: fc.array(fc.record({ id: text, reason: text }), { maxLength: 3 }),
      scenarios: fc.array(
        fc.record({
          name: text,
          outcome: fc.constantFrom('done', 'ended-early', 'skipped', 'not-run'),
          reason: text,
          duration_ms: fc.nat(),
        }),
        { maxLength: 3 },
      ),
      problems: fc.array(text, { maxLength: 3 }),
      notes: fc.array(text, { maxLength: 3 }),
      target_output: fc.array(text, { maxLength: 3 }),
    }),
  })
  .map(({ requirements, given, more }) => sample(requirements, { ...given, ...more }));
