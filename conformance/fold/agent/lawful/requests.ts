/** Lawful agents that answer messages in unusual ways. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { agentCodec } from '../../../../src/fold/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { editIncoming, editOutgoing, editResponses } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext, Output } from '../mutants/mutant.ts';
import { documents, lawful, plainly, responses } from './lawful.ts';

const noTime = 'no document sets a time for an answer; models take minutes';
const events = `${documents.schema}, message MessageResponse: any number of events, in any order, before the terminal`;
const terminal = `${documents.cancellation}, Agent Behavior: done, error or cancelled ends a request`;
const serial = `${documents.page}, The directive grammar: a serial library can run requests in order`;
const unknown = `${documents.compatibility}: unknown fields and payloads are ignored`;
const beats = `${documents.schema}, message Heartbeat: at any time after Welcome`;

/** Another response to the same request. */
const one = (
  { request_id = '' }: MessageResponse,
  event: Omit<MessageResponse, 'request_id'>,
): MessageResponse => ({ request_id, ...event }) as MessageResponse;

/** Runs all requests one after another, in the order of their arrival. */
const oneByOne = (steps?: (content: string) => readonly object[]) => (): AgentFault => {
  const inOneThread = editIncoming((m) => [
    m.send_message === undefined ? m : { send_message: { ...m.send_message, thread_id: 'all' } },
  ]);
  const slow = steps === undefined ? undefined : plainly(steps)();
  return slow?.input === undefined
    ? inOneThread
    : {
        input: (input, context) =>
          inOneThread.input(input, context).flatMap((next) => slow.input?.(next, context) ?? [next]),
      };
};

/** Sends heartbeats beside its responses. */
const beating = (timestamp: (context: FaultContext) => number): AgentFault =>
  editOutgoing((m, context) =>
    m.response === undefined
      ? [m]
      : [{ heartbeat: { timestamp_ms: String(Math.floor(timestamp(context))) } }, m],
  );

/** Puts a field that the schema does not know into texts. Only for short messages, whose length is one byte. */
const unknownFieldBesideText = (): AgentFault => ({
  output(output): readonly Output[] {
    if (output.type !== 'send' || output.message.response?.text === undefined) return [output];
    const [tag = 0, length = 0, ...rest] = agentCodec.encode(output.message);
    const field = [0x98, 0x06, 0x01];
    if (length + field.length > 127) return [output];
    const bytes = Uint8Array.from([tag, length + field.length, ...field, ...rest]);
    return [{ type: 'send_raw', peer: output.peer, bytes }];
  },
});

/** Sends bytes before each done. */
const bytesBeforeDone = (bytes: readonly number[]) => (): AgentFault => ({
  output: (output): readonly Output[] =>
    output.type === 'send' && output.message.response?.done !== undefined
      ? [{ type: 'send_raw', peer: output.peer, bytes: Uint8Array.from(bytes) }, output]
      : [output],
});

/** Splits each text in two. */
const splits = responses((r) => {
  const { text } = r;
  if (text === undefined || text.length < 2 || text.length > 1000) return [r];
  const middle = Math.floor(text.length / 2);
  return [one(r, { text: text.slice(0, middle) }), one(r, { text: text.slice(middle) })];
});

/** Collects texts for this long (ms), and joins them. */
const joins = (ms: number) => (): AgentFault => {
  const held = new Map<string, string>();
  const flush = (id: string, context: FaultContext): void => {
    const text = held.get(id);
    held.delete(id);
    if (text !== undefined) context.send({ response: { request_id: id, text } });
  };
  return editResponses((r, context) => {
    const id = r.request_id ?? '';
    const { text } = r;
    const before = held.get(id);
    if (text !== undefined && text.length < 1000) {
      held.set(id, (before ?? '') + text);
      if (before === undefined) context.later(ms, (then) => flush(id, then));
      return [];
    }
    held.delete(id);
    return before === undefined ? [r] : [one(r, { text: before }), r];
  });
};

