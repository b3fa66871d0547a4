/** The doors of the built package: what each loads, that CommonJS can require it, and that a peer lets its process end. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';

const root = packageRoot();

/** Runs a program in the package, where its own name leads to its doors. @returns its stdout */
const node = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 60_000 });

/** Prints the URL of each module that is loaded. */
const hook = `import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) writeSync(1, url + '\\n');
  return next(url, context);
}`;
const inUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const watch = inUrl(`import { register } from 'node:module'; register(${JSON.stringify(inUrl(hook))});`);

/** The size of the kit's modules that a door loads (KiB), and the packages. */
function loadedBy(door: string): { readonly size: number; readonly packages: readonly string[] } {
  const loaded = node('--import', watch, '--input-type=module', '-e', `await import('${door}')`)
    .split('\n')
    .filter((url) => url !== '');
  const own = pathToFileURL(join(root, 'dist')).href;
  const others = loaded.filter((url) => !url.startsWith(own));
  const bytes = loaded.reduce(
    (sum, url) => (url.startsWith(own) ? sum + statSync(new URL(url)).size : sum),
    0,
  );
  const packages = others.map((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url);
  return { size: bytes / 1024, packages: [...new Set(packages)] };
}

// Measured on 2026-11-26: below 16, 160, 68, 370, 275, 261, 59, 574, 426 KiB. A door above its bound has got an import that its users pay.
describe.each([
  ['wireproof', 16, []],
  ['wireproof/fold', 175, ['protobufjs']],
  ['wireproof/toon', 75, []],
  // Measured with Gemini, its Interactions, Bedrock, Responses over WebSocket, Open Responses, the providers of Chat and the blocks of 2026, which import nothing else.
  ['wireproof/llm', 607, []],
  ['wireproof/sep', 300, []],
  ['wireproof/koda', 285, []],
  ['wireproof/tokens', 65, []],
  ['wireproof/agent', 812, ['protobufjs']],
  ['wireproof/llm/simulate', 690, []],
] as const)('%s', (door, most, packages) => {
  it('is light', () => {
    const loaded = loadedBy(door);
    expect(loaded.packages.toSorted()).toEqual(packages);
    expect(loaded.size).toBeGreaterThan(0);
    expect(loaded.size).toBeLessThanOrEqual(most);
  });
});

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: { readonly [door: string]: unknown };
};
/** The doors that package.json names, and the protocols'. */
const doors = [
  ...Object.keys(exports).flatMap((door) =>
    door.includes('*') || door.includes('json') || door === './vitest'
      ? []
      : [door.replace('.', 'wireproof')],
  ),
  ...['agent', 'fold', 'kit', 'koda', 'llm', 'sep', 'tokens', 'toon'].map((name) => `wireproof/${name}`),
];

// Node 20.19 and 22.12 and later.
describe.runIf('require_module' in process.features)('CommonJS', () => {
  it('can require every door', () => {
    const names = node(
      '--input-type=commonjs',
      '-e',
      `console.log(JSON.stringify(${JSON.stringify(doors)}.map((door) => Object.keys(require(door)).length)))`,
    );
    expect(doors).toContain('wireproof/check');
    expect((JSON.parse(names) as number[]).every((n) => n > 0)).toBe(true);
  });
});

describe('a simulated peer that is not closed', () => {
  it('lets its process end', () => {
    const said = node(
      '--input-type=module',
      '-e',
      `import { connect } from 'node:net';
       import { script } from 'wireproof/llm';
       import { simulateLlm } from 'wireproof/llm/simulate';
       import { simulateFoldGateway } from 'wireproof/fold/simulate';
       import { simulateToonOrchestrator, simulateToonSubagent } from 'wireproof/toon/simulate';
       await simulateLlm(script().text('x'));
       const gateway = await simulateFoldGateway({ http: { port: 0 } });
       const peers = [await simulateToonOrchestrator(), await simulateToonSubagent({ carrier: 'ws' })];
       for (const address of [gateway, ...peers].map((peer) => peer.address)) {
         const [host, port] = address.split(':');
         await new Promise((resolve) => connect({ host, port }, resolve).unref());
       }
       await gateway.agent({ within: 50 }).catch((error) => console.log(error.message));`,
    );
    expect(said).toBe('no agent is connected; no stream has opened (waited 50 ms)\n');
  });
});
