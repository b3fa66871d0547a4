/** Agents that shut down, use packs, sign and ping otherwise than FOLD-A51 to A56 say. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { answers, hears, none, says, wrong } from './mutant.ts';
import type { AgentFault, FaultContext, Output } from './mutant.ts';
import { targetOptions } from '../target.ts';

/** What becomes of the end of the stream after a Shutdown. */
const closes = (edit: (output: Output, hand: FaultContext) => readonly Output[]) => (): AgentFault => ({
  output: (output, hand) =>
    output.type === 'half_close' && hand.agent.phase === 'stopped' ? edit(output, hand) : [output],
});

const dropsRequests = (): AgentFault => answers((r, { agent }) => (agent.phase === 'stopped' ? [] : [r]));

/** All pack calls have one id; a result is taken for the call that has been out longest. */
const onePackId = (): AgentFault => {
  const out: string[] = [];
  const request_id = 'pack';
  return {
    ...says((m) => {
      if (m.execute_pack_tool === undefined) return [m];
      out.push(m.execute_pack_tool.request_id ?? '');
      return [{ execute_pack_tool: { ...m.execute_pack_tool, request_id } }];
    }),
    ...hears((m) =>
      m.pack_tool_result === undefined
        ? [m]
        : [{ pack_tool_result: { ...m.pack_tool_result, request_id: out.shift() ?? '' } }],
    ),
  };
};

/** Mutants of this theme. */
export const lifecycleMutants: readonly Mutant[] = [
  wrong(
    'FOLD-A51',
    'never-closes',
    'It keeps its stream open after a Shutdown.',
    closes(() => []),
  ),
  wrong(
    'FOLD-A51',
    'closes-too-late',
    'It closes its stream 12 s after a Shutdown.',
    closes((output, hand) => {
      hand.later(12_000, (then) => then.put(output));
      return [];
    }),
  ),
  wrong('FOLD-A52', 'drops-requests', 'It closes its stream on Shutdown with requests open.', dropsRequests),
  wrong('FOLD-A53', 'orphans-a-request', 'It sends no terminal after session_orphaned.', () =>
    answers((r) => (r.error === 'session orphaned' ? [] : [r])),
  ),
  wrong('FOLD-A54', 'one-pack-id', 'It gives all its pack calls one request_id.', onePackId),
  wrong('FOLD-A55', 'one-nonce', 'It opens every stream with the same x-ssh-nonce.', none, {
    metadata: () => ({ ...targetOptions.metadata?.(0) }),
  }),
  wrong('FOLD-A56', 'pings-too-often', 'It pings every 2 s.', none, { keepalive: 2000 }),
];
