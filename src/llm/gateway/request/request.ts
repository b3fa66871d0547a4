/**
 * A request in full, in no dialect's words: what a gateway reads in one dialect and writes in another, and what a judge
 * compares on both sides. `src/llm/messages.ts` has the narrow request, which a simulated provider needs.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { HeaderFields } from '../../dialects/shared/dialect.ts';
import type { GatewayDialect } from '../dialects.ts';

export type { GatewayDialect };

/** Members of a value that have no neutral word, as they came, such as `cache_control`. Only their own dialect gets them. */
interface More {
  readonly more?: JsonObject;
}

/** An image or a file: its bytes in base64, or where it is. Its mime type is absent where the body has none. */
export interface Media extends More {
  readonly kind: 'image' | 'file';
  readonly mime?: string;
  readonly data?: string;
  readonly url?: string;
  readonly name?: string;
}

/** A text. `refusal`: the model refuses with it, in the dialects that have a word for it (OpenAI's). */
export interface TextPart extends More {
  readonly kind: 'text';
  readonly text: string;
  readonly refusal?: true;
}

/** A thought of the model. Without a signature no provider takes it back that checks its thoughts. */
export interface ThoughtPart extends More {
  readonly kind: 'thought';
  readonly text: string;
  readonly signature?: string;
}

/** A thought whose text only its provider can read. */
export interface RedactedPart extends More {
  readonly kind: 'redacted';
  readonly data: string;
}

/** A call of a tool. `arguments` is JSON text with all its digits; of a call that was cut, it may be no JSON. */
export interface CallPart extends More {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The result of a call. `name` is that of the tool, where the body has it. */
export interface ResultPart extends More {
  readonly kind: 'result';
  readonly id: string;
  readonly name?: string;
  /** Texts, images and files. */
  readonly parts: readonly Part[];
  readonly failed?: true;
}

/**
 * A part that has no neutral word, as it came. `place`: it stands for a whole message or item, or among the calls; else it is
 * in a content.
 */
export interface OtherPart {
  readonly kind: 'other';
  readonly value: Json;
  readonly place?: 'message' | 'call';
}

/** A part of a message. */
export type Part = TextPart | Media | ThoughtPart | RedactedPart | CallPart | ResultPart | OtherPart;

/** A message. Results are parts of a user message; a developer's message is one of the system. */
export interface Message extends More {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
}

/** A tool that the model may call. */
export interface Tool extends More {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
  readonly strict?: boolean;
}

/** Whether the model may, must or must not call a tool, or must call this one. */
export type Choice = 'auto' | 'must' | 'none' | { readonly name: string };

/** The form of the answer's text: any JSON, or JSON of a schema. */
export type Format =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema';
      readonly name?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
    };

/** The levels of effort, from the least. */
export const efforts = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** One of {@link efforts}. */
export type EffortLevel = (typeof efforts)[number];

/** How much the model thinks: a level, a budget in tokens, or as much as it decides itself. */
export type Effort = EffortLevel | 'adaptive' | { readonly budget: number };

/** A request. An absent member was not said, or was null. */
export interface FullRequest {
  /** The dialect in which it came. Only there `unknown`, `more` and other parts are written again. */
  readonly from?: GatewayDialect;
  readonly model: string;
  /** System text stands in its place; where a dialect has a field for it, it comes first. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly choice?: Choice;
  /** Whether the model may call several tools at once. */
  readonly parallel?: boolean;
  /** Most output tokens. */
  readonly limit?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly format?: Format;
  readonly effort?: Effort;
  readonly user?: string;
  readonly stream: boolean;
  /** OpenAI Chat's `stream_options.include_usage`. */
  readonly includeUsage?: boolean;
  /** OpenAI Responses' `previous_response_id`. */
  readonly previous?: string;
  /** OpenAI Responses' `store`. */
  readonly store?: boolean;
  /** Members of the body that have no neutral word, or a value of an unexpected kind, as they came. */
  readonly unknown: JsonObject;
}

/** Choices of the gateway that writes. */
export interface WriteOptions {
  /** Most output tokens where the request has no limit and the dialect needs one; default 4096. */
  readonly limit?: number;
}

/** A request in the words of a dialect. */
export interface WrittenRequest {
  readonly path: string;
  /** The dialect's header fields, without credentials. */
  readonly headers: HeaderFields;
  /** May have bigints inside, as `exactJsonOf` makes them: write it with `exactText`. */
  readonly body: JsonObject;
  /**
   * The members of the request that the dialect has no word for, by their paths: `stop`, `messages[2].parts[1]`. Where
   * another value was written, it follows: `temperature: 1`.
   */
  readonly lost: readonly string[];
  /** The names of tools that were changed, since the dialect cannot carry them: from the written name to the request's. */
  readonly names: ReadonlyMap<string, string>;
}
