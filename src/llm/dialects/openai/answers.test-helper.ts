/** Generations and requests written by hand, and the expected responses, for the tests of OpenAI's two dialects. */
import type { StopReason, Usage } from '../../../kit/base/index.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import { transcriptOf } from '../../streamer/generation.ts';
import type { GenerationTranscript } from '../../streamer/generation.ts';
import { turnDefaults } from '../../script/script.ts';
import type {
  GenerationStep,
  Block,
  Decoded,
  DialectName,
  GeneratedBlock,
  GenerationEnd,
  LlmRequest,
  Variants,
} from '../../messages.ts';

/** A request with one message of the user. */
export const requestOf = (dialect: DialectName, more: Partial<LlmRequest> = {}): LlmRequest => ({
  dialect,
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  stream: true,
  includeUsage: true,
  ...more,
});

export type Content = Block & { readonly pieces: readonly string[]; readonly complete?: boolean };

export const text = (...pieces: string[]): Content => ({ kind: 'text', pieces });

export const refusal = (...pieces: string[]): Content => ({ kind: 'text', refusal: true, pieces });

export const thought = (signature: string, ...pieces: string[]): Content => ({
  kind: 'thinking',
  signature,
  pieces,
});

/** A whole call with its arguments in these pieces. */
export const call = (id: string, ...pieces: string[]): Content => ({
  kind: 'tool_call',
  id,
  name: 'get',
  pieces,
});

/** A call that is cut after its last piece. */
export const cutCall = (id: string, ...pieces: string[]): Content => ({
  ...call(id, ...pieces),
  complete: false,
});

/** A request and its answer, with these contents and this end. */
export function answerOf(
  request: LlmRequest,
  contents: readonly Content[],
  end: Partial<GenerationEnd> & { readonly stop: StopReason },
  variants: Variants = {},
): Answered {
  const blocks = contents.map(({ pieces, complete = true, ...block }, index): GeneratedBlock => ({
    ...block,
    index,
    text: pieces.join(''),
    complete,
  }));
  const steps = blocks.flatMap((block, i): GenerationStep[] => [
    { do: 'open', block },
    ...(contents[i]?.pieces ?? []).map((piece): GenerationStep => ({ do: 'piece', block, text: piece })),
    { do: 'close', block },
  ]);
  const cut = contents.some(({ kind, complete }) => kind === 'tool_call' && complete === false);
  const usage = { inputTokens: 9, outputTokens: 4 };
  const generation = {
    blocks,
    steps,
    end: { signal: 'honest', transport: 'clean', usage, cutCall: cut, ...end },
  } as const;
  return {
    request,
    turn: { ...turnDefaults, steps: [] },
    generation,
    transcript: transcriptOf(generation),
    variants,
  };
}

/** The same answer with other variants. */
export const varied = (answered: Answered, variants: Variants): Answered => ({ ...answered, variants });

/** The same answer with another end. */
export const ending = (answered: Answered, end: Partial<GenerationEnd>): Answered => ({
  ...answered,
  generation: { ...answered.generation, end: { ...answered.generation.end, ...end } },
});

/** A count of 0 equals an absent count, because the APIs always send all counts. */
function counted(usage: Usage): Usage {
  const { inputTokens, outputTokens, ...others } = usage;
  const told = Object.entries(others).filter(([, count]) => count !== 0);
  return { inputTokens, outputTokens, ...Object.fromEntries(told) };
}

/** The expected response of a generation, without its thoughts. */
export const essence = ({ text: content, toolCalls, open, stop, usage }: GenerationTranscript): object => ({
  content,
  toolCalls,
  open,
  stopReason: stop,
  usage: counted(usage),
});

/** A decoded response in the same form. */
export const essenceRead = ({ response: { content, toolCalls, open, metadata } }: Decoded): object => ({
  content,
  toolCalls,
  open,
  stopReason: metadata.stopReason,
  usage: metadata.usage,
});

/** A stream as another server might write it: each event a `data:` line of this JSON, or of this word. */
export const streamOf = (...events: readonly (object | string)[]): Uint8Array =>
  Buffer.from(
    events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );
