/** The calls that the model made for a request: those that may run, and those that the output limit cut. */
import type { GeneratedCall } from '../../llm/client/exchange.ts';
import { forbiddingRow } from '../../llm/client/executions.ts';
import { isAbandoned } from './exchanges.ts';
import type { ModelExchange } from './records.ts';

/** The calls of some exchanges. */
export interface ModelCalls {
  readonly permitted: readonly GeneratedCall[];
  readonly cut: readonly GeneratedCall[];
}

/** The calls of exchanges. A call that the agent itself cut, when it let go of the answer, is in neither list. */
export function callsOf(exchanges: readonly ModelExchange[]): ModelCalls {
  const permitted: GeneratedCall[] = [];
  const cut: GeneratedCall[] = [];
  for (const exchange of exchanges) {
    const { answered } = exchange;
    if (answered === undefined) continue;
    const isLimit = answered.stop === 'max_tokens' && !isAbandoned(exchange);
    for (const call of answered.calls) {
      if (forbiddingRow(call, answered) === undefined) permitted.push(call);
      else if (!call.complete && isLimit) cut.push(call);
    }
  }
  return { permitted, cut };
}

/** The number of calls or tools with a name. */
export const named = (all: readonly { readonly name: string }[], name: string): number =>
  all.filter((one) => one.name === name).length;
