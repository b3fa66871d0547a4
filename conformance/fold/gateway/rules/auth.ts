/** FOLD-G11 to G13: refusals of credentials. The kit's marks name the kind of the credentials. */
import { deadline, momentOf } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../model.ts';
import { credentialsOf, kindOf } from '../view.ts';
import type { Refusal } from './refusals.ts';
import { refused } from './refusals.ts';

/**
 * A rule that a stream with bad credentials is refused with a status. A gateway may check them at the opening or at the
 * register message, so the time counts from register.
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

/** The kinds of bad signatures, of both schemes. */
const signature: ReadonlySet<string> = new Set(['stale', 'future', 'replayed', 'reused', 'forged']);

const invalid = (is: string): boolean => is === 'none' || is === 'expired';

export const authRules: readonly Rule<GatewayView>[] = [
  refusal('FOLD-G11', 16, 'UNAUTHENTICATED', invalid),
  refusal('FOLD-G12', 16, 'UNAUTHENTICATED', (is) => signature.has(is)),
  refusal('FOLD-G13', 7, 'PERMISSION_DENIED', (is) => is === 'revoked' || is === 'pending'),
];
