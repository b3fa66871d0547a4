/**
 * A whole agent as one pure role: Fold above, a model below. It lives on its Fold stream as the directive agent does
 * (`stepShell`), and works on each request with the model: the machine of src/tokens decides what is asked, run, retried
 * and pruned; `ClientCall` speaks the provider's dialect.
 */
import type { Role, RoleInput } from '../kit/base/index.ts';
import { settleShell, stepShell } from '../fold/index.ts';
import type { AgentWorker, SendMessage, Terminal } from '../fold/index.ts';
import type { ClientCall, CallOutput } from '../llm/index.ts';
import { turnMachine } from '../tokens/index.ts';
import type { TurnOptions } from '../tokens/index.ts';
import { budgetOf } from './budget.ts';
import { abandonExchange, drive, exchangeTimer, holdExchanges } from './exchange.ts';
import { addSaid, keepHistory, newHistory } from './history.ts';
import { place, refusal } from './injections.ts';
import type { ToolCommand, WholeAgentOptions } from './options.ts';
import { AgentOutputs, newState, noTokens, requestOfTimer, shellOptionsOf } from './state.ts';
import type { AgentRequest, WholeAgentState } from './state.ts';
import { decideTool, endEffect, stopBatch, toolTimer } from './tools/batch.ts';
import { beginTurn, continueBatch, endExchange, resultsOf, retry } from './turn/turn.ts';
import { isChunk } from './wire.ts';
import type { AgentIn, AgentOut } from './wire.ts';

/** A whole agent as a role. */
export type WholeAgentRole = Role<WholeAgentState, AgentIn, AgentOut, ToolCommand>;

/**
 * Makes a whole agent.
 *
 * @example
 * const llm = { baseUrl: 'http://127.0.0.1:1234', dialect: 'anthropic', model: 'm' } as const;
 * const role = wholeAgent({ llm, tools: pureTools, random: seededRandom });
 * role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type; // 'dial'
 */
export function wholeAgent(options: WholeAgentOptions): WholeAgentRole {
  const fold = shellOptionsOf(options);
  return {
    name: 'agent',
    start: () => newState(fold.agent_id),
    step(state, input, now) {
      const out = new AgentOutputs(state, now, fold, options);
      react(out, input);
      return { state, outputs: out.outputs };
    },
  };
}

/** Gives an input to whom it is for: an exchange, a tool, or the shell. */
function react(out: AgentOutputs, input: RoleInput<AgentIn, ToolCommand>): void {
  if (input.type === 'effect') ended(out, input.id, input.result);
  else if (input.type === 'command') ended(out, input.command.id, input.command.end);
  else if ('peer' in input && out.state.links.has(input.peer)) fromModel(out, input);
  else if (input.type !== 'message') return stepShell(out, worker, input);
  else if (!isChunk(input.message)) return stepShell(out, worker, { ...input, message: input.message });
  settleShell(out, worker);
}

function ended(out: AgentOutputs, id: string, result: unknown): void {
  const request = endEffect(out, id, result);
  if (request !== undefined) continueBatch(out, request);
}

/** An input of a link to the provider. */
function fromModel(
  out: AgentOutputs,
  input: Extract<RoleInput<AgentIn, never>, { readonly peer: string }>,
): void {
  const request = out.state.requests.get(out.state.links.get(input.peer) ?? '');
  const { exchange } = request ?? {};
  if (input.type === 'left') out.state.links.delete(input.peer);
  if (request === undefined || exchange?.peer !== input.peer) return;
  const decoded = drive(out, request, callOutputs(exchange.call, input));
  if (decoded === undefined) return;
  // An HTTP server closes behind its answer; one that only half-closes keeps the link open.
  if (input.type === 'half_close') out.close(input.peer, 0, '');
  endExchange(out, request, exchange, decoded);
}

