/** The pairs of dialects: the client's, and the provider's behind the gateway. */
import { gatewayDialects } from '../../../src/llm/index.ts';
import type { GatewayDialect } from '../../../src/llm/index.ts';

/** A pair of dialects. */
export interface Pair {
  readonly client: GatewayDialect;
  readonly provider: GatewayDialect;
}

/** The name of a pair, which is a feature of the suite and begins the names of its scenarios. */
export const nameOfPair = ({ client, provider }: Pair): string => `${client}-over-${provider}`;

export const pairs: readonly Pair[] = gatewayDialects.flatMap((client) =>
  gatewayDialects.map((provider) => ({ client, provider })),
);
