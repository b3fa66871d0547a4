/**
 * The directive grammar: what a conformance subagent does when `instruction` tells it to (spec/toon/README.md,
 * "The directive grammar"). A scenario has no other way to have a subagent call a tool or fail.
 */
import { isObject, ok, refuse } from '../kit/base/index.ts';
import type { JsonObject, Result } from '../kit/base/index.ts';

/** One call of a tool. */
export interface ToolStep {
  readonly name: string;
  /** Default: none. */
  readonly args?: JsonObject;
  /** The call carries it; a result that repeats it answers this call. */
  readonly requestId?: string;
}

/** One question for context. */
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
  /** A STATUS with a text that is repeated to so many bytes: how compression is seen. */
  | { readonly pad: { readonly text: string; readonly bytes: number } }
  /** Calls a tool, and waits for its result. */
  | { readonly tool: ToolStep }
  /** Calls tools all at once, waits for all results, and reports them in the order of the calls. */
  | { readonly tools: readonly ToolStep[] }
  /** Asks for context, and waits for the response. */
  | { readonly context: ContextStep }
  | { readonly heartbeat: true }
  | { readonly wait_ms: number }
  /** An ERROR, which ends the instruction. */
  | { readonly fail: { readonly code: string; readonly message: string } }
  /** Waits for ever. */
  | { readonly hold: true };

/** Tools that one step may call at once. */
export const maxTools = 256;

/** Bytes that one `pad` may have: its STATUS stays within the 16 MiB that a payload may have by default. */
export const maxPadBytes = 16_000_000;

/** Milliseconds that one `wait_ms` may last: an hour. */
const longestWait = 3_600_000;

const isText = (v: unknown): boolean => typeof v === 'string';
const isNumber = (v: unknown, most: number): boolean => typeof v === 'number' && v >= 0 && v <= most;
const isCount = (v: unknown, most: number): boolean => Number.isInteger(v) && isNumber(v, most);
const optional = (v: unknown, is: (v: unknown) => boolean): boolean => v === undefined || is(v);
/** Progress goes from 0 to 1 (TOON-36). */
const isProgress = (v: unknown): boolean => optional(v, (p) => isNumber(p, 1));

const isTool = (v: unknown): boolean =>
  isObject(v) && isText(v['name']) && optional(v['args'], isObject) && optional(v['requestId'], isText);

/** Every step's name and what makes its value well-formed. */
const steps: { readonly [name: string]: (value: unknown) => boolean } = {
  status: (v) => isObject(v) && isText(v['status']) && isProgress(v['progress']),
  say: isText,
  pad: (v) => isObject(v) && isText(v['text']) && v['text'] !== '' && isCount(v['bytes'], maxPadBytes),
  tool: isTool,
  tools: (v) => Array.isArray(v) && v.length > 0 && v.length <= maxTools && v.every(isTool),
  context: (v) => isObject(v) && isText(v['type']) && isText(v['path']) && optional(v['requestId'], isText),
  heartbeat: (v) => v === true,
  wait_ms: (v) => isNumber(v, longestWait),
  fail: (v) => isObject(v) && isText(v['code']) && isText(v['message']),
  hold: (v) => v === true,
};

/** The names of the steps. */
export const stepNames: readonly string[] = Object.keys(steps);

/**
 * Steps as the text of an instruction, in version 1's form.
 *
 * @example
 * directive([{ say: 'hi' }]); // '{"wireproof":{"v":1,"do":[{"say":"hi"}]}}'
 */
export const directive = (todo: readonly unknown[]): string =>
  JSON.stringify({ wireproof: { v: 1, do: todo } });

/**
 * Reads an instruction's text as a directive.
 *
 * @returns the steps; `undefined` when the text is no directive; refused with the step's name, or `directive`,
 *   when it is one that cannot be obeyed
 *
 * @example
 * parseDirective('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * parseDirective('hello'); // { ok: true, value: undefined }
 */
export function parseDirective(text: string): Result<readonly Step[] | undefined, string> {
  if (!text.includes('"wireproof"')) return ok(undefined);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return ok(undefined);
  }
  if (!isObject(parsed) || !Object.hasOwn(parsed, 'wireproof')) return ok(undefined);
  const body = parsed['wireproof'];
  if (!isObject(body) || !Array.isArray(body['do']) || (body['v'] ?? 1) !== 1) return refuse('directive');
  for (const step of body['do']) {
    const fault = faultOf(step);
    if (fault !== undefined) return refuse(fault);
  }
  return ok(body['do'] as readonly Step[]);
}

function faultOf(step: unknown): string | undefined {
  if (!isObject(step)) return 'directive';
  const names = Object.keys(step).filter((name) => name !== 'progress');
  const [name] = names;
  if (name === undefined || names.length !== 1) return 'directive';
  const { progress } = step;
  if (progress !== undefined && name !== 'say') return 'directive';
  const wellFormed = Object.hasOwn(steps, name) && steps[name]?.(step[name]) === true;
  return wellFormed && isProgress(progress) ? undefined : name;
}