function callOutputs(
  call: ClientCall,
  input: Extract<RoleInput<AgentIn, never>, { readonly peer: string }>,
): readonly CallOutput[] {
  switch (input.type) {
    case 'message':
      return isChunk(input.message) ? call.bytes(input.message.chunk) : [];
    case 'headers':
      return call.headers(input.metadata);
    case 'half_close':
      return call.ended(true);
    case 'left':
      return call.ended(input.status?.code === 0);
    default:
      return [];
  }
}

/** Works on requests with the model. */
const worker: AgentWorker<AgentOutputs, AgentRequest> = {
  receive: receiveRequest,
  begin: beginTurn,
  stop: stopRequest,
  refusal,
  place,
  decide(out, decision) {
    const request = decideTool(out, decision);
    if (request !== undefined) continueBatch(out, request);
  },
  packResult() {},
  timer(out, id) {
    const request = out.state.requests.get(requestOfTimer(id));
    if (request !== undefined) onTimer(out, request);
  },
  full: (out) => holdExchanges(out, 'pause'),
  drained: (out) => holdExchanges(out, 'resume'),
  lost(out) {
    if (out.state.full) holdExchanges(out, 'resume');
    for (const request of out.state.requests.values()) halt(out, request, true);
  },
};

/** The request of a message. A second message with the id of a request that has not ended is ignored. */
function receiveRequest(out: AgentOutputs, message: SendMessage): AgentRequest | undefined {
  const id = message.request_id ?? '';
  if (out.state.requests.has(id)) return undefined;
  const { tools = [], window, random, parts = {} } = out.whole;
  const options: TurnOptions = {
    config: budgetOf(out.whole),
    tools,
    random: () => random(`retries of ${id}`),
    measures: true,
    ...(window === undefined ? {} : { window }),
  };
  const machine = parts.turn?.(options) ?? turnMachine(options);
  return {
    id,
    thread: message.thread_id ?? '',
    started: 0,
    texts: [],
    textBytes: 0,
    content: contentOf(message),
    history: newHistory(),
    before: [],
    machine,
    turn: machine.start(),
    exchange: undefined,
    batch: undefined,
    asked: 0,
    extra: 0,
    approvals: new Set(),
    approveAll: false,
    failure: undefined,
    measure: undefined,
    model: undefined,
    asksUser: 'not yet',
    used: noTokens(),
  };
}

/** The text of a message, and the names of its attachments. */
const contentOf = ({ content = '', attachments = [] }: SendMessage): string =>
  [
    content,
    ...attachments.map(({ filename = '', mime_type = '' }) => `[attached: ${filename} ${mime_type}]`),
  ].join('\n');

/** The timer of a request: of its exchange, its tool, or its next attempt. */
function onTimer(out: AgentOutputs, request: AgentRequest): void {
  const { exchange, batch } = request;
  if (exchange !== undefined) {
    const decoded = exchangeTimer(out, request, exchange.call);
    if (decoded !== undefined) endExchange(out, request, exchange, decoded);
  } else if (batch?.open !== undefined) {
    toolTimer(out, request, batch.open);
    continueBatch(out, request);
  } else retry(out, request);
}

/** Stops a request: its exchange is closed, its tool stopped, no further request is made for it. */
function stopRequest(out: AgentOutputs, request: AgentRequest, terminal: Terminal): void {
  halt(out, request, false);
  out.end(request, terminal);
}

/** Stops what runs for a request, and keeps in its thread what was said and done. `isLost`: nobody is to be told. */
function halt(out: AgentOutputs, request: AgentRequest, isLost: boolean): void {
  if (request.started === 0) return;
  const said = abandonExchange(out, request);
  stopBatch(out, request, isLost);
  out.stopTimerOf(request);
  const results = resultsOf(request);
  const { machine } = request;
  // What the turn would do next is not done.
  if (results.length > 0)
    request.turn = machine.step(request.turn, { type: 'ran', now: out.now, results }).state;
  request.turn = machine.step(request.turn, { type: 'cancel', now: out.now }).state;
  addSaid(request, said);
  keepHistory(request);
}
