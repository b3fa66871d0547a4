/** The error that a client gets for a failure below: its class by the provider's status where it has no word. */
import { dialectOf } from '../dialects/index.ts';
import type { ErrorResponse } from '../dialects/shared/dialect.ts';
import type { ProviderError } from '../messages.ts';
import type { GatewayDialect } from './dialects.ts';
import type { FailedAttempt, NextAttempt } from './options.ts';

/** The classes of errors (gateway.md, "Errors: classes, status, type"). */
const classes: readonly (readonly [type: string, ...statuses: readonly number[]])[] = [
  ['invalid_request', 400, 422],
  ['authentication', 401],
  ['billing', 402],
  ['permission', 403],
  ['not_found', 404],
  ['timeout', 408, 504],
  ['conflict', 409],
  ['too_large', 413],
  ['rate_limit', 429],
  ['overloaded', 503, 529],
];

const known: ReadonlySet<string> = new Set(classes.map(([type]) => type));

const classOf = (status: number): string =>
  classes.find(([, ...statuses]) => statuses.includes(status))?.[0] ??
  (status < 500 ? 'invalid_request' : 'server');

/** The error with a type: its own where it is one of the classes, else that of its status. */
export function classified(error: ProviderError): ProviderError {
  const { type, status } = error;
  const own = known.has(type) || type === 'context_overflow' || status === undefined;
  // Each dialect has its own status for a provider that is overloaded.
  const { status: _, ...more } = error;
  const typed = own ? type : classOf(status);
  return typed === 'overloaded' ? { ...more, type: typed } : { ...error, type: typed };
}

/** Whether another attempt, or another provider, may help: the provider is busy or broken, and the request is not. */
export const mayHelp = ({ type, status }: ProviderError): boolean =>
  status === undefined || status === 408 || status === 429 || status >= 500 || type === 'overloaded';

/** Whom a gateway asks after a failure: the same provider as often as it may, and then the other one. Nobody, once the client has heard a piece. */
export function nextAttempt({ error, begun, attempts, most, hasFallback }: FailedAttempt): NextAttempt {
  if (begun || !mayHelp(error)) return undefined;
  if (attempts < most) return 'same';
  return hasFallback && attempts === most ? 'fallback' : undefined;
}

/** The answer that refuses a request. */
export const refusal = (dialect: GatewayDialect, error: ProviderError, id: string): ErrorResponse =>
  dialectOf[dialect].errorBody(classified(error), id);

/** The refusal of a request that the provider's dialect cannot say. */
export const unsaid = (dialect: string, wordless: readonly string[]): ProviderError => ({
  type: 'invalid_request',
  status: 400,
  message: `a provider of ${dialect} has no word for ${wordless.join(', ')}`,
});
