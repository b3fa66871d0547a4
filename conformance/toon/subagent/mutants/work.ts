/** Subagents that carry out an instruction wrongly: its results and its end. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { allFaults, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { Replacement } from '../../../../src/kit/suite/index.ts';
import { MessageType } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, payloadIn, refusalOf, utf8 } from '../../shared/mutants/bytes.ts';
import { endsInstruction } from '../../shared/view-peer.ts';
import { madeOf, payloads, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, PeerFaults } from '../../shared/mutants/mutant.ts';

const reversed = (): PeerFault =>
  payloads('STATUS', (payload) => {
    const { results } = payload;
    return Array.isArray(results) ? { ...payload, results: results.toReversed() } : payload;
  });

/** Ignores the requestIds of results. */
const withoutIds = (): PeerFault => onReceive('TOOL_RESULT', (message) => [without(message, 'requestId')]);

/** Edits STATUS completed. */
export const atEnd =
  (edit: (message: ToonMessage, context: FaultContext) => readonly ToonMessage[]) => (): PeerFault =>
    onSend('STATUS', (message, context) =>
      message.payload.status === 'completed' ? edit(message, context) : undefined,
    );

/** Ends its instruction with the ERROR about a bad frame: its later messages about it are not sent. */
function endsAtBadFrames(): PeerFault {
  let active = 0;
  let ended = false;
  return allFaults(
    onReceive('INSTRUCTION', () => void active++),
    onSend((message) => {
      const { type, payload } = message;
      if (type === 'HEARTBEAT') return;
      if (type === 'ERROR' && payload['code'] === 'BAD_FRAME') {
        ended ||= active > 0;
        return;
      }
      const drops = ended;
      if (endsInstruction(message)) {
        active--;
        ended = false;
      }
      return drops ? [] : undefined;
    }),
  );
}

/** Drops an instruction that comes while it works on another. */
function dropsWhenBusy(): PeerFault {
  let busy = false;
  return allFaults(
    onReceive('INSTRUCTION', () => {
      const drops = busy;
      busy = true;
      return drops ? [] : undefined;
    }),
    onSend((message) => {
      if (endsInstruction(message)) busy = false;
    }),
  );
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
  ) => Replacement<ToonMessage>,
): PeerFault => {
  let waits: ToonMessage['type'] | undefined;
  return allFaults(
    onReceive((message, context) => {
      const given = edit(message, waits, context) ?? [message];
      if (given.some(({ type }) => type === 'TOOL_RESULT' || type === 'CONTEXT_RESPONSE')) waits = undefined;
      return given;
    }),
    onSend(['TOOL_CALL', 'CONTEXT_REQUEST'], ({ type }) => void (waits = type)),
  );
};

const heartbeatAsResult = (): PeerFault =>
  atWaiting((message, waits) =>
    message.type === 'HEARTBEAT' && waits === 'TOOL_CALL'
      ? [{ ...message, type: 'TOOL_RESULT', payload: { success: true } }]
      : undefined,
  );

/** Reads texts of results as ASCII. */
const asciiResults = (): PeerFault =>
  onReceive('TOOL_RESULT', (message) => {
    const { data } = message.payload;
    if (typeof data !== 'string') return;
    return [withPayload(message, { ...message.payload, data: data.replaceAll(/[^\0-\x7f]/g, '?') })];
  });

const anyAnswer = (): PeerFault =>
  atWaiting((message, waits) =>
    message.type === 'TOOL_RESULT' && waits === 'CONTEXT_REQUEST'
      ? [{ ...message, type: 'CONTEXT_RESPONSE' }]
      : undefined,
  );

const hangsUpAtStray = (): PeerFault =>
  atWaiting((message, waits, context) => {
    if (waits !== undefined || message.type !== 'TOOL_RESULT') return;
    context.close(1, 'not asked');
    return [];
  });

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
