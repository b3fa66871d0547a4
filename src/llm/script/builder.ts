/** Writes scripts in code, with the words of their YAML and the same checks. */
import { WireproofError } from '../../kit/base/index.ts';
import type { Json, JsonObject, StopReason } from '../../kit/base/index.ts';
import { checkScript } from './check.ts';
import { snake, toJson } from './snake.ts';
import type {
  Chunk,
  Conversations,
  JsonPlace,
  LineEnd,
  Match,
  Offset,
  ProviderEnds,
  ProviderForms,
  Script,
  ScriptTurn,
  Split,
} from './script.ts';
import type { LlmRequest, Signal, TransportEnd, Variants } from '../messages.ts';
import type { ErrorWords, TextWords, UsageWords } from './builder-words.ts';

export type { ErrorWords, TextWords, UsageWords } from './builder-words.ts';

/** Settings of a whole script. */
export interface ScriptOptions {
  readonly title?: string;
  readonly model?: string;
  readonly tokenizer?: { readonly units: number };
  /** How turns are given to conversations; default `auto`. */
  readonly conversations?: Conversations;
}

/** The conditions of a turn; a predicate is given by {@link ScriptBuilder.when}. */
export interface MatchWords extends Omit<Match, 'pattern' | 'predicate'> {
  /** A regular expression for the last user message or one of its tool results. */
  readonly pattern?: RegExp | string;
}

/**
 * Begins a script with its first turn.
 *
 * @example
 * const cut = script()
 *   .text('I will write it.')
 *   .toolCall('write_file', { path: 'a.txt', body: 'long' })
 *   .cutAt({ json: 'inside-string' })
 *   .turn()
 *   .text('Done.')
 *   .build();
 * cut.turns.length; // 2
 */
export const script = (options: ScriptOptions = {}): ScriptBuilder => new ScriptBuilder(options);

/** Builds a script: steps and settings go to the latest turn. */
export class ScriptBuilder {
  readonly #options: ScriptOptions;
  readonly #turns: Draft[] = [{ steps: [], settings: {} }];

  constructor(options: ScriptOptions) {
    this.#options = options;
  }

  /** Begins the next turn. */
  turn(): this {
    this.#turns.push({ steps: [], settings: {} });
    return this;
  }

  /** A block of thoughts, with the signature by which the provider recognizes them. */
  thinking(text: string, more: { readonly signature?: string } = {}): this {
    return this.#step({ thinking: { text, ...more } });
  }

  /** Text; `fill` repeats its own text after it, up to `bytes` UTF-8 bytes. */
  text(text: string, more: TextWords = {}): this {
    return this.#step({ text: { text, ...toJson(more) } });
  }

  /** A refusal: text in the field that OpenAI has for it, with the stop reason `refusal` unless the turn has another. */
  refusal(text: string): this {
    return this.#step({ refusal: text });
  }

  /** A thought that the provider does not show, as its encrypted text: Anthropic and OpenAI Responses. */
  redactedThinking(data: string): this {
    return this.#step({ redacted_thinking: data });
  }

  /** A call that the provider executes, itself or at an MCP `server`: Anthropic and OpenAI Responses. */
  serverTool(
    name: string,
    input: JsonObject,
    more: { readonly id?: string; readonly server?: string; readonly result?: Json } = {},
  ): this {
    return this.#step({ server_tool: { ...more, name, input } });
  }

  /** A block of the provider's own, as a whole answer has it: `{anthropic: {type: 'fallback', …}}`. Other dialects skip it. */
  providerBlock(forms: ProviderForms): this {
    return this.#step({ provider_block: toJson(forms) });
  }

  /** A call with this input; without `id` one is made from the seed. */
  toolCall(
    name: string,
    input: JsonObject,
    more: { readonly id?: string; readonly folder?: string; readonly signature?: string } = {},
  ): this {
    return this.#step({ tool_call: { ...more, name, input } });
  }

  /** A call with any text as arguments, possibly no JSON. */
  rawToolCall(name: string, text: string, more: { readonly id?: string } = {}): this {
    return this.#step({ tool_call: { ...more, name, arguments: text } });
  }

  /** A call of a custom tool, with free text as arguments: OpenAI Chat and OpenAI Responses. */
  customToolCall(name: string, text: string, more: { readonly id?: string } = {}): this {
    return this.#step({ tool_call: { ...more, name, arguments: text, custom: true } });
  }

  /** Holds until the barrier of this name is released; with `at`, inside the content step before it. */
  barrier(name: string, at?: Offset): this {
    return this.#step({ barrier: at === undefined ? name : { name, at: toJson(at) } });
  }

  /** A pause: a time in words such as `200ms`, up to 1h. */
  wait(time: string): this {
    return this.#step({ wait: time });
  }

  /** A ping, or a comment where the dialect has no pings. */
  ping(): this {
    return this.#step({ ping: true });
  }

