/**
 * Rules about the model's calls and the agent's tools: AGENT-04, 05 and 09. An agent may give its tools ids of its own, so
 * runs are counted by name.
 */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GeneratedCall } from '../../../llm/client/exchange.ts';
import { forbiddingRow } from '../../../llm/client/executions.ts';
import { showsRun } from '../responses.ts';
import { endTopics } from '../topics.ts';
import { begunExchange, requestOfResponse, responseOf } from '../view.ts';
import type { BothView, GatewayRequest } from '../view.ts';

/** The calls of the model for a request, by the question whether they may run. */
function callsOf({ exchanges }: GatewayRequest): {
  readonly permitted: readonly GeneratedCall[];
  readonly cut: readonly GeneratedCall[];
} {
  const all = exchanges.flatMap(({ answered }) =>
    answered === undefined
      ? []
      : answered.calls.map((call) => ({ call, row: forbiddingRow(call, answered) })),
  );
  return {
    permitted: all.flatMap(({ call, row }) => (row === undefined ? [call] : [])),
    cut: all.flatMap(({ call, row }) => (row !== undefined && !call.complete ? [call] : [])),
  };
}

const named = (calls: readonly { readonly name: string }[], name: string): number =>
  calls.filter((call) => call.name === name).length;

/** The request and the name of a tool that runs first at this event. */
function firstRun(
  view: BothView,
  event: Parameters<typeof responseOf>[0],
): { readonly request: GatewayRequest; readonly name: string } | undefined {
  const response = responseOf(event);
  const request = showsRun(response) ? requestOfResponse(view, event) : undefined;
  const tool = request?.tools.get(response.tool_state?.id ?? response.tool_result?.id ?? '');
  return request === undefined || tool === undefined || tool.ran ? undefined : { request, name: tool.name };
}

/** The number of tools with a name that have run in a request. */
const runsOf = ({ tools }: GatewayRequest, name: string): number =>
  [...tools.values()].filter((tool) => tool.ran && tool.name === name).length;

/** Judges runs beyond the calls that may run. `hasCut`: whether a call of that name was cut. */
const runRule = (
  requirement: string,
  text: { readonly hasCut: boolean; readonly expected: string },
  isTested: (request: GatewayRequest) => boolean,
): Rule<BothView> =>
  rule({
    requirement,
    listens: ['response.tool_state', 'response.tool_result', ...endTopics],
    start: () => null,
    step(_, event, view: BothView) {
      const run = firstRun(view, event);
      if (run === undefined) {
        const request = requestOfResponse(view, event);
        const ends = request !== undefined && !showsRun(responseOf(event)) && isEnd(event);
        return ends && isTested(request) ? exercised(event) : undefined;
      }
      const { request, name } = run;
      const { permitted, cut } = callsOf(request);
      const may = named(permitted, name);
      // A tool without a call of the model is the agent's own.
      if (may + named(cut, name) === 0 || named(cut, name) > 0 !== text.hasCut) return undefined;
      if (runsOf(request, name) < may) return undefined;
      return violated(
        event,
        `expected ${text.expected}; ${name} ran for call ${may + 1}, and the model made ${may} that may run`,
      );
    },
  });

const isEnd = (event: Parameters<typeof responseOf>[0]): boolean => {
  const { done, error, cancelled } = responseOf(event);
  return done !== undefined || error !== undefined || cancelled !== undefined;
};

const toldOfDenied: Rule<BothView> = rule({
  requirement: 'AGENT-09',
  listens: ['told.request'],
  start: () => null,
  step(_, event, view: BothView) {
    const exchange = begunExchange(view, event);
    const { owner, messages = [] } = exchange ?? {};
    if (owner?.cancel !== undefined) return undefined;
    const last = owner?.exchanges.at(-1)?.at ?? -Infinity;
    const denied = [...(owner?.tools.values() ?? [])].filter((tool) => (tool.denied?.at ?? -Infinity) > last);
    const [first] = denied;
    if (first === undefined || exchange === undefined) return undefined;
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

/** The rules of this theme. */
export const callRules: readonly Rule<BothView>[] = [
  runRule(
    'AGENT-04',
    { hasCut: true, expected: 'no run of a call that was cut' },
    (request) => callsOf(request).cut.length > 0,
  ),
  runRule('AGENT-05', { hasCut: false, expected: 'at most one run of each call' }, (request) =>
    callsOf(request).permitted.some(({ name }) => runsOf(request, name) > 0),
  ),
  toldOfDenied,
];
