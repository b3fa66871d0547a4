/**
 * Verdicts on single answers, at the limits of a requirement: where a rule could be too strict, or not strict enough.
 */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { llmServerSuite } from './suite.ts';

type Sent = readonly [kind: TraceEvent['kind'], data: JsonObject];

/** Judges a trace of one exchange. @param waits - how long the kit waits after it (ms) */
function judge(
  open: JsonObject,
  asked: readonly Json[],
  answer: readonly Sent[],
  waits = 0,
): { broken: readonly string[]; held: readonly string[] } {
  const judging = new Judge(llmServerSuite.judging);
  let seq = 0;
  const put = (from: string, kind: TraceEvent['kind'], data: JsonObject, at = seq): void => {
    const where = from === 'kit' ? { conn: '', stream: '' } : { conn: 'c1', stream: 's1' };
    const to = from === 'target' ? 'client' : 'target';
    judging.step({ seq: seq++, at, wire: 'llm', ...where, from, to, kind, data });
  };
  put('kit', 'mark', { run: { drive: 'any', timeouts: { step: 1000 } } });
  put('client', 'open', open);
  for (const body of asked) put('client', 'message', { body });
  for (const [kind, data] of answer) put('target', kind, data);
  put('kit', 'mark', { end: true }, seq + waits);
  const found = [...judging.end()];
  return {
    broken: found.flatMap(([id, { violations }]) => (violations.length > 0 ? [id] : [])),
    held: found.flatMap(([id, { exercised }]) => (exercised > 0 ? [id] : [])),
  };
}

const post = (path: string): JsonObject => ({ ':carrier': 'http', ':method': 'POST', ':path': path });
const head = (type = 'text/event-stream', status = '200'): Sent => [
  'headers',
  { ':status': status, 'content-type': type },
];
const said = (data: Json): Sent => ['message', { data }];
const event = (data: { readonly type: string; readonly [name: string]: Json }): Sent => [
  'message',
  { event: data.type, data },
];
const end: Sent = ['end', { code: 0, message: '' }];
const messages = [{ role: 'user', content: 'Hi' }];

const named = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm' };

describe('a body of Anthropic', () => {
  const counted = (input: JsonObject, output: number): ReturnType<typeof judge> =>
    judge(
      post('/v1/messages'),
      [{ model: 'm', max_tokens: 50, messages }],
      [
        head('application/json'),
        said({
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null },
          content: [{ type: 'tool_use', id: 't1', name: 'look', input }],
          stop_reason: 'max_tokens',
          usage: { input_tokens: 5, output_tokens: output },
        }),
        end,
      ],
    );

  it('may count no token for a call that was cut before its first character: its input is {} all the same', () => {
    expect(counted({}, 0)).toMatchObject({ broken: [] });
    expect(counted({}, 0).held).not.toContain('LLM-S24');
    expect(counted({ path: 'a.txt' }, 0).broken).toContain('LLM-S24');
  });
});

const begun = { id: 'resp_1', created_at: 1, model: 'm', status: 'in_progress', output: [] };

// Recorded failures of OpenAI: an error event, then response.failed.
describe('a failure of OpenAI Responses', () => {
  const of = (...more: readonly Sent[]): ReturnType<typeof judge> =>
    judge(
      post('/v1/responses'),
      [{ model: 'm', input: 'Hi', stream: true }],
      [
        head(),
        event({ type: 'response.created', sequence_number: 0, response: begun }),
        event({ type: 'error', sequence_number: 1, error: { message: 'broke', type: 'server_error' } }),
        ...more,
        end,
      ],
    );
  const failed = (number: number): Sent =>
    event({
      type: 'response.failed',
      sequence_number: number,
      response: { status: 'failed', error: { code: 'server_error', message: 'broke' } },
    });

  it('is one end in two events', () => {
    expect(of().broken).toEqual([]);
    expect(of(failed(2)).broken).toEqual([]);
  });

  it('is not followed by another terminal, or by a second failure', () => {
    const completed = event({
      type: 'response.completed',
      sequence_number: 2,
      response: { status: 'completed' },
    });
    expect(of(completed).broken).toEqual(['LLM-S02']);
    expect(of(failed(2), failed(3)).broken).toEqual(['LLM-S02']);
  });
});

