/** Gateways that make ends of their own, or show something after an end: FOLD-G19, G21, G37 and G41. */
import { allFaults } from '../../../../src/kit/suite/index.ts';
import type { OperatorReply } from '../../../../src/fold/index.ts';
import { onClose, onResponse, toOperators } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** The silence of an agent that the mutant takes for an end (ms). */
const patience = 150;

/** Shows an end of its own when an agent that has sent usage is silent. */
const endsTheSilent = (end: OperatorReply) => (): GatewayFault => {
  const last = new Map<string, number>();
  return onResponse((r, context) => {
    const { request_id: id = '' } = r;
    last.set(id, context.now);
    if (r.usage === undefined) return;
    context.later(patience, (then) => {
      const { operator = '' } = then.state.requests.get(id) ?? {};
      if (operator !== '' && then.now - (last.get(id) ?? 0) >= patience) {
        then.put({ type: 'send', peer: operator, message: end });
        then.close(0, '', operator);
      }
    });
  });
};

/** How long the mutant keeps an operator's stream open after its end (ms). */
const lingering = 50;

/** Shows something of its own shortly after an end. */
const adds = (fits: (end: OperatorReply, byAgent: boolean) => boolean, text: string) => (): GatewayFault => {
  const ended = new Set<string>();
  let byAgent = false;
  const told = toOperators((m, _, peer) => {
    if (fits(m, byAgent)) ended.add(peer);
  });
  return allFaults(
    {
      input(input) {
        byAgent = input.type === 'message' && 'response' in input.message;
        return [input];
      },
      output: told.output,
    },
    onClose('operator', (close, context) => {
      if (!ended.delete(close.peer)) return [close];
      context.later(lingering, (then) => {
        then.put({ type: 'send', peer: close.peer, message: { text: { text } } });
        then.put(close);
      });
      return [];
    }),
  );
};

const isOwn = ({ error }: OperatorReply): boolean => error?.error.startsWith('no answer to cancel') === true;

export const endFaults: GatewayFaults = {
  'silence-is-done': endsTheSilent({ done: { full_response: '' } }),
  'silence-is-canceled': endsTheSilent({ canceled: { reason: 'silent' } }),
  'says-more-after-done': adds(({ done }, byAgent) => byAgent && done !== undefined, 'That was all of it.'),
  'says-more-after-canceled': adds(
    ({ canceled }, byAgent) => byAgent && canceled !== undefined,
    'The request was canceled.',
  ),
  'says-more-after-its-own-end': adds(isOwn, 'The agent did not answer.'),
};
