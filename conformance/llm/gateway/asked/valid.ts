/** LLM-G54: what is sent below is a request that its dialect accepts. */
import type { Json, Metadata } from '../../../../src/kit/base/index.ts';
import { dialectOf } from '../../../../src/llm/index.ts';
import type { GatewayDialect } from '../../../../src/llm/gateway/index.ts';
import { broken, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { mostStops, rangeOf } from '../tables.ts';
import type { Asked } from './asked.ts';
import { answeredCalls } from './conversation.ts';

/** A body as it came, with its header fields. */
export interface RawRequest {
  readonly dialect: GatewayDialect;
  readonly body: Json;
  readonly headers: Metadata;
  readonly path: string;
}

/** The words of the refusal of a body; undefined: its dialect accepts it. */
function refusal({ dialect, body, headers, path }: RawRequest): string | undefined {
  const read = dialectOf[dialect].readRequest(body, headers, path);
  return read.ok ? undefined : read.error.error.message;
}

/** Whether the provider itself refuses what the gateway passed on: then the client hears it, which is lawful. */
function isPassedOn({ above, below, pair }: Asked): boolean {
  const { most } = rangeOf('temperature', pair.provider);
  const stops = mostStops(pair.provider);
  // Where the client sent no limit, none may be sent, and the provider's refusal passed on.
  const hasNoLimit = pair.provider === 'anthropic' && above.limit === undefined && (below.limit ?? 0) === 0;
  return hasNoLimit || (above.temperature ?? 0) > most || (above.stop?.length ?? 0) > stops;
}

/** Whether the request has what dialects are strict about: calls with their results, and parts without text. */
const isStrict = ({ above }: Asked): boolean =>
  above.messages.some(({ parts }) =>
    parts.some(
      (part) =>
        part.kind === 'call' || part.kind === 'result' || (part.kind === 'text' && part.text.trim() === ''),
    ),
  );

export function valid(asked: Asked, above: RawRequest, below: RawRequest): readonly GatewayFact[] {
  if (refusal(above) !== undefined || isPassedOn(asked)) return [];
  const refused = refusal(below);
  if (refused !== undefined)
    return [
      broken(
        'LLM-G54',
        `expected a request that the provider's dialect accepts; it is refused with 400: ${refused}`,
      ),
    ];
  const { unasked } = answeredCalls(asked.below.messages);
  if (unasked.length > 0 && answeredCalls(asked.above.messages).unasked.length === 0)
    return [broken('LLM-G54', `expected no result without its call; came ${unasked.length}`)];
  return isStrict(asked) ? [kept('LLM-G54')] : [];
}
