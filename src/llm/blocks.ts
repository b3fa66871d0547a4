/** The blocks of a generation: thoughts, texts, calls, and what the provider adds. */
import type { Json, JsonObject, ToolCall } from '../kit/base/index.ts';

/** A source that a text cites: a web page, or a document of the request. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The cited words. */
  readonly text?: string;
  /** The number of the document in the request, from 0, where the source is no web page. */
  readonly document?: number;
  /**
   * First and last UTF-16 offset: in the document for Anthropic, in the answer for OpenAI. Default: the whole text of the
   * step.
   */
  readonly start?: number;
  readonly end?: number;
}

/** A block of a generation, before its content. */
export type Block =
  | { readonly kind: 'thinking'; readonly signature?: string; readonly redacted?: string }
  | {
      readonly kind: 'text';
      /** Whether the text is a refusal, in the dialects that have a field for it. */
      readonly refusal?: true;
      /** The sources of the text, in the dialects that name them. */
      readonly citations?: readonly Citation[];
      /** Sends the log probability of each piece, with this number of alternatives. */
      readonly logprobs?: number;
    }
  | ({ readonly kind: 'tool_call' } & Omit<ToolCall, 'input'>)
  /** A call that the provider executes itself, such as a web search. `server`: at an MCP server of this name. */
  | { readonly kind: 'server_tool'; readonly id: string; readonly name: string; readonly server?: string }
  /** Its result, which has no text. */
  | {
      readonly kind: 'server_result';
      readonly id: string;
      readonly name: string;
      readonly server?: string;
      readonly result: Json;
    }
  /** A block or an item of the provider's own. `name`: its type. `form`: as a whole answer of its dialect has it. */
  | {
      readonly kind: 'provider_block';
      readonly id: string;
      readonly name: string;
      readonly form: JsonObject;
    };

export type BlockKind = Block['kind'];

/** A block with everything that is generated of it. */
export type GeneratedBlock = Block & {
  /** Its position among the blocks, from 0. */
  readonly index: number;
  /** The texts of its pieces, joined: thought or text as characters, JSON text of a call's arguments, or its free text. */
  readonly text: string;
  /** False: the generation is cut inside this block, which is then the last one. */
  readonly complete: boolean;
};
