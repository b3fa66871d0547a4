/**
 * Responses over WebSocket. Sources: OpenAI, guide "WebSocket mode"; openai 7.59, `ResponsesClientEvent`; openai/codex,
 * `responses_websocket.rs`; router-for-me/CLIProxyAPI#6006 for a request that generates nothing.
 */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { isObject } from '../../kit/base/index.ts';
import { script } from '../script/builder.ts';
import { Stepped } from './streamer.test-helper.ts';

const path = '/v1/responses';

function opened(played: ConstructorParameters<typeof Stepped>[0]): Stepped {
  const role = new Stepped(played);
  role.step({ type: 'opened', peer: 'w', metadata: { ':carrier': 'ws', ':method': 'GET', ':path': path } });
  return role;
}

const say = (role: Stepped, body: Json): void => role.step({ type: 'message', peer: 'w', message: { body } });

const create = (role: Stepped, more: JsonObject = {}): void =>
  say(role, { type: 'response.create', model: 'm', input: 'Hi', ...more });

/** The messages so far, or those of a lane. */
const events = (role: Stepped, lane?: string): readonly JsonObject[] =>
  role
    .sent('w')
    .map(({ data }) => (isObject(data) ? data : {}))
    .filter((event) => lane === undefined || event['stream_id'] === lane);

const types = (role: Stepped, lane?: string): readonly unknown[] =>
  events(role, lane).map(({ type }) => type);

const responseOf = (event: JsonObject | undefined): JsonObject => {
  const response = event?.['response'];
  return isObject(response) ? response : {};
};
const lastId = (role: Stepped): string => String(responseOf(events(role).at(-1))['id']);

describe('a request on the socket', () => {
  it('is answered with the events of its stream, one JSON a message', () => {
    const role = opened(script().text('Hello'));
    create(role);
    const onHttp = new Stepped(script().text('Hello'));
    const peer = onHttp.post(path, { model: 'm', input: 'Hi', stream: true });
    expect(types(role)).toEqual(onHttp.sent(peer).map(({ event }) => event));
    expect(events(role).map((event) => event['sequence_number'])).toEqual(events(role).map((_, i) => i));
    expect(JSON.parse(role.sent('w')[0]?.bytes().toString() ?? '')).toEqual(events(role)[0]);
    expect(role.sent('w').every(({ event }) => event === undefined)).toBe(true);
    expect(role.ended('w')).toBeUndefined();
    expect(role.told()[0]?.detail).toMatchObject({ carrier: 'ws', path, turn: 0, stream: true });
  });

  it('has no [DONE], because Open Responses has no WebSocket', () => {
    const role = opened(
      script()
        .text('Hello')
        .with({ variants: { profile: 'open-responses' } }),
    );
    create(role);
    expect(role.sent('w').at(-1)?.data).toMatchObject({ type: 'response.completed' });
  });

  it('is cut at its limit', () => {
    const role = opened(script().text('a text that is longer than its limit'));
    create(role, { max_output_tokens: 2 });
    expect(responseOf(events(role).at(-1))).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it('gets an error with its status where the script has one', () => {
    const role = opened(
      script()
        .error({ type: 'rate_limit', message: 'Slow down.', retryAfter: '2s', status: 429 })
        .turn()
        .text('Hello'),
    );
    create(role);
    expect(events(role)).toEqual([
      {
        type: 'error',
        status: 429,
        error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down.', param: null },
        headers: { 'retry-after': '2' },
      },
    ]);
    create(role);
    expect(types(role).at(-1)).toBe('response.completed');
  });

  it('ends the connection where the script resets it, and what else runs on it', () => {
    const role = opened(
      script({ conversations: 'one' })
        .text('never')
        .barrier('never')
        .turn()
        .text('Half')
        .with({ transport: 'reset' }),
    );
    create(role, { stream_id: 'a' });
    create(role, { stream_id: 'b' });
    expect(role.ended('w')).toBe(14);
    expect(
      role
        .told()
        .filter(({ what }) => what === 'answered')
        .map(({ detail }) => detail['outcome']),
    ).toEqual(['reset', 'aborted']);
  });

  it('of another type is refused, and the connection goes on', () => {
    const role = opened(script().text('Hello'));
    say(role, { type: 'session.update' });
    say(role, ['response.create']);
    say(role, { type: 'response.processed', response_id: 'resp_1' });
    role.step({ type: 'undecodable', peer: 'w', bytes: Buffer.from('{'), reason: 'no JSON' } as never);
    expect(events(role).map(({ type, status }) => `${String(type)} ${String(status)}`)).toEqual(
      Array(3).fill('error 400'),
    );
    create(role);
    expect(types(role).at(-1)).toBe('response.completed');
  });
});

describe('previous_response_id', () => {
  it('continues a response with the new items only', () => {
    const role = opened(
      script()
        .toolCall('look', {}, { id: 'call_1' })
        .turn()
        .match({ toolResult: 'look', turnIndex: 1 })
        .text('Done'),
    );
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
    create(role, { tools, store: false });
    const id = lastId(role);
    create(role, {
      tools,
      store: false,
      previous_response_id: id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'seen' }],
    });
    const { status, previous_response_id: previous, store } = responseOf(events(role).at(-1));
    expect([status, previous, store]).toEqual(['completed', id, false]);
    expect(role.told().findLast(({ what }) => what === 'request')?.detail).toMatchObject({
      messages: 3,
      answers: ['call_1'],
    });
  });

  it('that is not known is refused', () => {
    const role = opened(script().text('Hello'));
    create(role, { previous_response_id: 'resp_abc', stream_id: 'main' });
    expect(events(role)).toEqual([
      {
        type: 'error',
        status: 400,
        stream_id: 'main',
        error: {
          type: 'invalid_request_error',
          code: 'previous_response_not_found',
          message: "Previous response with id 'resp_abc' not found.",
          param: 'previous_response_id',
        },
      },
    ]);
  });

  it('of an older response works where it is stored', () => {
    for (const [store, end] of [
      [true, 'response.completed'],
      [false, 'error'],
    ] as const) {
      const role = opened(script().text('One').times('always'));
      create(role, { store });
      const first = lastId(role);
      create(role, { store });
      create(role, { store, previous_response_id: first });
      expect(types(role).at(-1)).toBe(end);
    }
  });

  it('of a call that has no output is refused, and the response is forgotten', () => {
    const role = opened(script().toolCall('look', {}).times('always'));
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
    create(role, { tools, store: false });
    const previous = lastId(role);
    create(role, { tools, store: false, previous_response_id: previous });
    expect(events(role).at(-1)).toMatchObject({ type: 'error', status: 400 });
    create(role, { tools, store: false, previous_response_id: previous });
    expect(events(role).at(-1)).toMatchObject({ error: { code: 'previous_response_not_found' } });
  });
});

