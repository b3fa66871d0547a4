/**
 * The server's side of one WebSocket connection to LM Studio, as a pure machine: authentication first, then channels
 * and calls. Predictions and counts are the streamer's; everything else is answered here.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { readRequest } from './request.ts';
import { answerCall, unknownEndpoint } from './server-endpoints.ts';
import {
  channelError,
  closeChannel,
  communicationWarning,
  rpcError,
  rpcResult,
  wrap,
} from './server-messages.ts';
import type { WarningKind } from './server-messages.ts';
import { instanceInfo, modelInfo, specifiedModel } from './words.ts';

/** An output of the machine. */
export type LmOutput =
  | { readonly do: 'send'; readonly message: Json }
  /** Answer with units in {@link wrap}, then `channelEnd`, then call `ended` of the machine. */
  | { readonly do: 'predict'; readonly channelId: number; readonly request: LlmRequest }
  /**
   * Stop generating: `userStopped` in {@link wrap}, `closeChannel`, and `ended`. Only for channels that have not
   * ended.
   */
  | { readonly do: 'cancel'; readonly channelId: number }
  /** Answer with {@link countResult}. `request` has the text as a message of the user. */
  | {
      readonly do: 'count';
      readonly callId: number;
      readonly endpoint: 'countTokens' | 'tokenize';
      readonly request: LlmRequest;
      readonly text: string;
    }
  /** Close the WebSocket, after the messages before. */
  | { readonly do: 'close'; readonly reason: string };

/** The state of a connection. `step` changes it in place. */
export interface LmServerState {
  phase: 'authentication' | 'open' | 'closed';
  /** Channels that are open, by id: predictions, and others that wait for the end of the connection. */
  readonly channels: Map<number, 'predict' | 'alive'>;
  /** The highest channel id so far. Clients count upwards, so a lower id that is not open has ended. */
  highest: number;
}

export interface LmServerOptions {
  /** The models that are listed as loaded and downloaded; any other works too. Default: `wireproof-1`. */
  readonly models?: readonly string[];
  /** Most channels open at once; default 1024. */
  readonly maxChannels?: number;
}

/** The machine. */
export interface LmServer {
  /** A fresh connection. */
  start(): LmServerState;
  /** Takes a message of the client, parsed. Never throws. */
  step(state: LmServerState, message: Json): { readonly state: LmServerState; readonly outputs: LmOutput[] };
  /** A channel's last message was sent: it takes no more cancels. */
  ended(state: LmServerState, channelId: number): LmServerState;
}

/**
 * The machine for one namespace: the path of the WebSocket without its slash, such as `llm` or `system`.
 *
 * @example
 * const server = lmstudioServer('system');
 * const { state } = server.step(server.start(), { authVersion: 1, clientIdentifier: 'me', clientPasskey: 'x' });
 * server.step(state, { type: 'keepAlive' }).outputs; // [{ do: 'send', message: { type: 'keepAliveAck' } }]
 */
export function lmstudioServer(namespace: string, options: LmServerOptions = {}): LmServer {
  const { models = ['wireproof-1'], maxChannels = 1024 } = options;
  const context: Context = { namespace, models, maxChannels };
  return {
    start: () => ({ phase: 'authentication', channels: new Map(), highest: -1 }),
    step: (state, message) => ({ state, outputs: step(context, state, message) }),
    ended: (state, channelId) => {
      state.channels.delete(channelId);
      return state;
    },
  };
}

/**
 * The answer to a count, for this number of tokens. To `tokenize` it gives ids from 0 on: virtual tokens have no
 * other ids.
 *
 * @example
 * countResult({ callId: 3, endpoint: 'countTokens' }, 12); // { type: 'rpcResult', callId: 3, result: { tokenCount: 12 } }
 */
export const countResult = (
  count: { readonly callId: number; readonly endpoint: 'countTokens' | 'tokenize' },
  tokens: number,
): JsonObject =>
  rpcResult(
    count.callId,
    count.endpoint === 'countTokens'
      ? { tokenCount: tokens }
      : { tokens: Array.from({ length: tokens }, (_, id) => id) },
  );

interface Context {
  readonly namespace: string;
  readonly models: readonly string[];
  readonly maxChannels: number;
}

type Fields = Record<string, unknown>;

const send = (message: Json): LmOutput => ({ do: 'send', message });

const warn = (warning: string, kind: WarningKind = 'unknown'): LmOutput[] => [
  send(communicationWarning(warning, kind)),
];

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

function step(context: Context, state: LmServerState, message: Json): LmOutput[] {
  if (state.phase === 'closed') return [];
  if (state.phase === 'authentication') return authenticate(state, message);
  if (!isObject(message)) return warn('expected a message that is a JSON object');
  switch (message['type']) {
    case 'channelCreate':
      return createChannel(context, state, message);
    case 'channelSend':
      return channelSend(state, message);
    case 'rpcCall':
      return call(context, message);
    case 'keepAlive':
      return [send({ type: 'keepAliveAck' })];
    case 'signalSubscribe':
      return noSignal(context, message, 'signalError');
    case 'writableSignalSubscribe':
      return noSignal(context, message, 'writableSignalError');
    case 'channelAck':
    case 'communicationWarning':
    case 'signalUnsubscribe':
    case 'writableSignalUnsubscribe':
    case 'writableSignalUpdate':
      return [];
    default:
      return warn('expected a message whose type this server knows');
  }
}

function authenticate(state: LmServerState, message: Json): LmOutput[] {
  const { authVersion, clientIdentifier, clientPasskey } = isObject(message) ? message : {};
  if (authVersion === 1 && typeof clientIdentifier === 'string' && typeof clientPasskey === 'string') {
    state.phase = 'open';
    return [send({ success: true })];
  }
  state.phase = 'closed';
  const error =
    'expected authentication first: {"authVersion": 1, "clientIdentifier": "…", "clientPasskey": "…"}';
  return [send({ success: false, error }), { do: 'close', reason: error }];
}

