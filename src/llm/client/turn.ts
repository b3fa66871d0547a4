/**
 * The plainest loop of an agent around a model: ask, run the called tools, send the results, until the model stops.
 * Pure; the tools have fixed answers.
 */
import { isArray } from '../../kit/base/index.ts';
import type { Json, StopReason, ToolCall, ToolOutcome, Usage } from '../../kit/base/index.ts';
import type { Decoded, DialectName, LlmMessage, LlmRequest, LlmResponse, ToolSpec } from '../messages.ts';

/** A tool with its fixed answer. */
export interface AnsweringTool extends ToolSpec {
  readonly output: string;
}

/** Options of a turn. */
export interface TurnOptions {
  readonly dialect: DialectName;
  readonly model: string;
  readonly system?: string;
  readonly prompt: string;
  readonly maxTokens?: number;
  readonly tools: readonly AnsweringTool[];
  /** Requests of the turn at most, 1 or more. */
  readonly maxRounds: number;
  readonly stream: boolean;
}

/** The result of a turn. */
export interface TurnResult {
  /** The text of all its responses, joined. */
  readonly text: string;
  /** The calls that were complete, in order. */
  readonly toolCalls: readonly ToolCall[];
  /** The calls that were run. */
  readonly executed: readonly { readonly name: string; readonly input: Json }[];
  readonly stopReason: StopReason;
  /** Of all its responses. */
  readonly usage: Usage;
  readonly error?: string;
  readonly warnings: readonly string[];
}

/** A running turn. */
export class ClientTurn {
  readonly #options: TurnOptions;
  readonly #messages: LlmMessage[];
  readonly #calls: ToolCall[] = [];
  readonly #executed: { name: string; input: Json }[] = [];
  readonly #warnings: string[] = [];
  #text = '';
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #rounds = 0;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#messages = [{ role: 'user', content: options.prompt }];
  }

  /** The request that is due. */
  request(): LlmRequest {
    const { dialect, model, system, maxTokens, tools, stream } = this.#options;
    return {
      dialect,
      model,
      messages: this.#messages,
      tools: tools.map(offered),
      stream,
      includeUsage: true,
      ...(system === undefined ? {} : { system }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
  }

  /** Takes a response. @returns the turn's result; undefined when another request is due */
  took({ response, error }: Decoded): TurnResult | undefined {
    const { content, toolCalls, metadata, warnings, open } = response;
    this.#text += content;
    this.#usage = sum(this.#usage, metadata.usage);
    this.#warnings.push(...warnings);
    // After an error no call is run, complete or not (LLM-C06, LLM-C07).
    if (error !== undefined) return this.#result(metadata.stopReason, error.message);
    this.#calls.push(...toolCalls);
    if (metadata.stopReason === 'pause_turn' && this.#goesOn(response)) return undefined;
    // Tools run only when the model says that it waits for them (TOK-14); a cut call never does (LLM-C01).
    if (metadata.stopReason !== 'tool_use') return this.#result(metadata.stopReason);
    if (toolCalls.length === 0)
      return this.#result('tool_use', open === undefined ? undefined : brokenCall(open.name));
    if (++this.#rounds >= this.#options.maxRounds) return this.#result('tool_use');
    this.#messages.push(assistant(response));
    const toolResults = toolCalls.map((call) =>
      this.#run(call, response.emptyCalls?.includes(call.id) === true),
    );
    this.#messages.push({ role: 'user', content: '', toolResults });
    return undefined;
  }

  /** Anthropic's model goes on where it paused, once the answer is sent back as it came. Gemini's wants a token. */
  #goesOn(response: LlmResponse): boolean {
    if (this.#options.dialect !== 'anthropic') return false;
    const message = assistant(response);
    const { content, blocks, toolCalls } = message;
    if (toolCalls !== undefined || (content === '' && blocks === undefined)) return false;
    if (++this.#rounds >= this.#options.maxRounds) return false;
    this.#messages.push(message);
    return true;
  }

  /** `empty`: the arguments came as no text, so that the call may have been cut under a false stop reason. */
  #run({ id, name, input, custom }: ToolCall, empty: boolean): ToolOutcome {
    const result = { id, ...(custom && { custom }) };
    const tool = this.#options.tools.find((one) => one.name === name && one.custom === custom);
    if (tool === undefined) return { ...result, content: `there is no tool called ${name}`, isError: true };
    const { required } = tool.inputSchema;
    if (empty && isArray(required) && required.length > 0)
      return {
        ...result,
        content: `not run: expected ${JSON.stringify(required)}; came no arguments`,
        isError: true,
      };
    this.#executed.push({ name, input });
    return { ...result, content: tool.output, isError: false };
  }

  #result(stopReason: StopReason, error?: string): TurnResult {
    return {
      text: this.#text,
      toolCalls: this.#calls,
      executed: this.#executed,
      stopReason,
      usage: this.#usage,
      warnings: this.#warnings,
      ...(error === undefined ? {} : { error }),
    };
  }
}

/** An answer as the next request has it. */
const assistant = ({ content, toolCalls, thinking, blocks }: LlmResponse): LlmMessage => ({
  role: 'assistant',
  content,
  ...(toolCalls.length > 0 && { toolCalls }),
  ...(thinking !== undefined && { thinking }),
  ...(blocks !== undefined && { blocks }),
});

/** A tool as the model sees it. */
function offered(tool: AnsweringTool): ToolSpec {
  const { output: _, ...spec } = tool;
  return spec;
}

const brokenCall = (name: string): string =>
  `the model called ${name} with arguments that are not a JSON object; the call was not run`;

/** Adds up the usage of several responses; the counts of one response are cumulative (LLM-C13). */
function sum(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const added: Record<string, number> = { ...a };
  for (const [name, value] of Object.entries(b) as [string, number][])
    added[name] = (added[name] ?? 0) + value;
  return { ...a, ...added };
}
