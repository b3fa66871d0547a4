/** The reference client on the WebSocket of Responses (OpenAI API: WebSocket mode). */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';
import { play, turnOf } from './client.test-helper.ts';
import type { Played } from './client.test-helper.ts';

const onSocket = (more: JsonObject = {}): JsonObject =>
  turnOf('openai-responses', { carrier: 'ws', ...more });

const okOf = ({ answer }: Played): JsonObject => {
  const { ok } = answer;
  if (!isObject(ok)) throw new Error(JSON.stringify(answer));
  return ok;
};

/** The WebSocket of each request, and its position on it. */
const placesOf = ({ told }: Played): readonly string[] =>
  told.filter(({ what }) => what === 'request').map(({ exchange }) => String(exchange).replace(/^\S+? /, ''));

const socketsOf = ({ told }: Played): number =>
  new Set(told.filter(({ what }) => what === 'request').map(({ exchange }) => String(exchange).split(' ')[0]))
    .size;

const add = { tool_call: { name: 'add', input: { a: 1, b: 2 } } };

describe('a client on a WebSocket', () => {
  it('asks all requests of a turn on one connection', () => {
    const played = play({ turns: [{ steps: [add] }, { steps: [{ text: 'Three.' }] }] }, onSocket());
    expect(okOf(played)).toMatchObject({
      text: 'Three.',
      executed: [{ name: 'add', input: { a: 1, b: 2 } }],
    });
    expect(placesOf(played)).toEqual(['response 1', 'response 2']);
    expect(socketsOf(played)).toBe(1);
  });

  it('asks first for a response without output, when it warms up', () => {
    const played = play({ turns: [{ steps: [{ text: 'Hello.' }] }] }, onSocket({ warm_up: true }));
    expect(okOf(played)).toMatchObject({ text: 'Hello.', stop_reason: 'end_turn' });
    const asked = played.told.filter(({ what }) => what === 'request');
    expect(asked).toMatchObject([{ generate: false }, { turn: 0, messages: 1 }]);
    expect(socketsOf(played)).toBe(1);
  });

  it('reads an error with its status, and tries again after the time in its hints', () => {
    const error = { type: 'overloaded', message: 'Later.', status: 503, retry_after: '2s' };
    const played = play({ turns: [{ steps: [{ error }] }, { steps: [{ text: 'Hello.' }] }] }, onSocket());
    expect(okOf(played)).toMatchObject({ text: 'Hello.' });
    expect(played.ms).toBeGreaterThanOrEqual(2000);
  });

  it('does not try again after an error with status 400', () => {
    const error = { type: 'invalid_request', message: 'No.', status: 400 };
    const played = play({ turns: [{ times: 'always', steps: [{ error }] }] }, onSocket());
    expect(okOf(played)['error']).toMatchObject({ message: 'No.' });
    expect(placesOf(played)).toHaveLength(1);
  });

  it('sends the whole conversation on a new connection, when the first was lost before the answer', () => {
    const turns = [
      { steps: [add] },
      { steps: [{ wait: '1ms' }], signal: 'missing', transport: 'reset' },
      { steps: [{ text: 'Three.' }] },
    ];
    const played = play({ turns }, onSocket());
    expect(okOf(played)).toMatchObject({ text: 'Three.', executed: [{ name: 'add' }] });
    expect(socketsOf(played)).toBe(2);
    const asked = played.told.filter(({ what }) => what === 'request');
    expect(asked.map(({ messages }) => messages)).toEqual([1, 3, 3]);
  });

  it('does not run a call that the limit cut, and reports the limit', () => {
    const cut = { step: 1, at: { json: 'inside-number' } };
    const played = play(
      { turns: [{ steps: [add, { tool_call: { name: 'add', input: { a: 12345 } } }], cut }] },
      onSocket(),
    );
    expect(okOf(played)).toMatchObject({ executed: [], tool_calls: [{}], stop_reason: 'max_tokens' });
  });

  it('closes its connection at an abort', () => {
    const steps = [{ text: 'One, two, three, four.' }];
    const played = play({ turns: [{ steps, chunk: { size: 1 } }] }, onSocket({ abort_after_events: 2 }));
    expect(okOf(played)).toMatchObject({ stop_reason: 'cancelled' });
    expect(played.told.at(-1)).toMatchObject({ what: 'answered' });
  });
});

it('refuses a WebSocket in other dialects', () => {
  const { answer } = play({ turns: [{ steps: [add] }] }, turnOf('anthropic', { carrier: 'ws' }));
  expect(answer['error']).toMatchObject({ message: expect.stringContaining('carrier') });
});
