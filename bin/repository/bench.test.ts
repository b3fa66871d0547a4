/** The bench is no test, so that nothing else notices a module that it imports and that moved. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const scripts = readdirSync('.config', { recursive: true })
  .map((name) => `.config/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => /\bbench\b.*\.mjs$/.test(name));

test('the bench imports only modules that are there', () => {
  const imports = scripts.flatMap((script) =>
    [...readFileSync(script, 'utf8').matchAll(/dist\('([^']+)\.js'\)/g)].map(([, path]) => ({
      script,
      module: `${path ?? ''}.ts`,
    })),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ module }) => !existsSync(module))).toEqual([]);
});

test.each(['bare', 'plain', 'rules'])('the gateway of the bench starts (%s)', async (mode) => {
  const child = spawn(process.execPath, ['--expose-gc', '.config/bench/gateway-child.mjs', mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ port: expect.any(Number) as number });
  } finally {
    child.kill();
  }
});
