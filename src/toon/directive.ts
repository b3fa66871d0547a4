/**
 * The directive grammar: a directive is an `instruction` that orders the steps of a conformance subagent, such as to call
 * a tool or to fail (spec/toon/README.md, "The directive grammar").
 */
import { directiveReader, isObject } from '../kit/base/index.ts';
import type { DirectiveReader, JsonObject } from '../kit/base/index.ts';

export { directive } from '../kit/base/index.ts';

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
 * Reads the text of an instruction as a directive.
 *
 * @returns the steps; `undefined` when the text is not a directive; refused with the name of a step, or with
 *   `directive`, when the directive is malformed
 *
 * @example
 * parseDirective('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * parseDirective('hello'); // { ok: true, value: undefined }
 */
export const parseDirective: DirectiveReader<Step> = directiveReader({
  steps: stepTests,
  companion: { name: 'progress', of: 'say', isValid: isProgress },
});
