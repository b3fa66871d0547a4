/** `wireproof explain`: explains a requirement and how it is checked, or a word of the kit. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { Requirement } from '../src/kit/spec/index.ts';
import { scenariosOf, suiteRows } from '../src/kit/suite/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import { registry } from './registry.ts';

/** The kit's own paragraphs; protocols add to them. */
const paragraphs: { readonly [word: string]: string } = {
  drive: `The drive is how the kit makes a target act.
  passive    the kit sends ordinary messages; only requirements that ordinary messages can exercise are judged
  directive  the target is a small program built with your library that obeys instructions in the message content;
             conformance/examples/ has programs to copy
  auto       the kit sends one directive; if the target obeys, directive, else passive (the default)
A requirement that the drive cannot reach is untestable. It makes a run inconclusive unless you name the drive: --drive passive.
`,
  operator: `The operator is the person or program that gives a target its work. The kit plays the operator. A requirement for which the target has no trigger is untestable, never passed.
`,
  carriers: `The carrier transports a protocol's messages between two programs. A protocol over gRPC has no choice of carriers.
  tcp    bytes on a socket: the target dials {address}, or the kit dials the target at {listen}
  ws     a WebSocket: the target dials {url}, or the kit dials the target at {listen}
  stdio  bytes on the target's stdin and stdout; stderr is only logged
The command shows the carrier ({url}: ws; {address} or {listen}: tcp; no placeholder: stdio); --carrier overrides this.
`,
  testees: `A testee is a codec or library that answers operations on stdin and stdout, one JSON object a line:
  kit     {"id":1,"op":"hello"}
  testee  {"id":1,"ok":{"name":"mine","version":"1.0","ops":["toon.decode"]}}
  kit     {"id":2,"op":"toon.decode","wire":"0106…"}
  testee  {"id":2,"ok":{…}}, or {"id":2,"error":{"code":"bad-json","message":"…"}}, or {"id":2,"unsupported":true}
An operation that a testee does not support is untestable, never passed. stderr is only logged.
wireproof testee SUITE runs the reference as a testee.
`,
  verdicts: `pass            exercised, and never violated
fail            violated; at level SHOULD it is shown and counted, and fatal only with --strict
not-observed    never exercised in this run
not-applicable  the target does not claim the feature
untestable      the kit could not exercise it in this run; the report gives the reason
error           the kit failed
`,
  'exit-codes': `0    conformant
1    not conformant, or an expected failure that is stale
2    usage: a flag, statement, scenario or trace is wrong
3    environment: the target could not be started, or a port is in use
4    inconclusive: nothing failed, and a requirement was never exercised (--allow-inconclusive makes it 0)
5    the kit failed
130  interrupted; a partial report is written
`,
  traces: `A trace records all messages on all connections, in order of time, as JSON Lines: a header, then events.
--trace failed (the default) keeps the traces with a violation in .wireproof/traces; --trace all keeps every trace.
wireproof judge FILE judges a trace by the same rules; wireproof view FILE shows it as a page. Secrets are redacted, unless you give --no-redact.
`,
};

/** The text of a word: the kit's paragraph, then the protocols' paragraphs. */
function textOfWord(word: string): string | undefined {
  if (!Object.hasOwn(paragraphs, word)) return undefined;
  const own = registry.protocols.flatMap(({ topics = {} }) => topics[word] ?? []);
  return [paragraphs[word] ?? '', ...own].join('\n');
}

/** Runs the verb. */
export async function explain(id: string, flags: { readonly json?: boolean }): Promise<void> {
  const text = textOfWord(id.toLowerCase());
  if (text !== undefined) return void process.stdout.write(text);
  const rows = (await registry.loadAll()).flatMap((suite) => {
    const row = suiteRows(suite).requirements.find((r) => r.id === id.toUpperCase());
    return row === undefined ? [] : [{ row, suite }];
  });
  const [first] = rows;
  if (first !== undefined) {
    const all = rows.map(({ suite }) => suite);
    const shown = flags.json === true ? `${JSON.stringify(first.row, null, 2)}\n` : page(first.row, all);
    return void process.stdout.write(shown);
  }
  throw new WireproofError(
    'usage',
    `nothing to explain for "${id}"; give a requirement id (wireproof list requirements), or one of ${Object.keys(paragraphs).join(', ')}`,
  );
}

function page(row: Requirement, owing: readonly Suite[]): string {
  const { document, revision, section } = row.source;
  const lines = [
    `${row.id} (${row.level}, ${owing.map(({ id }) => id).join(', ')})`,
    '',
    row.text.trim(),
    '',
    `source      ${document}${revision === undefined ? '' : `, revision ${revision}`}: ${section}`,
    ...(row.feature === undefined ? [] : [`applies to  targets that claim ${row.feature}`]),
    ...(row.allows === undefined ? [] : [`lets pass   ${row.allows.trim()}`]),
    ...(row.trap === undefined ? [] : [`trap        ${row.trap.trim()}`]),
    ...(row.excluded === undefined ? [] : [`excluded    ${row.excluded}`]),
    ...(row.directive === 'needed' ? ['drive       cannot be judged in a passive drive'] : []),
    ...(row.entails ?? []).map(({ id, why }) => `entails     ${id}: ${why}`),
    ...owing.flatMap((suite) => checkLines(row, suite, owing.length > 1 ? ` (${suite.id})` : '')),
  ];
  return `${lines.join('\n')}\n`;
}

/** The scenarios that exercise a requirement in a suite, and the mutants that break it. */
function checkLines(row: Requirement, suite: Suite, where: string): string[] {
  const scenarios = scenariosOf(suite).filter((s) => s.exercises.includes(row.id));
  const mutants = suite.mutants.filter((m) => m.breaks === row.id);
  return [
    '',
    `Scenarios that exercise it${where}:`,
    ...scenarios.map((s) => `  ${s.name}: ${s.title}`),
    '',
    `Mutants that break it${where} (wireproof selftest proves that they are caught):`,
    ...mutants.map((m) => `  ${m.id}: ${m.title}`),
  ];
}
