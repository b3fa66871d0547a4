/** FOLD-G07, G09, G14 and G26 where the operator's set-up prevents an answer: then the rows cannot be judged. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { forgetOldest, rule, unknowable } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView, OperatorCall } from '../model.ts';
import { setUpFault } from '../operator-end.ts';
import { isOfflineSend } from './terminals.ts';

/** A rule that a row cannot be judged by a call that fails for the operator's set-up. */
const notAnswered = (requirement: string, tests: (call: OperatorCall) => boolean): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op.end', 'op.reset'],
    start: () => null,
    step(_, event, view: GatewayView) {
      const reason = view.call === undefined ? undefined : setUpFault(event);
      if (reason === undefined || view.call === undefined || view.call.stream.disturbed) return undefined;
      return tests(view.call) ? unknowable(event, reason) : undefined;
    },
  });

/** Whether a call is a send to an agent that was harmed before it, if at all. */
const sendAfter =
  (harmed: 'rival' | 'secondRegister') =>
  ({ verb, target, seq }: OperatorCall): boolean =>
    verb === 'send' && (target?.[harmed]?.seq ?? Infinity) < seq;

/** The most pending calls that are kept. */
const callsKept = 256;

const offline: Rule<GatewayView> = rule({
  requirement: 'FOLD-G26',
  listens: ['op.send', 'op.end', 'op.reset'],
  start: () => new Set<string>(),
  step(calls, event: TraceEvent, view: GatewayView) {
    if (event.kind === 'message') {
      if (isOfflineSend(event, view)) calls.add(event.stream);
      forgetOldest(calls, callsKept);
      return undefined;
    }
    const reason = calls.delete(event.stream) ? setUpFault(event) : undefined;
    return reason === undefined || view.stream?.disturbed !== false ? undefined : unknowable(event, reason);
  },
});

export const setUpRules: readonly Rule<GatewayView>[] = [
  notAnswered('FOLD-G07', sendAfter('rival')),
  notAnswered('FOLD-G09', sendAfter('secondRegister')),
  notAnswered(
    'FOLD-G14',
    ({ verb, target }) => verb === 'inject' && target?.session.features.has('injection') === false,
  ),
  offline,
];
