/** Lawful TOON orchestrators: the reference orchestrator with one oddity that the protocol allows. */
import { allFaults, lawfulOf, onReceive, onSend, receiveLate } from '../../../../src/kit/suite/index.ts';
import { orchestratorWith } from '../mutants/index.ts';
import type { PeerFaults } from '../../shared/mutants/mutant.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { framed, utf8 } from '../../shared/mutants/bytes.ts';
import { payloads, send, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';

const ownTypes = ['INSTRUCTION', 'TOOL_RESULT', 'CONTEXT_RESPONSE', 'ERROR'] as const;

/** Reads its calls one after another: each takes 800 ms. */
function oneByOne(): PeerFault {
  let free = 0;
  return onReceive('TOOL_CALL', (message, context, peer) => {
    free = Math.max(free, context.now) + 800;
    context.later(free - context.now, (later) => later.tell(message, peer));
    return [];
  });
}

/** Ends its session with the ERROR about a message of a wrong direction: it reads nothing more. */
function endsAtWrongWay(): PeerFault {
  let over = false;
  return allFaults(
    onReceive(() => (over ? [] : undefined)),
    onSend('ERROR', ({ payload }) => void (over ||= payload['code'] === 'WRONG_DIRECTION')),
  );
}

const oddities: PeerFaults = {
  'first-id-zero': () => ({ number: (_, n) => n }),
  'ids-with-gaps': () => ({ number: (_, n) => 7 + n * 1000 }),
  'clock-runs-back': () => {
    let sent = 0;
    return onSend((message) => [{ ...message, timestamp: String(9e9 - sent++) }]);
  },
  'keys-of-its-own': () => payloads(ownTypes, (payload) => ({ ...payload, model: null, cost: 0.1 })),
  'indented-json': () => ({
    writes: (frame, { payload }) =>
      JSON.stringify(payload).length > 1000 ? frame : framed(frame, utf8(JSON.stringify(payload, null, 2))),
  }),
  'never-compresses': { fault: () => ({}), options: { compress: false } },
  'echoes-heartbeats': () => onReceive('HEARTBEAT', (_, context) => send(context, 'HEARTBEAT', {})),
  'beats-each-second': { fault: () => ({}), options: { heartbeat: 1000 } },
  'no-duration': () => onSend('TOOL_RESULT', (message) => [without(message, 'duration')]),
  'one-by-one': oneByOne,
  'ends-at-wrong-way': endsAtWrongWay,
  'leaves-at-wrong-way': () =>
    onSend('ERROR', ({ payload }, context) => {
      if (payload['code'] === 'WRONG_DIRECTION') context.later(1, (later) => later.close(0, 'done'));
    }),
  'slow-answers': () => onReceive(['TOOL_CALL', 'CONTEXT_REQUEST'], receiveLate(3000)),
};

/** Orchestrators with oddities that the protocol allows. */
export const lawfulOrchestrators: () => readonly LawfulPeer[] = lawfulOf(
  'toon/orchestrator',
  [oddities],
  orchestratorWith,
);
