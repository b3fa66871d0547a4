/**
 * `wireproof check` of targets that cannot be started or reached: it prints a sentence, exits with 3 and leaves no
 * process.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { untilNoProcess, longTimeouts, program, scratch, wireproof } from '../run.test-helper.ts';

const check = (...args: readonly string[]): ReturnType<typeof wireproof> =>
  wireproof(['check', 'fold/agent', '--trace', 'off', ...args]);

/** Arguments that no other process has in its command line. */
const [alone, grandchild] = [`61.${process.pid}`, `62.${process.pid}`];

describe('a target that cannot be started or reached', () => {
  it.each([
    [
      'exits at once',
      '#!/bin/sh\necho "no config" >&2\nexit 7\n',
      longTimeouts,
      /exited with code 7 before it opened a stream; its command has no {address}, .*; it printed:\n {4}no config/,
    ],
    [
      'never connects',
      `#!/bin/sh\nexec sleep ${alone}\n`,
      ['--timeout', 'handshake=1500ms'],
      /nothing connected to 127\.0\.0\.1:\d+ in 1500 ms; the target must dial \{address\}/,
    ],
    [
      'ignores TERM',
      "#!/bin/sh\ntrap '' TERM\nwhile true; do sleep 0.2; done\n",
      ['--timeout', 'handshake=1500ms'],
      /nothing connected/,
    ],
    ['leaves a grandchild', `#!/bin/sh\nsleep ${grandchild} &\nexit 0\n`, longTimeouts, /exited with code 0/],
  ])('%s: prints a sentence, exits with 3, leaves no orphan', async (name, text, flags, sentence) => {
    const path = program(`${name.replaceAll(' ', '-')}.sh`, text);
    const ran = await check(...flags, '--', path);
    expect(ran.stderr).toMatch(sentence);
    expect(ran.code).toBe(3);
    for (const words of [path, `sleep ${alone}`, `sleep ${grandchild}`]) await untilNoProcess(words);
  });

  it('prints 100 MB: only the end is shown', async () => {
    const path = program(
      'loud.mjs',
      "const b = Buffer.alloc(1 << 20, 'x\\n'); let n = 0; (function w() { while (n++ < 100) if (!process.stdout.write(b)) return process.stdout.once('drain', w); process.exitCode = 1; })();",
    );
    const ran = await check('--timeout', 'handshake=50s', '--', 'node', path);
    expect(ran.stderr).toMatch(/earlier bytes not kept/);
    expect(ran.stderr.length).toBeLessThan(100_000);
    expect(ran.code).toBe(3);
  });

  it('sends garbage instead of HTTP/2', async () => {
    const path = program(
      'garbage.mjs',
      "import net from 'node:net'; const [h, p] = process.argv[2].split(':'); const s = net.connect(+p, h, () => s.write('GET / HTTP/1.1\\r\\n\\r\\n\\u001b[2J')); s.on('error', () => {}); setTimeout(() => {}, 60000);",
    );
    const ran = await check('--', 'node', path, '{address}');
    expect(ran.stderr).toMatch(/something connected, and opened no gRPC stream/);
    expect(ran.code).toBe(3);
  });

  it('does not exist: a report is still written', async () => {
    const out = join(scratch, 'absent.json');
    const ran = await check('--report', `json=${out}`, '--', './no-such-agent');
    expect(ran.stderr).toMatch(/cannot start the target ".\/no-such-agent": no such file or command/);
    expect(ran.code).toBe(3);
    expect((JSON.parse(readFileSync(out, 'utf8')) as Report).verdict).toBe('error');
  });

  it('finds its port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => void server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const ran = await check('--listen', `127.0.0.1:${port}`);
    server.close();
    expect(ran.stderr).toMatch(/the port is in use/);
    expect(ran.code).toBe(3);
  });
});
