/**
 * Renders a generation as Chat Completions chunks: the role first, then content and calls piece by piece, then an
 * empty delta with the finish reason, the usage on request, and `[DONE]`. Where a call comes first, the role comes with
 * it (13 of 18 recorded calls).
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Block, GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { chatAnnotations } from '../openai/citations.ts';
import { chatUsage, writeUsage } from '../openai/usage.ts';
import { isPadded, Obfuscation } from '../openai/obfuscation.ts';
import { frameText } from '../shared/frame.ts';
import { alternativesOf, logprobOf } from '../shared/logprobs.ts';
import { UnitTemplate } from '../shared/unit-template.ts';
import type { UnitMaker, UnitValue } from '../shared/unit-template.ts';
import { azureLateRenderer, azureRenderer } from './azure.ts';
import { callObject } from './call-object.ts';
import { finishReasons } from './finish.ts';
import { errorForm, errorUnits } from './mid-stream-error.ts';
import { mistralContext, MistralRenderer } from './mistral.ts';
import { openrouterContext, openrouterRenderer } from './openrouter.ts';
import { interleave } from '../shared/interleave.ts';
import { joinUnits } from '../shared/join.ts';
import { joinChunks } from './join.ts';

/** Renders one response. */
export const renderer = (context: RenderContext): Renderer => {
  const { interleaved, joined = [] } = context.variants;
  const own = ownRenderer(context);
  const plain = interleaved === true ? interleave(own) : own;
  return joined.length === 0 ? plain : joinUnits(plain, joinChunks(joined));
};

/** The chunks of the provider that a turn names. */
function ownRenderer(context: RenderContext): Renderer {
  switch (context.variants.chat) {
    case 'azure':
      return azureRenderer(new ChatRenderer(context), context);
    case 'azure-async':
      return azureLateRenderer(new ChatRenderer(context), context);
    case 'openrouter':
      return openrouterRenderer(new ChatRenderer(openrouterContext(context)));
    case 'mistral':
      return new MistralRenderer(new ChatRenderer(mistralContext(context)), context);
    default:
      return new ChatRenderer(context);
  }
}

/** Whether a text goes into the field of refusals. */
export const isRefusal = (block: Block): boolean => block.kind === 'text' && block.refusal === true;

class ChatRenderer implements Renderer {
  readonly #context: RenderContext;
  /** The common part of all chunks. */
  readonly #head: JsonObject;
  readonly #obfuscation: Obfuscation;
  readonly #padded: boolean;
  /** Whether the first call brings the role. */
  readonly #startsWithCall: boolean;
  /** The chunks of text, by the name of their field. */
  readonly #texts = new Map<string, UnitTemplate>();
  #calls = -1;
  /** The alternatives of the log probabilities of the open text, if it has some. */
  #alternatives: number | undefined;
  /** The chunks of the arguments of the latest call. */
  #arguments: UnitTemplate | undefined;

  constructor(context: RenderContext) {
    this.#context = context;
    const { now, request, id } = context;
    this.#obfuscation = new Obfuscation(id);
    this.#padded = isPadded(context);
    const { reasoning = 'none' } = context.variants;
    const first = context.blocks?.find(({ kind }) => kind !== 'thinking' || reasoning !== 'none');
    this.#startsWithCall = first?.kind === 'tool_call';
    this.#head = {
      id: id('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: Math.floor(now / 1000),
      model: request.model,
      service_tier: 'default',
      system_fingerprint: id('fp_'),
    };
  }

