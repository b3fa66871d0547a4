/**
 * Bedrock's streamed response: `messageStart`, the blocks, `messageStop`, and after it `metadata` with the usage. Only the block
 * of a call has a `contentBlockStart`: `ContentBlockStart` has no member for texts and thoughts.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { interleave } from '../shared/interleave.ts';
import { streamException, stopWord } from './words.ts';
import { writeUsage } from './usage.ts';

/** Renders one streamed response. */
export const renderer = (context: RenderContext): Renderer =>
  context.variants.interleaved === true ? interleave(plainRenderer(context)) : plainRenderer(context);

const plainRenderer = (context: RenderContext): Renderer => ({
  begin: () => [event('messageStart', { role: 'assistant' })],
  open,
  piece: (text, block) => (isWithoutParameters(block) ? [] : [delta(block, deltaOf(block, text))]),
  close: (block) => close(block, context),
  end: () => ending(context),
});

const event = (name: string, data: JsonObject): Unit => ({ event: name, data });

const delta = ({ index }: GeneratedBlock, fields: JsonObject): Unit =>
  event('contentBlockDelta', { contentBlockIndex: index, delta: fields });

/** The input of a call without parameters is an empty text (microsoft/autogen#6979). */
const isWithoutParameters = ({ kind, text }: GeneratedBlock): boolean =>
  kind === 'tool_call' && text === '{}';

function open(block: GeneratedBlock): readonly Unit[] {
  const hidden = redactedIn(block);
  if (hidden !== undefined) return [delta(block, { reasoningContent: { redactedContent: hidden } })];
  if (block.kind !== 'tool_call') return [];
  const { index, id, name } = block;
  return [
    event('contentBlockStart', { contentBlockIndex: index, start: { toolUse: { toolUseId: id, name } } }),
    delta(block, { toolUse: { input: '' } }),
  ];
}

function deltaOf({ kind }: GeneratedBlock, text: string): JsonObject {
  if (kind === 'tool_call') return { toolUse: { input: text } };
  return kind === 'thinking' ? { reasoningContent: { text } } : { text };
}

/** A block that was cut ends unless the stream breaks off there, or the variant says otherwise. */
function close(block: GeneratedBlock, context: RenderContext): readonly Unit[] {
  const { index, complete } = block;
  const breaksOff = context.end.error !== undefined || context.end.signal === 'missing';
  if (!complete && !(context.variants.blockStop ?? !breaksOff)) return [];
  const stop = event('contentBlockStop', { contentBlockIndex: index });
  if (!complete || block.kind !== 'thinking' || block.redacted !== undefined) return [stop];
  return [delta(block, { reasoningContent: { signature: signatureOf(block, context) } }), stop];
}

/** A thought that is not shown: bytes, which are base64 on the wire. A script may give them so, or as a text. */
export function redactedIn(block: GeneratedBlock): string | undefined {
  if (block.kind !== 'thinking' || block.redacted === undefined) return undefined;
  const isBase64 = Buffer.from(block.redacted, 'base64').toString('base64') === block.redacted;
  return isBase64 ? block.redacted : Buffer.from(block.redacted).toString('base64');
}

/** The signature of a thought: its own, else one of ours. */
export const signatureOf = (
  block: Extract<GeneratedBlock, { kind: 'thinking' }>,
  context: RenderContext,
): string => block.signature ?? context.id('sig_');

/** The word of the stop signal: the truth or a lie; undefined: none. A stream has one `messageStop`, so it cannot contradict itself. */
export function stopWordOf({ end }: RenderContext): string | undefined {
  if (end.signal === 'missing') return undefined;
  if (end.signal === 'honest') {
    const own = end.more?.['stopReason'];
    return typeof own === 'string' ? own : stopWord(end.stop);
  }
  return stopWord(end.signal === 'contradictory' && end.stop === 'tool_use' ? 'end_turn' : 'tool_use');
}

function ending(context: RenderContext): readonly Unit[] {
  const { error } = context.end;
  if (error !== undefined) return [event(streamException(error), { message: error.message })];
  const word = stopWordOf(context);
  if (word === undefined) return [];
  const { checksum, usage } = context.variants;
  const stop = {
    ...event('messageStop', { stopReason: word }),
    ...(checksum !== undefined && { wrong: checksum }),
  };
  const metadata = event('metadata', tailOf(context));
  return usage === 'finish' ? [metadata, stop] : [stop, metadata];
}

/** What stands beside the message: the usage, the time, and what the script adds. */
export function tailOf({ end }: RenderContext): JsonObject {
  const { stopReason: _, usage, ...more } = end.more ?? {};
  return {
    usage: { ...writeUsage(end.usage), ...(isJsonObject(usage) ? usage : {}) },
    // Made up: the same script must give the same bytes.
    metrics: { latencyMs: 100 + 10 * end.usage.outputTokens },
    ...more,
  };
}
