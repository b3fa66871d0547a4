/** Lawful subagents that work on their instructions in an unusual way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { parseDirective } from '../../../../src/toon/index.ts';
import type { MessageName, ToonMessage } from '../../../../src/toon/index.ts';
import { editIncoming, editOutgoing, madeOf, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { payloads } from './lawful.ts';

const status = (text: string, more: JsonObject = {}): ToonMessage =>
  madeOf('STATUS', { status: text, ...more });

/** Edits STATUS completed. */
const atEnd = (edit: (message: ToonMessage) => readonly ToonMessage[]) => (): PeerFault =>
  editOutgoing('STATUS', (payload, message) => (payload.status === 'completed' ? edit(message) : [message]));

/** Sends messages after each of its first statuses for an instruction that is no directive. */
const atAnalyzing = (edit: (message: ToonMessage) => readonly ToonMessage[]) => (): PeerFault =>
  editOutgoing('STATUS', (payload, message) => (payload.status === 'analyzing' ? edit(message) : [message]));

/** Edits each progress. */
const progress = (edit: (progress: number) => number): (() => PeerFault) =>
  payloads(['STATUS'], (payload) => {
    const { progress: value } = payload;
    return typeof value === 'number' ? { ...payload, progress: edit(value) } : payload;
  });

/** How it reports. */
const reporting: PeerFaults = {
  'progress-stays': progress(() => 0),
  'progress-ahead': progress(() => 1),
  'many-statuses': () =>
    editOutgoing('STATUS', (payload, message) =>
      payload.status === 'completed' || payload['results'] !== undefined
        ? [message]
        : [message, ...Array.from({ length: 19 }, () => status('still working'))],
    ),
  'says-done-first': atEnd((message) => [status('complete'), status('COMPLETED'), status('done'), message]),
  'empty-status': atEnd((m) => [status(''), m]),
  'says-taken': () =>
    editIncoming((message, context) => {
      if (message.type === 'INSTRUCTION') send(context, 'STATUS', { status: 'received' });
      return [message];
    }),
  'only-completed': atAnalyzing(() => []),
};

/** How it calls. */
const calling: PeerFaults = {
  'calls-beside': () => ownCall('TOOL_CALL', { toolName: 'read_memory', args: { key: 'k' } }),
  'asks-beside': () => ownCall('CONTEXT_REQUEST', { type: 'memory', path: 'notes' }),
  'calls-and-leaves': () =>
    atEnd((message) => [madeOf('TOOL_CALL', { toolName: 'log', args: {} }), message])(),
  'calls-first-by-id': strictIds,
  'numbers-as-ids': () => idsOf((n) => n),
  'gives-up-calls': givesUp,
};

/** A call in ordinary work: the reference waits with its end until the answer comes. */
function ownCall(type: MessageName, payload: JsonObject): PeerFault {
  let held: ToonMessage[] | undefined;
  const answer = type === 'TOOL_CALL' ? 'TOOL_RESULT' : 'CONTEXT_RESPONSE';
  return {
    ...editIncoming((message, context) => {
      if (held === undefined || message.type !== answer) return [message];
      for (const one of held) context.send(one);
      held = undefined;
      return [];
    }),
    ...editOutgoing('STATUS', (given, message) => {
      if (held !== undefined) {
        held.push(message);
        return [];
      }
      if (given.status !== 'analyzing') return [message];
      held = [];
      return [message, madeOf(type, payload)];
    }),
  };
}

/** Gives its calls ids. */
function idsOf(make: (n: number) => string | number): PeerFault {
  let n = 0;
  return editOutgoing('TOOL_CALL', (payload, message) => [
    payload['requestId'] === undefined ? withPayload(message, { ...payload, requestId: make(++n) }) : message,
  ]);
}

/** Drops results without an id. */
function strictIds(): PeerFault {
  return {
    ...idsOf((n) => `call-${n}`),
    ...editIncoming((message) =>
      message.type === 'TOOL_RESULT' && message.payload['requestId'] === undefined ? [] : [message],
    ),
  };
}

/** Calls two tools at a time where a directive orders one, and gives the instruction up without the second result. */
function givesUp(): PeerFault {
  let open = 0;
  let ended = false;
  return {
    ...editIncoming((message) => {
      if (message.type === 'INSTRUCTION') ended = false;
      if (message.type !== 'TOOL_RESULT' || open === 0) return [message];
      if (message.payload['data'] !== 'ok:audit') return [message];
      open--;
      return [];
    }),
    ...editOutgoing('TOOL_CALL', ({ toolName }, message, context) => {
      if (toolName !== 'quick') return [message];
      open++;
      context.later(2000, (later) => {
        if (open === 0 || ended) return;
        ended = true;
        open--;
        send(later, 'ERROR', { code: 'NO_ANSWER', message: 'the audit tool did not answer' });
      });
      return [madeOf('TOOL_CALL', { toolName: 'audit', args: {}, requestId: 'audit' }), message];
    }),
  };
}

/** How it ends, and when. */
const ending: PeerFaults = {
  'reads-between': blocking,
  'bare-completed': () => atEnd((message) => [withPayload(message, { status: 'completed' })])(),
  'completed-in-part': () =>
    atEnd((message) => [withPayload(message, { status: 'completed', progress: 0.5 })])(),
  'fails-ordinary': () => failsAfter(true),
  'fails-at-once': () => failsAfter(false),
  'slow-to-begin': () => delayed(4000),
};

/** Ends ordinary instructions with an ERROR. */
function failsAfter(first: boolean): PeerFault {
  let ordinary = 0;
  return {
    ...editIncoming((message) => {
      if (message.type === 'INSTRUCTION' && !isDirective(message)) ordinary++;
      return [message];
    }),
    ...editOutgoing('STATUS', (payload, message) => {
      if (ordinary === 0 || !['analyzing', 'completed'].includes(payload.status)) return [message];
      if (payload.status === 'analyzing') return first ? [message] : [];
      ordinary--;
      return [madeOf('ERROR', { code: 'MODEL_DOWN', message: 'no model answers' })];
    }),
  };
}

function isDirective({ payload }: ToonMessage): boolean {
  const text = payload['instruction'];
  const parsed = typeof text === 'string' ? parseDirective(text) : undefined;
  return parsed === undefined || !parsed.ok || parsed.value !== undefined;
}

/** Reads each instruction late, and all later messages after it. */
function delayed(ms: number): PeerFault {
  return {
    input(input, context) {
      if (input.type !== 'message' || input.message.type !== 'INSTRUCTION') return [input];
      context.later(ms, (later) => later.tellInput(input));
      return [];
    },
  };
}

/** Reads nothing for 600 ms after a STATUS of a directive that it works on, unless it waits for an answer. */
function blocking(): PeerFault {
  let busyUntil = 0;
  return {
    input(input, context) {
      const wait = busyUntil - context.now;
      if ((input.type !== 'message' && input.type !== 'undecodable') || wait <= 0) return [input];
      context.later(Math.ceil(wait), (later) => later.tellInput(input));
      return [];
    },
    output(output, context) {
      if (output.type !== 'send') return [output];
      const { type, payload } = output.message;
      busyUntil = type === 'STATUS' && payload['status'] !== 'completed' ? context.now + 600 : 0;
      return [output];
    },
  };
}

/** The peers of this theme. */
export const workPeers: PeerFaults = { ...reporting, ...calling, ...ending };
