/** FOLD-G56: the operator's reason in a CancelRequest. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../model.ts';
import { serverMessage } from '../view.ts';

/** The rule of FOLD-G56. */
export const cancelReason: Rule<GatewayView> = rule({
  requirement: 'FOLD-G56',
  listens: ['cancel_request'],
  start: () => null,
  step(_, event, view: GatewayView) {
    const { request_id: id = '', reason = '' } = serverMessage(event).cancel_request ?? {};
    const asked = view.agentStream?.requests.get(id);
    const given = asked?.stopReasons ?? [];
    if (asked === undefined || asked.ambiguous || given.length === 0 || given.includes('')) return undefined;
    // FOLD-G15 and FOLD-G42 judge a CancelRequest that must not come.
    if (!asked.stream.session.features.has('cancellation') || asked.request.terminal !== undefined)
      return undefined;
    if (given.includes(reason)) return exercised(event);
    // A command line of the operator may have no place for the reason.
    if (view.drive === 'command') return undefined;
    const names = given.map((text) => JSON.stringify(text.slice(0, 80))).join(' or ');
    return violated(
      event,
      `expected the operator's reason ${names} in the CancelRequest; came ${reason === '' ? 'none' : JSON.stringify(reason.slice(0, 80))}`,
      asked.stopAsked === undefined ? [] : [asked.stopAsked.seq],
    );
  },
});
