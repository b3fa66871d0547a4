/** The bench is no test, so that nothing else notices a child of it that ends at its start. Its types are checked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const upstream = '1';
test.each([
  ['gateway-child.mjs', 'bare'],
  ['gateway-child.mjs', 'plain'],
  ['gateway-child.mjs', 'rules'],
  ['llm-gateway-child.mjs', 'ours', upstream, 'anthropic', 'anthropic'],
  ['llm-gateway-child.mjs', 'pipe', upstream],
])('a gateway of the bench starts (%s %s)', async (file, ...args) => {
  const child = spawn(process.execPath, ['--expose-gc', `.config/bench/${file}`, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ port: expect.any(Number) as number });
  } finally {
    child.kill();
  }
});
