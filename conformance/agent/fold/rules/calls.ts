/**
 * Rules about the model's calls and the agent's tools: AGENT-04, 05 and 09. An agent may give its tools ids of its own, so
 * runs are counted by name.
 */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { callsOf, named } from '../calls.ts';
import { equalJson } from '../../../llm/client/answer.ts';
import { begunExchange, hasFailed, isOver } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange, ShownTool } from '../records.ts';
import { firstRun, ranTools } from '../runs.ts';
import { endTopics } from '../topics.ts';
import { endingRequest, requestOfResponse } from '../view.ts';

/** A rule about runs beyond the calls that may run. */
interface RunRule {
  readonly requirement: string;
  /** Whether it judges the runs of names of which a call was cut, or of the others. */
  readonly hasCut: boolean;
  readonly expected: string;
  isTested(request: GatewayRequest): boolean;
}

/** The exchanges whose answer broke off, and which the agent made again. */
const repeated = ({ exchanges }: GatewayRequest): readonly { of: ModelExchange; again: ModelExchange }[] =>
  exchanges.flatMap((of, i) => {
    const again = hasFailed(of)
      ? exchanges.slice(i + 1).find(({ body }) => equalJson(body, of.body))
      : undefined;
    return again === undefined ? [] : [{ of, again }];
  });

/**
 * The number of calls with a name that may not run any more, though they are complete: their answer broke off, the agent
 * made its model request again, and it had not run them before.
 */
const unusable = (request: GatewayRequest, runs: readonly ShownTool[], name: string): number =>
  repeated(request).reduce((sum, { of, again }) => {
    const early = runs.filter(
      (tool) => tool.ran !== undefined && tool.ran.seq > of.seq && tool.ran.seq < again.seq,
    );
    return sum + Math.max(0, named(callsOf([of]).permitted, name) - named(early, name));
  }, 0);

/** The first name that has run more often than the model made calls that may run. */
function excessiveRun(
  request: GatewayRequest,
  runs: readonly ShownTool[],
  hasCut: boolean,
): { readonly name: string; readonly made: number; readonly seqs: readonly number[] } | undefined {
  const { permitted, cut } = callsOf(request.exchanges);
  for (const name of new Set(runs.map((tool) => tool.name))) {
    const made = named(permitted, name) - unusable(request, runs, name);
    // A tool without a call of the model is the agent's own.
    if (made + named(cut, name) === 0 || named(cut, name) > 0 !== hasCut || named(runs, name) <= made)
      continue;
    const seqs = runs.filter((tool) => tool.name === name).flatMap(({ ran }) => ran?.seq ?? []);
    return { name, made, seqs };
  }
  return undefined;
}

/**
 * Judges at each run, and at the end of the request. While the model still answers, its calls are not known: an agent may
 * run a complete call at once.
 */
const runRule = ({ requirement, hasCut, expected, isTested }: RunRule): Rule<BothView> =>
  rule({
    requirement,
    listens: ['response.tool_state', 'response.tool_result', ...endTopics],
    start: () => new WeakSet<GatewayRequest>(),
    step(blamed, event, view: BothView): Findings {
      const request = requestOfResponse(view, event);
      if (request === undefined || blamed.has(request)) return undefined;
      if (request.exchanges.some((one) => !isOver(one))) return undefined;
      const isEnd = endingRequest(view, event) !== undefined;
      const run = firstRun(request, event);
      if (!isEnd && run === undefined) return undefined;
      const runs = [...ranTools(request), ...(run === undefined ? [] : [run])];
      const excess = excessiveRun(request, runs, hasCut);
      if (excess === undefined) return isEnd && isTested(request) ? exercised(event) : undefined;
      blamed.add(request);
      const { name, made, seqs } = excess;
      return violated(
        event,
        `expected ${expected}; ${name} ran ${named(runs, name)} times, and the model made ${made} calls of it that may run`,
        seqs,
      );
    },
  });

/** The tools of a request that were denied since its last model request. Tools without a call of the model are left out. */
function newlyDenied(request: GatewayRequest): readonly ShownTool[] {
  const last = request.exchanges.at(-1)?.at ?? -Infinity;
  const calls = request.exchanges.flatMap(({ answered }) => answered?.calls ?? []);
  return [...request.tools.values()].filter(
    ({ denied, name }) => denied !== undefined && denied.at > last && named(calls, name) > 0,
  );
}

const toldOfDenied: Rule<BothView> = rule({
  requirement: 'AGENT-09',
  listens: ['told.request'],
  start: () => null,
  step(_, event, view: BothView) {
    const { owner, messages = [] } = begunExchange(view, event) ?? {};
    if (owner === undefined || owner.cancel !== undefined) return undefined;
    const denied = newlyDenied(owner);
    const [first] = denied;
    if (first === undefined) return undefined;
    const results = new Set(messages.flatMap(({ toolResults = [] }) => toolResults.map(({ id }) => id)));
    const answered = messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ id }) => results.has(id)));
    const continued = messages.every(({ role }) => role !== 'assistant') && results.size > 0;
    return continued || denied.every(({ name }) => named(answered, name) > 0)
      ? exercised(event)
      : violated(
          event,
          `expected a result of the denied call ${first.name}; none is in the next model request`,
          [first.denied?.seq ?? event.seq],
        );
  },
});

export const callRules: readonly Rule<BothView>[] = [
  runRule({
    requirement: 'AGENT-04',
    hasCut: true,
    expected: 'no run of a call that was cut',
    isTested: (request) => callsOf(request.exchanges).cut.length > 0,
  }),
  runRule({
    requirement: 'AGENT-05',
    hasCut: false,
    expected: 'at most one run of each call',
    isTested: (request) =>
      callsOf(request.exchanges).permitted.some(({ name }) => named(ranTools(request), name) > 0),
  }),
  toldOfDenied,
];
