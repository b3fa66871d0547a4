/** Subagents that carry out an instruction wrongly: its results and its end. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { MessageType } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, payloadIn, refusalOf, utf8 } from '../../shared/mutants/bytes.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { editIncoming, editOutgoing, madeOf, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, PeerFaults } from '../../shared/mutants/mutant.ts';

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
export const workFaults: PeerFaults = {
  'heartbeat-as-result': heartbeatAsResult,
  'any-answer-does': anyAnswer,
  'hangs-up-at-stray-results': hangsUpAtStray,
  'last-in-first-out': reversed,
  'ascii-results': asciiResults,
  'deaf-to-ids': withoutIds,
  'truthy-success': truthySuccess,
  'drops-when-busy': dropsWhenBusy,
  'ends-at-bad-frames': endsAtBadFrames,
  'never-completes': atEnd(() => []),
  'completes-twice': atEnd((message) => [message, message]),
  'reports-afterwards': atEnd((message) => [message, madeOf('STATUS', { status: 'cleaning up' })]),
  'hangs-up-to-end': atEnd((_, context) => {
    context.close(1, 'hung up');
    return [];
  }),
};
