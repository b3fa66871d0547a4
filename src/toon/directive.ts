/**
 * The directive grammar: a directive is an `instruction` that orders the steps of a conformance subagent, such as to call
 * a tool or to fail (spec/toon/README.md, "The directive grammar").
 */
import { isObject, jsonOf, ok, refuse } from '../kit/base/index.ts';
import type { JsonObject, Result } from '../kit/base/index.ts';

/** One call of a tool. */
export interface ToolStep {
  readonly name: string;
  /** Default: `{}`. */
  readonly args?: JsonObject;
  /** The id of the call; its result repeats it. */
  readonly requestId?: string;
}

/** One request for context. */
export interface ContextStep {
  readonly type: string;
  readonly path: string;
  readonly requestId?: string;
}

/** One step: exactly one key is set (`progress` goes with `say`). */
export type Step =
  /** A STATUS; one of `completed` ends the instruction. */
  | { readonly status: { readonly status: string; readonly progress?: number } }
  /** A STATUS whose status is the text. */
  | { readonly say: string; readonly progress?: number }
  /** A STATUS with a text that is repeated to `bytes` bytes; it may be compressed. */
  | { readonly pad: { readonly text: string; readonly bytes: number } }
  /** Calls a tool, and waits for its result. */
  | { readonly tool: ToolStep }
  /** Calls all tools at once, waits for all results, and reports them in the order of the calls. */
  | { readonly tools: readonly ToolStep[] }
  /** Asks for context, and waits for the response. */
  | { readonly context: ContextStep }
  | { readonly heartbeat: true }
  | { readonly wait_ms: number }
  /** An ERROR, which ends the instruction. */
  | { readonly fail: { readonly code: string; readonly message: string } }
  /** Waits without end. */
  | { readonly hold: true };

/** The maximum of tools in one step. */
export const maxTools = 256;

/** The maximum of bytes in a `pad`, so that its STATUS stays within the default limit of a payload, 16 MiB. */
export const maxPadBytes = 16_000_000;

/** The maximum of a `wait_ms`: an hour. */
const maxWait = 3_600_000;

const isText = (v: unknown): boolean => typeof v === 'string';
const isNumber = (v: unknown, max: number): boolean => typeof v === 'number' && v >= 0 && v <= max;
const isCount = (v: unknown, max: number): boolean => Number.isInteger(v) && isNumber(v, max);
const optional = (v: unknown, is: (v: unknown) => boolean): boolean => v === undefined || is(v);
/** Progress goes from 0 to 1 (TOON-36). */
const isProgress = (v: unknown): boolean => optional(v, (p) => isNumber(p, 1));

const isTool = (v: unknown): boolean =>
  isObject(v) && isText(v['name']) && optional(v['args'], isObject) && optional(v['requestId'], isText);

/** The name of each step, and the test of its value. */
const stepTests: { readonly [name: string]: (value: unknown) => boolean } = {
  status: (v) => isObject(v) && isText(v['status']) && isProgress(v['progress']),
  say: isText,
  pad: (v) => isObject(v) && isText(v['text']) && v['text'] !== '' && isCount(v['bytes'], maxPadBytes),
  tool: isTool,
  tools: (v) => Array.isArray(v) && v.length > 0 && v.length <= maxTools && v.every(isTool),
  context: (v) => isObject(v) && isText(v['type']) && isText(v['path']) && optional(v['requestId'], isText),
  heartbeat: (v) => v === true,
  wait_ms: (v) => isNumber(v, maxWait),
  fail: (v) => isObject(v) && isText(v['code']) && isText(v['message']),
  hold: (v) => v === true,
};

/** The names of the steps. */
export const stepNames: readonly string[] = Object.keys(stepTests);

/**
 * Writes steps as the text of an instruction, in the form of version 1.
 *
 * @example
 * directive([{ say: 'hi' }]); // '{"wireproof":{"v":1,"do":[{"say":"hi"}]}}'
 */
export const directive = (steps: readonly unknown[]): string =>
  JSON.stringify({ wireproof: { v: 1, do: steps } });

/**
 * Reads the text of an instruction as a directive.
 *
 * @returns the steps; `undefined` when the text is not a directive; refused with the name of a step, or with
 *   `directive`, when the directive is malformed
 *
 * @example
 * parseDirective('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * parseDirective('hello'); // { ok: true, value: undefined }
 */
export function parseDirective(text: string): Result<readonly Step[] | undefined, string> {
  if (!text.includes('"wireproof"')) return ok(undefined);
  let parsed: unknown;
  try {
    parsed = jsonOf(text);
  } catch {
    return ok(undefined);
  }
  if (!isObject(parsed) || !Object.hasOwn(parsed, 'wireproof')) return ok(undefined);
  const body = parsed['wireproof'];
  if (!isObject(body) || !Array.isArray(body['do']) || (body['v'] ?? 1) !== 1) return refuse('directive');
  const fault = body['do'].map(stepFault).find((name) => name !== undefined);
  return fault === undefined ? ok(body['do'] as readonly Step[]) : refuse(fault);
}

/** The name of a malformed step, or `directive` when it has no single name. */
function stepFault(step: unknown): string | undefined {
  if (!isObject(step)) return 'directive';
  const names = Object.keys(step).filter((name) => name !== 'progress');
  const [name] = names;
  if (name === undefined || names.length !== 1) return 'directive';
  const { progress } = step;
  if (progress !== undefined && name !== 'say') return 'directive';
  const wellFormed = Object.hasOwn(stepTests, name) && stepTests[name]?.(step[name]) === true;
  return wellFormed && isProgress(progress) ? undefined : name;
}
