/** The server's side of a connection: llm.md, "LM Studio", and the messages of SDK 2.0. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { GenerationEnd } from '../../messages.ts';
import { lmstudio } from './index.ts';
import { channelEnd, channelError, closeChannel, rpcResult, wrap } from './server-messages.ts';
import { countResult, lmstudioServer } from './server.ts';
import type { LmOutput, LmServer, LmServerOptions, LmServerState } from './server.ts';

const authentication = { authVersion: 1, clientIdentifier: 'guest', clientPasskey: 'secret' };
const history = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
const prediction = (identifier?: string): Json => ({
  modelSpecifier: { type: 'query', query: identifier === undefined ? {} : { identifier } },
  history,
  predictionConfigStack: { layers: [] },
});
const create = (endpoint: string, channelId: number, creationParameter: Json = prediction('m')): Json => ({
  type: 'channelCreate',
  endpoint,
  channelId,
  creationParameter,
});
const cancel = (channelId: number): Json => ({ type: 'channelSend', channelId, message: { type: 'cancel' } });
const rpc = (endpoint: string, parameter?: Json): Json => ({
  type: 'rpcCall',
  endpoint,
  callId: 5,
  ...(parameter === undefined ? {} : { parameter }),
});

/** An authenticated connection. */
class Connection {
  readonly server: LmServer;
  state: LmServerState;

  constructor(namespace = 'llm', options: LmServerOptions = {}) {
    this.server = lmstudioServer(namespace, options);
    this.state = this.server.start();
    this.say(authentication);
  }

  say(message: Json): LmOutput[] {
    const { state, outputs } = this.server.step(this.state, message);
    this.state = state;
    return outputs;
  }

  ended(channelId: number): void {
    this.state = this.server.ended(this.state, channelId);
  }

  /** The messages that answer a message. */
  sent(message: Json): Json[] {
    return this.say(message).map((output) => (output.do === 'send' ? output.message : output.do));
  }
}

describe('authentication', () => {
  it('comes first and is answered with success', () => {
    const server = lmstudioServer('llm');
    const { outputs } = server.step(server.start(), authentication);
    expect(outputs).toEqual([{ do: 'send', message: { success: true } }]);
  });

  it.each<Json>([create('predict', 0), { ...authentication, authVersion: 2 }, { authVersion: 1 }, null, []])(
    'that is invalid is refused, and the connection closed: %j (LLM-S09)',
    (message) => {
      const server = lmstudioServer('llm');
      const { state, outputs } = server.step(server.start(), message);
      expect(outputs).toMatchObject([{ do: 'send', message: { success: false } }, { do: 'close' }]);
      expect(server.step(state, authentication).outputs).toEqual([]);
    },
  );
});

describe('a model', () => {
  const info = expect.objectContaining({ type: 'llm', identifier: 'x', instanceReference: 'x' });

  it('is loaded on request, and its channel is closed', () => {
    expect(new Connection().sent(create('getOrLoad', 0, { identifier: 'x' }))).toEqual([
      { type: 'channelSend', channelId: 0, message: { type: 'alreadyLoaded', info } },
      { type: 'channelClose', channelId: 0 },
    ]);
    expect(new Connection().sent(create('loadModel', 0, { modelKey: 'x' }))).toEqual([
      expect.objectContaining({
        message: { type: 'resolved', info: expect.objectContaining({ modelKey: 'x' }) },
      }),
      expect.objectContaining({ message: { type: 'progress', progress: 1 } }),
      expect.objectContaining({ message: { type: 'success', info } }),
      { type: 'channelClose', channelId: 0 },
    ]);
  });

  it('without a key is refused', () => {
    expect(new Connection().sent(create('getOrLoad', 0, {}))).toMatchObject([{ type: 'channelError' }]);
  });

  it('is listed, and found by specifier; a query for any model finds the first', () => {
    const of = (connection: Connection, message: Json) => connection.sent(message)[0];
    const models = { models: ['a', 'x'] };
    const listed = { type: 'rpcResult', callId: 5, result: [{ identifier: 'a' }, { identifier: 'x' }] };
    expect(of(new Connection('llm', models), rpc('listLoaded'))).toMatchObject(listed);
    const found = (specifier: Json): Json | undefined =>
      of(new Connection('llm', models), rpc('getModelInfo', { specifier, throwIfNotFound: true }));
    expect(found({ type: 'instanceReference', instanceReference: 'x' })).toMatchObject({ result: info });
    expect(found({ type: 'query', query: {} })).toMatchObject({ result: { identifier: 'a' } });
    expect(of(new Connection('system', models), rpc('listDownloadedModels'))).toMatchObject({
      result: [{ modelKey: 'a' }, { modelKey: 'x' }],
    });
  });
});

