/**
 * Scripts: lists of turns, each of which answers requests. These are the checked forms; `checkScript` makes them from
 * a YAML document, the builder from code.
 */
import type { Json, JsonObject, StopReason, Usage } from '../../kit/base/index.ts';
import type { JsonPlace } from '../dialects/shared/json-scan.ts';
import { filled } from '../dialects/shared/utf8.ts';
import type { Fill, Split } from '../dialects/shared/utf8.ts';
import type {
  Citation,
  DialectName,
  LlmRequest,
  ProviderError,
  Signal,
  TransportEnd,
  Variants,
} from '../messages.ts';

export type { Fill, JsonPlace, Split };

/**
 * How turns are given to conversations. `auto`: requests take the turns in the order in which they come; but a
 * request that begins as an earlier one did, while that one waits for tool results, is still being answered or has gone
 * on, is an equal conversation, and gets the turns from the first. `each`: every conversation gets the turns from the
 * first. `one`: requests always take the turns in the order in which they come.
 */
export const conversations = ['auto', 'each', 'one'] as const;

/** One of {@link conversations}. */
export type Conversations = (typeof conversations)[number];

/** A checked script. */
export interface Script {
  /** One line for readers. */
  readonly title?: string;
  /** The name under which the model is listed and answers. */
  readonly model: string;
  /** The virtual tokenizer: one token for each `units` UTF-16 units. */
  readonly tokenizer: { readonly units: number };
  /** Default `auto`. */
  readonly conversations?: Conversations;
  readonly turns: readonly ScriptTurn[];
}

/** Which requests a turn answers: every condition must hold. An empty match fits any request. */
export interface Match {
  readonly dialect?: DialectName;
  readonly model?: string;
  /** Text in the last user message or in one of its tool results. */
  readonly contains?: string;
  /** The last user message brings the result of the call with this id, or of a call of the tool with this name. */
  readonly toolResult?: string;
  readonly stream?: boolean;
  /** Tools that the request offers, among others. */
  readonly tools?: readonly string[];
  /** Custom tools that the request offers, among others. */
  readonly customTools?: readonly string[];
  /** Whether the request offers tools at all. */
  readonly offersTools?: boolean;
  /** A pattern for the last user message or one of its tool results. */
  readonly pattern?: RegExp;
  /** Text in the system text. */
  readonly system?: string;
  /** The number of the model's answers in the request's history: 0 for the first request of a conversation. */
  readonly turnIndex?: number;
  /** A condition in code. */
  readonly predicate?: (request: LlmRequest) => boolean;
}

/**
 * A place in a text, in UTF-8 bytes, characters (code points) or tokens from its start. A byte inside a character
 * means the start of the character.
 */
export type Offset = { readonly byte: number } | { readonly char: number } | { readonly token: number };

/** Where a step is cut. `nth`, from 0, chooses among several places of a kind. */
export type CutAt = Offset | { readonly json: JsonPlace; readonly nth: number };

/** Ends the generation inside a step. */
export interface Cut {
  /** Which one among the turn's content steps, from 0. */
  readonly step: number;
  readonly at: CutAt;
}

/** What a provider adds to its answer, by the dialects that have it: a block of Anthropic's, an item of Responses, a part of Gemini's. */
export type ProviderForms = { readonly [D in 'anthropic' | 'openai-responses' | 'gemini']?: JsonObject };

/** What a provider adds to the end of its answer, with the names of a whole answer. `usage` joins the counts. */
export interface ProviderEnds {
  readonly anthropic?: JsonObject;
  readonly bedrock?: JsonObject;
}

/** A step that becomes a block of the generation. */
export type ContentStep =
  | {
      readonly do: 'thinking';
      readonly text: string;
      readonly signature?: string;
      readonly redacted?: string;
    }
  | {
      readonly do: 'text';
      readonly text: string;
      readonly fill?: Fill;
      /** See the text block of `Block`. */
      readonly refusal?: true;
      readonly citations?: readonly Citation[];
      readonly logprobs?: number;
    }
  /** A call that the provider executes itself: JSON text of its input, and its result. Dialects without it skip it. */
  | {
      readonly do: 'server_tool';
      readonly id?: string;
      readonly name: string;
      /** The name of the MCP server that has the tool. */
      readonly server?: string;
      readonly arguments: string;
      readonly result?: Json;
    }
  /** A block of the provider's own. Dialects that it does not name skip it. */
  | { readonly do: 'provider_block'; readonly forms: ProviderForms }
  /**
   * `arguments` is JSON text, or any other text that the script wants to send. Without `id` the seed makes one. `folder`
   * holds the paths in arguments that are made from a schema. `custom`: a call of a custom tool, with free text as
   * arguments. Dialects without such tools skip it. `namespace`: Responses sends it. `signature`: Gemini sends it; without
   * one, the first call of an answer gets one.
   */
  | {
      readonly do: 'tool_call';
      readonly id?: string;
      readonly name: string;
      readonly arguments: string;
      readonly folder?: string;
      readonly custom?: true;
      readonly namespace?: string;
      readonly signature?: string;
    };

