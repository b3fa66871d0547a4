/** FOLD-G14 to G16: a gateway uses only advertised features, and accepts every list of features. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { OperatorCall, GatewayView } from '../model.ts';
import { setUpFault } from '../operator-end.ts';
import type { Registration } from './registration.ts';
import { oddFeatures, valid, welcomed } from './registration.ts';
import { isUnimplemented } from '../events.ts';

/** The call of an operator that the gateway ends at an event; undefined when it did not handle the call. */
export function endedCall(
  event: TraceEvent,
  view: GatewayView,
  verb: OperatorCall['verb'],
): OperatorCall | undefined {
  const { call } = view;
  if (event.kind !== 'end' || event.from !== 'target' || call?.verb !== verb) return undefined;
  if (isUnimplemented(event) || setUpFault(event) !== undefined) return undefined;
  return call.stream.disturbed ? undefined : call;
}

const gatedInjection = rule({
  requirement: 'FOLD-G14',
  listens: ['inject_context', 'op.end'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (event.wire === 'operator') {
      const target = endedCall(event, view, 'inject')?.target;
      return target !== undefined && !target.session.features.has('injection') ? exercised(event) : undefined;
    }
    const session = view.agentStream?.session;
    if (session === undefined || session.features.has('injection')) return undefined;
    return violated(
      event,
      'expected no inject_context to an agent that does not advertise injection; one came',
      session.register === undefined ? [] : [session.register.seq],
    );
  },
});

const gatedCancel = rule({
  requirement: 'FOLD-G15',
  listens: ['cancel_request', 'op.end'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (event.wire === 'operator') {
      const about = endedCall(event, view, 'cancel')?.about ?? [];
      const tested = about.some(
        ({ stream, stopAsked }) => stopAsked !== undefined && !stream.session.features.has('cancellation'),
      );
      return tested ? exercised(event) : undefined;
    }
    const session = view.agentStream?.session;
    if (session === undefined || session.features.has('cancellation')) return undefined;
    return violated(
      event,
      'expected no cancel_request to an agent that does not advertise cancellation; one came',
      session.register === undefined ? [] : [session.register.seq],
    );
  },
});

const anyFeatures = deadline<Registration, GatewayView>({
  requirement: 'FOLD-G16',
  begins(event, view) {
    const wait = valid(event, view);
    const odd = wait === undefined ? undefined : oddFeatures(wait.register);
    if (wait === undefined || odd === undefined) return undefined;
    const features =
      odd === 'none' ? 'no protocol_features' : 'a protocol feature that the schema does not name';
    return { ...wait, expected: `${wait.expected}, with ${features}` };
  },
  settles: (wait, event, view) => welcomed(wait, event, view, 'FOLD-G16'),
  within: (view) => view.timeouts.handshake,
  overdue: (wait) =>
    oddFeatures(wait.register) === 'unknown' && wait.row === 'FOLD-G16' ? 'violated' : 'dropped',
});

export const featureRules: readonly Rule<GatewayView>[] = [gatedInjection, gatedCancel, anyFeatures];
