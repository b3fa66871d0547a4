/** Lawful subagents with odd heartbeats, ERRORs and features. */
import { editIncoming, editOutgoing, madeOf, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { atFirst } from '../mutants/mutant.ts';

const beating: PeerFaults = {
  'beats-first': atFirst((context) => send(context, 'HEARTBEAT', {})),
  'echoes-heartbeats': () =>
    editIncoming((message, context) => {
      if (message.type === 'HEARTBEAT') send(context, 'HEARTBEAT', {});
      return [message];
    }),
  'beats-before-all': () => ({
    output: (output) =>
      output.type === 'send' ? [{ ...output, message: madeOf('HEARTBEAT', {}) }, output] : [output],
  }),
  'beats-each-second': { fault: () => ({}), options: { heartbeat: 1000 } },
  'never-beats': { fault: () => ({}), options: { heartbeat: 0 } },
};

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

const erring: PeerFaults = {
  'errs-first': atFirst((context) =>
    send(context, 'ERROR', { code: 'RESTARTED', message: 'the last task was lost' }),
  ),
  'other-error-code': () =>
    editOutgoing('ERROR', (payload, message) => [
      payload['code'] === 'BAD_FRAME'
        ? withPayload(message, { code: 4001, message: 'protocol error', details: { fatal: false } })
        : message,
    ]),
  'late-complaints': lateComplaints,
  'skips-in-silence': () => ({
    input: (input) => (input.type === 'undecodable' && isUnknown(input.code) ? [] : [input]),
  }),
  'silent-about-direction': () =>
    editOutgoing('ERROR', (payload, message) => (payload['code'] === 'WRONG_DIRECTION' ? [] : [message])),
};

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

const leaving: PeerFaults = {
  'leaves-after-work': leavesAfterWork,
  'ends-at-errors': endsAtErrors,
  'leaves-at-errors': () =>
    editIncoming((message, context) => {
      if (message.type === 'ERROR') context.close(0, 'done');
      return [message];
    }),
  'patient-for-35-s': { fault: () => ({}), options: { idle: 35_000 } },
  'obeys-no-directive': () =>
    editIncoming((message) => [
      message.type === 'INSTRUCTION' ? withPayload(message, { instruction: 'Say hello.' }) : message,
    ]),
  'no-tools': () => ({}),
};

/** The peers of this theme. */
export const mannerPeers: PeerFaults = { ...beating, ...erring, ...leaving };
