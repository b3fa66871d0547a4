/** AGENT-61: the model is told the outputs of tools, and not something else. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { LlmMessage } from '../../../../src/llm/index.ts';
import { parsedJson } from '../../../llm/client/exchange.ts';
import type { GeneratedCall } from '../../../llm/client/exchange.ts';
import { callsOf, named } from '../calls.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../records.ts';
import { shownBy } from '../showing-tools.ts';
import type { ShowingTool } from '../showing-tools.ts';
import { endTopics } from '../topics.ts';
import { endingRequest } from '../view.ts';

/** A call whose output is known in part, and what the model is told of it. */
interface ToldCall {
  readonly text: string;
  readonly result: string;
  /** The place of the model request (seq). */
  readonly at: number;
}

/** A call, and the id by which its result names it. */
interface IdentifiedCall {
  readonly id: string;
  readonly input: Json;
}

/** Whether a result contains a text, as it is or as a part of JSON. */
const holds = (result: string, text: string): boolean =>
  result.includes(text) || result.includes(JSON.stringify(text).slice(1, -1));

/** Whether each call of a tool in a request has run, and succeeded: else nobody can tell which result is which. */
function allSucceeded({ tools, exchanges }: GatewayRequest, name: string): boolean {
  const shown = [...tools.values()].filter((tool) => tool.name === name);
  const made = named(callsOf(exchanges).permitted, name);
  return shown.length >= made && shown.every(({ succeeded }) => succeeded !== undefined);
}

/** The calls of a tool in an answer, with their results in the next model request; none when a result is missing. */
function toldCalls(answer: ModelExchange, next: ModelExchange, tool: ShowingTool): readonly ToldCall[] {
  const calls = callsOf([answer]).permitted.filter(({ name }) => name === tool.name);
  const results = new Map(
    next.messages.flatMap(({ toolResults = [] }) => toolResults.map(({ id, content }) => [id, content])),
  );
  const told = callsIn(next.messages, calls).flatMap(({ id, input }) => {
    const text = shownBy(tool, input);
    const result = results.get(id);
    return text === undefined || result === undefined ? [] : [{ text, result, at: next.seq }];
  });
  return told.length === calls.length ? told : [];
}

/** The calls as a model request has them, where an agent may give them ids of its own; or, if the provider keeps them, as the model made them. */
function callsIn(
  messages: readonly LlmMessage[],
  calls: readonly GeneratedCall[],
): readonly IdentifiedCall[] {
  const names = new Set(calls.map(({ name }) => name));
  const all = messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => names.has(name)));
  if (all.length >= calls.length) return all.slice(-calls.length);
  return calls.map(({ id, arguments: given }) => ({ id, input: parsedJson(given) ?? null }));
}

/** The calls of a tool in a request whose results are certain. */
const certainCalls = (request: GatewayRequest, tool: ShowingTool): readonly ToldCall[] =>
  allSucceeded(request, tool.name)
    ? request.exchanges.flatMap((next, i, all) => {
        const answer = all[i - 1];
        return answer === undefined ? [] : toldCalls(answer, next, tool);
      })
    : [];

/** It judges at the end of a request: the state of a tool and the model request after it cross on two wires. */
const outputsReachTheModel: Rule<BothView> = rule({
  requirement: 'AGENT-61',
  listens: endTopics,
  start: () => null,
  step(_, event, view: BothView): Findings {
    const { request } = endingRequest(view, event) ?? {};
    if (request === undefined) return undefined;
    return view.showing.flatMap((tool) =>
      certainCalls(request, tool).map(({ text, result, at }) =>
        holds(result, text)
          ? exercised(event)
          : violated(
              event,
              `expected the result of ${tool.name} in the model request to contain ${JSON.stringify(text)}, as the output of the tool does; came ${JSON.stringify(result.slice(0, 200))}`,
              [at],
            ),
      ),
    );
  },
});

export const outputRules: readonly Rule<BothView>[] = [outputsReachTheModel];
