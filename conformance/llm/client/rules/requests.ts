/** The rules about a client's further requests: they must be valid, and some must not be made. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { equalJson } from '../answer.ts';
import { reachedClient, isHonestlyTruncated } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import {
  conversationFault,
  emptyResultFault,
  offersTools,
  quoted,
  requestOf,
  splitResults,
} from '../requests.ts';
import { answeredTurn, bodyIn, generatingDialect, isJudged, speaks, providerNote } from '../view.ts';
import type { TurnRequest, ClientView } from '../view.ts';

/** The most attempts at one request: more than twice the attempts of the providers' own libraries. */
const attemptsAtMost = 10;
/** The most requests after a truncation: more than the rounds of any scenario. */
const continuationsAtMost = 16;
/** Clocks and timers are not exact (ms). */
const tolerance = 50;

/** A request for a generation, and the earlier requests of its conversation. */
export interface FollowingRequest {
  readonly ask: TurnRequest;
  readonly dialect: string;
  readonly detail: JsonObject;
  readonly body: Json | undefined;
  readonly before: readonly Exchange[];
  readonly last: Exchange | undefined;
}

function followingRequestOf(view: ClientView, event: TraceEvent): FollowingRequest | undefined {
  const { ask } = view;
  const detail = providerNote(event);
  if (ask === undefined || detail === undefined || !speaks(view, ask.dialect)) return undefined;
  const dialect = generatingDialect(detail, ask);
  const body = bodyIn(view, detail);
  if (dialect === undefined || !isJudged(ask, detail, body)) return undefined;
  const before = ask.exchanges.filter(({ judged }) => judged);
  return { ask, dialect, detail, body, before, last: before.at(-1) };
}

export const onRequest = (
  requirement: string,
  judge: (next: FollowingRequest, event: TraceEvent) => Findings,
): Rule<ClientView> =>
  rule({
    requirement,
    listens: ['told.request'],
    start: () => null,
    step(_, event, view: ClientView) {
      const next = followingRequestOf(view, event);
      return next && judge(next, event);
    },
  });

const onAnswer = (
  requirement: string,
  judge: (ask: TurnRequest, event: TraceEvent) => Findings,
): Rule<ClientView> =>
  rule({
    requirement,
    listens: ['answer'],
    start: () => null,
    step(_, event, view: ClientView) {
      const ask = answeredTurn(view, event);
      return ask && judge(ask, event);
    },
  });

const isAgain = ({ body, last }: FollowingRequest): boolean =>
  body !== undefined && last !== undefined && equalJson(body, last.body);

/** The message of a script without a next turn. Such a refusal is not a fault of the request. */
const outOfTurnsMessage = /^the script has /;

/** The dialect's reason to refuse the request, with the part that it refuses. Undefined when it accepts it. */
function refusal({ status, turn, error, place }: JsonObject, body: Json): string | undefined {
  if (status !== 400 || turn !== undefined || typeof error !== 'string') return undefined;
  if (outOfTurnsMessage.test(error)) return undefined;
  return typeof place === 'string'
    ? `${error}; came ${place === '' ? 'the body' : place}: ${quoted(body, place)}`
    : error;
}

const refusedWords = (refused: string): string =>
  `expected a request that the dialect accepts; it is refused with 400: ${refused}`;

/** LLM-C08: the first request of a program. Its turn begins with this request. */
function judgeFirst(view: ClientView, event: TraceEvent): Findings {
  const detail = view.ask === undefined ? providerNote(event) : undefined;
  if (detail === undefined || typeof detail['dialect'] !== 'string') return undefined;
  const body = bodyIn(view, detail);
  const refused = offersTools(body) && body !== undefined ? refusal(detail, body) : undefined;
  return refused === undefined ? undefined : violated(event, refusedWords(refused));
}

/**
 * LLM-C08: violated by any request that the dialect refuses. Exercised by a request that contains an earlier answer of the
 * model, or results for a conversation at the server.
 */
function judgeValid(next: FollowingRequest, event: TraceEvent): Findings {
  const { dialect, detail, body, before, last } = next;
  if (body === undefined) return undefined;
  const refused = refusal(detail, body);
  if (refused !== undefined)
    return violated(event, refusedWords(refused), last === undefined ? [] : [last.seq]);
  if (last === undefined) return undefined;
  const request = requestOf(dialect, body);
  if (!request.ok) return violated(event, `expected a valid request; ${request.error}`, [last.seq]);
  const { messages, continued } = request.value;
  // A client that has read the terminal may ask before the provider has sent the rest of its answer, and told of its calls.
  if (continued === true && before.some(({ refused: no, answered }) => !no && answered === undefined))
    return undefined;
  const answers = continued === true && messages.some(({ toolResults }) => toolResults !== undefined);
  if (!answers && !messages.some(({ role }) => role === 'assistant')) return undefined;
  const known = before.flatMap(({ answered }) => answered?.calls ?? []);
  const fault =
    conversationFault(request.value, known) ?? emptyResultFault(request.value, outputsOf(next.ask));
  return fault === undefined
    ? exercised(event)
    : violated(event, `expected a valid request; ${fault}`, [last.seq]);
}

/** The outputs of a testee's tools. A program's tools are not known. */
const outputsOf = ({ program, line }: TurnRequest): readonly Json[] =>
  !program && Array.isArray(line['tools'])
    ? line['tools'].filter(isObject).map(({ output = '' }) => output as Json)
    : [];