/** Peers of this theme. */
export const lawfulRequests: readonly LawfulPeer[] = [
  lawful('slow-answer', 'It is silent for a minute before it answers a message.', {
    allowed: noTime,
    oddity: plainly((say) => [{ wait_ms: 60_000 }, { say }]),
  }),
  lawful('slow-between', 'It is silent for a minute between two texts.', {
    allowed: noTime,
    oddity: plainly((say) => [{ say }, { wait_ms: 60_000 }, { say: ' and that is all' }]),
  }),
  lawful('slow-end', 'It is silent for a minute before its done.', {
    allowed: noTime,
    oddity: plainly((say) => [{ say }, { wait_ms: 60_000 }]),
  }),
  lawful('thinks-long', 'It thinks for three times half a minute.', {
    allowed: noTime,
    oddity: plainly((say) => [
      { think: 'hm' },
      { wait_ms: 30_000 },
      { think: 'hm' },
      { wait_ms: 30_000 },
      { think: 'ah' },
      { wait_ms: 30_000 },
      { say },
    ]),
  }),
  lawful('no-text', 'It answers a message with done alone.', {
    allowed: events,
    oddity: plainly(() => []),
  }),
  lawful('thinking-only', 'It answers a message with thinking alone.', {
    allowed: events,
    oddity: plainly((think) => [{ think }]),
  }),
  lawful('empty-text', 'It sends empty texts before its answer.', {
    allowed: `${documents.page}, Traps: text "" is a text event`,
    oddity: plainly((say) => [{ say: '', times: 3 }, { say }]),
  }),
  lawful('text-then-thinking', 'It thinks after its text.', {
    allowed: events,
    oddity: plainly((say) => [{ say }, { think: 'was that right?' }]),
  }),
  lawful('many-texts', 'It answers with 2,000 texts.', {
    allowed: events,
    oddity: plainly((say) => [{ say }, { say: 'and on ', times: 2000 }]),
  }),
  lawful('large-text', 'It answers with one text of a megabyte.', {
    allowed: `${documents.page}, Carrier: messages have at most 4 MiB`,
    oddity: plainly((say) => [{ say }, { say: 'x'.repeat(1_000_000) }]),
  }),
  lawful('other-words', 'It answers a message in words of its own.', {
    allowed: `${documents.page}, The directive grammar: content without wireproof can be answered in any way`,
    oddity: plainly(() => [{ say: 'I am a helpful agent.' }]),
  }),
  lawful('file-unasked', 'It sends a file with each answer.', {
    allowed: events,
    oddity: plainly((say) => [
      { file: { filename: 'a.txt', mime_type: 'text/plain', base64: 'aGk=' } },
      { say },
    ]),
  }),
  lawful('session-each', 'It begins a session with each message.', {
    allowed: `${documents.schema}, message SessionInit`,
    oddity: plainly((say) => [{ session: 'init' }, { say }]),
  }),
  lawful('usage-unasked', 'It sends usage with each answer.', {
    allowed: `${documents.usage}, Usage Pattern`,
    oddity: plainly((say) => [{ usage: { input_tokens: 7 } }, { say }, { usage: { output_tokens: 3 } }]),
  }),
  lawful('usage-of-zero', 'Its usage has no counts.', {
    allowed: `${documents.usage}: every count can be 0`,
    oddity: plainly((say) => [{ usage: {} }, { say }]),
  }),
  lawful('usage-falls', 'Its second usage has lower counts than the first.', {
    allowed: `${documents.usage}, Usage Pattern: one event for each call`,
    oddity: plainly((say) => [
      { usage: { input_tokens: 900, output_tokens: 90 } },
      { say },
      { usage: { input_tokens: 9, output_tokens: 1 } },
    ]),
  }),
  lawful('no-full-response', 'Its done has no full_response.', {
    allowed: `${documents.schema}, message Done: full_response can be empty`,
    oddity: responses((r) => [r.done === undefined ? r : one(r, { done: {} })]),
    unseen: { 'FOLD-A17': 'it never sends full_response' },
  }),
  lawful('model-down', 'Its model is down: every message in plain words ends in error.', {
    allowed: terminal,
    oddity: plainly(() => [{ fail: 'the model is down' }]),
  }),
  lawful('model-down-by-request', 'Its model is down, and each error names its request.', {
    allowed: terminal,
    oddity: plainly((_, { request_id = '' }) => [{ fail: `request ${request_id.slice(0, 8)}: 503` }]),
  }),
  lawful('error-after-text', 'It fails in the middle of an answer in plain words.', {
    allowed: terminal,
    oddity: plainly((say) => [{ say }, { fail: 'the model closed the connection' }]),
  }),
  lawful('cancels-itself', 'It cancels messages in plain words by itself.', {
    allowed: `${terminal}; spec/fold/README.md, The gateway side: cancelled can come unasked`,
    oddity: () => {
      const plain = plainly(() => [{ fail: 'stopped here' }])();
      return {
        ...plain,
        ...editResponses((r) => [
          r.error === 'stopped here' ? one(r, { cancelled: { reason: 'stopped here' } }) : r,
        ]),
      };
    },
  }),
  lawful('serial', 'It runs its requests one after another.', { allowed: serial, oddity: oneByOne() }),
  lawful('serial-slow', 'It runs its requests one after another, each for half a minute.', {
    allowed: `${serial}; ${noTime}`,
    oddity: oneByOne((say) => [{ wait_ms: 30_000 }, { say }]),
  }),
  lawful('serial-thinking', 'It thinks for a while before each answer, one answer at a time.', {
    allowed: serial,
    oddity: oneByOne((say) => [{ think: 'hm' }, { wait_ms: 12_000 }, { say }]),
  }),
  lawful('later-first', 'It answers messages of other threads in another order.', {
    allowed: `${documents.page}, Decisions, 11: concurrency is allowed`,
    oddity: () => {
      let n = 0;
      return plainly((say) => [{ wait_ms: Math.max(0, 1500 - 400 * n++) }, { say }])();
    },
  }),
  lawful('splits-texts', 'It sends each text in two parts.', {
    allowed: `${documents.schema}, message MessageResponse: texts are parts of one answer`,
    oddity: splits,
  }),
  lawful('joins-texts', 'It joins the texts of 40 ms.', {
    allowed: `${documents.schema}, message MessageResponse: texts are parts of one answer`,
    oddity: joins(40),
  }),
  lawful('joins-texts-longer', 'It joins the texts of 200 ms.', {
    allowed: `${documents.schema}, message MessageResponse: texts are parts of one answer`,
    oddity: joins(200),
  }),
  lawful('unknown-field', 'Its texts have a field that the schema does not know.', {
    allowed: unknown,
    oddity: unknownFieldBesideText,
  }),
  lawful('unknown-payload', 'It sends a payload that the schema does not know before each done.', {
    allowed: unknown,
    oddity: bytesBeforeDone([0x9a, 0x06, 0x01, 0x41]),
  }),
  lawful('empty-message', 'It sends an empty message before each done.', {
    allowed: unknown,
    oddity: bytesBeforeDone([]),
  }),
  lawful('beats-often', 'It sends a heartbeat before each response.', {
    allowed: beats,
    oddity: () => beating(({ now }) => now),
  }),
  lawful('beats-equal', 'Its heartbeats all have the same time.', {
    allowed: `${beats}; its time never falls`,
    oddity: () => beating(() => 1_700_000_000_000),
  }),
  lawful('thinks-between', 'It sends a thinking before every text.', {
    allowed: events,
    oddity: responses((r) => (r.text === undefined ? [r] : [one(r, { thinking: 'so' }), r])),
  }),
  lawful('session-init-late', 'It begins its session before each done.', {
    allowed: `${documents.schema}, message SessionInit: not a terminal`,
    oddity: responses((r) =>
      r.done === undefined ? [r] : [one(r, { session_init: { session_id: 's-1' } }), r],
    ),
  }),
  lawful('file-before-done', 'It sends a file without a name before each done.', {
    allowed: events,
    oddity: responses((r) => (r.done === undefined ? [r] : [one(r, { file: { data: 'aGk=' } }), r])),
  }),
  lawful('orphaned-then-done', 'It ends a request with an orphaned session as done.', {
    allowed: `${documents.schema}, message SessionOrphaned: any terminal follows`,
    oddity: responses((r) => [r.error === 'session orphaned' ? one(r, { done: {} }) : r]),
  }),
  lawful('orphaned-then-cancelled', 'It ends a request with an orphaned session as cancelled.', {
    allowed: `${documents.schema}, message SessionOrphaned: any terminal follows`,
    oddity: responses((r) => [r.error === 'session orphaned' ? one(r, { cancelled: { reason: '' } }) : r]),
  }),
  lawful('orphaned-each', 'Its session is gone for each message, and it goes on in a new session.', {
    allowed: `${documents.schema}, message SessionOrphaned: any terminal follows`,
    oddity: () => ({
      ...plainly((say) => [{ say: '' }, { wait_ms: 30_000 }, { say }])(),
      ...editResponses((r) => [r.text === '' ? one(r, { session_orphaned: { reason: 'expired' } }) : r]),
    }),
  }),
];
