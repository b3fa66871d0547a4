/**
 * What a simulated provider plays: a list of turns, each of which answers a request. These are the checked forms;
 * `checkScript` makes them of what stands in YAML, the builder of what stands in code.
 */
import type { StopReason, Usage } from '../../kit/base/index.ts';
import type { DialectName, ProviderError, Signal, TransportEnd, Variants } from '../messages.ts';

/** A script whose every turn can be played. */
export interface Script {
  /** One line for readers. */
  readonly title?: string;
  /** The name under which the model is listed and answers. */
  readonly model: string;
  /** The virtual tokenizer: one token per so many UTF-16 units. */
  readonly tokenizer: { readonly units: number };
  readonly turns: readonly ScriptTurn[];
}

/** Which requests a turn answers: all that is said here must hold; an empty match fits any request. */
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
}

/** A place in a text: that many UTF-8 bytes, characters (code points) or tokens from its start. Bytes in the middle of a character count as its start. */
export type Offset = { readonly byte: number } | { readonly char: number } | { readonly token: number };

/** Where JSON text can be cut, by what the cut falls into. */
export const jsonPlaces = [
  'inside-key',
  'inside-string',
  /** After a backslash, before its escape is whole; in keys, too. */
  'inside-escape',
  /** Between two characters of a number. */
  'inside-number',
  /** Between two characters of `true`, `false` or `null`. */
  'inside-literal',
  /** After the value of a parameter (a member of the outermost object), before the next one's key or the last brace. */
  'between-parameters',
  'after-last-brace',
] as const;

/** One of {@link jsonPlaces}. */
export type JsonPlace = (typeof jsonPlaces)[number];

/** Where a step is cut; `nth` chooses among several places of a kind, from 0. */
export type CutAt = Offset | { readonly json: JsonPlace; readonly nth: number };

/** Ends the generation inside a step. */
export interface Cut {
  /** Which one among the turn's thinking, text and tool_call steps, from 0. */
  readonly step: number;
  readonly at: CutAt;
}

/** Something that becomes a block of the generation. */
export type ContentStep =
  | { readonly do: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly do: 'text'; readonly text: string; readonly fill?: Fill }
  /** `arguments` is JSON text, or whatever a script wants instead. Without `id` a seeded one is made. */
  | { readonly do: 'tool_call'; readonly id?: string; readonly name: string; readonly arguments: string };

/** A text that is repeated until so many UTF-8 bytes of it are there; never more, and no character in halves. */
export interface Fill {
  readonly text: string;
  readonly bytes: number;
}

/** One step of a turn. */
export type Step =
  | ContentStep
  /** Holds until released: where it stands, or, with `at`, inside the content step before it; at its end where that is cut before. */
  | { readonly do: 'barrier'; readonly name: string; readonly at?: Offset }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'ping' }
  | { readonly do: 'comment'; readonly text: string }
  /** Says other counts than were counted. */
  | { readonly do: 'usage'; readonly usage: Partial<Usage> }
  | { readonly do: 'stop'; readonly reason: StopReason; readonly sequence?: string }
  | { readonly do: 'error'; readonly error: ProviderError };

/** Into what pieces content is generated: tokens, characters, characters that are written byte by byte, or so many UTF-16 units. */
export type Chunk = 'token' | 'char' | 'byte' | { readonly size: number };

/** Where bytes are parted into several writes: every so many bytes, every byte, inside each multi-byte character, inside each line end. */
export type Split = { readonly size: number } | 'byte' | 'utf8' | 'lines';

/** Line ends of SSE and NDJSON. */
export const lineEnds = ['lf', 'crlf', 'cr'] as const;

/** One of {@link lineEnds}. */
export type LineEnd = (typeof lineEnds)[number];

/** The answer to one request. */
export interface ScriptTurn {
  readonly match?: Match;
  /** How many requests it answers. */
  readonly times: number | 'always';
  readonly steps: readonly Step[];
  readonly chunk: Chunk;
  /** Milliseconds between two pieces. */
  readonly delay: number;
  /** Up to so many milliseconds more or less than `delay`, never less than none. */
  readonly jitter: number;
  readonly cut?: Cut;
  /** As if the request had asked for no more output tokens than this. */
  readonly limit?: number;
  readonly signal: Signal;
  readonly transport: TransportEnd;
  readonly split?: Split;
  readonly lines: LineEnd;
  /** A ping after every so many pieces; 0: none. */
  readonly pings: number;
  readonly variants: Variants;
}

/** What a turn is when it does not say. */
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

/** The name of the model when a script does not say. */
export const defaultModel = 'wireproof-1';

/** Most that a script may hold; what has more is refused. */
export const scriptLimits = {
  turns: 1000,
  /** Steps of all turns together. */
  steps: 10_000,
  /** UTF-8 bytes of all texts and arguments together, fillings as long as they become. */
  bytes: 16_777_216,
  /** Barriers inside the content of one turn. */
  places: 100,
  /** Values inside one another in a call's input. */
  depth: 100,
  /** Milliseconds of one wait or delay. */
  ms: 3_600_000,
} as const;

/** Whether a step becomes a block. */
export const isContent = (step: Step): step is ContentStep =>
  step.do === 'thinking' || step.do === 'text' || step.do === 'tool_call';