describe('an answer of OpenAI chat', () => {
  const chunk = (delta: JsonObject, finish: string | null = null): Sent =>
    said({
      ...named,
      choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish }],
      usage: null,
    });
  const usage = (output: number): Sent =>
    said({ choices: [], usage: { prompt_tokens: 3, completion_tokens: output } });
  const call = (text: string): Sent =>
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
    });
  const done = said('[DONE]');
  const body = (max_tokens: number): Json => ({
    model: 'm',
    messages,
    max_tokens,
    stream: true,
    stream_options: { include_usage: true },
  });
  const of = (limit: number, ...answer: readonly Sent[]): ReturnType<typeof judge> =>
    judge(post('/proxy/v1/chat/completions?x=1'), [body(limit)], [head(), ...answer, done, end]);

  it('may end with its last token: a complete sentence is not cut short', () => {
    expect(of(4, chunk({ content: 'All is well.' }), chunk({}, 'stop'), usage(4)).broken).toEqual([]);
    expect(of(4, chunk({ content: 'All is we' }), chunk({}, 'stop'), usage(4)).broken).toEqual(['LLM-S10']);
  });

  it('may call a tool with its last token, if the call is complete', () => {
    expect(of(9, call('{"a":1}'), chunk({}, 'tool_calls'), usage(9)).broken).toEqual([]);
    expect(of(9, call('{"a":'), chunk({}, 'tool_calls'), usage(9)).broken).toEqual(['LLM-S10']);
  });

  it('may have a true stop reason, though the arguments of a call are not JSON', () => {
    expect(of(99, call('{"a":'), chunk({}, 'tool_calls'), usage(9)).broken).toEqual(['LLM-S11']);
  });

  it('may have a cut call when it reports the limit, whatever it counts', () => {
    expect(of(99, call('{"a":'), chunk({}, 'length'), usage(9)).broken).toEqual([]);
  });

  it('may send [DONE] after an error in mid-stream, as several servers do', () => {
    const error = said({ error: { message: 'out of memory', type: 'server_error' } });
    const { broken, held } = of(9, chunk({ content: 'Hi' }), error);
    expect(broken).toEqual([]);
    expect(held).toContain('LLM-S14');
  });

  it('without an end is waited for as long as the timeout says', () => {
    const open = post('/v1/chat/completions');
    const answer = [head(), chunk({ content: 'Hi' })];
    expect(judge(open, [body(9)], answer, 2000).broken).toEqual(['LLM-S02']);
    expect(judge(open, [body(9)], answer, 100).broken).toEqual([]);
  });

  it('to a request that cannot be read may have usage or not', () => {
    const asked: Json = { model: 'm', messages: 'of a later version', stream: true };
    const of = (...answer: readonly Sent[]): readonly string[] =>
      judge(post('/v1/chat/completions'), [asked], [head(), ...answer, done, end]).broken;
    expect(of(chunk({ content: 'Hi.' }), chunk({}, 'stop'))).toEqual([]);
    expect(of(chunk({ content: 'Hi.' }), chunk({}, 'stop'), usage(4))).toEqual([]);
  });

  it('without an end is a violation when the connection is lost', () => {
    const answer: readonly Sent[] = [head(), chunk({ content: 'Hi' }), ['reset', {}]];
    expect(judge(post('/v1/chat/completions'), [body(9)], answer).broken).toEqual(['LLM-S02']);
  });
});

