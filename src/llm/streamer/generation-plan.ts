/**
 * Plans the answer to one request before any of it is generated: the steps that are reached, the cut by the limit or
 * the script, the counts, the end. Renderers that send the usage at the start need all of it.
 */
import type { JsonObject, StopReason, ToolCall, Usage } from '../../kit/base/index.ts';
import { cutOffset, offsetOfToken } from './cut.ts';
import { dialectOf } from '../dialects/index.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import type { Ids } from './ids.ts';
import { offered } from '../script/sample.ts';
import { contentOf, isContent } from '../script/script.ts';
import type { ContentStep, Step, ScriptTurn } from '../script/script.ts';
import { countPrompt } from '../dialects/shared/tokenizer.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import type { Block, GeneratedBlock, GenerationEnd, LlmRequest, ProviderError } from '../messages.ts';

/** A step of a plan. A barrier with `at` holds inside the block before it. */
export type PlannedStep =
  | { readonly do: 'block'; readonly block: GeneratedBlock }
  | Extract<Step, { do: 'barrier' | 'wait' | 'ping' | 'comment' }>;

/** Everything that is known of a generation before it begins. */
export interface Plan {
  readonly blocks: readonly GeneratedBlock[];
  readonly steps: readonly PlannedStep[];
  readonly end: GenerationEnd;
}

export interface PlanTools {
  readonly tokenizer: Tokenizer;
  readonly ids: Ids;
}

/** Plans the answer of a turn to a request. */
export function planOf(turn: ScriptTurn, request: LlmRequest, tools: PlanTools): Plan {
  const planner = new Planner(turn, request, tools);
  for (const step of turn.steps) planner.take(step);
  return planner.plan();
}

/** Plans one answer, step by step. */
class Planner {
  readonly #turn: ScriptTurn;
  readonly #request: LlmRequest;
  readonly #dialect: Dialect;
  readonly #tools: PlanTools;
  readonly #steps: PlannedStep[] = [];
  readonly #blocks: GeneratedBlock[] = [];
  /** Output tokens until the limit. */
  #left: number;
  /** The turn stops with a refusal, and says of no text that it is one: all of its text is. */
  readonly #refuses: boolean;
  #contentSteps = 0;
  #tokens = 0;
  #thinkingTokens: number | undefined;
  #usage: Partial<Usage> = {};
  #stop: { readonly reason: StopReason; readonly sequence?: string } | undefined;
  #error: ProviderError | undefined;
  /** The limit is reached: nothing more is generated, and nothing else of the script happens. */
  #over = false;
  #more: JsonObject | undefined;
  /** The script has cut: no more content is generated, but the rest of the script still happens. */
  #cut = false;
  /** The last content step was not generated. */
  #skipped = false;

  constructor(turn: ScriptTurn, request: LlmRequest, tools: PlanTools) {
    this.#turn = turn;
    this.#request = request;
    this.#dialect = dialectOf[request.dialect];
    this.#tools = tools;
    const { steps } = turn;
    this.#refuses =
      steps.some((step) => step.do === 'stop' && step.reason === 'refusal') &&
      !steps.some((step) => step.do === 'text' && step.refusal);
    this.#left = Math.min(turn.limit ?? Infinity, request.maxTokens ?? Infinity);
  }

  take(step: Step): void {
    if (step.do === 'usage') this.#usage = { ...this.#usage, ...step.usage };
    else if (step.do === 'stop') this.#stop = step;
    else if (step.do === 'error') this.#error = step.error;
    else if (step.do === 'provider_end') this.#more = this.#endOf(step);
    else if (isContent(step)) this.#content(step);
    else if (step.do === 'barrier' && step.at !== undefined ? !this.#skipped : !this.#over)
      this.#steps.push(step);
  }

  #content(written: ContentStep): void {
    const step = offered(written, this.#request);
    const nth = this.#contentSteps++;
    this.#skipped = this.#cut || this.#over || !this.#hasWords(step);
    if (this.#skipped) return;
    const { tokenizer } = this.#tools;
    const whole = contentOf(step);
    const cut = this.#turn.cut?.step === nth ? this.#turn.cut : undefined;
    let end = (cut && cutOffset(whole, cut.at, tokenizer)) ?? whole.length;
    let tokens = tokenizer.count(end < whole.length ? whole.slice(0, end) : whole);
    if (tokens > this.#left) {
      this.#over = true;
      this.#skipped = this.#left <= 0;
      if (this.#skipped) return;
      end = offsetOfToken(whole, this.#left, tokenizer);
      tokens = this.#left;
    }
    this.#cut = cut !== undefined;
    this.#count(step, tokens);
    this.#open(step, whole, end);
  }

  /** Whether the dialect has words for a step. It sends nothing of others. */
  #hasWords(step: ContentStep): boolean {
    if (step.do === 'provider_block') return this.#formOf(step) !== undefined;
    const { serverTools, hiddenThoughts, customTools } = this.#dialect.features;
    const isRedacted = step.do === 'thinking' && step.redacted !== undefined;
    // OpenRouter's Chat has the thoughts of every provider.
    const isRouted = this.#request.dialect === 'openai-chat' && this.#turn.variants.chat === 'openrouter';
    if (isRedacted && (hiddenThoughts === true || isRouted)) return this.#request.face === undefined;
    const isHidden = step.do === 'server_tool' || isRedacted;
    const isCustom = step.do === 'tool_call' && step.custom === true;
    if (!isHidden && !isCustom) return true;
    return (isCustom ? customTools : serverTools) && this.#request.face === undefined;
  }

  /** A block of the provider's own in the words of the request's dialect. */
  #formOf({ forms }: Extract<ContentStep, { do: 'provider_block' }>): JsonObject | undefined {
    const { dialect, face } = this.#request;
    if (face !== undefined) return undefined;
    return dialect === 'anthropic' || dialect === 'openai-responses' || dialect === 'gemini'
      ? forms[dialect]
      : undefined;
  }

  #endOf({ forms }: Extract<Step, { do: 'provider_end' }>): JsonObject | undefined {
    const { dialect } = this.#request;
    return dialect === 'anthropic' || dialect === 'bedrock' ? forms[dialect] : undefined;
  }

  #count(step: ContentStep, tokens: number): void {
    this.#left -= tokens;
    this.#tokens += tokens;
    if (step.do === 'thinking') this.#thinkingTokens = (this.#thinkingTokens ?? 0) + tokens;
  }

