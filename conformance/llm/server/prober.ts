/**
 * The kit's client of a model server. It sends a scenario's requests in any dialect, and cancels on command. It judges
 * nothing. It reads only the list of models and LM Studio's welcome.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type {
  Json,
  JsonObject,
  Metadata,
  PeerCommand,
  Role,
  RoleInput,
  RoleOutput,
} from '../../../src/kit/base/index.ts';
import { dialectOf, lmstudioClient } from '../../../src/llm/index.ts';
import type { Asked, DialectName, LmClient, LmClientState, LlmRequest } from '../../../src/llm/index.ts';
import { firstModel, modelPages, withModelPath } from './model-lists.ts';
import { demanding } from './prompts.ts';
import { askOnSocket, hearOnSocket, responsesSocket } from './prober-socket.ts';
import type { SocketAsk, SocketTalk } from './prober-socket.ts';
import type { ShownUnit } from './units.ts';
import { witnessRequest } from './witness.ts';

/** An order of a scenario: one of these members. */
export interface ProberOrder {
  /** Finds the model: the first in the server's list. */
  readonly find?: DialectName;
  /** Asks for an answer, or a count of its prompt. */
  readonly ask?: ProberRequest;
  /** Further header fields of all requests that follow. */
  readonly headers?: Metadata;
  /** Cancels the last request: LM Studio gets a message, HTTP is closed. */
  readonly cancel?: true;
  /** Looks at the server's witness; see witness.ts. */
  readonly look?: 'witness';
  /** Whether the answer to the last request is read: it is, unless an order says that it is not for now. */
  readonly reads?: boolean;
}

/** A request of a scenario. */
export interface ProberRequest {
  readonly dialect: DialectName;
  /** A neutral request. The prober fills in the dialect, and the model unless one is named. */
  readonly request?: Partial<LlmRequest>;
  /** Whether to ask the counting endpoint. */
  readonly count?: true;
  /** Whether the request demands a call, where its dialect can say so. */
  readonly forced?: true;
  /** A raw body instead of a request. The prober adds a model if the body has none. */
  readonly body?: JsonObject;
  /** Another path than that of the dialect. */
  readonly path?: string;
  /** `keep`: the connection stays open for the next request that says so; `last`: it is closed after this one. */
  readonly connection?: 'keep' | 'last';
  /** OpenAI Responses: asks on the WebSocket, which stays open. */
  readonly socket?: SocketAsk;
  /** LM Studio: raw messages, sent in order without waiting for answers. */
  readonly messages?: readonly JsonObject[];
}

type Output = RoleOutput<Asked>;

interface Talk {
  readonly dialect: DialectName;
  readonly finds: boolean;
  readonly machine?: LmClient;
  state?: LmClientState;
}

export interface ProberState {
  readonly talks: Map<string, Talk>;
  model: string | undefined;
  headers: Metadata;
  count: number;
  /** The open WebSocket of Responses. */
  socket: SocketTalk | undefined;
}

export type ProberRole = Role<ProberState, ShownUnit, Asked, PeerCommand<Asked>>;

type Input = RoleInput<ShownUnit, PeerCommand<Asked>>;

/** The model of requests when the server lists none. */
const anyModel = 'wireproof-1';

/** Makes a prober. */
export function prober(): ProberRole {
  return {
    name: 'llm/prober',
    start: () => ({ talks: new Map(), model: undefined, headers: {}, count: 0, socket: undefined }),
    step(state, input) {
      const outputs: Output[] = [];
      take(state, input, outputs);
      return { state, outputs };
    },
  };
}

function take(state: ProberState, input: Input, out: Output[]): void {
  switch (input.type) {
    case 'command':
      return command(state, input.command, out);
    case 'headers':
      // The user may have named a model; then the metadata of the connection contains it.
      state.model = input.metadata[':model'] ?? state.model;
      return;
    case 'message':
      return message(state, input.peer, input.message, out);
    case 'left':
      return forget(state, input.peer);
    default:
  }
}

