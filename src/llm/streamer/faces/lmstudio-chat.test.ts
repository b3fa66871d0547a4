/** LM Studio's REST API. Sources: LM Studio docs, REST API: Chat with a model; Streaming events. */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { script } from '../../script/builder.ts';
import { Stepped } from '../streamer.test-helper.ts';

const path = '/api/v1/chat';

const dataOf = (role: Stepped, peer: string): readonly JsonObject[] =>
  role.sent(peer).map(({ data }) => (isObject(data) ? data : {}));

const typesOf = (events: readonly JsonObject[]): readonly Json[] => events.map(({ type = null }) => type);

const stream = (role: Stepped, more: JsonObject = {}): readonly JsonObject[] =>
  dataOf(role, role.post(path, { model: 'm', input: 'Hi', stream: true, ...more }));

const result = {
  model_instance_id: 'm',
  output: [
    { type: 'reasoning', content: 'Hm.' },
    { type: 'message', content: 'Hello' },
  ],
  stats: { input_tokens: 9, total_output_tokens: 7, reasoning_output_tokens: 2 },
  response_id: expect.stringMatching(/^resp_/) as unknown,
};

const thinking = script().thinking('Hm.').text('Hello').usage({ input: 9, output: 7, thinking: 2 });

describe('POST /api/v1/chat', () => {
  it('is a stream of named events, whose last one has the whole answer', () => {
    const role = new Stepped(thinking.with({ chunk: { size: 3 } }));
    const peer = role.post(path, { model: 'm', input: 'Hi', stream: true });
    const events = dataOf(role, peer);
    expect(typesOf(events)).toEqual([
      'chat.start',
      'prompt_processing.start',
      'prompt_processing.progress',
      'prompt_processing.progress',
      'prompt_processing.end',
      'reasoning.start',
      'reasoning.delta',
      'reasoning.end',
      'message.start',
      'message.delta',
      'message.delta',
      'message.end',
      'chat.end',
    ]);
    expect(role.sent(peer).map(({ event }) => event)).toEqual(typesOf(events));
    expect(events[0]).toEqual({ type: 'chat.start', model_instance_id: 'm' });
    expect(events.filter(({ type }) => type === 'message.delta').map(({ content }) => content)).toEqual([
      'Hel',
      'lo',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'chat.end', result });
  });

  it('is the whole answer, where it does not stream', () => {
    const role = new Stepped(thinking);
    expect(dataOf(role, role.post(path, { model: 'm', input: 'Hi' }))).toMatchObject([result]);
  });

  it('is asked with a text or with parts, and a system text', () => {
    const role = new Stepped(script().match({ system: 'Brief', contains: 'wires' }).text('x').times(2));
    const parts = [{ type: 'text', content: 'About wires.' }];
    for (const input of ['About wires.', parts])
      expect(stream(role, { input, system_prompt: 'Brief' }).at(-1)).toMatchObject({
        result: { output: [{ content: 'x' }] },
      });
  });

  it('honours max_output_tokens, and does not say that it did', () => {
    const role = new Stepped(script().text('a text that is longer than its limit'));
    const events = stream(role, { max_output_tokens: 2 });
    expect(typesOf(events).slice(-2)).toEqual(['message.end', 'chat.end']);
    expect(events.at(-1)).toMatchObject({ result: { stats: { total_output_tokens: 2 } } });
    expect(JSON.stringify(events.at(-1))).not.toContain('stop');
  });

  it('has what came so far in chat.end behind an error', () => {
    const failing = script().text('Hel').error({ type: 'server', message: 'lost' });
    expect(stream(new Stepped(failing)).slice(-2)).toMatchObject([
      { type: 'error', error: { type: 'internal_error', message: 'lost' } },
      { type: 'chat.end', result: { output: [{ type: 'message', content: 'Hel' }] } },
    ]);
  });

  it('ends without chat.end where the signal is missing', () => {
    const cut = script().text('Hello').cutAt({ char: 2 }).with({ signal: 'missing' });
    expect(typesOf(stream(new Stepped(cut))).at(-1)).toBe('message.delta');
  });

  it('refuses a request without input', () => {
    const role = new Stepped(script().text('x'));
    const peer = role.post(path, { model: 'm' });
    expect(dataOf(role, peer)).toMatchObject([{ error: { type: 'invalid_request' } }]);
  });
});
