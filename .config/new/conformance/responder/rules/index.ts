/** All rules of responders. */
import { deadline, exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { keyOf } from '../view.ts';
import type { SampleView } from '../view.ts';

const pongHasIdOfPing = rule({
  requirement: 'SAMPLE-11',
  listens: ['target.pong'],
  start: () => null,
  step(_, event, { open }: SampleView) {
    if (open.has(keyOf(event))) return exercised(event);
    return violated(
      event,
      `expected the id of a ping that waits for its pong; came ${JSON.stringify(event.data['id'])}`,
    );
  },
});

const pongFollowsPing = deadline({
  requirement: 'SAMPLE-12',
  listens: ['peer.ping', 'target.pong'],
  begins: (event) =>
    event.from === 'target'
      ? undefined
      : { key: keyOf(event), seq: event.seq, at: event.at, expected: 'a pong of this ping' },
  settles: ({ key }, event) => (event.from === 'target' && keyOf(event) === key ? 'exercised' : undefined),
  within: ({ timeouts }: SampleView) => timeouts.answer,
});

/** In the order of their requirements. */
export const responderRules: readonly Rule<SampleView>[] = [pongHasIdOfPing, pongFollowsPing];
