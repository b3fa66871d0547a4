/** The `openai` SDK's WebSocket of Responses as a client of the simulated provider. */
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterEach, describe, expect, it } from 'vitest';
import { isObject } from '../../../kit/base/index.ts';
import { script } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';

const sockets: ResponsesWS[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** The members of events that the tests read. */
interface Seen {
  readonly type: string;
  readonly delta?: unknown;
  readonly response?: unknown;
}

type Sent = Parameters<ResponsesWS['send']>[0];

/** A socket, and the events of a response that it asks for. */
function socketOf(url: string): (request: Omit<Sent, 'type'>) => Promise<readonly Seen[]> {
  const socket = new ResponsesWS(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' }));
  sockets.push(socket);
  return (request) =>
    new Promise((resolve) => {
      const events: Seen[] = [];
      const take = (event: Seen): void => {
        events.push(event);
        if (!/^(response\.(completed|incomplete|failed)|error)$/.test(event.type)) return;
        socket.off('event', take);
        resolve(events);
      };
      socket.on('event', take);
      socket.on('error', () => {});
      socket.send({ type: 'response.create', ...request });
    });
}

const textIn = (events: readonly Seen[]): string =>
  events
    .flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? [String(delta)] : []))
    .join('');

const idIn = (events: readonly Seen[]): string => {
  const response = events.at(-1)?.response;
  return isObject(response) ? String(response['id']) : '';
};

describe('ResponsesWS', () => {
  it('has an answer, and continues it on the same connection', async () => {
    const llm = await opened(script().text('Hello.').turn().match({ turnIndex: 1 }).text('Again.'));
    const ask = socketOf(llm.url);
    const first = await ask({ model: 'm', input: 'Hi', store: false });
    const second = await ask({ model: 'm', input: 'And?', previous_response_id: idIn(first), store: false });
    expect([textIn(first), textIn(second)]).toEqual(['Hello.', 'Again.']);
    expect(llm.requests).toMatchObject([
      { carrier: 'ws', path: '/v1/responses', turn: 0, body: { type: 'response.create', input: 'Hi' } },
      { carrier: 'ws', turn: 1, body: { input: 'And?' }, answer: { outcome: 'complete', text: 'Again.' } },
    ]);
    expect(llm.requests[0]?.headers).toHaveProperty('authorization');
    llm.assertDone();
  });

  it('gets an error as an event, and goes on', async () => {
    const llm = await opened(
      script().error({ type: 'overloaded', message: 'Later.', status: 503 }).turn().text('Hello.'),
    );
    const ask = socketOf(llm.url);
    expect(await ask({ model: 'm', input: 'Hi' })).toMatchObject([
      { type: 'error', status: 503, error: { message: 'Later.', code: 'server_is_overloaded' } },
    ]);
    expect(textIn(await ask({ model: 'm', input: 'Hi' }))).toBe('Hello.');
  });

  it('sees the call of apply_patch that its limit cut', async () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n+const a = 1;\n*** End Patch\n';
    const llm = await opened(script().customToolCall('apply_patch', patch));
    const events = await socketOf(llm.url)({
      model: 'm',
      input: 'Edit a.ts',
      max_output_tokens: 8,
      tools: [{ type: 'custom', name: 'apply_patch' }],
    });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { output: [{ type: 'custom_tool_call', status: 'incomplete', input: patch.slice(0, 32) }] },
    });
  });
});

it('is refused where the provider speaks HTTP only', async () => {
  const llm = await opened(script().text('Hello.'), { webSocket: false });
  const socket = new ResponsesWS(new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'x' }));
  sockets.push(socket);
  const message = await new Promise((resolve) => socket.on('error', (error) => resolve(error.message)));
  expect(message).toContain('426');
});
