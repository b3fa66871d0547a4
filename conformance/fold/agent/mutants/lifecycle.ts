/** Agents that violate FOLD-A51 to A56 when they shut down, use packs, sign or ping. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { editIncoming, editOutgoing, editResponses, mutant, none } from './mutant.ts';
import type { AgentFault, FaultContext, Output } from './mutant.ts';
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
export const lifecycleMutants: readonly Mutant[] = [
  mutant(
    'FOLD-A51',
    'never-closes',
    'It keeps its stream open after a Shutdown.',
    closes(() => []),
  ),
  mutant('FOLD-A50', 'beats-backwards', 'The times of its heartbeats fall.', beatsBackwards),
  mutant('FOLD-A50', 'beats-in-seconds', 'The times of its heartbeats are in seconds.', beatsIn(0.001)),
  mutant('FOLD-A50', 'beats-in-nanoseconds', 'The times of its heartbeats are in nanoseconds.', beatsIn(1e6)),
  mutant(
    'FOLD-A51',
    'closes-only-after-work',
    'It keeps its stream open after a Shutdown before its first request.',
    closesOnlyAfterWork,
  ),
  mutant(
    'FOLD-A51',
    'closes-too-late',
    'It closes its stream 12 s after a Shutdown.',
    closes((output, context) => {
      context.later(12_000, (then) => then.put(output));
      return [];
    }),
  ),
  mutant('FOLD-A52', 'drops-requests', 'It closes its stream on Shutdown with requests open.', dropsRequests),
  mutant('FOLD-A53', 'orphans-a-request', 'It sends no terminal after session_orphaned.', () =>
    editResponses((r) => (r.error === 'session orphaned' ? [] : [r])),
  ),
  mutant('FOLD-A54', 'one-pack-id', 'It gives all its pack calls one request_id.', onePackId),
  mutant('FOLD-A55', 'one-nonce', 'It opens every stream with the same x-ssh-nonce.', none, {
    metadata: () => ({ ...targetOptions.metadata?.(0) }),
  }),
  mutant('FOLD-A56', 'pings-too-often', 'It pings every 2 s.', none, { keepalive: 2000 }),
];
