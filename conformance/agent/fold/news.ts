/** Writes what a whole agent tells its host as lines for people. */
import { isObject, jsonOf } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { shortId } from '../../fold/gateway/lines.ts';

const count = (value: Json | undefined): string =>
  (typeof value === 'number' ? value : 0).toLocaleString('en-US');
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const names = (value: Json | undefined): string => (Array.isArray(value) ? value.join(', ') : '');

/** The share of the window that a request and its response take together, such as `0.6%`. */
function shareOf({ input, output, window }: JsonObject): string {
  const [used, of] = [Number(input) + Number(output), Number(window)];
  return `${(of > 0 ? (used / of) * 100 : 100).toFixed(1)}%`;
}

const warnings: { readonly [code: string]: (detail: JsonObject) => string } = {
  'near-output-limit': ({ percent }) => `the response has reached ${count(percent)}% of its limit`,
  exhausted: () => 'the response reached its limit',
  dropped: ({ ids }) => `a call was cut, and does not run: ${names(ids)}`,
  budget: () => 'the conversation does not fit the context window',
  'unknown-stop-reason': ({ word }) => `the stop reason is unknown: ${text(word)}`,
};

const topics: { readonly [topic: string]: (detail: JsonObject) => string | undefined } = {
  usage: (detail) =>
    `${count(detail['input'])} in, ${count(detail['output'])} out, ${shareOf(detail)} of the window`,
  warning: (detail) => warnings[text(detail['code'])]?.(detail),
  model: ({ from, to }) => `near the end of the window of ${text(from)}: ${text(to)} is asked`,
  deferred: ({ calls }) => `near the end of the window: put off ${names(calls)}`,
  compact: ({ messages }) => `the conversation was compacted to ${count(messages)} messages`,
  prune: ({ messages }) => `the conversation was pruned to ${count(messages)} messages`,
};

/**
 * One piece of news as a line.
 *
 * @example
 * newsLine('usage', '{"request":"r1","input":1234,"output":56,"window":200000}');
 * // 'request r1: 1,234 in, 56 out, 0.6% of the window'
 */
export function newsLine(topic: string, detail: string): string {
  const facts = factsOf(detail);
  const words = facts !== undefined && Object.hasOwn(topics, topic) ? topics[topic]?.(facts) : undefined;
  if (words === undefined) return `${topic}: ${detail}`;
  return `request ${shortId(text(facts?.['request']))}: ${words}`;
}

function factsOf(detail: string): JsonObject | undefined {
  try {
    const facts = jsonOf(detail);
    return isObject(facts) ? facts : undefined;
  } catch {
    return undefined;
  }
}