/** LLM-C28: the results of one answer of Anthropic's are in one message. */
function judgeTogether({ ask, body, last }: FollowingRequest, event: TraceEvent): Findings {
  if (ask.dialect !== 'anthropic' || last === undefined || !isObject(body)) return undefined;
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : [];
  const split = splitResults(messages);
  if (split === undefined) return undefined;
  return split
    ? violated(event, 'expected the results of one answer in one message; they are in several', [last.seq])
    : exercised(event);
}

const passing: ReadonlySet<number> = new Set([408, 409, 429]);
const isFinal = (status: number): boolean => status >= 400 && status < 500 && !passing.has(status);

/** LLM-C09: requests that must not be repeated. */
function judgeRepeated(next: FollowingRequest, event: TraceEvent): Findings {
  const { last, before, ask } = next;
  if (last === undefined || !isAgain(next)) return undefined;
  if (last.status !== undefined && isFinal(last.status))
    return violated(event, `expected no further attempt after status ${last.status}; one came`, [last.seq]);
  const consumed = consumedOutput(ask, last);
  if (consumed !== undefined)
    return violated(event, `expected no further attempt after output; one came${consumed}`, [last.seq]);
  const attempts = before.filter(({ body }) => equalJson(body, last.body)).length + 1;
  if (attempts !== attemptsAtMost + 1) return undefined;
  return violated(event, `expected a bounded number of attempts; came more than ${attemptsAtMost}`, [
    last.seq,
  ]);
}

/**
 * How the output of a failed answer was consumed, in words for a message. Undefined when it was not. A testee has consumed
 * what reached it; a program only what it has shown, or run.
 */
function consumedOutput({ program }: TurnRequest, last: Exchange): string | undefined {
  if (!reachedClient(last)) return undefined;
  if (!program) return '';
  const text = last.answered?.text.trim() ?? '';
  if (text !== '' && last.stdout.includes(text)) return `, and stdout has shown ${JSON.stringify(text)}`;
  return last.made === undefined ? undefined : ', and its call had made its file';
}

const ended = ({ exchanges }: TurnRequest, event: TraceEvent): Findings =>
  exchanges.some((one) => one.refused || reachedClient(one)) ? exercised(event) : undefined;

/** A program whose last answer failed has ended: it has not tried again, or not too often. */
const programEnded: Rule<ClientView> = rule({
  requirement: 'LLM-C09',
  listens: ['process'],
  start: () => null,
  step: (_, event, { ask }: ClientView) => (ask?.program === true ? ended(ask, event) : undefined),
});

/** LLM-C22: no attempt before the time that the provider named. */
function judgeWait(next: FollowingRequest, event: TraceEvent): Findings {
  const { last } = next;
  if (last?.retryAfter === undefined || !isAgain(next)) return undefined;
  const waited = event.at - last.at;
  if (waited + tolerance >= last.retryAfter) return exercised(event);
  const message = `expected no attempt within ${last.retryAfter} ms, as the provider asked; one came after ${Math.round(waited)} ms`;
  return violated(event, message, [last.seq]);
}

/** LLM-C19: after a truncation, the next request differs, and the number of requests is bounded. */
function judgeContinuation(next: FollowingRequest, event: TraceEvent): Findings {
  const { last, before, ask } = next;
  if (last === undefined || !isHonestlyTruncated(last)) return undefined;
  if (isAgain(next))
    return violated(event, 'expected a request that differs from the truncated one; the same came', [
      last.seq,
    ]);
  // A program may use its tools as often as it wants, before a truncation and after it.
  const requests = ask.program ? 0 : ask.requests;
  if (Math.max(before.filter(isHonestlyTruncated).length, requests) <= continuationsAtMost)
    return exercised(event);
  return violated(event, `expected a bounded continuation; came more than ${continuationsAtMost} requests`, [
    last.seq,
  ]);
}

/** LLM-C14: a request that contains a call of an answer contains the thought of this answer unchanged. */
function judgeThoughts({ dialect, body, before, last }: FollowingRequest, event: TraceEvent): Findings {
  if (dialect !== 'anthropic' || !isObject(body)) return undefined;
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : [];
  const blocks = messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const calls = new Set(blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
  const thoughts = before
    .filter(({ answered }) => answered?.calls.some(({ id }) => calls.has(id)))
    .flatMap((one) => one.thoughts)
    .filter(({ signature }) => signature !== '');
  if (thoughts.length === 0) return undefined;
  const lost = thoughts.find(
    ({ thinking, signature }) =>
      !blocks.some((b) => b['signature'] === signature && b['thinking'] === thinking),
  );
  if (lost === undefined) return exercised(event);
  const message = `expected the thinking block signed ${lost.signature.slice(0, 40)} to be sent back unchanged; it was not`;
  return violated(event, message, last === undefined ? [] : [last.seq]);
}

export const requestRules: readonly Rule<ClientView>[] = [
  onRequest('LLM-C08', judgeValid),
  rule({
    requirement: 'LLM-C08',
    listens: ['told.request'],
    start: () => null,
    step: (_, event, view: ClientView) => judgeFirst(view, event),
  }),
  onRequest('LLM-C09', judgeRepeated),
  onAnswer('LLM-C09', ended),
  programEnded,
  onRequest('LLM-C14', judgeThoughts),
  onRequest('LLM-C19', judgeContinuation),
  onAnswer('LLM-C19', ({ exchanges }, event) =>
    exchanges.some(isHonestlyTruncated) ? exercised(event) : undefined,
  ),
  onRequest('LLM-C22', judgeWait),
  onRequest('LLM-C28', judgeTogether),
];