  #open(step: ContentStep, whole: string, end: number): void {
    const complete = !this.#over && !this.#cut;
    const reached = complete || step.do !== 'tool_call' ? end : this.#visible(step.name, whole, end);
    const made = {
      index: this.#blocks.length,
      text: reached < whole.length ? whole.slice(0, reached) : whole,
      complete,
    };
    const block = this.#block(step, made);
    this.#add(block);
    if (step.do === 'server_tool') this.#result(block, step);
  }

  /** How far a client sees the arguments of a call that is cut at `end`. */
  #visible(name: string, json: string, end: number): number {
    const tool = this.#request.tools.find((one) => one.name === name);
    return this.#dialect.visibleArguments?.(json, end, tool) ?? end;
  }

  #block(step: ContentStep, made: Pick<GeneratedBlock, 'index' | 'text' | 'complete'>): GeneratedBlock {
    if (step.do === 'text') {
      const { do: kind, text: _, fill: __, ...more } = step;
      return { kind, ...more, ...(this.#refuses && { refusal: true as const }), ...made };
    }
    if (step.do === 'thinking') {
      const { do: kind, text: _, ...more } = step;
      return { kind, ...more, ...made };
    }
    if (step.do === 'provider_block') return { ...providerBlock(this.#formOf(step) ?? {}), ...made };
    const id = step.id ?? this.#tools.ids(this.#prefixOf(step));
    if (step.do === 'server_tool') {
      const { do: kind, arguments: _, result: __, ...tool } = step;
      return { kind, ...tool, id, ...made };
    }
    const { do: kind, arguments: _, folder: __, ...call } = step;
    return { kind, ...call, ...this.#signature(step.signature), id, ...made };
  }

  /** The first call of an answer is signed in any case. Signatures are bytes in base64. */
  #signature(written: string | undefined): Pick<ToolCall, 'signature'> {
    if (this.#dialect.features.signedCalls !== true || written !== undefined) return {};
    if (this.#blocks.some(({ kind }) => kind === 'tool_call')) return {};
    return { signature: Buffer.from(this.#tools.ids('sig_')).toString('base64') };
  }

  #prefixOf(step: Extract<ContentStep, { do: 'tool_call' | 'server_tool' }>): string {
    if (step.do === 'tool_call') return this.#dialect.callIdPrefix;
    return step.server === undefined ? 'srvtoolu_' : 'mcptoolu_';
  }

  /** The result of a server's tool is a block of its own. */
  #result(block: GeneratedBlock, { result = [] }: Extract<ContentStep, { do: 'server_tool' }>): void {
    if (block.kind !== 'server_tool' || !block.complete) return;
    const { kind: _, index, ...tool } = block;
    this.#add({ ...tool, kind: 'server_result', result, index: index + 1, text: '', complete: true });
  }

  #add(block: GeneratedBlock): void {
    this.#blocks.push(block);
    this.#steps.push({ do: 'block', block });
  }

  plan(): Plan {
    const { signal, transport } = this.#turn;
    const last = this.#blocks.at(-1);
    const { reason, sequence } = (this.#over ? undefined : this.#stop) ?? { reason: this.#naturalStop() };
    const error = this.#over ? undefined : this.#error;
    const end: GenerationEnd = {
      stop: error === undefined ? reason : 'error',
      ...(sequence !== undefined && { stopSequence: sequence }),
      signal,
      transport,
      usage: this.#counted(),
      cutCall: last?.kind === 'tool_call' && !last.complete,
      ...(error !== undefined && { error }),
      ...(this.#more !== undefined && { more: this.#more }),
    };
    return { blocks: this.#blocks, steps: this.#steps, end };
  }

  #naturalStop(): StopReason {
    if (this.#cut || this.#over) return 'max_tokens';
    if (this.#blocks.some(({ kind }) => kind === 'tool_call')) return 'tool_use';
    return this.#blocks.some((block) => block.kind === 'text' && block.refusal) ? 'refusal' : 'end_turn';
  }

  #counted(): Usage {
    return {
      inputTokens: countPrompt(this.#request, this.#tools.tokenizer),
      outputTokens: this.#tokens,
      ...(this.#thinkingTokens !== undefined && { thinkingTokens: this.#thinkingTokens }),
      ...this.#usage,
    };
  }
}

/** A block of the provider's own: its id and its type are members of its form. */
function providerBlock(form: JsonObject): Extract<Block, { kind: 'provider_block' }> {
  const { id, type } = form;
  const texts = { id: typeof id === 'string' ? id : '', name: typeof type === 'string' ? type : '' };
  return { kind: 'provider_block', ...texts, form };
}
