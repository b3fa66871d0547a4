/** The testee's answer to a turn, in one form for rules. The operation allows several forms. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { countsOf } from './exchange.ts';
import type { Counts } from './exchange.ts';

/** A call as the testee reports it. */
export interface ReportedCall {
  readonly name: string;
  readonly input: Json;
}

/** The result of a turn, as the testee reports it. */
export interface ReportedAnswer {
  readonly seq: number;
  readonly at: number;
  readonly text: string;
  readonly calls: readonly ReportedCall[];
  readonly executed: readonly ReportedCall[];
  /** Empty when the testee reports none. */
  readonly stop: string;
  readonly usage: Counts | undefined;
  /** Whether the turn ended with an error for the caller. */
  readonly failed: boolean;
  /** The line as received, when parsing it loses information. */
  readonly raw: string | undefined;
}

/** Reads an answer. Absent members count as empty, so a testee without `executed` has executed nothing. */
export function reportedAnswerOf({ seq, at, data, bytes }: TraceEvent): ReportedAnswer {
  const result = isObject(data['ok']) ? data['ok'] : {};
  const { text, tool_calls: calls, executed, stop_reason: stop, usage, error = null } = result;
  return {
    seq,
    at,
    text: typeof text === 'string' ? text : '',
    calls: callsOf(calls),
    executed: callsOf(executed),
    stop: typeof stop === 'string' ? stop : '',
    usage: isObject(usage) ? countsOf(usage) : undefined,
    failed: error !== null || stop === 'error' || (data['error'] ?? null) !== null,
    raw: bytes === undefined ? undefined : Buffer.from(bytes, 'base64').toString('utf8'),
  };
}

const callsOf = (calls: unknown): readonly ReportedCall[] =>
  Array.isArray(calls)
    ? calls.filter(isObject).map(({ name, input = null }) => ({
        name: typeof name === 'string' ? name : '',
        input: input as Json,
      }))
    : [];

/** Whether two JSON values are equal, in any order of members. Values nested too deep count as different. */
export function equalJson(a: unknown, b: unknown, depth = 100): boolean {
  if (a === b) return true;
  if (depth === 0) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, i) => equalJson(one, b[i], depth - 1))
    );
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key], depth - 1))
  );
}
