/**
 * The directive grammar: the steps that a conformance agent takes when `SendMessage.content` is a directive
 * (spec/fold/README.md, "The directive grammar").
 */
import { directiveReader, isObject } from '../kit/base/index.ts';
import type { DirectiveReader } from '../kit/base/index.ts';
import { usageCounts } from './messages.ts';
import type { TokenUsage } from './messages.ts';

export { directive } from '../kit/base/index.ts';

/** A tool step. */
export interface ToolStep {
  readonly name: string;
  readonly input?: unknown;
  readonly approval?: boolean;
  /** Milliseconds; default 300000. */
  readonly approval_timeout_ms?: number;
  readonly hold?: boolean;
  readonly outcome?: 'ok' | 'fail' | 'timeout';
  readonly output?: string;
}

/** The counts of one model call; an absent count is 0. */
export type UsageStep = TokenUsage;

/** One step: exactly one key is set, apart from the `times` of `say`. */
export type Step =
  | { readonly think: string }
  | { readonly say: string; readonly times?: number }
  | { readonly wait_ms: number }
  | { readonly hold: true }
  | { readonly tool: ToolStep }
  | { readonly usage: UsageStep }
  | { readonly file: { readonly filename: string; readonly mime_type: string; readonly base64: string } }
  | { readonly session: 'init' | 'orphaned' }
  | { readonly pack_tool: { readonly name: string; readonly input?: unknown } }
  | { readonly heartbeat: true }
  | { readonly fail: string }
  | { readonly echo_injections: true }
  | { readonly reject_injections: string };

/** An answer of a script. */
export interface ScriptedAnswer {
  /** The answer is for messages that contain this text; absent: for the next message. */
  readonly match?: string;
  readonly do: readonly Step[];
}

const isText = (v: unknown): boolean => typeof v === 'string';
/** Milliseconds, up to one hour. */
const isTime = (v: unknown): boolean => typeof v === 'number' && v >= 0 && v <= 3_600_000;
const optional = (v: unknown, is: (v: unknown) => boolean): boolean => v === undefined || is(v);
const isCount = (v: unknown): boolean => Number.isInteger(v);
const outcomes: readonly unknown[] = ['ok', 'fail', 'timeout'];
const countNames: readonly string[] = usageCounts;

const isTool = (v: unknown): boolean =>
  isObject(v) &&
  isText(v['name']) &&
  optional(v['output'], isText) &&
  optional(v['outcome'], (o) => outcomes.includes(o)) &&
  optional(v['approval_timeout_ms'], isTime) &&
  ['approval', 'hold'].every((flag) => optional(v[flag], (f) => typeof f === 'boolean'));

/** Each step's name, with the check of its value. */
const steps: { readonly [name: string]: (value: unknown) => boolean } = {
  think: isText,
  say: isText,
  wait_ms: isTime,
  hold: (v) => v === true,
  tool: isTool,
  usage: (v) =>
    isObject(v) && Object.entries(v).every(([name, n]) => countNames.includes(name) && isCount(n)),
  file: (v) => isObject(v) && ['filename', 'mime_type', 'base64'].every((name) => isText(v[name])),
  session: (v) => v === 'init' || v === 'orphaned',
  pack_tool: (v) => isObject(v) && isText(v['name']),
  heartbeat: (v) => v === true,
  fail: isText,
  echo_injections: (v) => v === true,
  reject_injections: isText,
};

/** The names of the steps. */
export const stepNames: readonly string[] = Object.keys(steps);

/**
 * Reads the content of a message as a directive.
 *
 * @returns the steps; `undefined` when the text is not a directive; refused with the name of a step, or with
 *   `directive`, when the directive is malformed
 *
 * @example
 * parseDirective('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * parseDirective('hello'); // { ok: true, value: undefined }
 */
export const parseDirective: DirectiveReader<Step> = directiveReader({
  steps,
  companion: { name: 'times', of: 'say', isValid: (n) => isCount(n) && Number(n) >= 0 },
});
