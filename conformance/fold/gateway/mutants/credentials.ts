/** Gateways that violate FOLD-G11 for agents without credentials, or with expired ones. */
import { onInput } from '../../../../src/kit/suite/index.ts';
import type { Metadata } from '../../../../src/kit/base/index.ts';
import { none } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import { checks, where } from './auth-faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** The token that a lenient gateway assumes for an agent without credentials. */
const nobody = 'nobody';

const knowsNobody = checks((auth) => ({
  ...auth,
  jwt: (token) => (token === nobody ? { sub: 'wireproof' } : auth.jwt?.(token)),
}));

const shows = (metadata: Metadata): boolean =>
  Object.keys(metadata).some((key) => key === 'authorization' || key.startsWith('x-ssh-'));

const namesNobody = (): GatewayFault =>
  onInput('opened', (input) =>
    shows(input.metadata)
      ? undefined
      : [{ ...input, metadata: { ...input.metadata, authorization: `Bearer ${nobody}` } }],
  );

const withoutExpiry = checks((auth) => ({
  ...auth,
  jwt: (token) => {
    const claims = auth.jwt?.(token);
    return claims === undefined ? undefined : { sub: claims.sub };
  },
}));

export const credentialFaults: GatewayFaults = {
  'lets-anyone-in': { fault: namesNobody, options: knowsNobody },
  'expiry-unchecked': { fault: none, options: withoutExpiry },
  'none-denied': where(/^expected authorization/, 7),
  'none-unanswered': where(/^expected authorization/, undefined),
  'expired-invalid': where(/^the token has expired$/, 3),
};
