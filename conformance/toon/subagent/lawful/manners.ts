/** Lawful subagents with odd heartbeats, ERRORs and features. */
import { allFaults, onInput, onReceive, onSend, sendLate } from '../../../../src/kit/suite/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { madeOf, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { atFirst } from '../mutants/mutant.ts';
import { atEnd } from '../mutants/work.ts';

const beating: PeerFaults = {
  'beats-first': atFirst((context) => send(context, 'HEARTBEAT', {})),
  'echoes-heartbeats': () => onReceive('HEARTBEAT', (_, context) => send(context, 'HEARTBEAT', {})),
  'beats-before-all': () => onSend((message) => [madeOf('HEARTBEAT', {}), message]),
  'beats-each-second': { fault: () => ({}), options: { heartbeat: 1000 } },
  'never-beats': { fault: () => ({}), options: { heartbeat: 0 } },
};

/** Delays ERRORs about bad frames. A frame over the cap ends the connection at once. */
function lateComplaints(): PeerFault {
  let closes = false;
  return allFaults(
    onInput('undecodable', ({ code }) => void (closes ||= code === 'too-large')),
    onSend(sendLate(200, (message) => !closes && isBadFrame(message))),
  );
}

const isBadFrame = ({ type, payload }: ToonMessage): boolean =>
  type === 'ERROR' && payload['code'] === 'BAD_FRAME';

const isUnknown = (code: string | undefined): boolean => code === 'bad-version' || code === 'bad-type';

const erring: PeerFaults = {
  'errs-first': atFirst((context) =>
    send(context, 'ERROR', { code: 'RESTARTED', message: 'the last task was lost' }),
  ),
  'other-error-code': () =>
    onSend((message) =>
      isBadFrame(message)
        ? [withPayload(message, { code: 4001, message: 'protocol error', details: { fatal: false } })]
        : undefined,
    ),
  'late-complaints': lateComplaints,
  'skips-in-silence': () => onInput('undecodable', ({ code }) => (isUnknown(code) ? [] : undefined)),
  'silent-about-direction': () =>
    onSend('ERROR', ({ payload }) => (payload['code'] === 'WRONG_DIRECTION' ? [] : undefined)),
};

/** Takes an ERROR of the orchestrator during an instruction as its end, and says nothing more about it. */
function endsAtErrors(): PeerFault {
  let active = false;
  let dropped = false;
  return allFaults(
    onReceive(({ type }) => {
      active ||= type === 'INSTRUCTION';
      dropped ||= active && type === 'ERROR';
    }),
    onSend((message) => {
      const drops = dropped;
      if (endsInstruction(message)) active = dropped = false;
      return drops ? [] : undefined;
    }),
  );
}

/** Leaves after its first instruction, and reads nothing meanwhile. */
function leavesAfterWork(): PeerFault {
  let done = false;
  return {
    input: (input) => (done && (input.type === 'message' || input.type === 'undecodable') ? [] : [input]),
    ...atEnd((message, context) => {
      done = true;
      context.later(20, (later) => later.close(0, 'done'));
      return [message];
    })(),
  };
}

const leaving: PeerFaults = {
  'leaves-after-work': leavesAfterWork,
  'ends-at-errors': endsAtErrors,
  'leaves-at-errors': () => onReceive('ERROR', (_, context) => context.close(0, 'done')),
  'patient-for-35-s': { fault: () => ({}), options: { idle: 35_000 } },
  'obeys-no-directive': () =>
    onReceive('INSTRUCTION', (message) => [withPayload(message, { instruction: 'Say hello.' })]),
  'no-tools': () => ({}),
};

export const mannerPeers: PeerFaults = { ...beating, ...erring, ...leaving };
