/** What a gateway does on purpose, by the claims of its statement. Marks of a trace say it, so that recordings are judged by it, too. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { duration } from '../../../src/kit/scenario/index.ts';
import type { StatedClaims, Statement } from '../../../src/kit/spec/index.ts';
import type { Feature, Suite } from '../../../src/kit/suite/index.ts';

/** The claims that rules read. Others make rows not applicable. */
export interface Claims {
  /** How often it asks one provider again. */
  readonly retries?: number;
  readonly fallback?: boolean;
  readonly continues?: boolean;
  /** Whether it gives up a silent provider. */
  readonly givesUp?: boolean;
  /** For how long (ms) the provider's request goes on after the client has left. */
  readonly drain?: number;
  /** Whether later system text is moved before all messages. */
  readonly hoists?: boolean;
  /** Whether requests get a limit that the client did not ask for. */
  readonly limits?: boolean;
}

/** The claims of a statement, as its marks say them. */
export function claimedBy(statement: Statement | undefined): JsonObject {
  const { claims = {} } = statement ?? {};
  const { retries, fallback, continues, on_leave, system, adds = [] } = claims;
  const drain = on_leave === undefined ? undefined : duration(on_leave.drain);
  return {
    ...(retries === undefined ? {} : { retries }),
    ...(fallback === true ? { fallback } : {}),
    ...(continues === true ? { continues } : {}),
    ...(drain === undefined ? {} : { drain }),
    ...(system === 'hoist' ? { hoists: true } : {}),
    ...(adds.includes('max_tokens') ? { limits: true } : {}),
  };
}

/** The claims in a mark. */
export function claimsIn(said: Json | undefined): Claims {
  if (!isObject(said) || isArray(said)) return {};
  const { retries, drain } = said;
  return {
    ...(typeof retries === 'number' ? { retries } : {}),
    ...(typeof drain === 'number' ? { drain } : {}),
    ...Object.fromEntries(
      ['fallback', 'continues', 'givesUp', 'hoists', 'limits']
        .filter((name) => said[name] === true)
        .map((name) => [name, true]),
    ),
  };
}

/** The claims that scenarios need. */
export const claimFeatures: readonly Feature[] = [
  {
    name: 'fallback',
    advertised: false,
    text: 'asks the provider at {llm_url_2} when the first one cannot answer (claims.fallback)',
  },
  {
    name: 'stalled',
    advertised: false,
    text: 'gives up a provider that says nothing for timeouts.stalled',
  },
];

/** The names of {@link claimFeatures} that a statement claims. */
export const claimedFeatures = (statement: Statement | undefined): readonly string[] => [
  ...(statement?.claims?.fallback === true ? ['fallback'] : []),
  ...(statement?.timeouts?.['stalled'] === undefined ? [] : ['stalled']),
];

type Conditional = Suite['conditionalRows'][number];

const excused = (
  requirement: string,
  reason: string,
  claims: (claims: StatedClaims) => boolean,
): Conditional => ({
  requirement,
  reason,
  unless: (statement) => !claims(statement.claims ?? {}),
  excuses: true,
});

/** The rows that a claim makes not applicable. */
export const claimedRows: readonly Conditional[] = [
  excused(
    'LLM-G03',
    'the gateway claims to write thoughts into the text (claims.thinking)',
    ({ thinking }) => thinking === 'inline',
  ),
  excused(
    'LLM-G22',
    'the gateway claims to hold answers until they are whole (claims.buffers)',
    ({ buffers = [] }) => buffers.includes('all'),
  ),
  ...['LLM-G35', 'LLM-G36', 'LLM-G37'].map((row) =>
    excused(
      row,
      'the gateway claims to go on after the client has left (claims.on_leave)',
      ({ on_leave }) => on_leave !== undefined,
    ),
  ),
  excused(
    'LLM-G39',
    'the gateway claims to answer without a provider (claims.cache)',
    ({ cache }) => cache === true,
  ),
  excused(
    'LLM-G40',
    'the gateway claims to ask for the rest of an answer (claims.continues)',
    ({ continues }) => continues === true,
  ),
  excused(
    'LLM-G68',
    "the gateway claims to send the client's key to the provider (claims.credentials)",
    ({ credentials }) => credentials === 'forwarded',
  ),
];
