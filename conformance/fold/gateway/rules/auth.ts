/** FOLD-G11 to G13: credentials, as the kit's marks say what was presented. */
import { deadline, momentOf } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../model.ts';
import { credentialsOf, kindOf } from '../view.ts';
import type { Refusal } from './refusals.ts';
import { refused } from './refusals.ts';

/**
 * A rule that a stream with such credentials is refused with a status. They may be looked at when it opens or when
 * it registers, so the time counts from its register.
 */
const refusal = (
  requirement: string,
  code: number,
  name: string,
  applies: (credentials: string) => boolean,
): Rule<GatewayView> =>
  deadline<Refusal, GatewayView>({
    requirement,
    begins(event, view) {
      if (event.kind !== 'open' || view.auth === 'none' || kindOf(event) !== 'agent') return undefined;
      const credentials = credentialsOf(view, event);
      if (!applies(credentials)) return undefined;
      const expected = `the status ${name} (${code}), for the credentials are ${credentials}`;
      const { stream } = event;
      return { ...momentOf(event), key: stream, stream, expected, codes: [code], orError: false };
    },
    settles: refused,
    within(view, wait) {
      const register = view.streams.get(wait.stream)?.session.register;
      return register === undefined ? Infinity : register.at - wait.at + view.timeouts.handshake;
    },
  });

/** Bad signatures, of either scheme, and what only SSH has. */
const signature: ReadonlySet<string> = new Set(['stale', 'future', 'replayed', 'forged']);

const invalid = (is: string): boolean => is === 'none' || is === 'expired';

/** The rules of this theme. */
export const authRules: readonly Rule<GatewayView>[] = [
  refusal('FOLD-G11', 16, 'UNAUTHENTICATED', invalid),
  refusal('FOLD-G12', 16, 'UNAUTHENTICATED', (is) => signature.has(is)),
  refusal('FOLD-G13', 7, 'PERMISSION_DENIED', (is) => is === 'revoked'),
];
