/** The pairs of dialects: the client's, and the provider's behind the gateway. */
import type { GridPlace } from '../../../src/kit/base/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import type { GatewayDialect } from '../../../src/llm/gateway/index.ts';

/** A pair of dialects. */
export interface Pair {
  readonly client: GatewayDialect;
  readonly provider: GatewayDialect;
}

/** A pair that a gateway serves, and how its clients ask for it. */
export interface Route extends Pair {
  readonly model: string;
  readonly base: string;
  readonly headers: { readonly [name: string]: string };
}

/** The model by which a gateway finds the provider of a pair, unless its statement names another one. */
export const modelOf = ({ provider }: Pair): string => `kit-${provider}`;

/** The name of a pair, which is a feature of the suite and begins the names of its scenarios. */
export const nameOfPair = ({ client, provider }: Pair): string => `${client}-over-${provider}`;

export const pairs: readonly Pair[] = gatewayDialects.flatMap((client) =>
  gatewayDialects.map((provider) => ({ client, provider })),
);

/** The place in the grid of reports of a scenario that needs these features. */
export function placeOfPair(features: readonly string[]): GridPlace | undefined {
  const pair = pairs.find((one) => features.includes(nameOfPair(one)));
  return pair && { row: pair.client, column: pair.provider };
}
