/** Small generations and requests for the tests of the dialects, written out by hand. */
import { seededRandom } from '../../../kit/world/index.ts';
import { seededIds } from '../../streamer/ids.ts';
import type {
  GenerationStep,
  Block,
  DialectName,
  GeneratedBlock,
  Generation,
  GenerationEnd,
  LlmRequest,
  RenderContext,
  Unit,
  Variants,
} from '../../messages.ts';
import type { Dialect } from './dialect.ts';
import { unitsOfGeneration } from './render.ts';

/** A block with its pieces; `cut` when the generation ended inside it. */
export interface Part {
  readonly block: Block;
  readonly pieces: readonly string[];
  readonly cut?: true;
}

export const text = (...pieces: readonly string[]): Part => ({ block: { kind: 'text' }, pieces });

export const thought = (signature: string, ...pieces: readonly string[]): Part => ({
  block: { kind: 'thinking', signature },
  pieces,
});

/** A call with its arguments in pieces. */
export const call = (id: string, name: string, ...pieces: readonly string[]): Part => ({
  block: { kind: 'tool_call', id, name },
  pieces,
});

/** The same part, but cut. */
export const cut = (part: Part): Part => ({ ...part, cut: true });

/** A generation of these parts. By default it ends cleanly with an honest signal. */
export function generationOf(parts: readonly Part[], end: Partial<GenerationEnd> = {}): Generation {
  const blocks = parts.map(({ block, pieces, cut: isCut }, index): GeneratedBlock => ({
    ...block,
    index,
    text: pieces.join(''),
    complete: isCut !== true,
  }));
  const steps = blocks.flatMap((block, i): readonly GenerationStep[] => [
    { do: 'open', block },
    ...(parts[i]?.pieces ?? []).map((piece): GenerationStep => ({ do: 'piece', block, text: piece })),
    { do: 'close', block },
  ]);
  return {
    blocks,
    steps,
    end: {
      stop: 'end_turn',
      signal: 'honest',
      transport: 'clean',
      usage: { inputTokens: 12, outputTokens: 7 },
      cutCall: false,
      ...end,
    },
  };
}

export const plainRequest = (dialect: DialectName): LlmRequest => ({
  dialect,
  model: 'wireproof-1',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  maxTokens: 100,
  stream: true,
  includeUsage: true,
});

/** A context with seeded ids, at 2026-01-02T03:04:05Z. */
export const plainContext = (
  dialect: DialectName,
  { end, blocks }: Generation,
  variants: Variants = {},
): RenderContext => ({
  request: plainRequest(dialect),
  end,
  blocks,
  variants,
  now: Date.UTC(2026, 0, 2, 3, 4, 5),
  id: seededIds(seededRandom('test')),
});

export function unitsFor(dialect: Dialect, generation: Generation, variants: Variants = {}): readonly Unit[] {
  const renderer = dialect.renderer(plainContext(dialect.name, generation, variants));
  return unitsOfGeneration(generation.steps, renderer, dialect.ping);
}