  begin(): readonly Unit[] {
    return this.#startsWithCall ? [] : [this.#chunk({ role: 'assistant', content: '', refusal: null })];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    this.#alternatives = alternativesOf(block);
    if (block.kind !== 'tool_call') return [];
    this.#arguments = undefined;
    const call = { tool_calls: [{ index: ++this.#calls, ...callObject(block, '') }] };
    const bringsRole = this.#calls === 0 && this.#startsWithCall;
    return [this.#chunk(bringsRole ? { role: 'assistant', content: null, ...call, refusal: null } : call)];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    if (this.#alternatives !== undefined) return [this.#measured(text, block, this.#alternatives)];
    const template = this.#templateOf(block);
    if (template === undefined) return [];
    return [this.#padded ? template.unit(text, this.#obfuscation.next()) : template.unit(text)];
  }

  pieceText(text: string, block: GeneratedBlock): string {
    if (this.#alternatives !== undefined)
      return frameText('sse', this.#measured(text, block, this.#alternatives), 'lf');
    const template = this.#templateOf(block);
    if (template === undefined) return '';
    return this.#padded ? template.sse(text, this.#obfuscation.next()) : template.sse(text);
  }

  /** The chunks of a block's text; undefined where the dialect does not send it. */
  #templateOf(block: GeneratedBlock): UnitTemplate | undefined {
    const { variants } = this.#context;
    if (block.kind === 'tool_call') return this.#argumentsTemplate(block.custom === true);
    if (block.kind === 'text') return this.#text(isRefusal(block) ? 'refusal' : 'content');
    const { reasoning = 'none' } = variants;
    return reasoning === 'none' ? undefined : this.#text(reasoning);
  }

  #argumentsTemplate(custom: boolean): UnitTemplate {
    const index = this.#calls;
    return (this.#arguments ??= this.#template((text) => ({
      tool_calls: [{ index, ...(custom ? { custom: { input: text } } : { function: { arguments: text } }) }],
    })));
  }

  #text(field: string): UnitTemplate {
    const known = this.#texts.get(field);
    if (known !== undefined) return known;
    const made = this.#template((text) => ({ [field]: text }));
    this.#texts.set(field, made);
    return made;
  }

  /** The chunks that differ in a text only. */
  #template(delta: (text: UnitValue) => JsonObject): UnitTemplate {
    const make: UnitMaker = (text = '', padding = '') => this.#data(delta(text), null, padding);
    return new UnitTemplate(undefined, make, this.#padded ? 2 : 1, this.#padded);
  }

  /** A piece of a text with log probabilities. */
  #measured(text: string, block: GeneratedBlock, alternatives: number): Unit {
    const field = isRefusal(block) ? 'refusal' : 'content';
    const logprobs = { content: null, refusal: null, [field]: [logprobOf(text, alternatives)] };
    return { data: this.#data({ [field]: text }, null, this.#obfuscation, logprobs) };
  }

  /** Chat has no chunk for the end of a block, unless it cites. */
  close(block: GeneratedBlock): readonly Unit[] {
    if (!block.complete) return [];
    const annotations = chatAnnotations(block, block.text.length);
    return annotations.length === 0 ? [] : [this.#chunk({ annotations })];
  }

  end(): readonly Unit[] {
    const { end, request } = this.#context;
    if (end.error !== undefined) return errorUnits(end.error, errorForm(this.#context.variants), this.#head);
    const finishes = finishReasons(end).map((word) => this.#chunk({}, word));
    if (finishes.length === 0) return [];
    const done: Unit = { data: '[DONE]' };
    if (!request.includeUsage) return [...finishes, done];
    const usage = writeUsage(end.usage, chatUsage);
    if (this.#context.variants.usage === 'finish')
      return [...finishes.map(({ data }) => ({ data: { ...(data as JsonObject), usage } })), done];
    return [
      ...finishes,
      { data: { ...this.#head, choices: [], usage, ...this.#pad(this.#obfuscation) } },
      done,
    ];
  }

  #chunk(delta: JsonObject, finish: string | null = null): Unit {
    return { data: this.#data(delta, finish, this.#obfuscation) };
  }

  #data(
    delta: JsonObject,
    finish: string | null,
    padding: Obfuscation | UnitValue,
    logprobs: Json = null,
  ): JsonObject {
    const { request } = this.#context;
    const choice: Json = { index: 0, delta, logprobs, finish_reason: finish };
    return {
      ...this.#head,
      choices: [choice],
      ...(request.includeUsage ? { usage: null } : {}),
      ...this.#pad(padding),
    };
  }

  #pad(padding: Obfuscation | UnitValue): JsonObject {
    if (!this.#padded) return {};
    return { obfuscation: padding instanceof Obfuscation ? padding.next() : padding };
  }
}