describe('generate: false', () => {
  it('prepares a request, without output and without a turn of the script', () => {
    const role = opened(script().text('Hello'));
    create(role, { generate: false, store: false, input: 'A long context' });
    expect(types(role)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
    expect(responseOf(events(role).at(-1))).toMatchObject({
      status: 'completed',
      output: [],
      usage: { input_tokens: 4, output_tokens: 0 },
    });
    create(role, { store: false, previous_response_id: lastId(role), input: [] });
    expect(types(role).at(-1)).toBe('response.completed');
    expect(role.answered()).toMatchObject({ text: 'Hello', usage: { inputTokens: 4 } });
  });
});

describe('lanes', () => {
  it('run at the same time, and each in order', () => {
    const role = opened(
      script({ conversations: 'one' }).text('One').barrier('go').turn().text('Two').turn().text('Three'),
    );
    create(role, { stream_id: 'a' });
    create(role, { stream_id: 'a' });
    create(role, { stream_id: 'b' });
    expect(types(role, 'a').at(-1)).not.toBe('response.completed');
    expect(types(role, 'b').at(-1)).toBe('response.completed');
    role.step({ type: 'command', command: { do: 'send', message: { release: 'go' } as never } });
    const ends = events(role, 'a').filter(({ type }) => type === 'response.completed');
    expect(ends).toHaveLength(2);
    expect(events(role).every((event) => event['stream_id'] !== undefined)).toBe(true);
  });

  it.each(['', 'two words', 'x'.repeat(257), 7])('have names: %j is none', (lane) => {
    const role = opened(script().text('Hello'));
    create(role, { stream_id: lane });
    expect(events(role)).toMatchObject([
      { type: 'error', status: 400, error: { code: 'invalid_stream_id' } },
    ]);
  });

  it('are at most 32, and 16 responses at once', () => {
    const role = opened(script().text('x').barrier('go').times('always'));
    for (let i = 0; i < 33; i++) create(role, { stream_id: `lane-${i}` });
    expect(events(role, 'lane-32')).toMatchObject([{ error: { code: 'websocket_stream_limit_reached' } }]);
    const begun = events(role).filter(({ type }) => type === 'response.created');
    expect(begun).toHaveLength(16);
    role.step({ type: 'command', command: { do: 'send', message: { release: 'go' } as never } });
    expect(events(role).filter(({ type }) => type === 'response.completed')).toHaveLength(32);
  });

  it('that wait hold the reader back', () => {
    const role = opened(script().text('x').barrier('go').times('always'));
    for (let i = 0; i < 66; i++) create(role);
    const held = (): readonly string[] =>
      role.outputs.map(({ type }) => type).filter((type) => type === 'pause' || type === 'resume');
    expect(held()).toEqual(['pause']);
    role.step({ type: 'command', command: { do: 'send', message: { release: 'go' } as never } });
    expect(held()).toEqual(['pause', 'resume']);
  });
});

describe('a client that leaves', () => {
  it('aborts what runs, and what waits is not played', () => {
    const role = opened(script().text('x').barrier('never').turn().text('y'));
    create(role);
    create(role);
    role.step({ type: 'left', peer: 'w' });
    expect(role.told().map(({ what }) => what)).toEqual(['request', 'answered']);
    expect(role.answered()).toMatchObject({ outcome: 'aborted' });
  });
});
