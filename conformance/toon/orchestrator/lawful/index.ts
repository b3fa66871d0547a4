/** Lawful TOON orchestrators: the reference orchestrator with one oddity that the protocol allows. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import { orchestratorWith } from '../mutants/index.ts';
import type { PeerFaults } from '../../shared/mutants/mutant.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, utf8 } from '../../shared/mutants/bytes.ts';
import { editIncoming, editOutgoing, send, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';

const ownTypes = ['INSTRUCTION', 'TOOL_RESULT', 'CONTEXT_RESPONSE', 'ERROR'];

/** Reads its calls one after another: each takes 800 ms. */
function oneByOne(): PeerFault {
  let free = 0;
  return {
    input(input, context) {
      if (input.type !== 'message' || input.message.type !== 'TOOL_CALL') return [input];
      free = Math.max(free, context.now) + 800;
      context.later(free - context.now, (later) => later.tellInput(input));
      return [];
    },
  };
}

/** Ends its session with the ERROR about a message of a wrong direction: it reads nothing more. */
function endsAtWrongWay(): PeerFault {
  let over = false;
  return {
    input: (input) => (over && input.type === 'message' ? [] : [input]),
    ...editOutgoing('ERROR', (payload, message) => {
      over ||= payload['code'] === 'WRONG_DIRECTION';
      return [message];
    }),
  };
}

const oddities: PeerFaults = {
  'first-id-zero': () => ({ number: (_, n) => n }),
  'ids-with-gaps': () => ({
    number: (_, n) => 7 + n * 1000,
  }),
  'clock-runs-back': () => {
    let sent = 0;
    return {
      output: (output) =>
        output.type === 'send'
          ? [{ ...output, message: { ...output.message, timestamp: String(9e9 - sent++) } as ToonMessage }]
          : [output],
    };
  },
  'keys-of-its-own': () => ({
    output: (output) =>
      output.type === 'send' && ownTypes.includes(output.message.type)
        ? [
            {
              ...output,
              message: withPayload(output.message, { ...output.message.payload, model: null, cost: 0.1 }),
            },
          ]
        : [output],
  }),
  'indented-json': () => ({
    writes: (frame, { payload }) =>
      JSON.stringify(payload).length > 1000 ? frame : framed(frame, utf8(JSON.stringify(payload, null, 2))),
  }),
  'never-compresses': { fault: () => ({}), options: { compress: false } },
  'echoes-heartbeats': () =>
    editIncoming((message, context) => {
      if (message.type === 'HEARTBEAT') send(context, 'HEARTBEAT', {});
      return [message];
    }),
  'beats-each-second': {
    fault: () => ({}),
    options: {
      heartbeat: 1000,
    },
  },
  'no-duration': () => editOutgoing('TOOL_RESULT', (_, message) => [without(message, 'duration')]),
  'one-by-one': oneByOne,
  'ends-at-wrong-way': endsAtWrongWay,
  'leaves-at-wrong-way': () =>
    editOutgoing('ERROR', (payload, message, context) => {
      if (payload['code'] === 'WRONG_DIRECTION') context.later(1, (later) => later.close(0, 'done'));
      return [message];
    }),
  'slow-answers': () => ({
    input(input, context) {
      if (input.type !== 'message' || !['TOOL_CALL', 'CONTEXT_REQUEST'].includes(input.message.type))
        return [input];
      context.later(3000, (later) => later.tellInput(input));
      return [];
    },
  }),
};

/** Orchestrators with oddities that the protocol allows. */
export const lawfulOrchestrators: () => readonly LawfulPeer[] = lawfulOf(
  'toon/orchestrator',
  [oddities],
  orchestratorWith,
);
