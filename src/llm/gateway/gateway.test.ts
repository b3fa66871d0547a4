/** What the gateway does where a provider's connection does not end as its answer does. */
import { expect, test } from 'vitest';
import type { PeerCommand, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { llmGateway } from './gateway.ts';
import type { GatewayIn, GatewayOut } from './wire.ts';

type Input = RoleInput<GatewayIn, PeerCommand<GatewayOut>>;

const idle = 1000;
const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] };

/** A gateway whose client has asked; `take` gives its next outputs. */
function asked(retries = 0): {
  readonly take: (input: Input) => readonly RoleOutput<GatewayOut>[];
  readonly link: string;
  readonly open: () => number;
} {
  const role = llmGateway({
    routes: [{ client: 'openai-chat', provider: 'openai-chat', url: 'http://provider' }],
    random: seededRandom,
    idle,
    retries,
  });
  let state = role.start();
  const take = (input: Input): readonly RoleOutput<GatewayOut>[] => {
    const step = role.step(state, input, 0);
    state = step.state;
    return step.outputs;
  };
  const metadata = { ':method': 'POST', ':path': '/v1/chat/completions' };
  take({ type: 'opened', peer: 'client', metadata });
  take({ type: 'message', peer: 'client', message: { body } });
  const dialled = take({ type: 'half_close', peer: 'client' }).find(({ type }) => type === 'dial');
  if (dialled?.type !== 'dial') throw new Error('expected a request to the provider');
  return { take, link: dialled.peer, open: () => state.exchanges.size };
}

const head = (status: number, type: string): { readonly [name: string]: string } => ({
  ':status': String(status),
  'content-type': type,
});

const chunkOf = (text: string): GatewayIn => ({ chunk: Buffer.from(text) });

// LLM-G41: no further request after a status 404; LLM-G29: its class stays. RFC 9112, 8: the head of a torn response is whole.
test('a refusal whose body is torn keeps its status, and is final', () => {
  const { take, link } = asked(2);
  take({ type: 'headers', peer: link, metadata: head(404, 'application/json') });
  take({ type: 'message', peer: link, message: chunkOf('{"error":{"mess') });
  const outputs = take({ type: 'left', peer: link });
  expect(outputs.find(({ type }) => type === 'headers')).toMatchObject({ metadata: { ':status': '404' } });
  expect(outputs.filter(({ type }) => type === 'start_timer' || type === 'dial')).toEqual([]);
});

const terminal = (): GatewayIn => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm' };
  const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }];
  return chunkOf(`data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`);
};

// GatewayOptions, idle: the longest silence of a provider. One that keeps its connection open behind its terminal is silent, too.
test('the connection of a provider whose answer is over is ended after the longest silence', () => {
  const { take, link, open } = asked();
  take({ type: 'headers', peer: link, metadata: head(200, 'text/event-stream') });
  const outputs = take({ type: 'message', peer: link, message: terminal() });
  expect(outputs.at(-1)).toEqual({ type: 'start_timer', id: 'client', ms: idle });
  expect(take({ type: 'timer', id: 'client' })).toEqual([
    { type: 'close', peer: link, status: { code: 1, message: 'let go' } },
  ]);
  expect(open()).toBe(0);
});

test('one that ends its connection has no timer left', () => {
  const { take, link, open } = asked();
  take({ type: 'headers', peer: link, metadata: head(200, 'text/event-stream') });
  take({ type: 'message', peer: link, message: terminal() });
  const outputs = take({ type: 'left', peer: link, status: { code: 0, message: '' } });
  expect(outputs).toEqual([{ type: 'stop_timer', id: 'client' }]);
  expect(open()).toBe(0);
});
