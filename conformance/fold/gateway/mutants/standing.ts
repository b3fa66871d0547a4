/** Gateways that violate FOLD-G13 for a principal without approval. */
import { none } from './faults.ts';
import { checks, where } from './auth-faults.ts';
import type { GatewayFaults } from './mutant.ts';

export const standingFaults: GatewayFaults = {
  'standing-unchecked': {
    fault: none,
    options: checks(({ jwt, ssh }) => ({
      ...(jwt === undefined ? {} : { jwt }),
      ...(ssh === undefined ? {} : { ssh }),
    })),
  },
  'revoked-unauthenticated': where(/^principal is /, 16),
  'revoked-unanswered': where(/^principal is /, undefined),
};
