/** The kit's requests to servers, in the simulated world. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { dialectOf, dialects } from '../../../src/llm/index.ts';
import { llmServerSuite } from './suite.ts';
import { serverScenarios } from './scenarios.ts';

function play(name: string, target: MakePeer = llmServerSuite.reference()): readonly TraceEvent[] {
  const scenario = serverScenarios().find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return simulate({ suite: llmServerSuite, scenario, target, seed: '1' }).events;
}

/** The bodies of the requests, in order. */
const asked = (events: readonly TraceEvent[]): readonly JsonObject[] =>
  events.flatMap(({ from, kind, data }) =>
    from === 'prober' && kind === 'message' ? [data['body'] as JsonObject] : [],
  );

/** A server that only lists a model. */
const listing =
  (headers: { readonly [name: string]: string }): MakePeer =>
  () => ({
    begin() {},
    accept(link, metadata) {
      const lists = metadata[':method'] === 'GET';
      return {
        headers() {},
        message() {},
        halfClose() {
          link.headers({ ':status': lists ? '200' : '500', 'content-type': 'application/json', ...headers });
          if (lists) link.send(Buffer.from('{"object":"list","data":[{"id":"qwen3"},{"id":"other"}]}'));
          link.close({ code: 0, message: '' });
        },
        ended() {},
        drained() {},
        ping() {},
      };
    },
    command() {},
    encode: () => new Uint8Array(),
    stop() {},
  });

describe('the prober', () => {
  it('asks for the first model that the server lists', () => {
    const bodies = asked(play('openai-chat-text', listing({})));
    expect(bodies.map(({ model }) => model)).toEqual(['qwen3']);
  });

  it('asks for the model that the user named', () => {
    const bodies = asked(play('openai-chat-text', listing({ ':model': 'named' })));
    expect(bodies.map(({ model }) => model)).toEqual(['named']);
  });

  it.each(dialects)('sends valid requests in %s', (dialect) => {
    const bodies = asked(play(`${dialect}-limit-tool`));
    const last = bodies.at(-1) ?? {};
    const body = dialect === 'lmstudio' ? (last['creationParameter'] ?? null) : last;
    const read = dialectOf[dialect].readRequest(body, {});
    expect(read).toMatchObject({ ok: true, value: { maxTokens: 24, stream: true } });
    expect(read.ok ? read.value.tools.map(({ name }) => name) : []).toEqual(['write_report']);
  });

  it('counts a prompt without the members about its answer', () => {
    for (const dialect of ['anthropic', 'openai-responses']) {
      const [count, ask] = asked(play(`${dialect}-count`));
      const answer = ['max_tokens', 'max_output_tokens', 'stream'];
      expect(Object.keys(count ?? {}).filter((name) => answer.includes(name))).toEqual([]);
      expect(ask).toMatchObject(count ?? {});
    }
  });

  it('ends an HTTP exchange by closing it, and a channel of LM Studio by a message', () => {
    const let_go = play('ollama-abort').filter(({ from, kind }) => from === 'prober' && kind === 'end');
    expect(let_go.map(({ data }) => data['code'])).toEqual([1]);
    const cancel = { type: 'channelSend', channelId: 0, message: { type: 'cancel' } };
    expect(asked(play('lmstudio-abort'))).toContainEqual(cancel);
  });

  it('sends the content-length of its bodies', () => {
    const events = play('anthropic-unicode');
    const open = events.find(({ kind, data }) => kind === 'open' && data[':method'] === 'POST');
    const [body] = asked(events);
    expect(open?.data['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(body))));
  });
});
