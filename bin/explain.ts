/** `wireproof explain`: what a requirement demands and how it is checked; or what a word of the kit means. */
import { WireproofError } from '../src/kit/base/index.ts';
import { readRequirements } from '../src/kit/spec/index.ts';
import type { Requirement } from '../src/kit/spec/index.ts';
import { scenariosOf } from '../src/kit/suite/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import { loadSuite, suites } from '../conformance/index.ts';

const words: { readonly [word: string]: string } = {
  drive: `How the kit gets a target to do things.
  passive    the kit sends ordinary messages; only what any agent must do with any message is judged
  directive  the target is a small program built with your library that obeys instructions in the message content;
             spec/fold/README.md and spec/toon/README.md have the grammar, conformance/examples/ programs to copy
  auto       sends one directive and looks whether it was obeyed (the default)
What a drive cannot reach is untestable. It makes a run inconclusive unless you name the drive: --drive passive.
`,
  operator: `How the kit plays the operator of a gateway under test.
  http            the published HTTP/SSE face: POST /api/send, /api/tools/approve, GET /api/agents and so on;
                  cancel and inject at /api/cancel and /api/inject, where nothing is published
  client-service  the published gRPC ClientService; it has no cancel and no inject
  command         commands of yours, given in the statement: operator.commands
The kit takes http when the target's command mentions {http_port}, else client-service; --operator says otherwise.
What a gateway has no trigger for is untestable, never passed.
`,
  carriers: `What carries a protocol's messages between two programs, where it is not gRPC.
  tcp    bytes on a socket: the target dials {address}, or listens on {listen} and is dialled
  ws     a WebSocket, one binary message a message: the target dials {url}, or listens on {listen}
  stdio  bytes on the target's stdin and stdout; stderr is only logged
  http   (llm/client) a whole program that asks the kit's provider, found in its environment: ANTHROPIC_BASE_URL and so on
The kit takes what the command shows ({url}: ws; {llm_url}: http; {address} or {listen}: tcp; none of them: stdio); --carrier says otherwise.
`,
  testees: `A testee is a codec or library that answers operations on stdin and stdout, one JSON object a line:
  kit     {"id":1,"op":"hello"}
  testee  {"id":1,"ok":{"name":"mine","version":"1.0","ops":["toon.decode"],"codes":true}}
  kit     {"id":2,"op":"toon.decode","wire":"0106…"}
  testee  {"id":2,"ok":{…}}, or {"id":2,"error":{"code":"bad-json","message":"…"}}, or {"id":2,"unsupported":true}
spec/toon/README.md lists the operations; wireproof testee toon/codec is the reference as a testee.
What a testee does not support is untestable, never passed. stderr is only logged.
`,
  verdicts: `pass            exercised, and never violated
fail            violated; at level SHOULD it is shown and counted, and fatal only with --strict
not-observed    never exercised: nothing is known
not-applicable  the target does not claim the feature
untestable      the kit had no handle on it in this run; the reason says why
error           the kit failed
`,
  'exit-codes': `0    conformant
1    not conformant, or an expected failure that is stale
2    usage: a flag, statement, scenario or trace is wrong
3    environment: the target or a port could not be had
4    inconclusive: nothing failed, and something was never exercised (--allow-inconclusive makes it 0)
5    the kit failed
130  interrupted; a partial report is written
`,
  traces: `A trace is everything that crossed every wire, in one order, as JSON Lines: a header, then events.
--trace failed (the default) keeps those with a violation in .wireproof/traces; --trace all keeps every one.
wireproof judge FILE judges one again, by the same rules. Secrets are redacted, unless --no-redact.
`,
};

/** Runs the verb. */
export async function explain(id: string, flags: { readonly json?: boolean }): Promise<void> {
  const word = Object.hasOwn(words, id.toLowerCase()) ? words[id.toLowerCase()] : undefined;
  if (word !== undefined) return void process.stdout.write(word);
  const there = await Promise.all(Object.keys(suites).map((name) => loadSuite(name)));
  const owing = there.flatMap((suite) => {
    const row = readRequirements(suite.protocol).requirements.find((r) => r.id === id.toUpperCase());
    return row?.roles.includes(suite.role) === true ? [{ row, suite }] : [];
  });
  const [first] = owing;
  if (first !== undefined) {
    const all = owing.map(({ suite }) => suite);
    const shown = flags.json === true ? `${JSON.stringify(first.row, null, 2)}\n` : page(first.row, all);
    return void process.stdout.write(shown);
  }
  throw new WireproofError(
    'usage',
    `nothing to explain under "${id}"; give a requirement id (wireproof list requirements), or one of ${Object.keys(words).join(', ')}`,
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
    ...(row.excluded === undefined ? [] : [`excluded    ${row.excluded}`]),
    ...(row.directive === 'needed' ? ['drive       cannot be judged in a passive drive'] : []),
    ...(row.entails ?? []).map(({ id, why }) => `entails     ${id}: ${why}`),
    ...owing.flatMap((suite) => checks(row, suite, owing.length > 1 ? ` (${suite.id})` : '')),
  ];
  return `${lines.join('\n')}\n`;
}

/** What exercises a row in a suite, and what breaks it. */
function checks(row: Requirement, suite: Suite, where: string): string[] {
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
