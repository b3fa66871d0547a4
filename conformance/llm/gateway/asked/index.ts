/** All checks of a request that a gateway sent. */
import { readFullRequest } from '../../../../src/llm/gateway/index.ts';
import type { Above, Below } from '../exchanges.ts';
import type { GatewayFact } from '../facts.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { choice, parallel } from './choice.ts';
import type { Efforts } from './effort.ts';
import { format } from './format.ts';
import { inventions } from './inventions.ts';
import { media } from './media.ts';
import { messages, system } from './messages.ts';
import { results, thoughts } from './results.ts';
import { limit, sampling, stop } from './sampling.ts';
import { continues } from './state.ts';
import { schemas, tools } from './tools.ts';
import { valid } from './valid.ts';
import type { RawRequest } from './valid.ts';

const checks: readonly AskedCheck[] = [
  system,
  messages,
  results,
  thoughts,
  media,
  tools,
  schemas,
  choice,
  parallel,
  limit,
  sampling,
  stop,
  format,
  inventions,
  continues,
];

const rawOf = ({ dialect, headers, path, body = null }: Above | Below): RawRequest => ({
  dialect,
  headers,
  path,
  body,
});

/** A request on both sides, in neutral words. */
export const askedOf = (above: Above, below: Below): Asked => ({
  above: readFullRequest(above.dialect, above.body ?? null),
  below: readFullRequest(below.dialect, below.body ?? null),
  pair: { client: above.dialect, provider: below.dialect },
  claims: above.about.claims,
});

/** The facts of a provider's request that is for this one of a client. */
export function askedFacts(above: Above, below: Below, efforts: Efforts): readonly GatewayFact[] {
  const [due, came] = [rawOf(above), rawOf(below)];
  const asked = askedOf(above, below);
  return [...checks.flatMap((check) => check(asked)), ...valid(asked, due, came), ...efforts.take(asked)];
}
