/** Lawful agents that answer messages in unusual ways. */
import { allFaults, onSend } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { onResponse } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from '../mutants/mutant.ts';
import { bytesBeforeDone, textAsBytes, withField } from '../mutants/requests.ts';
import { inOneThread, plainly, responses } from './lawful.ts';

/** Another response to the same request. */
const one = (
  { request_id = '' }: MessageResponse,
  event: Omit<MessageResponse, 'request_id'>,
): MessageResponse => ({ request_id, ...event }) as MessageResponse;

/** Runs all requests one after another, in the order of their arrival. */
const oneByOne = (steps: (content: string) => readonly object[]) => (): AgentFault =>
  allFaults(inOneThread(), plainly(steps)());

/** Sends heartbeats between its responses. */
const beating = (timestamp: (context: FaultContext) => number): AgentFault =>
  onSend(
    (m, context) =>
      m.response && [{ heartbeat: { timestamp_ms: String(Math.floor(timestamp(context))) } }, m],
  );

/** A field that the schema does not know. */
const unknownField = [0x98, 0x06, 0x01];

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
  return onResponse((r, context) => {
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

export const lawfulRequests: AgentFaults = {
  'slow-answer': plainly((say) => [{ wait_ms: 60_000 }, { say }]),
  'slow-between': plainly((say) => [{ say }, { wait_ms: 60_000 }, { say: ' and that is all' }]),
  'slow-end': plainly((say) => [{ say }, { wait_ms: 60_000 }]),
  'thinks-long': plainly((say) => [
    { think: 'hm' },
    { wait_ms: 30_000 },
    { think: 'hm' },
    { wait_ms: 30_000 },
    { think: 'ah' },
    { wait_ms: 30_000 },
    { say },
  ]),
  'no-text': plainly(() => []),
  'thinking-only': plainly((think) => [{ think }]),
  'empty-text': plainly((say) => [{ say: '', times: 3 }, { say }]),
  'text-then-thinking': plainly((say) => [{ say }, { think: 'was that right?' }]),
  'many-texts': plainly((say) => [{ say }, { say: 'and on ', times: 2000 }]),
  'large-text': plainly((say) => [{ say }, { say: 'x'.repeat(1_000_000) }]),
  'other-words': plainly(() => [{ say: 'I am a helpful agent.' }]),
  'file-unasked': plainly((say) => [
    { file: { filename: 'a.txt', mime_type: 'text/plain', base64: 'aGk=' } },
    { say },
  ]),
  'session-each': plainly((say) => [{ session: 'init' }, { say }]),
  'usage-unasked': plainly((say) => [
    { usage: { input_tokens: 7 } },
    { say },
    { usage: { output_tokens: 3 } },
  ]),
  'usage-of-zero': plainly((say) => [{ usage: {} }, { say }]),
  'usage-falls': plainly((say) => [
    { usage: { input_tokens: 900, output_tokens: 90 } },
    { say },
    { usage: { input_tokens: 9, output_tokens: 1 } },
  ]),
  'no-full-response': responses((r) => [r.done === undefined ? r : one(r, { done: {} })]),
  'model-down': plainly(() => [{ fail: 'the model is down' }]),
  'model-down-by-request': plainly((_, { request_id = '' }) => [
    { fail: `request ${request_id.slice(0, 8)}: 503` },
  ]),
  'error-after-text': plainly((say) => [{ say }, { fail: 'the model closed the connection' }]),
  'cancels-itself': () =>
    allFaults(
      plainly(() => [{ fail: 'stopped here' }])(),
      onResponse((r) => [r.error === 'stopped here' ? one(r, { cancelled: { reason: 'stopped here' } }) : r]),
    ),
  serial: inOneThread,
  'serial-slow': oneByOne((say) => [{ wait_ms: 30_000 }, { say }]),
  'serial-thinking': oneByOne((say) => [{ think: 'hm' }, { wait_ms: 12_000 }, { say }]),
  'later-first': () => {
    let n = 0;
    return plainly((say) => [{ wait_ms: Math.max(0, 1500 - 400 * n++) }, { say }])();
  },
  'splits-texts': splits,
  'joins-texts': joins(40),
  'joins-texts-longer': joins(200),
  'unknown-field': textAsBytes(withField(unknownField)),
  'unknown-payload': bytesBeforeDone([0x9a, 0x06, 0x01, 0x41]),
  'empty-message': bytesBeforeDone([]),
  'beats-often': () => beating(({ now }) => now),
  'beats-equal': () => beating(() => 1_700_000_000_000),
  'thinks-between': responses((r) => (r.text === undefined ? [r] : [one(r, { thinking: 'so' }), r])),
  'session-init-late': responses((r) =>
    r.done === undefined ? [r] : [one(r, { session_init: { session_id: 's-1' } }), r],
  ),
  'file-before-done': responses((r) =>
    r.done === undefined ? [r] : [one(r, { file: { data: 'aGk=' } }), r],
  ),
  'orphaned-then-done': responses((r) => [r.error === 'session orphaned' ? one(r, { done: {} }) : r]),
  'orphaned-then-cancelled': responses((r) => [
    r.error === 'session orphaned' ? one(r, { cancelled: { reason: '' } }) : r,
  ]),
  'orphaned-each': () =>
    allFaults(
      plainly((say) => [{ say: '' }, { wait_ms: 30_000 }, { say }])(),
      onResponse((r) => [r.text === '' ? one(r, { session_orphaned: { reason: 'expired' } }) : r]),
    ),
};