describe('a prediction', () => {
  it('is output as a request, and may be cancelled until it has ended', () => {
    const connection = new Connection();
    const request = { dialect: 'lmstudio', model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    expect(connection.say(create('predict', 4))).toMatchObject([{ do: 'predict', channelId: 4, request }]);
    expect(connection.say(cancel(4))).toEqual([{ do: 'cancel', channelId: 4 }]);
    connection.ended(4);
    expect(connection.say(cancel(4))).toEqual([]);
  });

  it('of raw text is also output; without a named model it is for the first', () => {
    const connection = new Connection('llm', { models: ['first'] });
    const raw = { modelSpecifier: { type: 'query', query: {} }, rawPrompt: 'once' };
    expect(connection.say(create('completeRawText', 0, raw))).toMatchObject([
      { do: 'predict', request: { model: 'first', messages: [{ role: 'user', content: 'once' }] } },
    ]);
  });

  it('that cannot be read is a channelError with its position, and opens no channel', () => {
    const connection = new Connection();
    expect(connection.sent(create('predict', 0, { modelSpecifier: 'm' }))).toMatchObject([
      {
        type: 'channelError',
        channelId: 0,
        error: { title: expect.stringContaining('modelSpecifier: expected') },
      },
    ]);
    expect(connection.state.channels.size).toBe(0);
  });

  it('has its own channel; an open channel cannot be opened again', () => {
    const connection = new Connection();
    connection.say(create('predict', 0));
    expect(connection.say(create('predict', 1))).toMatchObject([{ do: 'predict', channelId: 1 }]);
    expect(connection.sent(create('predict', 1))).toMatchObject([
      { type: 'communicationWarning', kind: 'channelAlreadyOpen' },
    ]);
    expect(connection.say(cancel(0))).toEqual([{ do: 'cancel', channelId: 0 }]);
  });

  it('beyond the limit of open channels is refused until another has ended', () => {
    const connection = new Connection('llm', { maxChannels: 1 });
    connection.say(create('predict', 0));
    expect(connection.sent(create('predict', 1))).toMatchObject([{ type: 'channelError', channelId: 1 }]);
    connection.ended(0);
    expect(connection.say(create('predict', 2))).toMatchObject([{ do: 'predict', channelId: 2 }]);
  });
});

describe('counting', () => {
  it.each(['countTokens', 'tokenize'] as const)('by %s is output with its text', (endpoint) => {
    const [output] = new Connection().say(rpc(endpoint, { specifier: null, inputString: 'abc' }));
    expect(output).toMatchObject({ do: 'count', callId: 5, endpoint, text: 'abc' });
    expect(output).toMatchObject({ request: { messages: [{ role: 'user', content: 'abc' }] } });
  });

  it('is answered in the form of the SDK', () => {
    expect(countResult({ callId: 5, endpoint: 'countTokens' }, 3)).toEqual(rpcResult(5, { tokenCount: 3 }));
    expect(countResult({ callId: 5, endpoint: 'tokenize' }, 3)).toEqual(rpcResult(5, { tokens: [0, 1, 2] }));
  });

  it('without a text is refused', () => {
    expect(new Connection().sent(rpc('countTokens', {}))).toMatchObject([{ type: 'rpcError', callId: 5 }]);
  });
});

describe('other calls', () => {
  it.each<[string, string, Json | undefined, Json | undefined]>([
    ['llm', 'getLoadConfig', {}, { fields: [{ key: 'llm.load.contextLength', value: 131072 }] }],
    ['llm', 'getInstanceProcessingState', {}, { status: 'idle', queued: 0 }],
    ['llm', 'unloadModel', { identifier: 'x' }, undefined],
    ['llm', 'applyPromptTemplate', { history }, { formatted: '<|user|>\nhi\n<|assistant|>\n' }],
    ['embedding', 'listLoaded', undefined, []],
    ['embedding', 'getModelInfo', { throwIfNotFound: false }, undefined],
    ['system', 'getExperimentFlags', undefined, []],
  ])('%s %s is answered', (namespace, endpoint, parameter, result) => {
    expect(new Connection(namespace).sent(rpc(endpoint, parameter))).toEqual([rpcResult(5, result)]);
  });

  it.each([
    ['llm', 'embedString'],
    ['embedding', 'countTokens'],
    ['files', 'uploadFileBase64'],
    ['llm', 'constructor'],
    ['', ''],
  ])('%s %s is refused by name, so that no client waits forever', (namespace, endpoint) => {
    const error = { title: expect.stringContaining(`no endpoint ${endpoint} in the namespace ${namespace}`) };
    expect(new Connection(namespace).sent(rpc(endpoint))).toMatchObject([
      { type: 'rpcError', callId: 5, error },
    ]);
    expect(new Connection(namespace).sent(create(endpoint, 0))).toMatchObject([
      { type: 'channelError', error },
    ]);
  });

  it('for signals are refused, because the server has none', () => {
    const of = (type: string): Json => ({ type, subscribeId: 2, endpoint: 'mood', creationParameter: null });
    expect(new Connection().sent(of('signalSubscribe'))).toMatchObject([
      { type: 'signalError', subscribeId: 2 },
    ]);
    expect(new Connection().sent(of('writableSignalSubscribe'))).toMatchObject([
      { type: 'writableSignalError', subscribeId: 2 },
    ]);
  });
});

describe('the connection', () => {
  it('is kept alive by messages of its channel until the end', () => {
    const connection = new Connection('system');
    expect(connection.sent({ type: 'keepAlive' })).toEqual([{ type: 'keepAliveAck' }]);
    expect(connection.say(create('alive', 0))).toEqual([]);
    expect(connection.state.channels.get(0)).toBe('alive');
  });

  it('acknowledges messages that ask for it', () => {
    const connection = new Connection();
    connection.say(create('predict', 0));
    expect(connection.say({ ...(cancel(0) as object), ackId: 3 })).toEqual([
      { do: 'send', message: { type: 'channelAck', channelId: 0, ackId: 3 } },
      { do: 'cancel', channelId: 0 },
    ]);
  });

  it.each<[string, Json]>([
    ['an unknown type', { type: 'mood' }],
    ['no object', 7],
    ['an unknown channel', cancel(9)],
    ['a channel without an id', { type: 'channelCreate', endpoint: 'predict' }],
    ['a call without an id', { type: 'rpcCall', endpoint: 'listLoaded' }],
  ])('continues after %s, with a warning', (_, message) => {
    const connection = new Connection();
    expect(connection.sent(message)).toMatchObject([{ type: 'communicationWarning' }]);
    expect(connection.say(create('predict', 0))).toMatchObject([{ do: 'predict' }]);
  });

  it('takes any JSON in any order without an exception', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const known = fc.record(
      {
        type: fc.constantFrom('channelCreate', 'channelSend', 'rpcCall', 'signalSubscribe', 'keepAlive'),
        endpoint: fc.oneof(
          fc.constantFrom('predict', 'getOrLoad', 'countTokens', 'applyPromptTemplate'),
          json,
        ),
        channelId: fc.oneof(fc.nat(3), json),
        callId: fc.oneof(fc.nat(3), json),
        message: fc.oneof(fc.constant({ type: 'cancel' }), json),
        parameter: fc.oneof(fc.constant({ inputString: 'a', history }), json),
        creationParameter: fc.oneof(fc.constant(prediction('m')), json),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: known }, json)), (messages) => {
        const connection = new Connection();
        for (const message of messages) expect(connection.say(message as Json).length).toBeLessThanOrEqual(4);
        expect(connection.state.channels.size).toBeLessThanOrEqual(messages.length);
      }),
    );
  });
});

describe('a unit of the streamer', () => {
  const end: GenerationEnd = {
    stop: 'end_turn',
    signal: 'honest',
    transport: 'clean',
    usage: { inputTokens: 1, outputTokens: 1 },
    cutCall: false,
  };
  const error = { type: 'server', message: 'broken' };

  it('is wrapped in an envelope with its channel; an error has another envelope', () => {
    const message = { type: 'fragment' };
    expect(wrap(7, { data: message })).toEqual({ type: 'channelSend', channelId: 7, message });
    const { body } = lmstudio.errorBody(error, '');
    expect(wrap(7, { data: body })).toEqual(channelError(7, error));
  });

  it('is followed by channelClose at the end; an error has already closed the channel', () => {
    expect(channelEnd(7, end)).toEqual([closeChannel(7)]);
    expect(channelEnd(7, { ...end, error })).toEqual([]);
  });
});
