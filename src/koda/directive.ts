/**
 * The directive grammar: a directive is the text of a `user_prompt` that orders the steps of a turn, such as to say a
 * text or to call a tool (spec/koda/README.md, "The directive grammar").
 */
import { directiveReader, isArray, isObject } from '../kit/base/index.ts';
import type { DirectiveReader, Json } from '../kit/base/index.ts';
import { isPreview, isSendable, isText } from './directive-values.ts';
import type { DiffPreview, TokenCounts } from './messages.ts';

export { directive } from '../kit/base/index.ts';

/** An action that needs an approval, or that is blocked. */
export interface Action {
  /** Default: `run` and the name of the tool. */
  readonly detail?: string;
  readonly preview?: DiffPreview | null;
}

/** A question to the user. Its answer is the output of the call. */
export interface Question {
  readonly question: string;
  /** Default: none; then the answer is a free text. */
  readonly options?: readonly string[];
}

/** A line that a call prints, and whether it prints it on stderr. */
export type Line = readonly [text: string, isStderr: boolean];

/** One call of a tool. Its members act in the order of the fields here. */
export interface Tool {
  readonly name: string;
  /** Default: `{}`. */
  readonly args?: Json;
  /** The sub-agent that makes the call. */
  readonly sub_agent?: string;
  /** The call is blocked: none of the members below acts. */
  readonly blocked?: Action;
  readonly approval?: Action;
  readonly ask?: Question;
  readonly lines?: readonly Line[];
  /** The call runs after its lines until the turn is interrupted. */
  readonly hold?: boolean;
  /** Default: `ok`. */
  readonly output?: string;
}

/** One step: exactly one key is set. */
export type Step =
  /** Thinks: one `thinking_delta` a text. */
  | { readonly think: string | readonly string[] }
  /** Answers: one `text_delta` a text. */
  | { readonly say: string | readonly string[] }
  | { readonly tool: Tool }
  /** Runs tools as one batch. */
  | { readonly parallel: readonly Tool[] }
  /** Reaches the cap of iterations; `cap` counts only in the first such step of a turn. */
  | { readonly loop_cap: { readonly cap?: number } }
  /** The tokens that the model used in this iteration. */
  | { readonly usage: { readonly [K in keyof TokenCounts]?: number } }
  /** The history was compacted to `used` tokens. */
  | { readonly compact: { readonly used: number } }
  /** An `error` event. A fatal error ends the turn. */
  | { readonly error: { readonly message: string; readonly fatal?: boolean } }
  /** Waits until the turn is interrupted. */
  | { readonly cancel_point: true }
  | { readonly wait_ms: number };

/** The maximum of steps in a directive. */
export const maxSteps = 10_000;

/** The maximum of texts in a step, and of lines in a call. */
export const maxTexts = 200_000;

/** The maximum of tools in a `parallel`. */
export const maxTools = 256;

/** The maximum of UTF-16 units in the name of a tool or of a sub-agent. */
export const maxName = 256;

/** The maximum of a `wait_ms`: an hour. */
const maxWait = 3_600_000;

/** The maximum of one count of `usage`. Sums may be larger: an engine that adds doubles rounds them. */
const maxTokens = Number.MAX_SAFE_INTEGER;

const isBoolean = (v: unknown): boolean => typeof v === 'boolean';
const isCount = (v: unknown, max: number): boolean =>
  Number.isInteger(v) && Number(v) >= 0 && Number(v) <= max;
const isName = (v: unknown): boolean => isText(v) && String(v).length <= maxName;
const isList = (v: unknown, is: (v: unknown) => boolean, min: number, max: number): boolean =>
  isArray(v) && v.length >= min && v.length <= max && v.every(is);
const optional = (v: unknown, is: (v: unknown) => boolean): boolean => v === undefined || is(v);

/** A thought without a text has no `thinking_delta`, but `thinking_done` follows one (KODA-30). */
const isThought = (v: unknown): boolean => isText(v) || isList(v, isText, 1, maxTexts);
const isAnswer = (v: unknown): boolean => isText(v) || isList(v, isText, 0, maxTexts);

const isAction = (v: unknown): boolean =>
  isObject(v) && optional(v['detail'], isText) && optional(v['preview'], (p) => p === null || isPreview(p));

const isQuestion = (v: unknown): boolean =>
  isObject(v) && isText(v['question']) && optional(v['options'], (list) => isList(list, isText, 0, maxTexts));

/** A line has no line break (KODA-70). */
const isLine = (v: unknown): boolean =>
  isArray(v) && v.length === 2 && isText(v[0]) && !/[\r\n]/u.test(String(v[0])) && isBoolean(v[1]);

/** The members of a tool, and the test of each. */
const memberTests: { readonly [name: string]: (value: unknown) => boolean } = {
  name: isName,
  args: (v) => optional(v, isSendable),
  sub_agent: (v) => optional(v, isName),
  blocked: (v) => optional(v, isAction),
  approval: (v) => optional(v, isAction),
  ask: (v) => optional(v, isQuestion),
  lines: (v) => optional(v, (list) => isList(list, isLine, 0, maxTexts)),
  hold: (v) => optional(v, isBoolean),
  output: (v) => optional(v, isText),
};

/** The members that no tool of a `parallel` has: its tools wait for nothing. */
const waitingMembers = ['blocked', 'approval', 'ask', 'hold'];

const isTool = (v: unknown): boolean =>
  isObject(v) && Object.entries(memberTests).every(([name, isMember]) => isMember(ownOf(v, name)));

const isParallelTool = (v: unknown): boolean =>
  isTool(v) && isObject(v) && waitingMembers.every((name) => !Object.hasOwn(v, name));

const ownOf = (object: { readonly [key: string]: unknown }, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const tokenCounts: { readonly [K in keyof TokenCounts]: true } = {
  prompt_tokens: true,
  completion_tokens: true,
  cache_read_tokens: true,
  thinking_tokens: true,
};

const isUsage = (v: unknown): boolean =>
  isObject(v) && Object.keys(tokenCounts).every((name) => optional(v[name], (n) => isCount(n, maxTokens)));

const stepTests: { readonly [name: string]: (value: unknown) => boolean } = {
  think: isThought,
  say: isAnswer,
  tool: isTool,
  parallel: (v) => isList(v, isParallelTool, 1, maxTools),
  loop_cap: (v) => isObject(v) && optional(v['cap'], (cap) => isCount(cap, 2 ** 32 - 1)),
  usage: isUsage,
  compact: (v) => isObject(v) && isCount(v['used'], Number.MAX_SAFE_INTEGER),
  error: (v) => isObject(v) && isText(v['message']) && optional(v['fatal'], isBoolean),
  cancel_point: (v) => v === true,
  wait_ms: (v) => typeof v === 'number' && v >= 0 && v <= maxWait,
};

/** The names of the steps. */
export const stepNames: readonly string[] = Object.keys(stepTests);

/**
 * Reads the text of a prompt as a directive.
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
  isList: (steps) => isList(steps, isObject, 0, maxSteps),
});
