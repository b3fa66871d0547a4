/** Lawful subagents that work on their instructions in an unusual way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { allFaults, onReceive, onSend, receiveLate } from '../../../../src/kit/suite/index.ts';
import { parseDirective } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { madeOf, payloads, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { progress } from '../mutants/sending.ts';
import { atEnd } from '../mutants/work.ts';

const status = (text: string, more: JsonObject = {}): ToonMessage =>
  madeOf('STATUS', { status: text, ...more });

/** Edits its first status for an instruction that is no directive. */
const atAnalyzing = (edit: (message: ToonMessage) => readonly ToonMessage[]) => (): PeerFault =>
  onSend('STATUS', (message) => (message.payload.status === 'analyzing' ? edit(message) : undefined));

const reporting: PeerFaults = {
  'progress-stays': progress(() => 0),
  'progress-ahead': progress(() => 1),
  'many-statuses': () =>
    onSend('STATUS', (message) =>
      message.payload.status === 'completed' || message.payload['results'] !== undefined
        ? undefined
        : [message, ...Array.from({ length: 19 }, () => status('still working'))],
    ),
  'says-done-first': atEnd((message) => [status('complete'), status('COMPLETED'), status('done'), message]),
  'empty-status': atEnd((m) => [status(''), m]),
  'says-taken': () =>
    onReceive('INSTRUCTION', (_, context) => send(context, 'STATUS', { status: 'received' })),
  'only-completed': atAnalyzing(() => []),
};

const calling: PeerFaults = {
  'calls-beside': () => ownCall('TOOL_CALL', { toolName: 'read_memory', args: { key: 'k' } }),
  'asks-beside': () => ownCall('CONTEXT_REQUEST', { type: 'memory', path: 'notes' }),
  'calls-and-leaves': atEnd((message) => [madeOf('TOOL_CALL', { toolName: 'log', args: {} }), message]),
  'calls-first-by-id': strictIds,
  'numbers-as-ids': () => idsOf((n) => n),
  'gives-up-calls': givesUp,
};

/** A call in ordinary work: the reference waits with its end until the answer comes. */
function ownCall(type: 'TOOL_CALL' | 'CONTEXT_REQUEST', payload: JsonObject): PeerFault {
  let held: ToonMessage[] | undefined;
  return allFaults(
    onReceive(type === 'TOOL_CALL' ? 'TOOL_RESULT' : 'CONTEXT_RESPONSE', (_, context) => {
      if (held === undefined) return;
      for (const one of held) context.send(one);
      held = undefined;
      return [];
    }),
    onSend('STATUS', (message) => {
      if (held !== undefined) {
        held.push(message);
        return [];
      }
      if (message.payload.status !== 'analyzing') return;
      held = [];
      return [message, madeOf(type, payload)];
    }),
  );
}

/** Gives its calls ids. */
function idsOf(make: (n: number) => string | number): PeerFault {
  let n = 0;
  return payloads('TOOL_CALL', (payload) =>
    payload['requestId'] === undefined ? { ...payload, requestId: make(++n) } : payload,
  );
}

/** Drops results without an id. */
function strictIds(): PeerFault {
  return allFaults(
    idsOf((n) => `call-${n}`),
    onReceive('TOOL_RESULT', ({ payload }) => (payload['requestId'] === undefined ? [] : undefined)),
  );
}

/** Calls two tools at a time where a directive orders one, and gives the instruction up without the second result. */
function givesUp(): PeerFault {
  let open = 0;
  let ended = false;
  return allFaults(
    onReceive(['INSTRUCTION', 'TOOL_RESULT'], ({ type, payload }) => {
      if (type === 'INSTRUCTION') ended = false;
      if (open === 0 || payload['data'] !== 'ok:audit') return;
      open--;
      return [];
    }),
    onSend('TOOL_CALL', (message, context) => {
      if (message.payload.toolName !== 'quick') return;
      open++;
      context.later(2000, (later) => {
        if (open === 0 || ended) return;
        ended = true;
        open--;
        send(later, 'ERROR', { code: 'NO_ANSWER', message: 'the audit tool did not answer' });
      });
      return [madeOf('TOOL_CALL', { toolName: 'audit', args: {}, requestId: 'audit' }), message];
    }),
  );
}

const ending: PeerFaults = {
  'reads-between': blocking,
  'bare-completed': atEnd((message) => [withPayload(message, { status: 'completed' })]),
  'completed-in-part': atEnd((message) => [withPayload(message, { status: 'completed', progress: 0.5 })]),
  'fails-ordinary': () => failsAfter(true),
  'fails-at-once': () => failsAfter(false),
  // All later messages come after it.
  'slow-to-begin': () => onReceive('INSTRUCTION', receiveLate(4000)),
};

/** Ends ordinary instructions with an ERROR. */
function failsAfter(first: boolean): PeerFault {
  let ordinary = 0;
  return allFaults(
    onReceive('INSTRUCTION', (message) => {
      if (!isDirective(message)) ordinary++;
    }),
    onSend('STATUS', ({ payload: { status: said } }) => {
      if (ordinary === 0 || !['analyzing', 'completed'].includes(said)) return;
      if (said === 'analyzing') return first ? undefined : [];
      ordinary--;
      return [madeOf('ERROR', { code: 'MODEL_DOWN', message: 'no model answers' })];
    }),
  );
}

function isDirective({ payload }: ToonMessage): boolean {
  const text = payload['instruction'];
  const parsed = typeof text === 'string' ? parseDirective(text) : undefined;
  return parsed === undefined || !parsed.ok || parsed.value !== undefined;
}

/** Reads nothing for 600 ms after a STATUS of a directive that it works on, unless it waits for an answer. */
function blocking(): PeerFault {
  let busyUntil = 0;
  return allFaults(
    {
      input(input, context) {
        const wait = busyUntil - context.now;
        if ((input.type !== 'message' && input.type !== 'undecodable') || wait <= 0) return [input];
        context.later(Math.ceil(wait), (later) => later.tellInput(input));
        return [];
      },
    },
    onSend(({ type, payload }, context) => {
      busyUntil = type === 'STATUS' && payload['status'] !== 'completed' ? context.now + 600 : 0;
    }),
  );
}

export const workPeers: PeerFaults = { ...reporting, ...calling, ...ending };
