/**
 * `wireproof check fold/agent` of an agent whose process ends when its stream is lost. The agent gave up, unless the
 * statement says that a supervisor starts it again (FOLD-A08, FOLD-A09).
 */
import { describe, expect, it } from 'vitest';
import { checked, faulty, longTimeouts, program } from '../run.test-helper.ts';

const scenarios = ['lost-and-back', 'refused-with-suggestion'].flatMap((name) => ['--scenario', name]);

/** The verdicts by row under a statement. */
async function verdicts(name: string, statement: string): Promise<ReadonlyMap<string, string>> {
  const agent = faulty(`exits-${name}`, 'stream.lost = true;', 'exit(1);');
  const path = program(`${name}.yaml`, `suite: fold/agent\n${statement}`);
  const found = await checked(
    ['fold/agent', ...longTimeouts, ...scenarios, '--statement', path],
    ['node', agent, '{address}'],
  );
  return new Map(found.report?.requirements.map(({ id, verdict }) => [id, verdict]));
}

describe('an agent that exits when its stream is lost', () => {
  it('gave up: FOLD-A08 and A09 are violated', async () => {
    const found = await verdicts('alone', '');
    expect([found.get('FOLD-A08'), found.get('FOLD-A09')]).toEqual(['fail', 'fail']);
  });

  it('under a supervisor, FOLD-A08 and A09 do not apply', async () => {
    const found = await verdicts('supervised', 'supervised: true\n');
    expect([found.get('FOLD-A08'), found.get('FOLD-A09')]).toEqual(['not-applicable', 'not-applicable']);
  });
});
