/** The examples of Koda, an engine in Python and a client in a page, judged by the built command as a stranger would. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { changed, example, python38 } from './python.test-helper.ts';

const { path } = python38();

/** Long enough for a busy machine. No scenario waits for these times to pass. */
const patient = ['handshake', 'prompt', 'turn', 'answer', 'step'].flatMap((name) => [
  '--timeout',
  `${name}=30s`,
]);

const asks = "if 'ask' in tool: return self.result(call, name, await self.question(tool['ask']))";
const decision = "decision = (await self.ask('approval_response', id))['decision'].get('decision')";
const more = "more = {'continue50': 50, 'continue200': 200}.get((await self.ask('loop_decision'))['action'])";

describe.skipIf(path === undefined)('koda_engine.py with one fault', () => {
  it.each([
    [
      'a result after an interrupt',
      asks,
      `if 'ask' in tool:
            try: return self.result(call, name, await self.question(tool['ask']))
            except asyncio.CancelledError:
                self.result(call, name, 'cancelled')
                raise`,
      'KODA-48',
    ],
    ['a call that runs before its approval', decision, "decision = 'approve'", 'KODA-40'],
    ['a cap that it ignores', more, 'more = 200', 'KODA-44'],
    [
      'tokens of the last iteration alone',
      'self.tokens[name] += int(counts.get(name, 0))',
      'self.tokens[name] = int(counts.get(name, 0))',
      'KODA-81',
    ],
  ])('%s: its row fails', async (_, right, wrong, row) => {
    const engine = changed('koda_engine.py', [[right, wrong]]);
    const only = ['koda/engine', '--only', row];
    const { failed, code } = await checked(only, [path ?? '', '-c', engine]);
    expect([code, failed]).toEqual([1, [row]]);
  });
});

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { timeout: 30_000 }).status === 0,
);

describe('koda_client.html', () => {
  it('is conformant, in a headless browser', async (context) => {
    if (browser === undefined) return context.skip('no browser; on Debian: apt install chromium');
    const target = [process.execPath, example('koda-client-page.mjs'), '{url}'];
    const { report, failed, code } = await checked(['koda/client', ...patient], target);
    expect({ code, verdict: report?.verdict, failed }).toEqual({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
  });
});
