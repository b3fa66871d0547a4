/**
 * `npm run new -- suite NAME`: a protocol that did not exist is its four rooms and one line, and every verb knows it. The
 * test makes it in a copy of the checkout.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { longTimeouts, startNode, uncommented } from '../run.test-helper.ts';
import type { Ran, RunningProgram } from '../run.test-helper.ts';
import { CheckoutCopy } from './checkout-copy.test-helper.ts';

const copy = new CheckoutCopy();
const wireproof = join(copy.root, 'dist/bin/wireproof.cjs');
const kit = [process.execPath, wireproof];
const rooms = ['spec', 'fixtures', 'src', 'conformance'].map((room) => `${room}/relay/`);
let typeErrors: readonly string[] = [];
let output = '';
/** How programs ended, by the names of their tests. They run beside each other, before the tests. */
const ended = new Map<string, Ran>();

const start = (...args: readonly string[]): RunningProgram =>
  startNode([wireproof, ...args], { cwd: copy.root });
const run = (...args: readonly string[]): Promise<Ran> => start(...args).ended;
const node = (...args: readonly string[]): Promise<Ran> => startNode(args, { cwd: copy.root }).ended;

/** Scripts that read sources only. */
const scripts: { readonly [name: string]: readonly string[] } = {
  layers: ['.config/layers.mjs'],
  lint: [
    'node_modules/oxlint/bin/oxlint',
    ...['-c', '.config/oxlint.json', '--type-aware', '--deny-warnings'],
    ...['src/relay', 'conformance/relay'],
  ],
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', ...rooms, 'conformance/index.ts'],
};

/** The tests of the new rooms, and those of all suites. */
const law: readonly string[] = [
  ...['node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.config.ts', '--project', 'units'],
  ...['--project', 'proofs', 'conformance/relay', 'conformance/suites.test.ts'],
];

/** The arguments of a verb, its exit code, and a text of its output. */
type Verb = readonly [args: readonly string[], code: number, text: RegExp];

const checkOf = (suite: string, ...target: readonly string[]): readonly string[] => [
  'check',
  suite,
  ...longTimeouts,
  '--',
  ...kit,
  ...target,
];
/** The file of a whole session, which `.config/session.mjs` printed. */
const sessionOf = (kind: string): string => `RELAY-11.station.${kind}.jsonl`;
const conformant = /^conformant: 2 of 2/m;
const verbs: { readonly [name: string]: Verb } = {
  'help of check': [['check', '--help'], 0, /check relay\/station -- /],
  'help of simulate': [['simulate', '--help'], 0, /relay\/station .*write a caller against/],
  list: [['list', 'suites'], 0, /^relay\/codec +Relay[^]*^relay\/station +Relay/m],
  'list of requirements': [['list', 'requirements', 'relay/station'], 0, /^RELAY-11[^]*^RELAY-12/m],
  explain: [['explain', 'RELAY-12'], 0, /MUST, relay\/station[^]*ignores-even-ids/],
  'explain testees': [['explain', 'testees'], 0, /^relay\/codec: /m],
  'check of a testee': [checkOf('relay/codec', 'testee', 'relay/codec'), 0, conformant],
  'check on stdio': [
    checkOf('relay/station', 'simulate', 'relay/station', '--carrier', 'stdio'),
    0,
    conformant,
  ],
  'check on TCP': [
    checkOf('relay/station', 'simulate', 'relay/station', '--connect', '{address}'),
    0,
    conformant,
  ],
  selftest: [['selftest', 'relay'], 0, /(?:^relay\/\w+: [^]*?^2 of 2 mutants killed; 0 failures[^]*?){2}/m],
  'judge of a bad session': [['judge', sessionOf('bad')], 1, /^not conformant: .*RELAY-11/m],
  'judge of a good session': [['judge', sessionOf('good')], 0, /^conformant: /m],
  'fixtures generate': [
    ['fixtures', 'generate', 'relay', '--seed', '2', '--out', 'made'],
    0,
    /wrote 8 tests in 1 files/,
  ],
  'fixtures verify': [['fixtures', 'verify', 'relay'], 0, /8 tests in 1 files are valid/],
  limits: [['limits'], 0, /^relay\/station: answer +5000 ms/m],
};

beforeAll(async () => {
  output = copy.run('.config/new.mjs', 'suite', 'relay/station');
  copy.run('.config/generate.mjs');
  const keep = async (name: string, ran: Promise<Ran>): Promise<unknown> => ended.set(name, await ran);
  const running = Object.entries(scripts).map(([name, args]) => keep(name, node(...args)));
  for (const kind of ['good', 'bad']) {
    const trace = copy.run('.config/session.mjs', 'relay', `RELAY-11.station.${kind}`);
    writeFileSync(join(copy.root, sessionOf(kind)), trace);
  }
  const { added, changed } = copy.changes();
  typeErrors = copy.build([...added, ...Object.keys(changed), 'src/kit/spec/generated/validators.ts']);
  const limit = pLimit(2);
  running.push(
    keep(
      'law',
      limit(() => node(...law)),
    ),
  );
  for (const [name, [args]] of Object.entries(verbs))
    running.push(
      keep(
        name,
        limit(() => run(...args)),
      ),
    );
  await Promise.all(running);
}, 180_000);
afterAll(() => copy.remove());

