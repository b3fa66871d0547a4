/** The bench is no test, so that nothing else notices a child of it that ends at its start. Its types are checked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

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
