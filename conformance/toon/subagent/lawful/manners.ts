/** Lawful subagents with odd heartbeats, ERRORs and features. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { editIncoming, editOutgoing, madeOf, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { atFirst } from '../mutants/mutant.ts';
import { lawful } from './lawful.ts';

const heartbeats = 'TOON Protocol Specification, Message Types: HEARTBEAT in either direction, at any time';
const errors = 'TOON Protocol Specification, Message Types: ERROR in either direction, at any time';
const badFrames =
  'Wireproof: TOON decisions, 9. Bad frames should be answered with ERROR: any code, any text';
const ends =
  'Wireproof: TOON decisions, 11. Ends: a session ends on STATUS completed or an ERROR of either side';
const sessions =
  'Wireproof: TOON decisions, 10. Sessions: a peer that is silent for 30 s is dead (an option)';

const beating: readonly LawfulPeer[] = [
  lawful(
    'beats-first',
    'It sends a HEARTBEAT when it is connected.',
    heartbeats,
    atFirst((context) => send(context, 'HEARTBEAT', {})),
  ),
  lawful('echoes-heartbeats', 'It answers each HEARTBEAT with one.', heartbeats, () =>
    editIncoming((message, context) => {
      if (message.type === 'HEARTBEAT') send(context, 'HEARTBEAT', {});
      return [message];
    }),
  ),
  lawful('beats-before-all', 'It sends a HEARTBEAT before each message.', heartbeats, () => ({
    output: (output) =>
      output.type === 'send' ? [{ ...output, message: madeOf('HEARTBEAT', {}) }, output] : [output],
  })),
  lawful('beats-each-second', 'It sends a HEARTBEAT each second.', heartbeats, () => ({}), {
    options: { heartbeat: 1000 },
  }),
  lawful('never-beats', 'It sends no HEARTBEAT by itself.', heartbeats, () => ({}), {
    options: { heartbeat: 0 },
  }),
];

/** Delays ERRORs about bad frames. A frame over the cap ends the connection at once. */
function lateComplaints(): PeerFault {
  let closes = false;
  return {
    input(input) {
      closes ||= input.type === 'undecodable' && input.code === 'too-large';
      return [input];
    },
    ...editOutgoing('ERROR', (payload, message, context) => {
      if (payload['code'] !== 'BAD_FRAME' || closes) return [message];
      context.later(200, (later) => later.send(message));
      return [];
    }),
  };
}

const isUnknown = (code: string | undefined): boolean => code === 'bad-version' || code === 'bad-type';

const erring: readonly LawfulPeer[] = [
  lawful(
    'errs-first',
    'It sends an ERROR when it is connected.',
    errors,
    atFirst((context) => send(context, 'ERROR', { code: 'RESTARTED', message: 'the last task was lost' })),
  ),
  lawful('other-error-code', 'Its ERROR about a bad frame has a code of its own.', badFrames, () =>
    editOutgoing('ERROR', (payload, message) => [
      payload['code'] === 'BAD_FRAME'
        ? withPayload(message, { code: 4001, message: 'protocol error', details: { fatal: false } })
        : message,
    ]),
  ),
  lawful(
    'late-complaints',
    'Its ERROR about a bad frame comes 200 ms later, where the connection goes on.',
    badFrames,
    lateComplaints,
  ),
  lawful(
    'skips-in-silence',
    'It skips frames of an unknown version or type in silence.',
    'TOON, Bad frames: they are skipped by their length (requirement TOON-39)',
    () => ({
      input: (input) => (input.type === 'undecodable' && isUnknown(input.code) ? [] : [input]),
    }),
  ),
  lawful(
    'silent-about-direction',
    'It ignores a message of a wrong direction, and sends no ERROR.',
    'TOON, Messages: do not act on a message of a type that only your own side sends',
    () =>
      editOutgoing('ERROR', (payload, message) => (payload['code'] === 'WRONG_DIRECTION' ? [] : [message])),
  ),
];

/** Takes an ERROR of the orchestrator during an instruction as its end, and says nothing more about it. */
function endsAtErrors(): PeerFault {
  let active = false;
  let dropped = false;
  return {
    input(input) {
      if (input.type !== 'message') return [input];
      const { type } = input.message;
      if (type === 'INSTRUCTION') active = true;
      dropped ||= active && type === 'ERROR';
      return [input];
    },
    output(output) {
      if (output.type !== 'send') return [output];
      const drops = dropped;
      if (endsInstruction(output.message)) active = dropped = false;
      return drops ? [] : [output];
    },
  };
}

/** Leaves after its first instruction, and reads nothing meanwhile. */
function leavesAfterWork(): PeerFault {
  let done = false;
  return {
    input: (input) => (done && (input.type === 'message' || input.type === 'undecodable') ? [] : [input]),
    ...editOutgoing('STATUS', (payload, message, context) => {
      if (payload.status !== 'completed') return [message];
      done = true;
      context.later(20, (later) => later.close(0, 'done'));
      return [message];
    }),
  };
}

const leftBefore = 'It has left before a second instruction, and before its peer falls silent.';

const leaving: readonly LawfulPeer[] = [
  lawful(
    'leaves-after-work',
    'It ends the connection 20 ms after its first STATUS completed.',
    ends,
    leavesAfterWork,
    { unseen: { 'TOON-51': leftBefore, 'TOON-55': leftBefore } },
  ),
  lawful(
    'ends-at-errors',
    'An ERROR of the orchestrator ends its instruction in silence.',
    ends,
    endsAtErrors,
  ),
  lawful('leaves-at-errors', 'It ends the connection at an ERROR of the orchestrator.', ends, () =>
    editIncoming((message, context) => {
      if (message.type === 'ERROR') context.close(0, 'done');
      return [message];
    }),
  ),
  lawful('patient-for-35-s', 'It gives a silent peer up after 35 s.', sessions, () => ({}), {
    options: { idle: 35_000 },
  }),
  lawful(
    'obeys-no-directive',
    'It treats a directive as an ordinary text.',
    'TOON, The directive grammar: replace its model by a shim; a real model need not obey',
    () =>
      editIncoming((message) => [
        message.type === 'INSTRUCTION' ? withPayload(message, { instruction: 'Say hello.' }) : message,
      ]),
    { drive: 'passive' },
  ),
  lawful(
    'no-tools',
    'It has no tools.',
    'TOON, The directive grammar: a step that it does not support ends with UNSUPPORTED',
    () => ({}),
    { lacks: ['tools', 'context'] },
  ),
];

/** The peers of this theme. */
export const mannerPeers: readonly LawfulPeer[] = [...beating, ...erring, ...leaving];