function command(state: ProberState, asked: PeerCommand<Asked>, out: Output[]): void {
  if (asked.do === 'send') return order(state, asked.message as ProberOrder, out);
  if (asked.do === 'raw') return;
  const status = asked.do === 'end' ? asked.status : { code: 0, message: '' };
  for (const peer of state.talks.keys()) out.push({ type: 'close', peer, status });
  state.talks.clear();
  state.socket = undefined;
}

function forget(state: ProberState, peer: string): void {
  state.talks.delete(peer);
  if (state.socket?.peer === peer) state.socket = undefined;
}

function order(state: ProberState, asked: ProberOrder, out: Output[]): void {
  const { find, ask, cancel, headers, reads, look } = asked;
  if (headers !== undefined) state.headers = headers;
  if (look !== undefined) return lookAtWitness(state, out);
  if (find !== undefined) return findModel(state, find, out);
  if (ask !== undefined) return question(state, ask, out);
  if (cancel === true) cancelLast(state, out);
  const peer = [...state.talks.keys()].at(-1);
  if (reads !== undefined && peer !== undefined) out.push({ type: reads ? 'resume' : 'pause', peer });
}

const dial = (state: ProberState, talk: Talk, metadata: Metadata, out: Output[]): string => {
  const peer = `x${++state.count}`;
  state.talks.set(peer, talk);
  out.push({ type: 'dial', peer, metadata });
  return peer;
};

/** No dialect has the page; the talk of it has only its link. */
function lookAtWitness(state: ProberState, out: Output[]): void {
  const peer = `x${++state.count}`;
  out.push({ type: 'dial', peer, metadata: witnessRequest }, { type: 'half_close', peer });
}

const socket: Metadata = { ':carrier': 'ws', ':method': 'GET', ':path': '/llm' };

/** LM Studio lists its models in answer to a call. The other dialects have a page. */
function findModel(state: ProberState, dialect: DialectName, out: Output[]): void {
  const talk: Talk = { dialect, finds: true };
  if (dialect === 'lmstudio') {
    const peer = dial(state, talk, socket, out);
    const welcome = { authVersion: 1, clientIdentifier: 'wireproof', clientPasskey: 'wireproof' };
    out.push({ type: 'send', peer, message: { body: welcome } });
    return;
  }
  const path = modelPages[dialect];
  const { headers } = dialectOf[dialect].writeRequest(requestOf(state, { dialect }));
  const peer = dial(state, talk, { ...http(path, 'GET'), ...headers }, out);
  out.push({ type: 'half_close', peer });
}

const http = (path: string, method: string): Metadata => ({
  ':carrier': 'http',
  ':method': method,
  ':path': path,
});

function question(state: ProberState, asked: ProberRequest, out: Output[]): void {
  const { dialect, count, messages } = asked;
  if (dialect === 'lmstudio') return channel(state, asked, messages, out);
  const request = requestOf(state, asked);
  const written = dialectOf[dialect].writeRequest(request);
  if (asked.socket !== undefined)
    return onSocket(state, asked.socket, bodyOf(state, asked, request, written.body), out);
  const { path: own = written.path, connection } = asked;
  const path = count === true ? countPathOf(request, own) : own;
  const body = bodyOf(state, asked, request, written.body);
  const metadata: Metadata = {
    ...http(path, 'POST'),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(JSON.stringify(body))),
    accept: request.stream && count !== true ? dialectOf[dialect].contentType : 'application/json',
    ...written.headers,
    ...state.headers,
    ...(connection === undefined ? {} : { ':connection': connection }),
  };
  const peer = dial(state, { dialect, finds: false }, metadata, out);
  out.push({ type: 'send', peer, message: { body } }, { type: 'half_close', peer });
}

