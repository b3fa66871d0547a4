/** `wireproof check fold/gateway` of a simulated gateway that already runs; readme.test.ts has it started. */
import { describe, expect, it } from 'vitest';
import { program, simulated } from '../run.test-helper.ts';
import { failed, report, verdictsOf } from './gateway.test-helper.ts';

describe('check fold/gateway', () => {
  it('dials a gateway that already runs', async () => {
    const { port, http } = await simulated(['--quiet', '--timeout', 'cancel=4s']);
    const statement = program(
      'connect.yaml',
      `suite: fold/gateway\noperator: { url: 'http://127.0.0.1:${http}' }\n`,
    );
    const found = await report(['--statement', statement, '--connect', `127.0.0.1:${port}`], []);
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G19': 'pass', 'FOLD-G45': 'untestable' });
  });
});
