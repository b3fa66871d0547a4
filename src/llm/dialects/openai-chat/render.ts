/**
 * Renders a generation as Chat Completions chunks: the role first, then content and calls piece by piece, then an
 * empty delta with the finish reason, the usage on request, and `[DONE]`. Where a call comes first, the role comes with
 * it (13 of 18 recorded calls).
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { chatUsage, writeUsage } from '../openai/usage.ts';
import { ChunkWriter } from './chunk.ts';
import { finishReasons } from './finish.ts';
import { interleave } from './interleave.ts';

/** Renders one response. */
export const renderer = (context: RenderContext): Renderer =>
  context.variants.interleaved === true ? interleave(new ChatRenderer(context)) : new ChatRenderer(context);

class ChatRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #chunks: ChunkWriter;
  /** Whether the first call brings the role. */
  readonly #startsWithCall: boolean;
  #calls = -1;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#chunks = new ChunkWriter(context);
    const { reasoning = 'none' } = context.variants;
    const first = context.blocks?.find(({ kind }) => kind !== 'thinking' || reasoning !== 'none');
    this.#startsWithCall = first?.kind === 'tool_call';
  }

  begin(): readonly Unit[] {
    return this.#startsWithCall
      ? []
      : [this.#chunks.chunk({ role: 'assistant', content: '', refusal: null })];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    if (block.kind !== 'tool_call') return [];
    const index = ++this.#calls;
    const made = { name: block.name, arguments: '' };
    const role = index === 0 && this.#startsWithCall ? { role: 'assistant', content: null } : {};
    const calls = [{ index, id: block.id, type: 'function', function: made }];
    return [
      this.#chunks.chunk({
        ...role,
        tool_calls: calls,
        ...('role' in role ? { refusal: null } : {}),
      }),
    ];
  }

  piece(text: string, { kind }: GeneratedBlock): readonly Unit[] {
    const { end, variants } = this.#context;
    if (kind === 'tool_call') return [this.#chunks.callPiece(this.#calls, text)];
    if (kind === 'text') return [this.#chunks.piece(end.stop === 'refusal' ? 'refusal' : 'content', text)];
    const { reasoning = 'none' } = variants;
    return reasoning === 'none' ? [] : [this.#chunks.piece(reasoning, text)];
  }

  /** Chat has no chunk for the end of a block. */
  close(): readonly Unit[] {
    return [];
  }

  end(): readonly Unit[] {
    const { end, request } = this.#context;
    if (end.error !== undefined) return [{ data: { error: errorObject(end.error) } }];
    const finishes = finishReasons(end).map((word) => this.#chunks.chunk({}, word));
    if (finishes.length === 0) return [];
    const usage: JsonObject = writeUsage(end.usage, chatUsage);
    return [...finishes, ...(request.includeUsage ? [this.#chunks.usage(usage)] : []), { data: '[DONE]' }];
  }
}
