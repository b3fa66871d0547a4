/**
 * An exchange with the provider as rules look at it: what was asked, and what the provider told of its answer, which
 * is the truth about what was said whatever the wire's signal said.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import { unsafeIntegers } from '../../../src/kit/testee/index.ts';

/** A call as the provider generated it. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  /** The text of its arguments, as far as the client was shown it. */
  readonly arguments: string;
  /** Whether it was not cut. */
  readonly complete: boolean;
}

/** How a response went, by the provider's word (`told: answered`). */
export interface Answered {
  readonly outcome: string;
  readonly text: string;
  readonly calls: readonly ToldCall[];
  readonly stop: string;
  readonly signal: string;
  /** Whether an error came in mid-stream. */
  readonly failed: boolean;
  readonly usage: Counts | undefined;
  /** Events, lines or messages that were flushed. */
  readonly units: number;
}

/** Tokens. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  /** Of the prompt, those of caches beside `input`. */
  readonly cached: number;
}

/** A thought as it crossed the wire of Anthropic, with its signature. */
export interface SignedThought {
  thinking: string;
  signature: string;
}

/** One request and what became of it. */
export interface Exchange extends Moment {
  /** Begins with the stream's name. */
  readonly key: string;
  readonly stream: string;
  /** What was sent; undefined where it was not seen. */
  readonly body: Json | undefined;
  /** Whether it was refused before any stream, and with what status, where the dialect has such. */
  readonly refused: boolean;
  readonly status: number | undefined;
  /** What the provider asked for before another attempt (ms). */
  retryAfter: number | undefined;
  answered: Answered | undefined;
  /** Messages of the provider so far, and when the last of them came, the client still being there. */
  messages: number;
  lastAt: number;
  /** When the client let go of it, or cancelled it. */
  letGo: Moment | undefined;
  readonly thoughts: SignedThought[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Reads what a provider told at the end of a response. */
export function answeredOf(detail: JsonObject): Answered {
  const { outcome, text, calls, stop, signal, error, usage, units } = detail;
  return {
    outcome: textOf(outcome),
    text: textOf(text),
    calls: Array.isArray(calls) ? calls.filter(isObject).map(callOf) : [],
    stop: textOf(stop),
    signal: textOf(signal),
    failed: error !== undefined,
    usage: isObject(usage) ? countsOf(usage) : undefined,
    units: numberOf(units),
  };
}

const callOf = (call: Record<string, unknown>): ToldCall => ({
  id: textOf(call['id']),
  name: textOf(call['name']),
  arguments: textOf(call['arguments']),
  complete: call['complete'] === true,
});

/** Counts of a usage, in camel case or in snake case: testees write both. */
export function countsOf(usage: Record<string, unknown>): Counts {
  const count = (camel: string, snake: string): number => numberOf(usage[camel] ?? usage[snake]);
  const read = count('cacheReadTokens', 'cache_read_tokens');
  return {
    input: count('inputTokens', 'input_tokens'),
    output: count('outputTokens', 'output_tokens'),
    cached: read + count('cacheWriteTokens', 'cache_write_tokens'),
  };
}

/** Whether the client could read a true and whole answer: it ended in order, and said truly why. */
export const isSound = ({ answered }: Exchange): boolean =>
  answered !== undefined &&
  answered.outcome === 'complete' &&
  answered.signal === 'honest' &&
  !answered.failed;

/** Whether the limit ended it, and the wire says so. */
export const isTruncated = (exchange: Exchange): boolean =>
  isSound(exchange) && exchange.answered?.stop === 'max_tokens';

/** Whether output reached the client before it went wrong: Ollama does not show a call that was cut. */
export function brokeOff({ answered }: Exchange): boolean {
  if (answered === undefined) return false;
  const wrong = answered.failed || answered.signal === 'missing' || answered.outcome === 'reset';
  return wrong && answered.units > 0 && (answered.text !== '' || answered.calls.length > 0);
}

/** The object that a call's arguments are; undefined when they are none. */
export function objectOf({ arguments: text }: ToldCall): JsonObject | undefined {
  const value = valueOf(text);
  return isObject(value) ? value : undefined;
}

/** The value of a JSON text; undefined when it is none. */
export function valueOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Integers in a JSON text that no double holds, as they stand there. */
export const hugeIntegers = (json: string): readonly string[] =>
  unsafeIntegers(json).filter((digits) => {
    const nearest = Number(digits);
    return !Number.isFinite(nearest) || BigInt(nearest) !== BigInt(digits);
  });
