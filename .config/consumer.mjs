// A stranger's project: installs the packed tarball, compiles against its types, runs its command and its examples.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-consumer-'));
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });

/** Newer versions of Node.js, under which the installed command checks, too. */
const majors = [22, 24];

/** A Node.js from the npm package `node`; undefined where it cannot be had. */
async function nodeOf(major) {
  const own = join(folder, `node-${major}`);
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), JSON.stringify({ private: true }));
  const options = { cwd: own, encoding: 'utf8', timeout: 120_000, shell: process.platform === 'win32' };
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `node@${major}`], options);
    const program = join(own, 'node_modules/node/bin/node');
    const { stdout } = await promisify(execFile)(program, ['--version'], options);
    return { major, program, version: stdout.trim() };
  } catch (error) {
    console.log(`consumer: not tried under Node ${major}: ${String(error.message).split('\n')[0]}`);
    return undefined;
  }
}

/** Has the installed command check the example agent, both under one Node.js. */
async function checkUnder(program) {
  const entry = join(folder, 'node_modules/wireproof/dist/bin/wireproof.cjs');
  const example = join(folder, 'node_modules/wireproof/conformance/examples/fold-agent.mjs');
  const args = [
    entry,
    'check',
    'fold/agent',
    '--trace',
    'off',
    '--timeout',
    'handshake=30s',
    '--',
    program,
    example,
    '{address}',
  ];
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, encoding: 'utf8' }).catch(
    (error) => error,
  );
  if (!/^conformant: /m.test(stdout))
    throw new Error(`the installed command said under ${program}: ${stdout}`);
}

try {
  // They are fetched while the rest runs.
  const nodes = Promise.all(majors.map(nodeOf));
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: resolve('.') }),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `./${filename}`]);
  const packages = readdirSync(join(folder, 'node_modules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) =>
      entry.name.startsWith('@') ? readdirSync(join(folder, 'node_modules', entry.name)) : [entry.name],
    ).length;

  // Each folder of src is a door of the package; package.json has the others.
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const doors = [
    ...readdirSync('src', { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [`wireproof/${entry.name}`] : [],
    ),
    ...Object.keys(exports).flatMap((door) =>
      /^\.$|\*|json|vitest/.test(door) ? [] : [door.replace('.', 'wireproof')],
    ),
  ];
  writeFileSync(
    join(folder, 'doors.ts'),
    doors
      .map(
        (door, i) =>
          `import * as door${i} from '${door}';\nif (Object.keys(door${i}).length === 0) throw new Error('${door} is empty');\n`,
      )
      .join(''),
  );
  writeFileSync(
    join(folder, 'use.ts'),
    `import { WireproofError, verdicts } from 'wireproof';
import type { Report } from 'wireproof';
import { agent, agentCodec } from 'wireproof/fold';
import type { AgentMessage } from 'wireproof/fold';
import { VirtualClock, rule, violated } from 'wireproof/kit';
import { MessageType, TOONDecoder, TOONEncoder } from 'wireproof/toon';
import { script } from 'wireproof/llm';
import { simulateLlm } from 'wireproof/llm/simulate';
import { StopReasonHandler } from 'wireproof/tokens';

const message: AgentMessage = { response: { request_id: 'r1', text: 'hello' } };
const decoded = agentCodec.decode(agentCodec.encode(message));
if (!decoded.ok) throw new WireproofError('internal', decoded.error.message);
const text: string | undefined = decoded.value.message.response?.text;
const frame = new TOONDecoder().decode(new TOONEncoder().encode(MessageType.HEARTBEAT, {}, 1));
if (!frame.ok || frame.header.sequenceId !== 1) throw new WireproofError('internal', 'no heartbeat');
const failed = (report: Report): string[] => report.requirements.filter((r) => r.verdict === 'fail').map((r) => r.id);
const llm = await simulateLlm(script().text('hi'));
if (!llm.url.startsWith('http://127.0.0.1:') || typeof StopReasonHandler !== 'function') throw new WireproofError('internal', llm.url);
await llm.close();
const clock = new VirtualClock();
clock.after(10_000, () => console.log(text, verdicts.length, typeof failed, agent().name));
clock.run(() => false);
rule({ requirement: 'X-01', listens: ['response'], start: () => null, step: (_state, event) => violated(event, 'expected nothing; came this') });
`,
  );
  const tsc = resolve('node_modules/typescript/bin/tsc');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'node20',
        target: 'es2023',
        strict: true,
        exactOptionalPropertyTypes: true,
        types: [],
        lib: ['es2023', 'esnext.disposable', 'dom'],
      },
      include: ['use.ts', 'doors.ts'],
    }),
  );
  const inherit = { stdio: ['ignore', 'inherit', 'inherit'] };
  run(process.execPath, [tsc, '-p', '.'], inherit);
  // The oldest TypeScript that may read the types, and ours, as projects that are less strict than this one.
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save', 'typescript@5.4']);
  const oldest = join(folder, 'node_modules/typescript/bin/tsc');
  for (const [compiler, modules] of [
    [oldest, { module: 'node16' }],
    [tsc, { module: 'esnext', moduleResolution: 'bundler' }],
  ]) {
    const compilerOptions = {
      ...modules,
      target: 'es2022',
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
      lib: ['es2023', 'esnext.disposable', 'dom'],
    };
    writeFileSync(
      join(folder, 'tsconfig.loose.json'),
      JSON.stringify({ compilerOptions, include: ['doors.ts'] }),
    );
    run(process.execPath, [compiler, '-p', 'tsconfig.loose.json'], inherit);
  }
  run(process.execPath, ['doors.js']);
  const required = `for (const door of ${JSON.stringify(doors)}) if (Object.keys(require(door)).length === 0) throw door;`;
  if (process.features.require_module) run(process.execPath, ['--input-type=commonjs', '-e', required]);
  const said = run(process.execPath, ['use.js']);
  if (!said.startsWith('hello ')) throw new Error(`the consumer said ${said}`);
  const wireproof = join(folder, 'node_modules/.bin/wireproof');
  const example = join(folder, 'node_modules/wireproof/conformance/examples/fold-agent.mjs');
  const checked = run(wireproof, ['check', 'fold/agent', '--', process.execPath, example, '{address}']);
  if (!/^conformant: /m.test(checked)) throw new Error(`the installed command said ${checked}`);
  const newer = (await nodes).filter((node) => node !== undefined);
  await Promise.all(newer.map(({ program }) => checkUnder(program)));
  const under = [process.version, ...newer.map(({ version }) => version)].join(', ');
  console.log(
    `consumer: ${entryCount} files, ${size >> 10} KiB packed, ${unpackedSize >> 10} KiB unpacked; ${packages} packages installed; compiles, runs, checks the example under Node ${under}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