describe('an answer of Anthropic', () => {
  const body: Json = { model: 'm', messages, max_tokens: 9, stream: true };
  const start = event({
    type: 'message_start',
    message: { content: [], usage: { input_tokens: 3, output_tokens: 1 } },
  });
  const opened = event({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
  });
  const closed = event({ type: 'content_block_stop', index: 0 });
  const delta = (partial_json: string): Sent =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } });
  const stops = (stop_reason: string, output_tokens: number): Sent =>
    event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens } });
  const stop = event({ type: 'message_stop' });
  const of = (...answer: readonly Sent[]): ReturnType<typeof judge> =>
    judge(post('/v1/messages'), [body], [head(), start, ...answer, end]);

  it('need not close the block that the limit cut', () => {
    expect(of(opened, delta('{"a":'), stops('max_tokens', 9), stop).broken).toEqual([]);
    expect(of(opened, delta('{"a":1}'), stops('end_turn', 8), stop).broken).toEqual(['LLM-S04']);
  });

  it('may call a tool without arguments with empty deltas', () => {
    const { broken, held } = of(opened, delta(''), closed, stops('tool_use', 8), stop);
    expect(broken).toEqual([]);
    expect(held).toContain('LLM-S11');
  });

  it('may have unknown events and deltas, and a ping anywhere', () => {
    const ping = event({ type: 'ping' });
    const strange = event({ type: 'content_block_delta', index: 0, delta: { type: 'new_delta', x: 1 } });
    const news = event({ type: 'something_new' });
    expect(of(opened, strange, ping, closed, news, stops('tool_use', 8), stop, ping).broken).toEqual([]);
  });

  it('is not required when the client closed the exchange', () => {
    const judging = new Judge(llmServerSuite.judging);
    const at = (seq: number, from: string, kind: TraceEvent['kind'], data: JsonObject): void =>
      judging.step({ seq, at: seq, wire: 'llm', conn: 'c1', stream: 's1', from, to: '', kind, data });
    at(0, 'client', 'open', post('/v1/messages'));
    at(1, 'client', 'message', { body });
    at(2, 'target', 'headers', { ':status': '200', 'content-type': 'text/event-stream' });
    at(3, 'client', 'end', { code: 1, message: '' });
    expect([...judging.end()].filter(([, { exercised }]) => exercised > 0)).toEqual([]);
  });
});

describe('other answers', () => {
  it('of Ollama may omit counts that are zero, but no other count', () => {
    const ask: Json = { model: 'm', messages };
    const line = (content: string): Sent => said({ message: { role: 'assistant', content }, done: false });
    const last = (more: JsonObject): Sent =>
      said({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', ...more });
    const of = (...answer: readonly Sent[]): readonly string[] =>
      judge(post('/api/chat'), [ask], [head('application/x-ndjson'), ...answer, end]).broken;
    expect(of(last({}))).toEqual([]);
    expect(of(line('Hi.'), last({ eval_count: 2 }))).toEqual([]);
    expect(of(line('Hi.'), last({ prompt_eval_count: 4 }))).toEqual(['LLM-S13']);
  });

  it('that are errors exercise no requirement of answers', () => {
    const error: Json = { error: { message: 'no key', type: 'invalid_request_error' } };
    const answer = [head('application/json', '401'), said(error), end];
    expect(judge(post('/v1/responses'), [{ model: 'm', input: 'Hi' }], answer).held).toEqual(['LLM-S17']);
  });

  it('of pages outside the dialects are ignored', () => {
    const answer = [head('text/html', '500'), ['undecodable', { code: 'not-json' }] as const, end];
    expect(judge(post('/v1/models'), [], answer)).toEqual({ broken: [], held: [] });
  });

  it('of LM Studio are not required when the client was refused', () => {
    const open = { ':carrier': 'ws', ':method': 'GET', ':path': '/llm' };
    const create = { type: 'channelCreate', endpoint: 'predict', channelId: 0, creationParameter: {} };
    const welcome = { authVersion: 1, clientIdentifier: 'a', clientPasskey: 'b' };
    const refused = [said({ success: false, error: 'who are you?' }), end];
    expect(judge(open, [welcome, create], refused).broken).toEqual([]);
    expect(judge(open, [create], refused)).toEqual({ broken: [], held: ['LLM-S09'] });
    expect(judge(open, [create], [said({ success: true }), end]).broken).toEqual(['LLM-S09']);
  });
});