/** One step of a turn. */
export type Step =
  | ContentStep
  /**
   * Holds until it is released. With `at` it holds inside the content step before it, or at the end where that is cut
   * earlier.
   */
  | { readonly do: 'barrier'; readonly name: string; readonly at?: Offset }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'ping' }
  | { readonly do: 'comment'; readonly text: string }
  /** Sends these counts instead of the real ones. */
  | { readonly do: 'usage'; readonly usage: Partial<Usage> }
  /** Members of the end of the answer besides those of its dialect. Dialects that it does not name skip it. */
  | { readonly do: 'provider_end'; readonly forms: ProviderEnds }
  | { readonly do: 'stop'; readonly reason: StopReason; readonly sequence?: string }
  | { readonly do: 'error'; readonly error: ProviderError };

/**
 * The pieces in which content is generated: tokens, characters, characters that are written byte by byte, or `size`
 * UTF-16 units.
 */
export type Chunk = 'token' | 'char' | 'byte' | { readonly size: number };

/** Line ends of SSE and NDJSON. */
export const lineEnds = ['lf', 'crlf', 'cr'] as const;

/** One of {@link lineEnds}. */
export type LineEnd = (typeof lineEnds)[number];

/** The answer to one request. */
export interface ScriptTurn {
  readonly match?: Match;
  /** How many requests it answers, in each conversation that has its own count (see {@link conversations}). */
  readonly times: number | 'always';
  readonly steps: readonly Step[];
  /** Makes the answer from the request; its `match` and `times` do not count. `steps` are then unused. */
  readonly respond?: (request: LlmRequest) => ScriptTurn;
  readonly chunk: Chunk;
  /** Milliseconds between two pieces. */
  readonly delay: number;
  /** Most milliseconds by which a delay is longer or shorter. */
  readonly jitter: number;
  readonly cut?: Cut;
  /** An output limit (tokens) besides the request's own. */
  readonly limit?: number;
  readonly signal: Signal;
  readonly transport: TransportEnd;
  readonly split?: Split;
  readonly lines: LineEnd;
  /** The pieces between two pings; 0: no pings. */
  readonly pings: number;
  readonly variants: Variants;
}

export const turnDefaults: Omit<ScriptTurn, 'steps'> = {
  times: 1,
  chunk: 'token',
  delay: 0,
  jitter: 0,
  signal: 'honest',
  transport: 'clean',
  lines: 'lf',
  pings: 0,
  variants: {},
};

/** The default name of the model. */
export const defaultModel = 'wireproof-1';

/** The limits of a script. Larger ones are refused. */
export const scriptLimits = {
  turns: 1000,
  /** Steps of all turns together. */
  steps: 10_000,
  /** UTF-8 bytes of all texts and arguments together, with their fillings. */
  bytes: 16_777_216,
  /** Barriers inside the content of one turn. */
  places: 100,
  /** Levels of nesting in a call's input. */
  depth: 100,
  /** Milliseconds of one wait or delay. */
  ms: 3_600_000,
} as const;

/** Whether a step becomes a block. */
export const isContent = (step: Step): step is ContentStep => contentSteps.has(step.do);

const contentSteps: ReadonlySet<Step['do']> = new Set<ContentStep['do']>([
  'thinking',
  'text',
  'tool_call',
  'server_tool',
  'provider_block',
]);

/** The whole text of a content step, if nothing cuts it. */
export function contentOf(step: ContentStep): string {
  if (step.do === 'tool_call' || step.do === 'server_tool') return step.arguments;
  if (step.do === 'provider_block') return '';
  return step.do === 'text' && step.fill !== undefined ? step.text + filled(step.fill) : step.text;
}
