/** Subagents that carry out an instruction wrongly: its results and its end. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { MessageType } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, payloadIn, refusalOf, utf8 } from '../../shared/mutants/bytes.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { editIncoming, editOutgoing, madeOf, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext } from '../../shared/mutants/mutant.ts';
import { mutant } from './mutant.ts';

const reversed = (): PeerFault =>
  editOutgoing('STATUS', (payload, message) => {
    const { results } = payload;
    return [
      Array.isArray(results) ? withPayload(message, { ...payload, results: results.toReversed() }) : message,
    ];
  });

/** Ignores the requestIds of results. */
const withoutIds = (): PeerFault =>
  editIncoming((message) => [message.type === 'TOOL_RESULT' ? without(message, 'requestId') : message]);

/** Edits STATUS completed. */
const atEnd =
  (edit: (message: ToonMessage, context: FaultContext) => readonly ToonMessage[]) => (): PeerFault =>
    editOutgoing('STATUS', (payload, message, context) =>
      payload.status === 'completed' ? edit(message, context) : [message],
    );

/** Ends its instruction with the ERROR about a bad frame: its later messages about it are not sent. */
function endsAtBadFrames(): PeerFault {
  let active = 0;
  let ended = false;
  const isComplaint = ({ type, payload }: ToonMessage): boolean =>
    type === 'ERROR' && payload['code'] === 'BAD_FRAME';
  return {
    ...editIncoming((message) => {
      if (message.type === 'INSTRUCTION') active++;
      return [message];
    }),
    output(output) {
      if (output.type !== 'send' || output.message.type === 'HEARTBEAT') return [output];
      const { message } = output;
      if (isComplaint(message)) {
        ended ||= active > 0;
        return [output];
      }
      const drops = ended;
      if (endsInstruction(message)) {
        active--;
        ended = false;
      }
      return drops ? [] : [output];
    },
  };
}

/** Drops an instruction that comes while it works on another. */
function dropsWhenBusy(): PeerFault {
  let busy = false;
  return {
    ...editIncoming((message) => {
      if (message.type !== 'INSTRUCTION') return [message];
      if (busy) return [];
      busy = true;
      return [message];
    }),
    output(output) {
      if (output.type === 'send' && endsInstruction(output.message)) busy = false;
      return [output];
    },
  };
}

/** Takes a result whose success is not a boolean, if it is true in the sense of JavaScript. */
const truthySuccess = (): PeerFault => ({
  reads(frame) {
    if (frame[1] !== MessageType.TOOL_RESULT || refusalOf(frame) !== 'bad-payload') return frame;
    const { success, ...rest } = JSON.parse(new TextDecoder().decode(payloadIn(frame))) as JsonObject;
    return framed(frame, utf8(JSON.stringify({ success: Boolean(success), ...rest })));
  },
});

/** Acts at a message by the type of the call that it waits for. */
const atWaiting = (
  edit: (
    message: ToonMessage,
    waits: ToonMessage['type'] | undefined,
    context: FaultContext,
  ) => readonly ToonMessage[],
): PeerFault => {
  let waits: ToonMessage['type'] | undefined;
  return {
    ...editIncoming((message, context) => {
      const given = edit(message, waits, context);
      if (given.some(({ type }) => type === 'TOOL_RESULT' || type === 'CONTEXT_RESPONSE')) waits = undefined;
      return given;
    }),
    output(output) {
      if (output.type === 'send' && /CALL|REQUEST/.test(output.message.type)) waits = output.message.type;
      return [output];
    },
  };
};

const heartbeatAsResult = (): PeerFault =>
  atWaiting((message, waits) =>
    message.type === 'HEARTBEAT' && waits === 'TOOL_CALL'
      ? [{ ...message, type: 'TOOL_RESULT', payload: { success: true } }]
      : [message],
  );

/** Reads texts of results as ASCII. */
const asciiResults = (): PeerFault =>
  editIncoming((message) => {
    if (message.type !== 'TOOL_RESULT' || typeof message.payload['data'] !== 'string') return [message];
    const data = message.payload['data'].replaceAll(/[^\0-\x7f]/g, '?');
    return [{ ...message, payload: { ...message.payload, data } }];
  });

const anyAnswer = (): PeerFault =>
  atWaiting((message, waits) =>
    message.type === 'TOOL_RESULT' && waits === 'CONTEXT_REQUEST'
      ? [{ ...message, type: 'CONTEXT_RESPONSE' }]
      : [message],
  );

const hangsUpAtStray = (): PeerFault =>
  atWaiting((message, waits, context) => {
    if (waits !== undefined || message.type !== 'TOOL_RESULT') return [message];
    context.close(1, 'not asked');
    return [];
  });

/** The mutants of work on an instruction. */
export const workMutants: readonly Mutant[] = [
  mutant(
    'TOON-40',
    'heartbeat-as-result',
    'It takes a HEARTBEAT for the result of its call.',
    heartbeatAsResult,
  ),
  mutant(
    'TOON-40',
    'any-answer-does',
    'It takes a TOOL_RESULT for the context that it waits for.',
    anyAnswer,
  ),
  mutant(
    'TOON-50',
    'hangs-up-at-stray-results',
    'It ends the connection at a result without a call.',
    hangsUpAtStray,
  ),
  mutant('TOON-40', 'last-in-first-out', 'It gives the first result to the last call.', reversed),
  mutant(
    'TOON-40',
    'ascii-results',
    'It reads the texts of results as ASCII, with question marks.',
    asciiResults,
  ),
  mutant('TOON-40', 'deaf-to-ids', 'It gives results to calls in order, whatever their ids say.', withoutIds),
  mutant('TOON-35', 'truthy-success', 'It takes a result whose success is the text "yes".', truthySuccess),
  mutant('TOON-50', 'drops-when-busy', 'It drops an instruction that comes while it works.', dropsWhenBusy),
  mutant(
    'TOON-54',
    'ends-at-bad-frames',
    'A bad frame ends the instruction that it works on.',
    endsAtBadFrames,
  ),
  mutant(
    'TOON-50',
    'never-completes',
    'It never says that it has completed.',
    atEnd(() => []),
  ),
  mutant(
    'TOON-50',
    'completes-twice',
    'It says twice that it has completed.',
    atEnd((message) => [message, message]),
  ),
  mutant(
    'TOON-50',
    'reports-afterwards',
    'It reports once more after it has completed.',
    atEnd((message) => [message, madeOf('STATUS', { status: 'cleaning up' })]),
  ),
  mutant(
    'TOON-50',
    'hangs-up-to-end',
    'It ends the connection instead of saying that it has completed.',
    atEnd((_, context) => {
      context.close(1, 'hung up');
      return [];
    }),
  ),
];
