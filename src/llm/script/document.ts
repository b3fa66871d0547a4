/** The document of a script, as spec/llm/script.schema.json accepts it, and the script that it means. */
import type { Json, JsonObject, StopReason, Usage } from '../../kit/base/index.ts';
import { defaultModel, turnDefaults } from './script.ts';
import type {
  Chunk,
  ContentStep,
  Conversations,
  Fill,
  JsonPlace,
  LineEnd,
  Match,
  Offset,
  ProviderEnds,
  ProviderForms,
  Script,
  ScriptTurn,
  Split,
  Step,
} from './script.ts';
import type { Citation, ProviderError, Signal, TransportEnd } from '../messages.ts';

export interface ScriptDocument {
  readonly title?: string;
  readonly model?: string;
  readonly tokenizer?: { readonly units: number };
  readonly conversations?: Conversations;
  readonly turns: readonly TurnDocument[];
}

/** One of its turns. Times are in words, such as `200ms`. */
export interface TurnDocument {
  readonly match?: JsonObject;
  readonly times?: number | 'always';
  readonly steps: readonly StepDocument[];
  readonly chunk?: Chunk;
  readonly delay?: string;
  readonly jitter?: string;
  readonly cut?: {
    readonly step: number;
    readonly at: Offset | { readonly json: JsonPlace; readonly nth?: number };
  };
  readonly limit?: number;
  readonly signal?: Signal;
  readonly transport?: TransportEnd;
  readonly split?: Split;
  readonly lines?: LineEnd;
  readonly pings?: number;
  readonly variants?: JsonObject;
}

/** One step: exactly one of these keys. */
export interface StepDocument {
  readonly thinking?: string | { readonly text: string; readonly signature?: string };
  readonly redacted_thinking?: string;
  readonly text?:
    | string
    | {
        readonly text: string;
        readonly fill?: Fill;
        readonly citations?: readonly Citation[];
        readonly logprobs?: number;
      };
  readonly refusal?: string;
  readonly server_tool?: {
    readonly id?: string;
    readonly name: string;
    readonly server?: string;
    readonly input?: JsonObject;
    readonly result?: Json;
  };
  readonly provider_block?: ProviderForms;
  readonly provider_end?: ProviderEnds;
  readonly tool_call?: {
    readonly id?: string;
    readonly name: string;
    readonly input?: Json;
    readonly arguments?: string;
    readonly folder?: string;
    readonly custom?: true;
    readonly namespace?: string;
    readonly signature?: string;
  };
  readonly barrier?: string | { readonly name: string; readonly at?: Offset };
  readonly wait?: string;
  readonly ping?: true;
  readonly comment?: string;
  readonly usage?: { readonly [key: string]: number };
  readonly stop?: StopReason | { readonly reason: StopReason; readonly sequence?: string };
  readonly error?: {
    readonly type: string;
    readonly message: string;
    readonly status?: number;
    readonly retry_after?: string;
    readonly should_retry?: boolean;
  };
}

/** The script that a document means. */
export function scriptOf(document: ScriptDocument): Script {
  const { turns, ...more } = defined(document);
  return { model: defaultModel, tokenizer: { units: 4 }, ...more, turns: turns.map(turnOf) };
}

function turnOf(turn: TurnDocument): ScriptTurn {
  const { match, variants, delay, jitter, cut, steps, ...same } = defined(turn);
  return {
    ...turnDefaults,
    ...(same.chunk === 'byte' && { split: 'byte' }),
    ...same,
    steps: steps.map(stepOf),
    ...(match && { match: matchOf(match) }),
    ...(variants && { variants: camelKeys(variants) }),
    ...(delay !== undefined && { delay: msOf(delay) }),
    ...(jitter !== undefined && { jitter: msOf(jitter) }),
    ...(cut && { cut: { step: cut.step, at: 'json' in cut.at ? { nth: 0, ...defined(cut.at) } : cut.at } }),
  };
}

