/** The matchers of `wireproof/vitest`, as functions of a trace and an expectation. */
import { isObject } from '../../src/kit/base/index.ts';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { failureOf } from './conformance.ts';
import { judge } from './judge.ts';

/** A trace, or a simulated peer that has one. */
export type Traced = readonly TraceEvent[] | { readonly trace: readonly TraceEvent[] };

/** The answer of a matcher. */
export interface Matched {
  readonly pass: boolean;
  /** Why it did not match; for `not`: why it did. */
  message(): string;
}

/** The events of a trace, or of a simulated peer. @throws TypeError when there is no trace */
export function eventsOf(traced: unknown): readonly TraceEvent[] {
  const events = isObject(traced) && 'trace' in traced ? traced['trace'] : traced;
  if (Array.isArray(events)) return events as readonly TraceEvent[];
  throw new TypeError('expected a trace (a list of events), or a simulated peer, which has a trace');
}

/** Whether nothing in a trace violates a suite, and something in it exercises it. */
export async function conformsTo(traced: unknown, suite: string): Promise<Matched> {
  const report = await judge(eventsOf(traced), { suite });
  const failures = report.requirements.flatMap((outcome) => failureOf(outcome, false) ?? []);
  const passed = report.requirements.filter(({ verdict }) => verdict === 'pass');
  const exercised = `${passed.length} requirements of ${suite} were exercised`;
  return {
    pass: failures.length === 0 && passed.length > 0,
    message: () =>
      failures.length > 0
        ? `expected the trace to conform to ${suite}\n\n${failures.join('\n\n')}`
        : passed.length === 0
          ? `expected the trace to conform to ${suite}; nothing in it exercises a requirement`
          : `expected the trace to violate ${suite}; ${exercised}, and none was violated`,
  };
}

/** Whether the other side sent a message that has all these members, at any depth. */
export function hasSent(
  traced: unknown,
  partial: unknown,
  equals: (a: unknown, b: unknown) => boolean,
): Matched {
  const sent = eventsOf(traced).flatMap(({ from, kind, data }) =>
    from === 'target' && (kind === 'message' || kind === 'request')
      ? [JSON.parse(JSON.stringify(data)) as unknown]
      : [],
  );
  return {
    pass: sent.some((message) => contains(message, partial, equals)),
    message: () =>
      `expected a message with ${JSON.stringify(partial)}; ${sent.length === 0 ? 'no message came' : `these came:\n${shown(sent)}`}`,
  };
}

/** The most messages in a failure. */
const mostShown = 20;

const shown = (sent: readonly unknown[]): string =>
  [
    ...(sent.length > mostShown ? [`  (${sent.length - mostShown} before)`] : []),
    ...sent.slice(-mostShown).map((message) => `  ${JSON.stringify(message).slice(0, 300)}`),
  ].join('\n');

/** Whether a value has the members of `partial`; the members of lists are compared in order, from the first. */
function contains(value: unknown, partial: unknown, equals: (a: unknown, b: unknown) => boolean): boolean {
  const isPlain = isObject(partial) && Object.getPrototypeOf(partial) === Object.prototype;
  if (!isPlain) return equals(value, partial);
  return (
    isObject(value) &&
    Object.entries(partial).every(
      ([key, member]) => Object.hasOwn(value, key) && contains(value[key], member, equals),
    )
  );
}
