import { describe, expect, it } from 'vitest';
import { script } from '../script/builder.ts';
import type { ScriptBuilder } from '../script/builder.ts';
import { Stepped, anthropicBody } from './streamer.test-helper.ts';

const messages = '/v1/messages';

/** A client of LM Studio that authenticates and asks for a prediction. */
const lmStudioMessages = [
  { authVersion: 1, clientIdentifier: 'a', clientPasskey: 'b' },
  {
    type: 'channelCreate',
    endpoint: 'predict',
    channelId: 1,
    creationParameter: {
      modelSpecifier: { type: 'query', query: { identifier: 'm' } },
      history: { messages: [] },
      predictionConfigStack: { layers: [] },
    },
  },
];

describe('the streamer', () => {
  it('answers each dialect at its path, in its framing (llm.md, Endpoints)', () => {
    const role = new Stepped(script().text('Hello.').times('always'));
    const chat = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
    const paths = {
      [messages]: [anthropicBody, 'event: message_stop'],
      '/v1/chat/completions': [chat, 'data: [DONE]'],
      '/v1/responses': [{ model: 'm', stream: true, input: 'Hi' }, 'event: response.completed'],
      '/api/chat': [chat, '"done":true'],
    } as const;
    for (const [path, [body, terminal]] of Object.entries(paths)) {
      const peer = role.post(path, body);
      expect(role.text(peer)).toContain(terminal);
      expect(role.ended(peer)).toBe(0);
    }
  });

  it.each([
    [messages, anthropicBody, 'event: ping\ndata: {"type":"ping"}\n\n: here\n\n'],
    ['/v1/chat/completions', anthropicBody, ': ping\n\n: here\n\n'],
    ['/v1/responses', { model: 'm', stream: true, input: 'Hi' }, ': ping\n\n: here\n\n'],
    ['/api/chat', anthropicBody, undefined],
  ])('sends pings and comments in the form of %s', (path, body, sent) => {
    const [bare, pinging] = [script().text('Hi'), script().text('Hi').ping().comment('here')].map((made) => {
      const role = new Stepped(made);
      return role.text(role.post(path, body));
    });
    if (sent === undefined) expect(pinging).toBe(bare);
    else expect(pinging?.replace(sent, '')).toBe(bare);
    expect(pinging).not.toBe(sent === undefined ? '' : bare);
  });

  it('names the request and its limits in headers, streamed or not', () => {
    const user = [{ role: 'user', content: 'Hi' }];
    const cases = [
      [messages, anthropicBody, /^req_/, 'request-id', 'anthropic-ratelimit-requests-remaining'],
      [
        '/v1/chat/completions',
        { model: 'm', messages: user },
        /^req_/,
        'x-request-id',
        'x-ratelimit-remaining-tokens',
      ],
      ['/v1/responses', { model: 'm', input: 'Hi' }, /^req_/, 'x-request-id', 'x-ratelimit-limit-requests'],
    ] as const;
    for (const [path, body, id, name, limit] of cases)
      for (const stream of [true, false]) {
        const role = new Stepped(script().text('x'));
        const peer = role.post(path, { ...body, stream });
        expect(role.headers(peer)[name]).toMatch(id);
        expect(role.headers(peer)).toHaveProperty([limit]);
      }
  });

  it('has no ping and no comment for LM Studio', () => {
    const conversation = (made: ScriptBuilder): string => {
      const role = new Stepped(made);
      role.step({ type: 'opened', peer: 'w', metadata: { ':carrier': 'ws', ':path': '/llm' } });
      for (const body of lmStudioMessages) role.step({ type: 'message', peer: 'w', message: { body } });
      return role.text('w');
    };
    const bare = conversation(script().text('Hi'));
    expect(bare).toContain('"success"');
    expect(conversation(script().text('Hi').ping().comment('here'))).toBe(bare);
  });

  it('gives the same bytes for the same script, seed and requests; others for another seed', () => {
    const run = (seed: string): string => {
      const role = new Stepped(
        script().toolCall('add', { a: 1 }).with({ delay: '5ms', jitter: '4ms' }),
        seed,
      );
      const peer = role.post(messages, anthropicBody);
      role.pass(1000);
      return role.text(peer);
    };
    expect(run('7')).toBe(run('7'));
    expect(run('7')).not.toBe(run('8'));
  });

  it('sends a piece when its delay is over, and not earlier', () => {
    const role = new Stepped(script().text('one two').with({ delay: '20ms' }));
    const peer = role.post(messages, anthropicBody);
    const deltas = (): number => role.text(peer).split('text_delta').length - 1;
    expect(deltas()).toBe(1);
    role.pass(19);
    expect(deltas()).toBe(1);
    role.pass(1);
    expect(deltas()).toBe(2);
    expect(role.ended(peer)).toBe(0);
  });

  it('holds at a barrier until it is released', () => {
    const role = new Stepped(script().text('before').barrier('go').text('after'));
    const peer = role.post(messages, anthropicBody);
    role.pass(60_000);
    expect(role.text(peer)).toContain('befo');
    expect(role.text(peer)).not.toContain('afte');
    role.step({ type: 'command', command: { do: 'send', message: { release: 'go' } as never } });
    expect(role.text(peer)).toContain('afte');
    expect(role.ended(peer)).toBe(0);
  });

  it('flushes everything before a reset, and reports the flushed bytes', () => {
    const role = new Stepped(script().text('Part.').with({ transport: 'reset' }));
    const peer = role.post(messages, anthropicBody);
    expect(role.ended(peer)).toBe(14);
    expect(role.outputs.findLastIndex(({ type }) => type === 'send')).toBeLessThan(
      role.outputs.findIndex(({ type }) => type === 'close'),
    );
    expect(role.answered()).toMatchObject({
      outcome: 'reset',
      text: 'Part.',
      bytes: Buffer.byteLength(role.text(peer)),
    });
  });

  it('stalls: everything is sent, and the response stays open', () => {
    const role = new Stepped(script().text('Part.').with({ transport: 'stall' }));
    const peer = role.post(messages, anthropicBody);
    role.pass(3_600_000);
    expect(role.ended(peer)).toBeUndefined();
    role.step({ type: 'drained', peer });
    expect(role.told().filter(({ what }) => what === 'answered')).toHaveLength(1);
    role.step({ type: 'left', peer });
    expect(role.answered()).toMatchObject({ outcome: 'left' });
  });

  it('stops generating when the client leaves, and reports the flushed bytes', () => {
    const role = new Stepped(script().text('one two three').with({ delay: '20ms' }));
    const peer = role.post(messages, anthropicBody);
    role.pass(25);
    const flushed = role.text(peer);
    role.step({ type: 'left', peer });
    role.pass(1000);
    expect(role.text(peer)).toBe(flushed);
    expect(role.answered()).toMatchObject({
      outcome: 'aborted',
      text: 'one two ',
      bytes: Buffer.byteLength(flushed),
    });
  });

  it('reports the sent part of a call when its client left', () => {
    const role = new Stepped(script().toolCall('add', { a: 1234567 }).with({ delay: '20ms' }));
    const peer = role.post(messages, anthropicBody);
    role.pass(25);
    role.step({ type: 'left', peer });
    expect(role.answered()?.['calls']).toMatchObject([
      { name: 'add', arguments: '{"a":123', complete: false },
    ]);
  });

  it('holds back while the carrier is full', () => {
    const role = new Stepped(script().text('', { fill: { text: 'abcd', bytes: 400_000 } }));
    const peer = role.post(messages, anthropicBody);
    const first = role.text(peer).length;
    role.step({ type: 'full', peer });
    role.pass(1000);
    expect(role.text(peer)).toHaveLength(first);
    expect(role.ended(peer)).toBeUndefined();
    role.step({ type: 'drained', peer });
    role.pass(1000);
    expect(role.ended(peer)).toBe(0);
  });

  it('writes split units in pieces, which join to the whole unit', () => {
    const whole = new Stepped(script().text('naïve 👋'));
    const plain = whole.text(whole.post(messages, anthropicBody));
    for (const split of ['byte', 'utf8', 'lines', { size: 7 }] as const) {
      const role = new Stepped(script().text('naïve 👋').with({ split }));
      const peer = role.post(messages, anthropicBody);
      role.pass(10_000);
      expect(role.text(peer)).toBe(plain);
      expect(role.sent(peer).length).toBeGreaterThan(whole.sent('s1').length);
      expect(role.ended(peer)).toBe(0);
    }
  });

  it('answers without a stream in one body, after all delays', () => {
    const role = new Stepped(script().text('one two').with({ delay: '20ms' }));
    const peer = role.post(messages, { ...anthropicBody, stream: false });
    expect(role.text(peer)).toBe('');
    role.pass(20);
    expect(JSON.parse(role.text(peer))).toMatchObject({ content: [{ type: 'text', text: 'one two' }] });
  });

  it('counts with the tokenizer of the usage (LLM-S16)', () => {
    const role = new Stepped(script().text('x').times('always'));
    const { max_tokens: _, stream: __, ...prompt } = anthropicBody;
    const counted = JSON.parse(role.text(role.post('/v1/messages/count_tokens', prompt))) as {
      input_tokens: number;
    };
    expect(role.text(role.post(messages, anthropicBody))).toContain(`"input_tokens":${counted.input_tokens}`);
  });

  it('sends the HTTP error of the Ollama variant when nothing was sent (llm.md, Ollama (d))', () => {
    const cut = script()
      .toolCall('add', { path: 'a' })
      .cutAt({ char: 5 })
      .with({ variants: { ollama: 'error-500' } });
    const role = new Stepped(cut);
    const peer = role.post('/api/chat', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    expect(role.status(peer)).toBe('500');
  });

  describe('refuses', () => {
    it('a body that is not JSON, in the form of the dialect, with the position', () => {
      const role = new Stepped(script().text('x'));
      const metadata = { ':carrier': 'http', ':method': 'POST', ':path': messages };
      role.step({ type: 'opened', peer: 'p', metadata });
      role.step({ type: 'undecodable', peer: 'p', reason: 'expected a JSON body; Unexpected token' });
      role.step({ type: 'half_close', peer: 'p' });
      expect(role.status('p')).toBe('400');
      expect(JSON.parse(role.text('p'))).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'expected a JSON body; Unexpected token' },
      });
    });

    it('an invalid request, without using a turn', () => {
      const role = new Stepped(script().text('Hello.'));
      expect(role.status(role.post(messages, { model: 'm' }))).toBe('400');
      expect(role.text(role.post(messages, anthropicBody))).toContain('Hell');
    });

    it('a request for which the script has no turn left, with this reason', () => {
      const role = new Stepped(script().text('x'));
      role.post(messages, anthropicBody);
      const peer = role.post(messages, anthropicBody);
      expect(role.status(peer)).toBe('400');
      expect(role.text(peer)).toMatch(/1 turn/);
    });

    it('an unknown path, and names the known paths', () => {
      const role = new Stepped(script().text('x'));
      const peer = role.post('/v2/messages', {});
      expect(role.status(peer)).toBe('404');
      expect(role.text(peer)).toContain('/v1/messages');
    });

    // Ollama's client shows the error as it is, so that an object would show as "[object Object]".
    it('a path of Ollama with a text', () => {
      const role = new Stepped(script().text('x'));
      const peer = role.post('/api/none', {});
      expect(role.status(peer)).toBe('404');
      expect(JSON.parse(role.text(peer))).toEqual({
        error: expect.stringContaining('nothing is at /api/none') as unknown,
      });
    });

    it('a method that a path does not support', () => {
      const role = new Stepped(script().text('x'));
      role.step({
        type: 'opened',
        peer: 'p',
        metadata: { ':carrier': 'http', ':method': 'GET', ':path': messages },
      });
      role.step({ type: 'half_close', peer: 'p' });
      expect(role.status('p')).toBe('405');
    });
  });
});

