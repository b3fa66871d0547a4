/** Lawful TOON orchestrators: the reference orchestrator with one oddity that the protocol allows. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { orchestrator } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, utf8 } from '../../shared/mutants/bytes.ts';
import {
  editIncoming,
  editOutgoing,
  faultyPeer,
  send,
  withPayload,
  without,
} from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';
import { orchestratorOptions } from '../../shared/peers.ts';

/** Makes a lawful orchestrator of an oddity. `options`: the role's options that differ from the target's. */
const lawful = (
  id: string,
  title: string,
  allowed: string,
  oddity: () => PeerFault,
  options: JsonObject = {},
  lacks: readonly string[] = [],
): LawfulPeer => ({
  id,
  title,
  allowed,
  make: (given = {}) => faultyPeer(orchestrator(orchestratorOptions({ ...given, ...options })), oddity()),
  lacks,
});

const sequence = 'Wireproof: TOON decisions, 6. Sequence ids: the first is free, gaps are allowed';
const unknownKeys = 'Wireproof: TOON decisions, 2. Payload: unknown keys are ignored';
const heartbeats = 'TOON Protocol Specification, Message Types: HEARTBEAT in either direction, at any time';
const asJson = 'TOON Protocol Specification, Payload Format: any JSON text; equality by value in TOON-42';

const ownTypes = ['INSTRUCTION', 'TOOL_RESULT', 'CONTEXT_RESPONSE', 'ERROR'];

const ends =
  'Wireproof: TOON decisions, 11. Ends: a session ends on STATUS completed or an ERROR of either side';

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

/** Orchestrators with oddities that the protocol allows. */
export const lawfulOrchestrators: readonly LawfulPeer[] = [
  lawful('first-id-zero', 'Its first sequenceId is 0.', sequence, () => ({ number: (_, n) => n })),
  lawful('ids-with-gaps', 'Its sequence ids rise by 1000.', sequence, () => ({
    number: (_, n) => 7 + n * 1000,
  })),
  lawful(
    'clock-runs-back',
    'Each of its timestamps lies before the last.',
    'Wireproof: TOON decisions, 5. Timestamps: they define no order, and may fall',
    () => {
      let sent = 0;
      return {
        output: (output) =>
          output.type === 'send'
            ? [{ ...output, message: { ...output.message, timestamp: String(9e9 - sent++) } as ToonMessage }]
            : [output],
      };
    },
  ),
  lawful('keys-of-its-own', 'It adds keys of its own to its messages.', unknownKeys, () => ({
    output: (output) =>
      output.type === 'send' && ownTypes.includes(output.message.type)
        ? [
            {
              ...output,
              message: withPayload(output.message, { ...output.message.payload, model: null, cost: 0.1 }),
            },
          ]
        : [output],
  })),
  lawful('indented-json', 'It indents its JSON.', asJson, () => ({
    writes: (frame, { payload }) =>
      JSON.stringify(payload).length > 1000 ? frame : framed(frame, utf8(JSON.stringify(payload, null, 2))),
  })),
  lawful(
    'never-compresses',
    'It never compresses.',
    'TOON Protocol Specification, Compression: payloads are optionally compressed',
    () => ({}),
    { compress: false },
    ['compression'],
  ),
  lawful('echoes-heartbeats', 'It answers each HEARTBEAT with one.', heartbeats, () =>
    editIncoming((message, context) => {
      if (message.type === 'HEARTBEAT') send(context, 'HEARTBEAT', {});
      return [message];
    }),
  ),
  lawful('beats-each-second', 'It sends a HEARTBEAT each second.', heartbeats, () => ({}), {
    heartbeat: 1000,
  }),
  lawful(
    'no-duration',
    'Its results state no duration.',
    'TOON, Messages: the table of required keys (requirement TOON-35)',
    () => editOutgoing('TOOL_RESULT', (_, message) => [without(message, 'duration')]),
  ),
  lawful(
    'one-by-one',
    'Its tools run one after another, each for 800 ms.',
    'TOON, Checking: the table of times, which counts from the last answer',
    oneByOne,
  ),
  lawful('ends-at-wrong-way', 'Its ERROR about a wrong direction ends its session.', ends, endsAtWrongWay),
  lawful('leaves-at-wrong-way', 'It ends the connection after its ERROR about a wrong direction.', ends, () =>
    editOutgoing('ERROR', (payload, message, context) => {
      if (payload['code'] === 'WRONG_DIRECTION') context.later(1, (later) => later.close(0, 'done'));
      return [message];
    }),
  ),
  lawful(
    'slow-answers',
    'It reads each call and each request 3 s late.',
    'TOON, Checking: the table of times',
    () => ({
      input(input, context) {
        if (input.type !== 'message' || !['TOOL_CALL', 'CONTEXT_REQUEST'].includes(input.message.type))
          return [input];
        context.later(3000, (later) => later.tellInput(input));
        return [];
      },
    }),
  ),
];
