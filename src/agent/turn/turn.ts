/** A Fold request as a turn of the model: the machine of src/tokens decides, this room carries its actions out. */
import type { ToolOutcome } from '../../kit/base/index.ts';
import { doneOf } from '../../fold/index.ts';
import type { Decoded, LlmRequest } from '../../llm/index.ts';
import type { TurnAction, TurnEnd, TurnInput, TurnState } from '../../tokens/index.ts';
import { modelOf } from '../budget.ts';
import { beginCount, beginExchange, reportUsage } from '../exchange.ts';
import { failureOf, failureText } from '../failure.ts';
import { answerOf, beginCalls, countOf, countingFor, decide, stoppedByUser } from '../fallback.ts';
import { addSaid, forgetMessage, historyOf, keepHistory, withThoughts } from '../history.ts';
import { needsAnother, takeInjections } from '../injections.ts';
import type { AgentOutputs, AgentRequest, Exchange } from '../state.ts';
import { runBatch } from '../tools/batch.ts';
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
    case 'measure':
      return measure(out, request, action);
    case 'run_tools':
      beginCalls(out, request, action.calls);
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

/** Asks the model. This request holds the injections that came meanwhile. */
function send(out: AgentOutputs, request: AgentRequest): void {
  if (request.asked >= mostRequests) {
    keepHistory(request);
    return out.end(request, { error: `the model was asked ${mostRequests} times, and has not finished` });
  }
  const injected = takeInjections(out, request);
  if (injected.length > 0) return goOn(out, request, injected, Math.max(0, request.turn.attempts - 1));
  beginExchange(out, request, requestOf(out, request));
}

/** A request is near the limit: the provider counts it, where it can, and the policy of the options decides. */
function measure(
  out: AgentOutputs,
  request: AgentRequest,
  { size, limit }: Extract<TurnAction, { do: 'measure' }>,
): void {
  request.measure = { size, limit };
  const counting = countingFor(out, request);
  if (counting === undefined) return decideMeasure(out, request, undefined);
  beginCount(out, request, requestOf(out, request), counting);
}

/** Goes on with a measured request, or asks the user about it. */
function decideMeasure(out: AgentOutputs, request: AgentRequest, tokens: number | undefined): void {
  const measured = decide(out, request, tokens);
  if (measured === 'ask') return continueBatch(out, request);
  advance(out, request, { type: 'measured', now: out.now, ...measured });
}

/** An exchange with the provider is over. */
export function endExchange(
  out: AgentOutputs,
  request: AgentRequest,
  { shown, meter }: Exchange,
  decoded: Decoded,
): void {
  if (meter === undefined) decideMeasure(out, request, countOf(out, decoded));
  else takeResponse(out, request, shown, decoded);
}

function requestOf({ whole }: AgentOutputs, request: AgentRequest): LlmRequest {
  const { llm, system, maxTokens, tools = [] } = whole;
  const { turn, history } = request;
  return {
    dialect: llm.dialect,
    model: modelOf(whole, request).name,
    messages: withThoughts(turn.messages, history),
    tools: tools.map(({ run: _run, timeout: _timeout, ...spec }) => spec),
    stream: true,
    includeUsage: true,
    ...(system === undefined ? {} : { system }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Goes on with injections after the conversation. What the turn may still do of its retries stays as it is. */
function goOn(out: AgentOutputs, request: AgentRequest, injected: readonly string[], attempts: number): void {
  const { messages, cuts, overflows, compactedAt, scale, budget } = request.turn;
  const kept: Partial<TurnState> = { cuts, overflows, compactedAt, scale, budget, attempts };
  request.turn = Object.assign(request.machine.start(), kept);
  const history = [...messages, ...injected.map(asMessage)];
  advance(out, request, { type: 'begin', now: out.now, history });
}

/** The response of a model request is over, well or not. */
function takeResponse(out: AgentOutputs, request: AgentRequest, shown: boolean, decoded: Decoded): void {
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
  if (!runBatch(out, request)) return;
  const isOwn = request.batch?.own !== undefined;
  const results = resultsOf(request);
  if (isOwn) advance(out, request, { type: 'measured', now: out.now, ...answerOf(request, results) });
  else advance(out, request, { type: 'ran', now: out.now, results });
}

/** The results of the calls that have ended, and no batch any more. */
export function resultsOf(request: AgentRequest): readonly ToolOutcome[] {
  const { results = [], deferred = [] } = request.batch ?? {};
  request.batch = undefined;
  return [...results, ...deferred];
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

function failureOfEnd({ texts, failure, asksUser }: AgentRequest, end: TurnEnd): string | undefined {
  if (asksUser === 'stopped') return stoppedByUser;
  const said = texts.some((text) => text.trim() !== '');
  return failureText(end, said, failure);
}