function createChannel(context: Context, state: LmServerState, message: Fields): LmOutput[] {
  const { channelId, endpoint, creationParameter = {} } = message;
  if (!isId(channelId) || typeof endpoint !== 'string')
    return warn('expected a channelCreate with an integer channelId and an endpoint', 'channelUnknown');
  if (state.channels.has(channelId))
    return warn(`channel ${channelId} is open already`, 'channelAlreadyOpen');
  state.highest = Math.max(state.highest, channelId);
  const parameter = creationParameter as Json;
  if (context.namespace === 'llm') {
    if (endpoint === 'predict' || endpoint === 'completeRawText')
      return predict(context, state, channelId, parameter);
    if (endpoint === 'getOrLoad' || endpoint === 'loadModel') return load(channelId, endpoint, parameter);
  }
  if (context.namespace === 'system' && endpoint === 'alive')
    return open(context, state, channelId, 'alive') ?? [];
  return [send(channelError(channelId, unknownEndpoint(context.namespace, endpoint)))];
}

/** Opens a channel. @returns the refusal where too many are open */
function open(
  { maxChannels }: Context,
  state: LmServerState,
  channelId: number,
  kind: 'predict' | 'alive',
): LmOutput[] | undefined {
  if (state.channels.size < maxChannels) {
    state.channels.set(channelId, kind);
    return undefined;
  }
  const message = `expected at most ${maxChannels} channels that are open at once`;
  return [send(channelError(channelId, { type: 'rate_limit', message }))];
}

function predict(context: Context, state: LmServerState, channelId: number, parameter: Json): LmOutput[] {
  const request = readRequest(parameter);
  if (!request.ok) return [send(channelError(channelId, request.error.error))];
  const model = request.value.model === '' ? (context.models[0] ?? '') : request.value.model;
  return (
    open(context, state, channelId, 'predict') ?? [
      { do: 'predict', channelId, request: { ...request.value, model } },
    ]
  );
}

/** Every model is available: `getOrLoad` finds it loaded, `loadModel` loads it at once. */
function load(channelId: number, endpoint: 'getOrLoad' | 'loadModel', parameter: Json): LmOutput[] {
  const { identifier, modelKey } = isObject(parameter) ? parameter : {};
  const name = endpoint === 'getOrLoad' ? identifier : modelKey;
  if (typeof name !== 'string')
    return [
      send(channelError(channelId, { type: 'invalid_request', message: 'expected the key of a model' })),
    ];
  const packets: Json[] =
    endpoint === 'getOrLoad'
      ? [{ type: 'alreadyLoaded', info: instanceInfo(name) }]
      : [
          { type: 'resolved', info: modelInfo(name) },
          { type: 'progress', progress: 1 },
          { type: 'success', info: instanceInfo(typeof identifier === 'string' ? identifier : name) },
        ];
  return [...packets.map((data) => send(wrap(channelId, { data }))), send(closeChannel(channelId))];
}

function channelSend(state: LmServerState, message: Fields): LmOutput[] {
  const { channelId, ackId, message: packet } = message;
  if (!isId(channelId)) return warn('expected a channelSend with an integer channelId', 'channelUnknown');
  const kind = state.channels.get(channelId);
  if (kind === undefined) {
    // A cancel may cross the end of its channel.
    return channelId <= state.highest ? [] : warn(`there is no channel ${channelId}`, 'channelUnknown');
  }
  const ack = isId(ackId) ? [send({ type: 'channelAck', channelId, ackId })] : [];
  if (!isObject(packet) || packet['type'] !== 'cancel')
    return [
      ...ack,
      ...warn(`expected {"type": "cancel"} in channel ${channelId}`, 'channelMessageTypeError'),
    ];
  return kind === 'predict' ? [...ack, { do: 'cancel', channelId }] : ack;
}

function call(context: Context, message: Fields): LmOutput[] {
  const { callId, endpoint, parameter = {} } = message;
  if (!isId(callId) || typeof endpoint !== 'string')
    return warn('expected an rpcCall with an integer callId and an endpoint', 'rpcParameterTypeError');
  if (context.namespace === 'llm' && (endpoint === 'countTokens' || endpoint === 'tokenize'))
    return count(callId, endpoint, parameter as Json);
  const { namespace, models } = context;
  const answer = answerCall(namespace, endpoint, parameter as Json, { names: models });
  return [send(answer.ok ? rpcResult(callId, answer.value) : rpcError(callId, answer.error))];
}

function count(callId: number, endpoint: 'countTokens' | 'tokenize', parameter: Json): LmOutput[] {
  const { specifier, inputString: text } = isObject(parameter) ? parameter : {};
  if (typeof text !== 'string') {
    const error = { type: 'invalid_request', message: 'inputString: expected a string' };
    return [send(rpcError(callId, error))];
  }
  const request: LlmRequest = {
    dialect: 'lmstudio',
    model: specifiedModel(specifier) ?? '',
    messages: [{ role: 'user', content: text }],
    tools: [],
    stream: false,
    includeUsage: false,
  };
  return [{ do: 'count', callId, endpoint, request, text }];
}

/** No namespace here has signals; the SDK waits for the refusal. */
function noSignal({ namespace }: Context, message: Fields, type: string): LmOutput[] {
  const { subscribeId, endpoint } = message;
  if (!isId(subscribeId)) return warn('expected an integer subscribeId', 'signalEndpointUnknown');
  const { error } = rpcError(0, unknownEndpoint(namespace, String(endpoint)));
  return [send({ type, subscribeId, error: error ?? null })];
}