  /** A comment of the framing, one line. */
  comment(text: string): this {
    return this.#step({ comment: text });
  }

  /** Sends these counts instead of the real ones. */
  usage(counts: UsageWords): this {
    return this.#step({ usage: snake(counts) });
  }

  /** Members that the end of the provider's answer has besides: `{anthropic: {usage: {iterations: […]}}}`. */
  providerEnd(forms: ProviderEnds): this {
    return this.#step({ provider_end: toJson(forms) });
  }

  /** Ends the turn with this reason; `sequence` goes with `stop_sequence`. */
  stop(reason: StopReason, sequence?: string): this {
    return this.#step({ stop: sequence === undefined ? reason : { reason, sequence } });
  }

  /** Ends the turn with an error: as the first step instead of a stream, else in mid-stream. */
  error(error: ErrorWords): this {
    return this.#step({ error: snake(error) });
  }

  /** Cuts the latest content step. */
  cutAt(at: Offset | { readonly json: JsonPlace; readonly nth?: number }): this {
    const content = this.#draft.steps.filter((step) => contentKeys.some((key) => key in step));
    return this.#set({ cut: { step: Math.max(0, content.length - 1), at: toJson(at) } });
  }

  /** Lets the turn answer only requests that fit. */
  match({ pattern, ...match }: MatchWords): this {
    const text = pattern instanceof RegExp ? String(pattern) : pattern;
    return this.#set({ match: { ...snake(match), ...(text === undefined ? {} : { pattern: text }) } });
  }

  /** Lets the turn answer only requests for which this is true, besides its match. Documents cannot say it. */
  when(predicate: (request: LlmRequest) => boolean): this {
    this.#draft.when = predicate;
    return this;
  }

  /**
   * Makes the answer from the request, each time: its text, or the first turn of a script. The turn has no steps of its
   * own, and documents cannot say it.
   *
   * @example
   * script().respond((request) => `You said: ${request.messages.at(-1)?.content}`).build().turns.length; // 1
   */
  respond(answer: (request: LlmRequest) => string | ScriptBuilder): this {
    this.#draft.respond = answer;
    return this.#draft.steps.length === 0 ? this.text('') : this;
  }

  /** Lets the turn answer this many requests; default 1. */
  times(times: number | 'always'): this {
    return this.#set({ times });
  }

  /** Settings of the turn that have no method of their own; times in words. */
  with(settings: TurnSettings): this {
    return this.#set({
      ...snake(settings),
      ...(settings.variants && { variants: snake(settings.variants) }),
    });
  }

  /** The script as its YAML document. */
  document(): JsonObject {
    return {
      ...toJson(this.#options),
      turns: this.#turns.map(({ steps, settings }) => ({ ...settings, steps })),
    };
  }

  /** The checked script. @throws WireproofError 'usage' when something in it is wrong */
  build(): Script {
    const checked = checkScript(this.document());
    if (checked.ok) {
      const { turns, ...more } = checked.value;
      return { ...more, turns: turns.map((turn, i) => withCode(turn, this.#turns[i])) };
    }
    throw new WireproofError('usage', `script: ${checked.error.path}: ${checked.error.message}`);
  }

  get #draft(): Draft {
    return this.#turns.at(-1) ?? { steps: [], settings: {} };
  }

  #step(step: JsonObject): this {
    this.#draft.steps.push(step);
    return this;
  }

  #set(settings: JsonObject): this {
    Object.assign(this.#draft.settings, settings);
    return this;
  }
}

/** Settings of a turn. */
export interface TurnSettings {
  readonly chunk?: Chunk;
  readonly delay?: string;
  readonly jitter?: string;
  readonly limit?: number;
  readonly signal?: Signal;
  readonly transport?: TransportEnd;
  readonly split?: Split;
  readonly lines?: LineEnd;
  readonly pings?: number;
  readonly variants?: Variants;
}

/** An unfinished turn. */
interface Draft {
  readonly steps: JsonObject[];
  readonly settings: { [key: string]: Json };
  when?: (request: LlmRequest) => boolean;
  respond?: (request: LlmRequest) => string | ScriptBuilder;
}

function withCode(turn: ScriptTurn, draft: Draft | undefined): ScriptTurn {
  if (draft === undefined) return turn;
  const { when, respond } = draft;
  return {
    ...turn,
    ...(when && { match: { ...turn.match, predicate: when } }),
    ...(respond && { respond: (request: LlmRequest) => madeTurn(turn, respond(request)) }),
  };
}

/** A text takes the settings of the turn, a script has its own. */
function madeTurn(turn: ScriptTurn, made: string | ScriptBuilder): ScriptTurn {
  if (typeof made === 'string') return { ...turn, steps: [{ do: 'text', text: made }] };
  return made.build().turns[0] ?? turn;
}

const contentKeys: readonly string[] =
  'thinking redacted_thinking text refusal tool_call server_tool provider_block'.split(' ');