describe('LM Studio over a WebSocket', () => {
  const opened = (role: Stepped): void => {
    role.step({ type: 'opened', peer: 'w', metadata: { ':carrier': 'ws', ':path': '/llm' } });
    say(role, { authVersion: 1, clientIdentifier: 'me', clientPasskey: 'secret' });
  };
  const say = (role: Stepped, body: object): void =>
    role.step({ type: 'message', peer: 'w', message: { body: body as never } });
  const predict = (role: Stepped, channelId: number): void =>
    say(role, {
      type: 'channelCreate',
      endpoint: 'predict',
      channelId,
      creationParameter: {
        modelSpecifier: { type: 'query', query: {} },
        history: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
        predictionConfigStack: { layers: [] },
      },
    });
  const types = (role: Stepped): string[] =>
    role.sent('w').map(({ data }) => {
      const { type, message } = data as { type?: string; message?: { type: string } };
      return message?.type ?? type ?? 'answer';
    });

  it('answers authentication, then a prediction, then closes its channel', () => {
    const role = new Stepped(script().text('Hello.'));
    opened(role);
    predict(role, 0);
    const all = types(role);
    expect(all[0]).toBe('answer');
    expect(all.slice(-2)).toEqual(['success', 'channelClose']);
    expect(role.ended('w')).toBeUndefined();
  });

  it('ends a prediction that is cancelled with userStopped, and the tokens until then', () => {
    const role = new Stepped(script().text('one two three four').with({ delay: '20ms' }));
    opened(role);
    predict(role, 3);
    role.pass(25);
    say(role, { type: 'channelSend', channelId: 3, message: { type: 'cancel' } });
    const success = role
      .sent('w')
      .map(({ data }) => data as { message?: { type: string; stats?: object } })
      .find(({ message }) => message?.type === 'success');
    // llm.md, (f): it "expects `success` with `userStopped`". Two tokens of four characters had come.
    expect(success?.message?.stats).toMatchObject({ stopReason: 'userStopped', predictedTokensCount: 2 });
    expect(types(role).at(-1)).toBe('channelClose');
    expect(role.answered()).toMatchObject({ outcome: 'aborted', text: 'one two ' });
  });

  it('plays two channels of one connection at the same time', () => {
    const role = new Stepped(script().text('one two').with({ delay: '10ms' }).times('always'));
    opened(role);
    predict(role, 0);
    predict(role, 1);
    role.pass(1000);
    expect(types(role).filter((type) => type === 'success')).toHaveLength(2);
  });

  it('does not split the messages of a WebSocket', () => {
    const role = new Stepped(script().text('naïve').with({ split: 'byte' }));
    opened(role);
    predict(role, 0);
    role.pass(1000);
    for (const sent of role.sent('w'))
      expect(() => void JSON.parse(Buffer.from(sent.bytes()).toString())).not.toThrow();
  });
});
