/** Agents that violate FOLD-A51 to A56 when they shut down, use packs, sign or ping. */
import { allFaults, member, onOutput, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { Replacement } from '../../../../src/kit/suite/index.ts';
import { onRequest, onResponse } from './mutant.ts';
import type { AgentFault, FaultContext, Output, AgentFaults } from './mutant.ts';
import { targetOptions } from '../target.ts';

/** Edits the end of the stream after a Shutdown. */
export const onClose = (edit: (output: Output, context: FaultContext) => Replacement<Output>): AgentFault =>
  onOutput('half_close', (output, context) =>
    context.state.phase === 'stopped' ? edit(output, context) : undefined,
  );

/** Closes its stream this long after a Shutdown (ms). */
export const closesLater = (ms: number) => (): AgentFault =>
  onClose((output, context) => {
    context.later(ms, (then) => then.put(output));
    return [];
  });

/** Gives all pack calls one id. A result belongs to the oldest call. */
const onePackId = (): AgentFault => {
  const out: string[] = [];
  return allFaults(
    onSend(
      member('execute_pack_tool', (call) => {
        out.push(call.request_id ?? '');
        return [{ ...call, request_id: 'pack' }];
      }),
    ),
    onReceive(member('pack_tool_result', (result) => [{ ...result, request_id: out.shift() ?? '' }])),
  );
};

/** Keeps its stream open after a Shutdown if it never had a request. */
const closesOnlyAfterWork = (): AgentFault => {
  let worked = false;
  return allFaults(
    onRequest(() => void (worked = true)),
    onClose(() => (worked ? undefined : [])),
  );
};

/** Sends heartbeats with other times; `n` counts them. */
const beats = (timeOf: (n: number) => number) => (): AgentFault => {
  let n = 0;
  return onSend(member('heartbeat', () => [{ timestamp_ms: String(timeOf(n++)) }]));
};

const begin = 1_700_000_000_000;

export const lifecycleFaults: AgentFaults = {
  'never-closes': () => onClose(() => []),
  'beats-backwards': beats((n) => begin - 1000 * (n + 1)),
  'beats-in-seconds': beats((n) => (begin + 30_000 * n) * 0.001),
  'beats-in-nanoseconds': beats((n) => (begin + 30_000 * n) * 1e6),
  'closes-only-after-work': closesOnlyAfterWork,
  'closes-too-late': closesLater(12_000),
  'drops-requests': () => onResponse((_, { state }) => (state.phase === 'stopped' ? [] : undefined)),
  'orphans-a-request': () => onResponse(({ error }) => (error === 'session orphaned' ? [] : undefined)),
  'one-pack-id': onePackId,
  'one-nonce': { options: { metadata: () => ({ ...targetOptions.metadata?.(0) }) } },
  'pings-too-often': { options: { keepalive: 2000 } },
};
