/** The words of the kit, for `wireproof explain WORD`: a meaning and an example each. Protocols add to them. */

/** The text of each word, in the order of the list. */
export const words: { readonly [word: string]: string } = {
  target: `The target is your program: the implementation that is checked.
  example    wireproof check fold/agent -- ./my-agent {address}     (./my-agent is the target)
`,
  peer: `A peer is the other side of a connection. In a check the kit plays the peers of your program; wireproof simulate plays one
for as long as you like.
  example    for an agent, the gateway is the peer: wireproof simulate fold/gateway
`,
  requirement: `A requirement is one testable sentence of a protocol. It has an id that never changes, a level (MUST, SHOULD, MAY) and a source.
  example    wireproof explain FOLD-A15
`,
  row: `A row is a requirement in the list of a protocol (spec/PROTOCOL/requirements.yaml), and its line in a report.
  example    FOLD-A15 MUST pass
`,
  suite: `A suite is all that is checked of one role of a protocol: its requirements, its scenarios and its rules.
  example    fold/agent: agents of the protocol fold; wireproof list suites shows all
`,
  scenario: `A scenario is a script that says who sends what, when, and what it waits for. It judges nothing: the rules judge the traffic.
  example    wireproof check fold/agent --scenario cancel-mid-tool -- ./my-agent {address}     plays one
             wireproof list scenarios fold/agent                                             lists them
A check of one scenario judges all requirements, so it is inconclusive as a rule; --only FOLD-A15 beside it judges that one.
`,
  drive: `The drive is how the kit makes a target act.
  passive    the kit sends ordinary messages; only requirements that ordinary messages can exercise are judged
  directive  the target is a small program built with your library that obeys instructions in the message content;
             conformance/examples/ has programs to copy
  auto       the kit sends one directive; if the target obeys, directive, else passive (the default)
A requirement that the drive cannot reach is untestable. It makes a run inconclusive unless you name the drive: --drive passive.
  example    wireproof check fold/agent --drive passive -- ./my-agent {address}
`,
  directive: `A directive is an instruction to the target in the content of an ordinary message: say this, run a tool, wait, fail.
With directives the kit can make a target do what no ordinary message makes it do. wireproof explain drive says more.
  example    {"wireproof":{"v":1,"do":[{"say":"Hello."},{"tool":{"name":"slow","hold":true}}]}}
`,
  shim: `A shim is a small program around your library that obeys directives, or answers operations. Rows that prove only the shim,
and not the library under it, are marked in the report.
  example    conformance/examples/fold-agent.mjs
`,
  operator: `The operator is the person or program that gives a target its work. The kit plays the operator. A requirement for which the target has no trigger is untestable, never passed.
  example    wireproof check fold/gateway --operator client-service --connect 127.0.0.1:50051
`,
  carriers: `The carrier transports a protocol's messages between two programs. A protocol over gRPC has no choice of carriers.
  tcp    bytes on a socket: the target dials {address}, or the kit dials the target at {listen}
  ws     a WebSocket: the target dials {url}, or the kit dials the target at {listen}
  stdio  bytes on the target's stdin and stdout; stderr is only logged
  http   a whole program that asks the simulated model of the kit
The command shows the carrier ({url}: ws; {address} or {listen}: tcp; no placeholder: stdio); --carrier overrides this.
  example    wireproof check llm/client --carrier http -- ./my-agent
`,
  testees: `A testee is a codec or library that answers operations on stdin and stdout. Each request and answer is a JSON object on one line:
  kit     {"id":1,"op":"hello"}
  testee  {"id":1,"ok":{"name":"mine","version":"1.0","ops":["toon.decode"]}}
  kit     {"id":2,"op":"toon.decode","wire":"0106…"}
  testee  {"id":2,"ok":{…}}, or {"id":2,"error":{"code":"bad-json","message":"…"}}, or {"id":2,"unsupported":true}
An operation that a testee does not support is untestable, never passed. stderr is only logged.
wireproof testee SUITE runs the reference as a testee.
  example    wireproof check toon/codec -- python3 conformance/examples/toon_testee.py
`,
  statement: `A statement is the file wireproof.yaml in your repository. It says what your program claims and how it is started, so that the
command is short and CI checks the same: suite, command, features, timeouts, known failures.
  example    wireproof init fold/agent     writes one with comments; wireproof check uses it
`,
  traces: `A trace records all messages on all connections, in order of time, as JSON Lines: a header, then events.
--trace failed (the default) keeps the traces with a violation in .wireproof/traces; --trace all keeps every trace.
A trace with the name of a scenario is of that scenario alone; shared-2 is the second stream on which several scenarios played.
wireproof judge FILE judges a trace by the same rules; wireproof view FILE shows it as a page. Secrets are redacted, unless you give --no-redact.
  example    wireproof judge .wireproof/traces/cancel-mid-tool.jsonl
`,
  trap: `A trap is the usual mistake behind the violation of a requirement. explain ID shows it, and so does a report in which several
requirements failed, for the first of them.
  example    wireproof explain FOLD-A15
`,
  mutant: `A mutant is the reference with one fault. The self-test plays all mutants, and shows that the kit catches each fault.
  example    wireproof selftest fold/agent; wireproof list mutants fold/agent
`,
  vector: `A vector is one golden input and its expected result, in a file that tests in any language can read.
  example    fixtures/toon/vectors; wireproof fixtures generate toon --seed 7 --out vectors/
`,
  feature: `A feature is an optional part of a protocol that a target claims, in its first message or in its statement. Requirements
of features that a target does not claim are not applicable.
  example    features: [cancellation] in wireproof.yaml
`,
  profile: `A profile names a known family of targets: its known deviations, or a specification that they follow. A profile with a
specification adds requirements, which judge no other target, and takes away those that the specification contradicts.
  example    wireproof check koda/codec --profile serde -- ./my-testee
  example    wireproof check llm/server --drive openai-responses --profile open-responses --connect 127.0.0.1:8000
`,
  seed: `A seed is the number behind all random choices of a run. A report shows it; the same seed gives the same run again.
  example    wireproof check fold/agent --seed 7dff5293ddda -- ./my-agent {address}
`,
  shard: `A shard is a part of a check that runs on a machine of its own. wireproof report merge makes one report of all shards.
One shard does not exercise all requirements, so it ends as inconclusive; --allow-inconclusive makes its exit code 0.
  example    wireproof check fold/agent --shard 1/3 --allow-inconclusive --report json=shard-1.json -- ./my-agent {address}
`,
  baseline: `A baseline is a file with the failures of today. A check against it fails only for new, mended and expired failures.
  example    wireproof baseline write; wireproof baseline check
`,
  lawful: `A lawful peer does an unusual thing that the documents allow. The self-test shows that no requirement fails for it.
  example    wireproof selftest fold/agent
`,
  turns: `A turn is one request and the whole answer to it. A script of a simulated model is a list of turns; each answers one request.
  example    turns: [{steps: [{text: Hello.}]}] in FILE.yaml; wireproof simulate llm --script FILE.yaml plays it
`,
  excluded: `An excluded requirement is a sentence of the document that the kit does not judge. It has no verdict; explain ID says why.
  example    wireproof explain TOK-12
`,
  follows: `A failure follows from another one when the other requirement contains it. It is shown, and not counted.
  example    wireproof explain FOLD-A15
`,
  verdicts: `Of a requirement:
pass            exercised, and never violated
fail            violated; at level SHOULD it is shown and counted, and fatal only with --strict
not-observed    never exercised in this run
not-applicable  the target does not claim the feature
untestable      the kit could not exercise it in this run; the report gives the reason
error           the kit failed
Of a run:
conformant      nothing failed, and every applicable MUST was exercised
partial         nothing failed, and --only, --skip or --level selected a part of the requirements, or --scenario or --shard a part
                of the scenarios; every applicable MUST among the requirements was exercised
inconclusive    nothing failed, but an applicable MUST was never exercised. --scenario and --shard play less and judge all
                requirements, so this is their usual verdict; --only ID --scenario NAME judges one requirement
not-conformant  a MUST failed, or the statement is not true
error           the kit failed, or the target could not be started
`,
  'exit-codes': `0    conformant, or partial (wireproof explain partial)
1    not conformant, or an expected failure that is stale
2    usage: a flag, statement, scenario or trace is wrong
3    environment: the target could not be started, or a port is in use
4    inconclusive: nothing failed, and a requirement was never exercised (--allow-inconclusive makes it 0);
     a run of --scenario or --shard ends so as a rule
5    the kit failed
130  interrupted; a partial report is written
`,
};

