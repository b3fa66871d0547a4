/** Faults in further attempts: too many, for the wrong failure, or for nobody. */
import type { Faults } from '../../../../src/kit/suite/index.ts';
import { nextAttempt } from '../../../../src/llm/gateway/index.ts';
import type { FailedAttempt, GatewayParts, NextAttempt } from '../../../../src/llm/gateway/index.ts';

/** Whether a provider refused the request itself. */
const isRefusal = ({ error: { status } }: FailedAttempt): boolean =>
  status !== undefined && status < 500 && status !== 429;

const isFirst = ({ attempts }: FailedAttempt): boolean => attempts === 1;

/** Asks somebody after some failures. */
const asking = (asks: NextAttempt, when: (failed: FailedAttempt) => boolean): GatewayParts => ({
  next: (failed) => (when(failed) ? asks : nextAttempt(failed)),
});

export const attemptFaults: Faults<GatewayParts> = {
  'retries-after-a-piece': asking('same', (failed) => failed.begun && isFirst(failed)),
  'retries-refused-requests': asking('same', (failed) => isRefusal(failed) && isFirst(failed)),
  'retries-without-end': asking(
    'same',
    (failed) => !failed.begun && !failed.hasFallback && !isRefusal(failed),
  ),
  'fallback-spliced-in': asking(
    'fallback',
    ({ hasFallback, begun, attempts }) => hasFallback && begun && attempts === 1,
  ),
  'fallback-for-refused-requests': asking(
    'fallback',
    ({ hasFallback, begun, attempts }) => hasFallback && !begun && attempts === 1,
  ),
  'no-fallback': { next: () => undefined },
  'retries-unheard': { asksUnheard: true },
  'waits-forever': { waitsForever: true },
};
