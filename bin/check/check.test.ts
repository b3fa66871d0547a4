/** `wireproof check fold/agent` as a user runs it: verdicts on faulty agents; readme.test.ts has the correct example. */
import { describe, expect, it } from 'vitest';
import { checked, faulty, lateTextFault } from '../run.test-helper.ts';
import { failsOnly } from './faults.test-helper.ts';

describe('check fold/agent', () => {
  it.each([
    ['FOLD-A15', () => lateTextFault('late-text')],
    [
      'FOLD-A40',
      () =>
        faulty(
          'double-ack',
          'send({ injection_ack: ack });',
          'send({ injection_ack: ack }); send({ injection_ack: ack });',
        ),
    ],
  ])('fails %s, and no other MUST, when the example has this fault', (id, target) => failsOnly(id, target()));

  it('judges an agent that was refused, instead of reporting it as absent', async () => {
    const target = faulty('empty-id', /let agent_id = .*/, "let agent_id = '';");
    const found = await checked(['fold/agent'], ['node', target, '{address}']);
    expect(found.failed).toContain('FOLD-A02');
    expect(found.code).toBe(1);
  });
});
