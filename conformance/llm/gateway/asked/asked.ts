/** A request on both sides: what the client asked above, and what the gateway asks below. */
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import type { GatewayFact } from '../facts.ts';
import type { Claims } from '../claims.ts';
import type { Pair } from '../pairs.ts';

/** A request in neutral words, as the reader of each dialect reads it. */
export interface Asked {
  readonly above: FullRequest;
  readonly below: FullRequest;
  readonly pair: Pair;
  /** What the gateway does on purpose. */
  readonly claims: Claims;
}

/** A check of a request. It gives a fact for each requirement that the request put to the test. */
export type AskedCheck = (asked: Asked) => readonly GatewayFact[];

/** Whether both sides speak one dialect. */
export const isSame = ({ client, provider }: Pair): boolean => client === provider;