/** Words in another number: both are explained. */
const numbers: { readonly [word: string]: string } = {
  carrier: 'carriers',
  testee: 'testees',
  trace: 'traces',
  turn: 'turns',
  verdict: 'verdicts',
};

/** Words, and the one whose page explains them. */
const explainedBy = (page: string, names: readonly string[]): { readonly [word: string]: string } =>
  Object.fromEntries(names.map((word) => [word, page]));

/** Words that the page of another word explains. */
const within: { readonly [word: string]: string } = {
  ...explainedBy('verdicts', ['pass', 'fail', 'not-observed', 'not-applicable', 'untestable']),
  ...explainedBy('verdicts', ['conformant', 'partial', 'inconclusive', 'not-conformant']),
  ...explainedBy('drive', ['passive', 'auto']),
  ...explainedBy('carriers', ['tcp', 'ws', 'stdio', 'http']),
  shared: 'traces',
};

/** The word of the table that is meant; undefined: none. */
export const knownWord = (word: string): string | undefined =>
  Object.hasOwn(words, word) ? word : new Map(Object.entries({ ...within, ...numbers })).get(word);

/** The name of a word in a list: in the singular where both numbers are explained. */
const listed = Object.keys(words).map(
  (word) => Object.entries(numbers).find(([, plural]) => plural === word)?.[0] ?? word,
);

/** All words with the first sentence of each, as a list. */
export function wordList(): string {
  const width = Math.max(...listed.map((word) => word.length));
  const first = (word: string): string =>
    word === 'verdict' || word === 'exit-codes'
      ? `What each ${word.replace(/-codes$/, ' code')} means.`
      : (/^[^]*?\.(?=\s)|^[^]*?:(?=\n)/u.exec(words[knownWord(word) ?? ''] ?? '')?.[0] ?? '').replaceAll(
          '\n',
          ' ',
        );
  return `${listed.map((word) => `  ${word.padEnd(width)}  ${first(word)}`).join('\n')}\n`;
}

/** The names that `explain` suggests. */
export const suggestible: readonly string[] = [...new Set([...listed, ...Object.keys(words)])];