function stepOf(step: StepDocument): Step {
  const { barrier, wait, comment, usage, stop, error } = step;
  const content = contentStepOf(step);
  if (content !== undefined) return content;
  if (barrier !== undefined)
    return { do: 'barrier', ...(typeof barrier === 'string' ? { name: barrier } : defined(barrier)) };
  if (wait !== undefined) return { do: 'wait', ms: msOf(wait) };
  if (comment !== undefined) return { do: 'comment', text: comment };
  if (usage !== undefined) return { do: 'usage', usage: tokensOf(usage) };
  if (step.provider_end !== undefined) return { do: 'provider_end', forms: defined(step.provider_end) };
  if (stop !== undefined)
    return { do: 'stop', ...(typeof stop === 'string' ? { reason: stop } : defined(stop)) };
  return error === undefined ? { do: 'ping' } : { do: 'error', error: errorOf(defined(error)) };
}

function contentStepOf(step: StepDocument): ContentStep | undefined {
  const { thinking, redacted_thinking: redacted, text, refusal, tool_call: call, server_tool: tool } = step;
  if (text !== undefined) return { do: 'text', ...(typeof text === 'string' ? { text } : defined(text)) };
  if (refusal !== undefined) return { do: 'text', text: refusal, refusal: true };
  if (redacted !== undefined) return { do: 'thinking', text: '', redacted };
  if (thinking !== undefined)
    return { do: 'thinking', ...(typeof thinking === 'string' ? { text: thinking } : defined(thinking)) };
  if (tool !== undefined) {
    const { input = {}, ...more } = defined(tool);
    return { do: 'server_tool', ...more, arguments: JSON.stringify(input) };
  }
  if (step.provider_block !== undefined) return { do: 'provider_block', forms: defined(step.provider_block) };
  if (call === undefined) return undefined;
  const { input, arguments: json = JSON.stringify(input), ...more } = defined(call);
  return { do: 'tool_call', ...more, arguments: json };
}

/** `cache_read` counts `cacheReadTokens`, and so on. */
const tokensOf = (usage: { readonly [key: string]: number }): Partial<Usage> =>
  Object.fromEntries(Object.entries(defined(usage)).map(([key, count]) => [`${camel(key)}Tokens`, count]));

function errorOf(error: NonNullable<StepDocument['error']>): ProviderError {
  const { retry_after: after, should_retry: shouldRetry, ...same } = error;
  const ms = after === undefined ? undefined : msOf(after);
  return {
    ...same,
    // `retry-after` is in whole seconds.
    ...(ms !== undefined && (ms % 1000 === 0 ? { retryAfter: ms / 1000 } : { retryAfterMs: ms })),
    ...(shouldRetry !== undefined && { shouldRetry }),
  };
}

function matchOf(match: JsonObject): Match {
  const { pattern, ...more } = match;
  return { ...camelKeys(more), ...(typeof pattern === 'string' && { pattern: patternOf(pattern) }) };
}

/**
 * The regular expression of a text: a JavaScript expression, or `/expression/flags`.
 *
 * @throws SyntaxError when it is not such a document
 */
export function patternOf(text: string): RegExp {
  const [, source, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  // With g or y a test would depend on the tests before it.
  return source === undefined ? new RegExp(text, 'u') : new RegExp(source, flags.replaceAll(/[gy]/g, ''));
}

/** Milliseconds of a time in words. */
function msOf(time: string): number {
  const [, number, unit = ''] = /^([\d.]+)(\w+)$/.exec(time) ?? [];
  return Math.round(Number(number) * (units[unit] ?? NaN));
}

const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

const camel = (key: string): string => key.replaceAll(/_([a-z])/g, (_, c: string) => c.toUpperCase());

const camelKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(defined(value)).map(([key, at]) => [camel(key), at]));

/** The same object without undefined values: a script written in code may have some. */
const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
