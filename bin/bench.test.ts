/** The bench is no test, so that nothing else notices a module that it imports and that moved. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
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
