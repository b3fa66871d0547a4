/** Agents that violate FOLD-A51 to A56 when they shut down, use packs, sign or ping. */
import { editIncoming, editOutgoing, editResponses } from './mutant.ts';
import type { AgentFault, FaultContext, Output, AgentFaults } from './mutant.ts';
import { targetOptions } from '../target.ts';

/** Edits the end of the stream after a Shutdown. */
const closes = (edit: (output: Output, context: FaultContext) => readonly Output[]) => (): AgentFault => ({
  output: (output, context) =>
    output.type === 'half_close' && context.state.phase === 'stopped' ? edit(output, context) : [output],
});

const dropsRequests = (): AgentFault =>
  editResponses((r, { state }) => (state.phase === 'stopped' ? [] : [r]));

/** Gives all pack calls one id. A result belongs to the oldest call. */
const onePackId = (): AgentFault => {
  const out: string[] = [];
  const request_id = 'pack';
  return {
    ...editOutgoing((m) => {
      if (m.execute_pack_tool === undefined) return [m];
      out.push(m.execute_pack_tool.request_id ?? '');
      return [{ execute_pack_tool: { ...m.execute_pack_tool, request_id } }];
    }),
    ...editIncoming((m) =>
      m.pack_tool_result === undefined
        ? [m]
        : [{ pack_tool_result: { ...m.pack_tool_result, request_id: out.shift() ?? '' } }],
    ),
  };
};

/** Keeps its stream open after a Shutdown if it never had a request. */
const closesOnlyAfterWork = (): AgentFault => {
  let worked = false;
  return {
    ...editIncoming((m) => {
      worked ||= m.send_message !== undefined;
      return [m];
    }),
    output: (output, { state }) =>
      output.type === 'half_close' && state.phase === 'stopped' && !worked ? [] : [output],
  };
};

/** Sends heartbeats with falling times. */
const beatsBackwards = (): AgentFault => {
  let at = 1_700_000_000_000;
  return editOutgoing((m) =>
    m.heartbeat === undefined ? [m] : [{ heartbeat: { timestamp_ms: String((at -= 1000)) } }],
  );
};

/** Sends heartbeats with the time in seconds, or in nanoseconds. */
const beatsIn = (perMillisecond: number) => (): AgentFault => {
  let beats = 0;
  return editOutgoing((m) =>
    m.heartbeat === undefined
      ? [m]
      : [{ heartbeat: { timestamp_ms: String((1_700_000_000_000 + 30_000 * beats++) * perMillisecond) } }],
  );
};

/** Mutants of this theme. */
export const lifecycleFaults: AgentFaults = {
  'never-closes': closes(() => []),
  'beats-backwards': beatsBackwards,
  'beats-in-seconds': beatsIn(0.001),
  'beats-in-nanoseconds': beatsIn(1e6),
  'closes-only-after-work': closesOnlyAfterWork,
  'closes-too-late': closes((output, context) => {
    context.later(12_000, (then) => then.put(output));
    return [];
  }),
  'drops-requests': dropsRequests,
  'orphans-a-request': () => editResponses((r) => (r.error === 'session orphaned' ? [] : [r])),
  'one-pack-id': onePackId,
  'one-nonce': {
    options: {
      metadata: () => ({ ...targetOptions.metadata?.(0) }),
    },
  },
  'pings-too-often': { options: { keepalive: 2000 } },
};