describe('the skeleton of a protocol', () => {
  it('is four rooms, and one line outside of them', () => {
    const { added, changed } = copy.changes();
    expect(added.filter((path) => !rooms.some((room) => path.startsWith(room)))).toEqual([]);
    expect(rooms.filter((room) => !added.some((path) => path.startsWith(room)))).toEqual([]);
    expect(changed).toEqual({ 'conformance/index.ts': [`+export { relay } from './relay/protocol.ts';`] });
    expect(output).toContain('added a line to conformance/index.ts');
  });

  it('has no type errors, and names the template nowhere', () => {
    expect(typeErrors).toEqual([]);
    const { added } = copy.changes();
    const textOf = (path: string): string => path + readFileSync(join(copy.root, path), 'utf8');
    expect(added.filter((path) => /sample|responder/i.test(textOf(path)))).toEqual([]);
  });

  it('obeys the import rules, which read its modules', () => {
    const { stdout, stderr } = ended.get('layers') ?? expect.fail();
    const modules = (root: string): number =>
      ['src', 'conformance', 'bin'].flatMap((folder) =>
        readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).filter((path) =>
          /\.c?ts$/.test(path),
        ),
      ).length;
    expect(modules(copy.root)).toBeGreaterThan(modules(packageRoot()));
    expect(stdout, stderr).toContain(`layers: ${modules(copy.root)} modules read`);
  });

  it.each(['lint', 'format', 'law'])('passes: %s', (name) => {
    const { code, stdout, stderr } = ended.get(name) ?? expect.fail();
    expect(code, stdout + stderr).toBe(0);
  });

  it('is a door of the package, of the docs and of the search for dead code', async () => {
    const code = "import('wireproof/relay').then((door) => console.log(Object.keys(door).join()))";
    expect((await node('-e', code)).stdout).toContain('relayCodec');
    const text = (file: string): string => readFileSync(join(copy.root, '.config', file), 'utf8');
    expect(text('typedoc.json')).toContain('"../src/*/index.ts"');
    expect(text('knip.json')).toContain('"src/**/index.ts"');
  });
});

describe('every verb knows it', () => {
  it.each(Object.entries(verbs))('%s', (name, [, code, text]) => {
    const ran = ended.get(name);
    expect(ran?.stdout, ran?.stderr).toMatch(text);
    expect(ran?.code).toBe(code);
  });

  it.each(['relay/codec', 'relay/station'])('init %s: check accepts every line', async (suite) => {
    const { stdout } = await run('init', suite, '--stdout');
    for (const [name, text] of [
      ['plain', stdout],
      ['whole', uncommented(stdout)],
    ] as const) {
      const file = join(copy.root, `${suite.replace('/', '-')}-${name}.yaml`);
      writeFileSync(file, text);
      // 3: the target cannot be started, and everything before was accepted.
      const { code, stderr } = await run('check', suite, '--statement', file);
      expect(code, stderr).toBe(3);
    }
  });

  it('testee', async () => {
    const testee = start('testee', 'relay/codec');
    testee.child.stdin?.end('{"id":1,"op":"relay.decode","line":"{\\"type\\":\\"pong\\",\\"id\\":4}"}\n');
    const { code, stdout } = await testee.ended;
    expect(JSON.parse(stdout)).toEqual({ id: 1, ok: { message: { type: 'pong', id: 4 } } });
    expect(code).toBe(0);
  });

  it('simulate', async () => {
    const station = start('simulate', 'relay/station', '--listen', '127.0.0.1:0');
    const [, port] = await station.prints(/Relay station on 127\.0\.0\.1:(\d+)/);
    const socket = connect(Number(port), '127.0.0.1');
    const pong = new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('{"type":"ping","id":5}\n');
    expect(await pong).toBe('{"type":"pong","id":5}\n');
    socket.destroy();
    const { code, stdout } = await station.stop('SIGINT');
    expect(code).toBe(0);
    expect(stdout).toContain('"pong"');
  });
});

describe('npm run new', () => {
  it.each([
    [['suite', 'relay'], 'relay exists already'],
    [['suite', 'toon/agent'], 'toon exists already'],
    [['suite', 'Bad-Name'], 'lower-case letters'],
    [['suite', 'class'], 'a word of JavaScript'],
    [['suite', 'other/codec'], 'has another meaning'],
    [['suite'], 'expected: suite NAME'],
    [['room', 'other'], 'expected: suite NAME'],
    [['suite', 'other', '--force'], '--force: there is no such flag'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await node('.config/new.mjs', ...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  it('explains itself', async () => {
    const { code, stdout } = await node('.config/new.mjs', '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('npm run new -- suite relay/station')]);
  });
});
