/** Readers of files that a person names; see readers.test-helper.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { readBaselines, readScenario, readStatements, verifyVectors } from '../../src/kit/spec/index.ts';
import { readScript } from '../../src/llm/edge/index.ts';
import { readRecording } from '../../src/llm/edge/recording/read-recording.ts';
import { Playback } from '../../src/llm/edge/recording/playback.ts';
import { readProviders, readRunScript } from '../../src/sep/edge/index.ts';
import { filled, holds, manyKeys, worstJson } from './readers.test-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-readers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a text to a file. @returns its path */
function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Reads a text from a file. */
const inFile =
  (name: string, read: (file: string) => unknown) =>
  (text: string): unknown =>
    read(fileOf(name, text));

const lines = (length: number, line: (n: number) => string): string =>
  Array.from({ length }, (_, n) => `${line(n)}\n`).join('');

/** The parser of YAML takes about 10 ms for 1,000 nodes: documents are smaller than the largest that is read. */
const nodes = 8000;

const documents: { readonly [kind: string]: string } = {
  'unknown keys': manyKeys((n) => `k${n}`, '1', nodes * 10),
  'one key again and again': filled('"a":1,', '{', '"a":1}', nodes * 6),
  'a list of numbers': filled('1,', 'a: [', '1]', nodes * 2),
  'empty lists': filled('[],', 'a: [', '1]', nodes * 3),
  brackets: filled(']', '', '', nodes),
  commas: filled(',', 'a: [', ']', nodes),
  'open quotes': filled('"', '', '', nodes),
  aliases: filled('*a,', 'a: [&a 1,', '1]', nodes * 3),
  'deep lists': filled('[', '', '', 260_000),
  'deep indents': lines(700, (n) => `${' '.repeat(n)}a:`),
  comments: filled('#\n', '', 'a: 1', 100_000),
  'empty lines': filled('\n', 'a: "', '"', 100_000),
  'one long text': filled('x', 'a: ', '', 260_000),
  'one text of escapes': filled('\\n', 'a: "', '"', 200_000),
  'one long number': filled('1', 'a: ', '', 260_000),
  'words of a baseline': filled('baselines\n', '', '', 100_000),
  targets: `targets:\n${lines(3000, (n) => `  t${n}: {suite: fold/agent, listen: "h:1"}`)}`,
  'known failures': `suite: fold/agent\nexpected_failures:\n${lines(2000, (n) => `  - {id: FOLD-A${n}, reason: a}`)}`,
  baselines: `baselines:\n${lines(1500, (n) => `  - {suite: fold/agent, target: t${n}, expected_failures: []}`)}`,
  peers: `title: a\nsuite: fold/agent\nsteps: []\npeers:\n${lines(2500, (n) => `  a${n}: {role: gateway}`)}`,
  turns: `title: a\nturns:\n${lines(2000, () => '  - steps: [{text: a}]')}`,
  'steps of a turn': `title: a\nturns:\n  - steps:\n${lines(3000, () => '      - text: a')}`,
  iterations: `iterations:\n${lines(nodes, () => '  - a')}`,
  'pieces of an iteration': `piece: 1\niterations:\n  - ${filled('a', '', '', 260_000)}`,
};

describe('documents', () => {
  holds<string>(
    {
      statements: inFile('wireproof.yaml', readStatements),
      baselines: inFile('baseline.yaml', readBaselines),
      'a scenario': inFile('scenario.yaml', readScenario),
      'a script of a model': inFile('script.yaml', readScript),
      'a scripted run': inFile('run.yaml', readRunScript),
      'outcomes of actions': inFile('providers.yaml', readProviders),
    },
    documents,
  );
});

const exchange = (n: number, more = ''): string =>
  `{"method":"POST","path":"/v1/messages","status":200,"headers":{},"request":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"${n}"}]}${more}}`;

const recording = (exchanges: string): string => `{"wireproof":"recording/1","exchanges":[${exchanges}]}`;

const exchanges = (length: number, one: (n: number) => string): string =>
  recording(Array.from({ length }, (_, n) => one(n)).join(','));

const recordings: { readonly [kind: string]: string } = {
  ...Object.fromEntries(Object.entries(worstJson).map(([kind, text]) => [kind, recording(text)])),
  ...Object.fromEntries(
    Object.entries(worstJson).map(([kind, text]) => [
      `a request: ${kind}`,
      recording(`{"method":"POST","path":"/v1/messages","status":200,"headers":{},"request":${text}}`),
    ]),
  ),
  'many exchanges': exchanges(6000, exchange),
  'one exchange again and again': exchanges(6000, () => exchange(1)),
  'a long body': exchanges(1, () => exchange(1, `,"body":"${filled('x')}"`)),
  'a long body of base64': exchanges(1, () => exchange(1, `,"base64":"${filled('AAAA')}"`)),
  'many headers': recording(
    `{"method":"POST","path":"/","status":200,"headers":${manyKeys((n) => `k${n}`, '"a"')}}`,
  ),
};

/** Asks for every exchange of a recording, as its program does: the event loop turns between two requests. */
async function playAll(file: string): Promise<void> {
  const recorded = readRecording(file);
  const playback = new Playback(recorded);
  for (const { method, path, request } of recorded.exchanges) {
    await new Promise((resolve) => void setImmediate(resolve));
    playback.find({ method, target: path, body: request });
  }
}

describe('recordings', () => {
  holds<string>(
    {
      'a recording': inFile('recording.json', (file) => new Playback(readRecording(file))),
      'all of a recording': inFile('recording.json', playAll),
    },
    recordings,
  );
});

const vectorFile = (tests: string, notes = '{}'): string =>
  `{"generator":"wireproof fixtures generate koda --seed 1","groups":[{"op":"koda.decode","tests":[${tests}]}],"notes":${notes},"protocol":"koda","revision":"r","schema":"https://wireproof.dev/formats/vectors.schema.json"}`;

const vector = (id: string, flags = '[]'): string =>
  `{"comment":"a","error":"x","flags":${flags},"id":"${id}","kind":"event","requirements":["KODA-01"],"result":"invalid","text":"{}"}`;

const vectorSets: { readonly [kind: string]: string } = {
  ...worstJson,
  'tests of one id': vectorFile(Array.from({ length: 6000 }, () => vector('koda-a')).join(',')),
  'tests of unknown flags': vectorFile(
    Array.from({ length: 6000 }, (_, n) => vector(`koda-${n}`, '["f"]')).join(','),
  ),
  'a test with many flags': vectorFile(
    vector('koda-a', `[${Array.from({ length: 90_000 }, (_, n) => `"f${n}"`).join(',')}]`),
  ),
  'many notes': vectorFile(
    vector('koda-a'),
    manyKeys((n) => `n${n}`, '"a"'),
  ),
};

/** Verifies a folder with one file of vectors. */
function verifyFile(text: string): unknown {
  const vectors = join(folder, 'vectors');
  mkdirSync(vectors, { recursive: true });
  writeFileSync(join(vectors, 'a.json'), text);
  return verifyVectors(vectors);
}

describe('vectors', () => {
  holds<string>({ 'a folder of vectors': verifyFile }, vectorSets);
});
