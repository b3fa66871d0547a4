/** Anthropic's streamed response: message and blocks as they open, grow and close (llm.md, Anthropic (a) to (e)). */
import type { JsonObject, StopReason, Usage } from '../../../kit/base/index.ts';
import type { Block, GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { interleave } from '../shared/interleave.ts';
import { citationsOf } from './citations.ts';
import { piece, pieceText } from './delta.ts';
import { calledBlock, growthOf, resultBlock, startOf } from './provider-block.ts';
import { errorObject, stopWord } from './words.ts';

/** Renders one streamed response. */
export const renderer = (context: RenderContext): Renderer =>
  context.variants.interleaved === true ? interleave(plainRenderer(context)) : plainRenderer(context);

const plainRenderer = (context: RenderContext): Renderer => ({
  begin: () => begin(context),
  open,
  piece: (text, block) => (isWithoutParameters(block) ? [] : [piece(text, block)]),
  pieceText: (text, block) => (isWithoutParameters(block) ? '' : pieceText(text, block)),
  close: (block) => close(block, context),
  end: () => ending(context),
});

/** A ping follows message_start (94 of 95 recorded streams). */
function begin(context: RenderContext): readonly Unit[] {
  const start = event('message_start', { message: emptyMessage(context) });
  return context.variants.startPing === false ? [start] : [start, ping];
}

/** "Between events there may be pings." */
export const ping: Unit = { event: 'ping', data: { type: 'ping' } };

/** A message before its content: the id, the model and the prompt's usage are known. */
export function emptyMessage(context: RenderContext): JsonObject {
  const { usage } = context.end;
  return {
    id: context.id('msg_'),
    type: 'message',
    role: 'assistant',
    model: context.request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      ...usageObject({ ...usage, outputTokens: Math.min(1, usage.outputTokens) }),
      output_tokens_details: null,
      cache_creation: {
        ephemeral_5m_input_tokens: usage.cacheWriteTokens ?? 0,
        ephemeral_1h_input_tokens: 0,
      },
      service_tier: 'standard',
    },
  };
}

/** The counts, cumulative. Those of the cache are always numbers (95 of 95 recorded streams). */
export const usageObject = (usage: Usage): JsonObject => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
  cache_read_input_tokens: usage.cacheReadTokens ?? 0,
  output_tokens: usage.outputTokens,
  output_tokens_details:
    usage.thinkingTokens === undefined ? null : { thinking_tokens: usage.thinkingTokens },
  server_tool_use: null,
});

/** How often the provider searched and fetched; null: never. */
export function serverToolUse(blocks: readonly GeneratedBlock[] = []): JsonObject | null {
  const times = (name: string): number =>
    blocks.filter((block) => block.kind === 'server_result' && block.name === name).length;
  if (!blocks.some(({ kind }) => kind === 'server_result')) return null;
  return { web_search_requests: times('web_search'), web_fetch_requests: times('web_fetch') };
}

/** The words of the stop signal, in their order: the truth, a lie, both, or nothing. */
export function stopWords({ end }: RenderContext): readonly string[] {
  const lie: StopReason = end.signal === 'contradictory' && end.stop === 'tool_use' ? 'end_turn' : 'tool_use';
  if (end.signal === 'missing') return [];
  if (end.signal === 'lying') return [stopWord(lie)];
  const own = end.more?.['stop_reason'];
  if (typeof own === 'string' && end.signal === 'honest') return [own];
  return (end.signal === 'contradictory' ? [lie, end.stop] : [end.stop]).map(stopWord);
}

/** The signature of a thought: its own, else one of ours, as the API never sends a thought without one. */
export const signatureOf = (block: Extract<Block, { kind: 'thinking' }>, context: RenderContext): string =>
  block.signature ?? context.id('sig_');

const event = (type: string, fields: JsonObject): Unit => ({ event: type, data: { type, ...fields } });

/** A call without parameters has one delta, which is empty (7 of 16 recorded calls). */
const isWithoutParameters = ({ kind, text }: GeneratedBlock): boolean =>
  kind === 'tool_call' && text === '{}';

/** A call's first delta is empty: "`input_json_delta{partial_json}`, first often `""`". */
function open(block: GeneratedBlock): readonly Unit[] {
  const { index } = block;
  const start = event('content_block_start', { index, content_block: startBlock(block) });
  if (block.kind === 'tool_call')
    return [start, delta(index, { type: 'input_json_delta', partial_json: '' })];
  const growth = block.kind === 'provider_block' ? growthOf(block.form) : undefined;
  return growth === undefined ? [start] : [start, delta(index, growth)];
}

function startBlock(block: Block): JsonObject {
  switch (block.kind) {
    case 'thinking':
      return block.redacted === undefined
        ? { type: 'thinking', thinking: '', signature: '' }
        : { type: 'redacted_thinking', data: block.redacted };
    case 'text':
      return { ...(block.citations && { citations: [] }), type: 'text', text: '' };
    case 'tool_call':
      return { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } };
    case 'server_tool':
      return calledBlock(block, {});
    case 'server_result':
      return resultBlock(block);
    case 'provider_block':
      return startOf(block.form);
  }
}

const delta = (index: number, fields: JsonObject): Unit =>
  event('content_block_delta', { index, delta: fields });

/** A block that was cut is closed unless the stream breaks off there, or the variant says otherwise. */
function close(block: GeneratedBlock, context: RenderContext): readonly Unit[] {
  const { index, complete } = block;
  const breaksOff = context.end.error !== undefined || context.end.signal === 'missing';
  if (!complete && !(context.variants.blockStop ?? !breaksOff)) return [];
  const stop = event('content_block_stop', { index });
  const citations = citationsOf(block);
  if (complete && citations !== undefined)
    return [...citations.map((citation) => delta(index, { type: 'citations_delta', citation })), stop];
  if (!complete || block.kind !== 'thinking' || block.redacted !== undefined) return [stop];
  return [delta(index, { type: 'signature_delta', signature: signatureOf(block, context) }), stop];
}

function ending(context: RenderContext): readonly Unit[] {
  const { end } = context;
  if (end.error !== undefined) return [event('error', { error: errorObject(end.error) })];
  const words = stopWords(context);
  if (words.length === 0) return [];
  const { usage: form, twoMessageDeltas } = context.variants;
  const usage =
    form === 'output'
      ? { output_tokens: end.usage.outputTokens }
      : { ...usageObject(end.usage), server_tool_use: serverToolUse(context.blocks) };
  return [
    ...(twoMessageDeltas === true ? [messageDelta(null, null, usage)] : []),
    ...words.map((word) => messageDelta(word, stopSequence(context, word), usage, end.more)),
    event('message_stop', {}),
  ];
}

/** The stop sequence, where the word is `stop_sequence`. */
export const stopSequence = ({ end }: RenderContext, word: string): string | null =>
  word === 'stop_sequence' ? (end.stopSequence ?? null) : null;

/** What a whole message has at its top stands in `delta`, if it is about the stop, and else beside it. */
function messageDelta(
  word: string | null,
  sequence: string | null,
  usage: JsonObject,
  more: JsonObject = {},
): Unit {
  const { stop_reason: _, stop_details: details = null, container = null, usage: counts, ...beside } = more;
  return event('message_delta', {
    delta: { stop_reason: word, stop_sequence: sequence, stop_details: details, container },
    usage: { ...usage, ...(isJsonObject(counts) ? counts : {}) },
    ...beside,
  });
}
