/**
 * Plans the answer to one request before any of it is generated: which steps are reached, where the limit or the script
 * cuts, what is counted, how it ends. Renderers that speak of usage at the start need all of it.
 */
import type { StopReason, Usage } from '../../kit/base/index.ts';
import { cutOffset, offsetOfToken } from './cut.ts';
import { callPrefixes } from './ids.ts';
import type { Ids } from './ids.ts';
import { parameterBoundary } from '../dialects/shared/json-scan.ts';
import { offered } from './sample.ts';
import { isContent } from '../script/script.ts';
import type { ContentStep, Step, ScriptTurn } from '../script/script.ts';
import { countPrompt } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { Block, GenerationEnd, LlmRequest, ProviderError } from '../messages.ts';
import { filled } from '../dialects/shared/utf8.ts';

/** A block as it will be generated. */
export interface PlannedBlock {
  readonly do: 'block';
  readonly block: Block;
  readonly text: string;
  readonly complete: boolean;
}

/** What a generation goes through, in order. A barrier with `at` holds inside the block before it. */
export type PlannedStep = PlannedBlock | Extract<Step, { do: 'barrier' | 'wait' | 'ping' | 'comment' }>;

/** All that is known of a generation before it begins. */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly end: GenerationEnd;
}

/** What plans depend on beside the turn and the request. */
export interface PlanTools {
  readonly tokenizer: Tokenizer;
  readonly ids: Ids;
}

/** Plans what a turn gives to a request. */
export function planOf(turn: ScriptTurn, request: LlmRequest, tools: PlanTools): Plan {
  const planner = new Planner(turn, request, tools);
  for (const step of turn.steps) planner.take(step);
  return planner.plan();
}

/** One planning, step by step. */
class Planner {
  readonly #turn: ScriptTurn;
  readonly #request: LlmRequest;
  readonly #tools: PlanTools;
  readonly #steps: PlannedStep[] = [];
  /** Output tokens that are left. */
  #left: number;
  #contentSteps = 0;
  #tokens = 0;
  #thinkingTokens: number | undefined;
  #usage: Partial<Usage> = {};
  #stop: { readonly reason: StopReason; readonly sequence?: string } | undefined;
  #error: ProviderError | undefined;
  /** The limit has been reached: nothing more is generated, and nothing that the script says after that happens. */
  #over = false;
  /** The script has cut: no more content is generated, but what else it says still happens. */
  #cut = false;
  /** The content step before was not generated. */
  #skipped = false;
  #called = false;
  #cutCall = false;

  constructor(turn: ScriptTurn, request: LlmRequest, tools: PlanTools) {
    this.#turn = turn;
    this.#request = request;
    this.#tools = tools;
    this.#left = Math.min(turn.limit ?? Infinity, request.maxTokens ?? Infinity);
  }

  take(step: Step): void {
    if (step.do === 'usage') this.#usage = { ...this.#usage, ...step.usage };
    else if (step.do === 'stop') this.#stop = step;
    else if (step.do === 'error') this.#error = step.error;
    else if (isContent(step)) this.#content(step);
    else if (step.do === 'barrier' && step.at !== undefined ? !this.#skipped : !this.#over)
      this.#steps.push(step);
  }

  #content(written: ContentStep): void {
    const step = offered(written, this.#request);
    const nth = this.#contentSteps++;
    this.#skipped = this.#cut || this.#over;
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

  #count(step: ContentStep, tokens: number): void {
    this.#left -= tokens;
    this.#tokens += tokens;
    if (step.do === 'thinking') this.#thinkingTokens = (this.#thinkingTokens ?? 0) + tokens;
  }

  #open(step: ContentStep, whole: string, end: number): void {
    const complete = !this.#over && !this.#cut;
    if (step.do === 'tool_call') {
      this.#called = true;
      this.#cutCall = !complete;
    }
    const reached = complete || step.do !== 'tool_call' ? end : this.#seen(step.name, whole, end);
    const text = reached < whole.length ? whole.slice(0, reached) : whole;
    this.#steps.push({ do: 'block', block: this.#block(step), text, complete });
  }

  /** How much of a cut call's arguments a client gets to see. Anthropic holds back each parameter until it is whole. */
  #seen(name: string, json: string, end: number): number {
    const { dialect, tools } = this.#request;
    const eager = tools.find((tool) => tool.name === name)?.eager === true;
    return dialect === 'anthropic' && !eager ? parameterBoundary(json, end) : end;
  }

  #block(step: ContentStep): Block {
    if (step.do === 'text') return { kind: 'text' };
    if (step.do === 'tool_call') {
      const id = step.id ?? this.#tools.ids(callPrefixes[this.#request.dialect]);
      return { kind: 'tool_call', id, name: step.name };
    }
    return step.signature === undefined
      ? { kind: 'thinking' }
      : { kind: 'thinking', signature: step.signature };
  }

  plan(): Plan {
    const { signal, transport } = this.#turn;
    const atLimit = this.#over ? ({ reason: 'max_tokens' } as const) : undefined;
    const natural: StopReason = this.#cut ? 'max_tokens' : this.#called ? 'tool_use' : 'end_turn';
    const stop: { readonly reason: StopReason; readonly sequence?: string } = atLimit ??
      this.#stop ?? { reason: natural };
    const error = this.#over ? undefined : this.#error;
    const end: GenerationEnd = {
      stop: error === undefined ? stop.reason : 'error',
      ...(stop.sequence !== undefined && { stopSequence: stop.sequence }),
      signal,
      transport,
      usage: this.#counted(),
      cutCall: this.#cutCall,
      ...(error !== undefined && { error }),
    };
    return { steps: this.#steps, end };
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

/** All that a content step would say if nothing cut it. */
export function contentOf(step: ContentStep): string {
  if (step.do === 'tool_call') return step.arguments;
  return step.do === 'text' && step.fill !== undefined ? step.text + filled(step.fill) : step.text;
}