/** Asks on the WebSocket of Responses, and opens it first where it is not open. */
function onSocket(state: ProberState, ask: SocketAsk, body: JsonObject, out: Output[]): void {
  state.socket ??= {
    peer: dial(
      state,
      { dialect: 'openai-responses', finds: false },
      { ...responsesSocket, ...state.headers },
      out,
    ),
    latest: undefined,
  };
  out.push({
    type: 'send',
    peer: state.socket.peer,
    message: { body: askOnSocket(state.socket, ask, body) },
  });
}

function countPathOf(request: LlmRequest, own: string): string {
  const { count } = dialectOf[request.dialect];
  return count?.pathOf?.(request) ?? count?.path ?? own;
}

/** A request for a count has no members about the answer. Gemini's count has the request inside. */
function bodyOf(
  state: ProberState,
  { body, count, dialect, forced }: ProberRequest,
  request: LlmRequest,
  written: JsonObject,
): JsonObject {
  if (body !== undefined)
    return withModelPath.has(dialect) ? body : { model: state.model ?? anyModel, ...body };
  if (count !== true) return forced === true ? demanding(written, dialect) : written;
  if (dialect === 'gemini') return dialectOf[dialect].count?.body(request) ?? written;
  const { max_tokens: _, max_output_tokens: __, stream: ___, ...prompt } = written;
  return prompt;
}

function requestOf(state: ProberState, { dialect, request }: ProberRequest): LlmRequest {
  const plain = { messages: [], tools: [], stream: true, includeUsage: true };
  return { ...plain, model: state.model ?? anyModel, ...request, dialect };
}

function channel(
  state: ProberState,
  asked: ProberRequest,
  messages: readonly JsonObject[] | undefined,
  out: Output[],
): void {
  if (messages !== undefined) {
    const peer = dial(state, { dialect: 'lmstudio', finds: false }, socket, out);
    for (const body of messages) out.push({ type: 'send', peer, message: { body } });
    return;
  }
  const machine = lmstudioClient({ request: requestOf(state, asked) });
  const talk: Talk = { dialect: 'lmstudio', finds: false, machine };
  const peer = dial(state, talk, socket, out);
  const begun = machine.start();
  talk.state = begun.state;
  sayAll(peer, begun.outputs, out);
}

function sayAll(peer: string, outputs: ReturnType<LmClient['step']>['outputs'], out: Output[]): void {
  for (const output of outputs)
    if (output.do === 'send') out.push({ type: 'send', peer, message: { body: output.message } });
}

function message(state: ProberState, peer: string, unit: ShownUnit, out: Output[]): void {
  const talk = state.talks.get(peer);
  if (talk === undefined || !('data' in unit)) return;
  if (state.socket?.peer === peer) return hearOnSocket(state.socket, unit.data);
  if (talk.finds) return found(state, peer, talk, unit.data, out);
  if (talk.machine === undefined || talk.state === undefined) return;
  const bytes = Buffer.from(JSON.stringify(unit.data));
  sayAll(peer, talk.machine.step(talk.state, { type: 'message', bytes }).outputs, out);
}

function found(state: ProberState, peer: string, talk: Talk, data: Json, out: Output[]): void {
  if (talk.dialect === 'lmstudio' && isObject(data) && data['success'] === true) {
    const body = { type: 'rpcCall', endpoint: 'listLoaded', callId: 0 };
    out.push({ type: 'send', peer, message: { body } });
    return;
  }
  state.model ??= firstModel(data);
  if (talk.dialect !== 'lmstudio') return;
  out.push({ type: 'close', peer, status: { code: 0, message: '' } });
  state.talks.delete(peer);
}

function cancelLast(state: ProberState, out: Output[]): void {
  const [peer, talk] = [...state.talks].at(-1) ?? [];
  if (peer === undefined || talk === undefined) return;
  if (talk.machine !== undefined && talk.state !== undefined)
    return sayAll(peer, talk.machine.step(talk.state, { type: 'cancel' }).outputs, out);
  out.push({ type: 'close', peer, status: { code: 1, message: 'let go' } });
  forget(state, peer);
}
