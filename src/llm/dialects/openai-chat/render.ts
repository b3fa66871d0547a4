/**
 * Renders a generation as Chat Completions chunks: the role first, then content and calls piece by piece, then an
 * empty delta with the finish reason, the usage on request, and `[DONE]`.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { chatUsage, writeUsage } from '../openai/usage.ts';
import { finishReasons } from './finish.ts';
import { interleave } from '../shared/interleave.ts';

/** Renders one response. */
export const renderer = (context: RenderContext): Renderer =>
  context.variants.interleaved === true ? interleave(new ChatRenderer(context)) : new ChatRenderer(context);

class ChatRenderer implements Renderer {
  readonly #context: RenderContext;
  /** The common part of all chunks. */
  readonly #head: JsonObject;
  #calls = -1;

  constructor(context: RenderContext) {
    this.#context = context;
    const { now, request, id } = context;
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
    return [this.#chunk({ role: 'assistant', content: '', refusal: null })];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    if (block.kind !== 'tool_call') return [];
    const made = { name: block.name, arguments: '' };
    return [
      this.#chunk({ tool_calls: [{ index: ++this.#calls, id: block.id, type: 'function', function: made }] }),
    ];
  }

  piece(text: string, { kind }: GeneratedBlock): readonly Unit[] {
    const { end, variants } = this.#context;
    if (kind === 'tool_call')
      return [this.#chunk({ tool_calls: [{ index: this.#calls, function: { arguments: text } }] })];
    if (kind === 'text') return [this.#chunk({ [end.stop === 'refusal' ? 'refusal' : 'content']: text })];
    const { reasoning = 'none' } = variants;
    return reasoning === 'none' ? [] : [this.#chunk({ [reasoning]: text })];
  }

  /** Chat has no chunk for the end of a block. */
  close(): readonly Unit[] {
    return [];
  }

  end(): readonly Unit[] {
    const { end, request } = this.#context;
    if (end.error !== undefined) return [{ data: { error: errorObject(end.error) } }];
    const finishes = finishReasons(end).map((word) => this.#chunk({}, word));
    if (finishes.length === 0) return [];
    const usage = request.includeUsage
      ? [{ data: { ...this.#head, choices: [], usage: writeUsage(end.usage, chatUsage) } }]
      : [];
    return [...finishes, ...usage, { data: '[DONE]' }];
  }

  #chunk(delta: JsonObject, finish: string | null = null): Unit {
    const { request, variants, id } = this.#context;
    const choice: Json = { index: 0, delta, logprobs: null, finish_reason: finish };
    return {
      data: {
        ...this.#head,
        choices: [choice],
        ...(request.includeUsage ? { usage: null } : {}),
        ...(variants.obfuscation === true ? { obfuscation: id('') } : {}),
      },
    };
  }
}
