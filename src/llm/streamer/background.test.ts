/**
 * Responses in the background. Sources: openai 7.59, `ResponseRetrieveParamsBase` (starting_after), `Responses.cancel`,
 * `CompactedResponse`; OpenAI, guide Background mode.
 */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { script } from '../script/builder.ts';
import { Stepped } from './streamer.test-helper.ts';

const path = '/v1/responses';
let links = 0;

/** Asks for a path by GET or by POST without a body. */
function ask(role: Stepped, method: string, target: string): string {
  const peer = `r${++links}`;
  role.step({ type: 'opened', peer, metadata: { ':carrier': 'http', ':method': method, ':path': target } });
  role.step({ type: 'half_close', peer });
  return peer;
}

const begin = (role: Stepped, more: JsonObject = {}): string =>
  role.post(path, { model: 'm', input: 'Hi', background: true, stream: true, ...more });

const dataOf = (role: Stepped, peer: string): readonly JsonObject[] =>
  role.sent(peer).map(({ data }) => (isObject(data) ? data : {}));

const numbersOf = (role: Stepped, peer: string): readonly Json[] =>
  dataOf(role, peer).map(({ sequence_number: number = null }) => number);

const idOf = ([first]: readonly JsonObject[]): string => {
  const response = first?.['response'] ?? first;
  return isObject(response) ? String(response['id']) : '';
};

describe('a response in the background', () => {
  it('goes on without its reader, and is read again after any event', () => {
    const role = new Stepped(script().text('Hello, ').barrier('later').text('world.'));
    const peer = begin(role);
    const before = numbersOf(role, peer);
    role.step({ type: 'left', peer });
    role.step({ type: 'command', command: { do: 'send', message: { release: 'later' } as never } });
    const again = ask(role, 'GET', `${path}/${idOf(dataOf(role, peer))}?stream=true&starting_after=2`);
    const all = numbersOf(role, again);
    expect(before[0]).toBe(0);
    expect(all[0]).toBe(3);
    expect(dataOf(role, again).at(-1)).toMatchObject({ type: 'response.completed' });
    expect(role.outputs.at(-1)).toMatchObject({ type: 'close', peer: again, status: { code: 0 } });
  });

  it('ends with [DONE] where its script follows Open Responses, also when it is read again', () => {
    const role = new Stepped(
      script()
        .text('Hello.')
        .with({ variants: { profile: 'open-responses' } }),
    );
    const peer = begin(role);
    const again = ask(role, 'GET', `${path}/${idOf(dataOf(role, peer))}?stream=true&starting_after=2`);
    for (const reader of [peer, again]) expect(role.sent(reader).at(-1)?.data).toBe('[DONE]');
  });

  it('breaks off before its end where the script resets the connection, and can be read to its end', () => {
    const role = new Stepped(script().text('Hello.').with({ transport: 'reset' }));
    const peer = begin(role);
    expect(role.outputs).toContainEqual({ type: 'close', peer, status: { code: 14, message: 'reset' } });
    const last = numbersOf(role, peer).at(-1);
    const again = ask(
      role,
      'GET',
      `${path}/${idOf(dataOf(role, peer))}?stream=true&starting_after=${String(last)}`,
    );
    expect(dataOf(role, again)).toMatchObject([{ type: 'response.completed' }]);
  });

  it('that does not stream is queued at once, and is asked for until it is complete', () => {
    const role = new Stepped(script().text('Hello.').barrier('later'));
    const peer = begin(role, { stream: false });
    expect(dataOf(role, peer)).toMatchObject([{ object: 'response', status: 'queued', background: true }]);
    const id = idOf(dataOf(role, peer));
    expect(dataOf(role, ask(role, 'GET', `${path}/${id}`))).toMatchObject([{ id, status: 'in_progress' }]);
    role.step({ type: 'command', command: { do: 'send', message: { release: 'later' } as never } });
    expect(dataOf(role, ask(role, 'GET', `${path}/${id}`))).toMatchObject([
      { id, status: 'completed', output: [{ content: [{ text: 'Hello.' }] }] },
    ]);
    expect(dataOf(role, ask(role, 'GET', `${path}/${id}?stream=true`))).toMatchObject([
      { error: { type: 'invalid_request_error' } },
    ]);
  });

  it('is cancelled, once', () => {
    const role = new Stepped(script().text('Hello.').barrier('never'));
    const peer = begin(role);
    const id = idOf(dataOf(role, peer));
    for (const _ of [1, 2])
      expect(dataOf(role, ask(role, 'POST', `${path}/${id}/cancel`))).toMatchObject([
        { id, status: 'cancelled' },
      ]);
    expect(role.outputs).toContainEqual({ type: 'close', peer, status: { code: 0, message: '' } });
  });

  it('is refused where it is not stored', () => {
    const role = new Stepped(script().text('Hello.'));
    expect(dataOf(role, begin(role, { store: false }))).toMatchObject([
      { error: { message: expect.stringContaining('store') } },
    ]);
  });

  it('is not found under another id', () => {
    const role = new Stepped(script().text('Hello.'));
    const peer = ask(role, 'GET', `${path}/resp_none`);
    expect(role.outputs).toContainEqual(
      expect.objectContaining({ peer, metadata: expect.objectContaining({ ':status': '404' }) }),
    );
  });
});

it('compacts an input to the messages of the user and one item', () => {
  const role = new Stepped(script().text('Hello.'));
  const input = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello.' },
  ];
  expect(dataOf(role, role.post(`${path}/compact`, { model: 'm', input }))).toMatchObject([
    { object: 'response.compaction', output: [{ type: 'message', role: 'user' }, { type: 'compaction' }] },
  ]);
});
