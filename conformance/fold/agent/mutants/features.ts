/** Agents with wrong advertised features, or that fail at unknown parts of messages: FOLD-A10 to A12. */
import { ok } from '../../../../src/kit/base/index.ts';
import { peerOf } from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, directive, serverCodec } from '../../../../src/fold/index.ts';
import type { MessageResponse, ServerMessage } from '../../../../src/fold/index.ts';
import { targetOptions } from '../target.ts';
import { editIncoming, editOutgoing, editResponses, hangUp } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

/** Removes a feature from the advertised features. The agent still has it. */
const conceals = (feature: string) => (): AgentFault =>
  editOutgoing((m) => {
    if (m.register === undefined) return [m];
    const protocol_features = (m.register.protocol_features ?? []).filter((name) => name !== feature);
    return [{ register: { ...m.register, protocol_features } }];
  });

/** A cancelled request sends no further output, and runs to its own end. */
const cancelOnlySilences = (): AgentFault => {
  const silent = new Set<string>();
  return {
    ...editIncoming((m, { state }) => {
      const id = m.cancel_request?.request_id ?? '';
      if (!state.requests.has(id)) return [m];
      silent.add(id);
      return [];
    }),
    ...editResponses((r) => {
      const { request_id = '' } = r;
      if (!silent.has(request_id) || r.error !== undefined) return [r];
      return r.done === undefined ? [] : [{ request_id, done: {} }];
    }),
  };
};

/** Ends the stream as a crash does. */
function fallOver(context: FaultContext): readonly ServerMessage[] {
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
  return {
    ...editIncoming((m, { state }) => {
      const running = typeof m.inject_context?.priority === 'number' ? [...state.requests.keys()] : [];
      for (const id of running) failed.add(id);
      return [m, ...running.map((request_id) => ({ cancel_request: { request_id } }))];
    }),
    ...editResponses((r) => {
      const { request_id = '' } = r;
      return r.cancelled !== undefined && failed.has(request_id)
        ? [{ request_id, error: 'unexpected' }]
        : [r];
    }),
  };
};

const withoutEvent =
  (name: keyof MessageResponse) =>
  (r: MessageResponse): readonly MessageResponse[] =>
    r[name] === undefined ? [r] : [];

/** Mutants of this theme. */
export const featureFaults: AgentFaults = {
  'never-acks': () => editOutgoing((m) => (m.injection_ack === undefined ? [m] : [])),
  'cancel-only-silences': cancelOnlySilences,
  'usage-not-advertised': conceals('token_usage'),
  'states-not-advertised': conceals('tool_states'),
  'usage-never-sent': () => editResponses(withoutEvent('usage')),
  'states-never-sent': () => editResponses(withoutEvent('tool_state')),
  'falls-over-unknown-payload': () =>
    editIncoming((m, context) => (Object.keys(m).length === 0 ? fallOver(context) : [m])),
  'fails-over-unknown-field': { make: () => peerOf(agent({ ...targetOptions }), strictCodec, agentCodec) },
  'falls-over-unknown-priority': () =>
    editIncoming((m, context) => (typeof m.inject_context?.priority === 'number' ? fallOver(context) : [m])),
  'fails-over-unknown-priority': failsOnUnknown,
};
