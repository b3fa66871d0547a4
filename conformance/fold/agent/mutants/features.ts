/** Agents with wrong advertised features, or that fail at unknown parts of messages: FOLD-A10 to A12. */
import { ok } from '../../../../src/kit/base/index.ts';
import { allFaults, member, onReceive, onSend, peerOf } from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, directive, serverCodec } from '../../../../src/fold/index.ts';
import { targetOptions } from '../target.ts';
import { hangUp, onResponse } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

/** Removes a feature from the advertised features. The agent still has it. */
const conceals = (feature: string) => (): AgentFault =>
  onSend(
    member('register', ({ protocol_features = [], ...register }) => [
      { ...register, protocol_features: protocol_features.filter((name) => name !== feature) },
    ]),
  );

/** A cancelled request sends no further output, and runs to its own end. */
const cancelOnlySilences = (): AgentFault => {
  const silent = new Set<string>();
  return allFaults(
    onReceive(
      member('cancel_request', ({ request_id = '' }, { state }) => {
        if (!state.requests.has(request_id)) return;
        silent.add(request_id);
        return [];
      }),
    ),
    onResponse(({ request_id = '', error, done }) => {
      if (!silent.has(request_id) || error !== undefined) return;
      return done === undefined ? [] : [{ request_id, done: {} }];
    }),
  );
};

/** Ends the stream as a crash does. */
function fallOver(context: FaultContext): readonly [] {
  hangUp(context);
  return [];
}

/** Decodes a request with an unknown field as a request that fails. */
const strictCodec: typeof serverCodec = {
  ...serverCodec,
  decode(bytes) {
    const decoded = serverCodec.decode(bytes);
    if (!decoded.ok || decoded.value.note === undefined) return decoded;
    const { send_message: asked } = decoded.value.message;
    if (asked === undefined) return decoded;
    return ok({
      message: { send_message: { ...asked, content: directive([{ fail: 'an unknown field' }]) } },
    });
  },
};

/** Ends the active requests in error at an injection priority that it does not know. */
const failsOnUnknown = (): AgentFault => {
  const failed = new Set<string>();
  return allFaults(
    onReceive((m, { state }) => {
      const running = typeof m.inject_context?.priority === 'number' ? [...state.requests.keys()] : [];
      for (const id of running) failed.add(id);
      return [m, ...running.map((request_id) => ({ cancel_request: { request_id } }))];
    }),
    onResponse(({ request_id = '', cancelled }) =>
      cancelled !== undefined && failed.has(request_id) ? [{ request_id, error: 'unexpected' }] : undefined,
    ),
  );
};

export const featureFaults: AgentFaults = {
  'never-acks': () => onSend(member('injection_ack', () => [])),
  'cancel-only-silences': cancelOnlySilences,
  'usage-not-advertised': conceals('token_usage'),
  'states-not-advertised': conceals('tool_states'),
  'usage-never-sent': () => onResponse(({ usage }) => (usage === undefined ? undefined : [])),
  'states-never-sent': () => onResponse(({ tool_state }) => (tool_state === undefined ? undefined : [])),
  'falls-over-unknown-payload': () =>
    onReceive((m, context) => (Object.keys(m).length === 0 ? fallOver(context) : undefined)),
  'fails-over-unknown-field': { make: () => peerOf(agent({ ...targetOptions }), strictCodec, agentCodec) },
  'falls-over-unknown-priority': () =>
    onReceive(
      member('inject_context', ({ priority }, context) =>
        typeof priority === 'number' ? fallOver(context) : undefined,
      ),
    ),
  'fails-over-unknown-priority': failsOnUnknown,
};
