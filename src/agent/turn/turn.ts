/** A Fold request as a turn of the model: the machine of src/tokens decides, this room carries its actions out. */
import type { ToolOutcome } from '../../kit/base/index.ts';
import { doneOf } from '../../fold/index.ts';
import type { Decoded, LlmRequest } from '../../llm/index.ts';
import type { TurnAction, TurnEnd, TurnInput, TurnState } from '../../tokens/index.ts';
import { beginExchange, reportUsage } from '../exchange.ts';
import { failureOf, failureText } from '../failure.ts';
import { addSaid, forgetMessage, historyOf, keepHistory, withThoughts } from '../history.ts';
import { needsAnother, takeInjections } from '../injections.ts';
import type { AgentOutputs, AgentRequest } from '../state.ts';
import { beginBatch, runBatch } from '../tools/batch.ts';
import { responseFor } from './response.ts';

/** The most model requests of one Fold request: a model that calls tools for ever is stopped. */
const mostRequests = 200;

/** Begins a request: the history of its thread, the injections that waited, and its message. */
export function beginTurn(out: AgentOutputs, request: AgentRequest): void {
  request.history = historyOf(out, request.thread);
  request.turn.compactedAt = request.history.compactedAt;
  request.before = [...request.history.messages, ...takeInjections(out, request).map(asMessage)];
  const history = [...request.before, asMessage(request.content)];
  advance(out, request, { type: 'begin', now: out.now, history });
}

const asMessage = (content: string): { readonly role: 'user'; readonly content: string } => ({
  role: 'user',
  content,
});

/** Gives the machine an input, and carries its actions out. */
function advance(out: AgentOutputs, request: AgentRequest, input: TurnInput): void {
  const { state, actions } = request.machine.step(request.turn, input);
  request.turn = state;
  for (const action of actions) perform(out, request, action);
}

function perform(out: AgentOutputs, request: AgentRequest, action: TurnAction): void {
  switch (action.do) {
    case 'send':
      return send(out, request);
    case 'retry':
      return out.startTimerOf(request, action.delay);
    case 'run_tools':
      beginBatch(request, action.calls);
      return continueBatch(out, request);
    case 'stop':
      return conclude(out, request, action.code);
    case 'compact':
    case 'prune':
      return out.tell(action.do, JSON.stringify({ request: request.id, messages: action.messages.length }));
    case 'warn': {
      const { do: _, ...warning } = action;
      return out.tell('warning', JSON.stringify({ request: request.id, ...warning }));
    }
    default:
      action satisfies never;
  }
}

/** Asks the model. Injections that came meanwhile stand in this request. */
function send(out: AgentOutputs, request: AgentRequest): void {
  if (request.asked >= mostRequests) {
    keepHistory(request);
    return out.end(request, { error: `the model was asked ${mostRequests} times, and has not finished` });
  }
  const injected = takeInjections(out, request);
  if (injected.length > 0) return goOn(out, request, injected, Math.max(0, request.turn.attempts - 1));
  beginExchange(out, request, requestOf(out, request));
}

function requestOf({ whole }: AgentOutputs, { turn, history }: AgentRequest): LlmRequest {
  const { llm, system, maxTokens, tools = [] } = whole;
  return {
    dialect: llm.dialect,
    model: llm.model,
    messages: withThoughts(turn.messages, history),
    tools: tools.map(({ run: _run, timeout: _timeout, ...spec }) => spec),
    stream: true,
    includeUsage: true,
    ...(system === undefined ? {} : { system }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Goes on with injections behind the conversation. What the turn may still do of its retries stays as it is. */
function goOn(out: AgentOutputs, request: AgentRequest, injected: readonly string[], attempts: number): void {
  const { messages, cuts, overflows, compactedAt } = request.turn;
  const kept: Partial<TurnState> = { cuts, overflows, compactedAt, attempts };
  request.turn = Object.assign(request.machine.start(), kept);
  const history = [...messages, ...injected.map(asMessage)];
  advance(out, request, { type: 'begin', now: out.now, history });
}

/** The response of a model request is over, well or not. */
export function takeResponse(
  out: AgentOutputs,
  request: AgentRequest,
  shown: boolean,
  decoded: Decoded,
): void {
  const { response, error } = decoded;
  request.failure = error;
  if (error !== undefined) {
    addSaid(request, response.content);
    const { attempts } = request.turn;
    const failure =
      out.whole.parts?.failure?.(error, shown, attempts) ?? failureOf(error, shown, attempts, out.whole.llm);
    return advance(out, request, { type: 'failed', now: out.now, failure });
  }
  reportUsage(out, request, response.metadata.usage);
  const [first] = response.toolCalls;
  if (response.thinking !== undefined && first !== undefined)
    request.history.thoughts.set(first.id, response.thinking);
  const whole = responseFor(response, out.whole.tools ?? []);
  advance(out, request, { type: 'response', now: out.now, response: whole });
}

/** Goes on after a tool has ended; when all calls have, with their results. */
export function continueBatch(out: AgentOutputs, request: AgentRequest): void {
  if (runBatch(out, request))
    advance(out, request, { type: 'ran', now: out.now, results: resultsOf(request) });
}

/** The results of the calls that have ended, and no batch any more. */
export function resultsOf(request: AgentRequest): readonly ToolOutcome[] {
  const results = request.batch?.results ?? [];
  request.batch = undefined;
  return results;
}

/** The delay of a retry is over. */
export const retry = (out: AgentOutputs, request: AgentRequest): void =>
  advance(out, request, { type: 'waited', now: out.now });

/** The turn is over. An IMMEDIATE injection that still waits causes one more model request. */
function conclude(out: AgentOutputs, request: AgentRequest, end: TurnEnd): void {
  const error = request.asked === 0 && end === 'error' ? 'the message is empty' : failureOfEnd(request, end);
  if (error === undefined && needsAnother(out, request)) {
    request.extra++;
    return goOn(out, request, takeInjections(out, request), 0);
  }
  if (request.asked === 0) forgetMessage(request);
  // The next message begins a turn of its own then, so that this one can be pruned.
  else if (fullEnds.has(end)) addSaid(request, '(The context window was full.)');
  keepHistory(request);
  out.end(request, error === undefined ? doneOf(request) : { error });
}

/** Ends for want of room. */
const fullEnds: ReadonlySet<TurnEnd> = new Set<TurnEnd>(['budget', 'overflow', 'context_window']);

const failureOfEnd = ({ texts, failure }: AgentRequest, end: TurnEnd): string | undefined =>
  failureText(
    end,
    texts.some((text) => text.trim() !== ''),
    failure,
  );
