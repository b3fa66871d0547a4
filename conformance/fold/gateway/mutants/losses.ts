/** Gateways that violate FOLD-G25 and G46 at the loss of an agent or at a session event. */
import type { MessageResponse, OperatorReply } from '../../../../src/fold/index.ts';
import { onResponse, kindOf } from './faults.ts';
import type { GatewayFault, FaultContext, Output } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** Edits the error for the requesters of a lost agent, and the end of their streams. */
const onLoss = (
  edit: (outputs: readonly Output[], context: FaultContext, error: string) => readonly Output[],
): GatewayFault => {
  const lost = new Map<string, Output>();
  return {
    output(output, context) {
      if (!('peer' in output) || kindOf(context, output.peer) !== 'operator') return [output];
      const error = output.type === 'send' && 'error' in output.message ? output.message.error : undefined;
      if (error !== undefined && / was lost: /.test(error.error)) {
        lost.set(output.peer, output);
        return [];
      }
      const before = lost.get(output.peer);
      if (before === undefined) return [output];
      lost.delete(output.peer);
      return edit([before, output], context, '');
    },
  };
};

/** Sends another event instead of the error. */
const lossAs = (message: OperatorReply) => (): GatewayFault =>
  onLoss(([error, ...rest]) => [...(error === undefined ? [] : [{ ...error, message }]), ...rest]);

function tellsOne(): GatewayFault {
  let told = -1;
  return onLoss((outputs, { now }) => {
    if (now === told) return [];
    told = now;
    return outputs;
  });
}

const tellsLate = (): GatewayFault =>
  onLoss((outputs, context) => {
    context.later(15_000, (then) => {
      for (const output of outputs) then.put(output);
    });
    return [];
  });

/** Ends the request after a session event. */
const then = (name: 'session_init' | 'session_orphaned', end: MessageResponse) => (): GatewayFault =>
  onResponse((r) => r[name] && [r, { ...end, request_id: r.request_id ?? '' }]);

export const lossFaults: GatewayFaults = {
  'loss-untold': () => onLoss(() => []),
  'loss-told-to-one': tellsOne,
  'loss-told-late': tellsLate,
  'loss-ends-well': () => onLoss(([, ...rest]) => rest),
  'loss-as-done': lossAs({ done: { full_response: '' } }),
  'loss-as-canceled': lossAs({ canceled: { reason: 'disconnected' } }),
  'init-ends': then('session_init', { done: {} }),
  'orphaned-fails': then('session_orphaned', { error: 'session orphaned' }),
};
