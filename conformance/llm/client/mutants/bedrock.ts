/** Clients with faults about Bedrock: checksums, the usage after the stop reason, thoughts that go back. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { ClientParts } from '../../../../src/llm/index.ts';
import { encodeMessage, eventMessageCodec } from '../../../../src/llm/index.ts';
import { inAnswers } from './kept.ts';
import { changeDecoded, changeExchange } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** The messages of a chunk with right checksums, whatever they were. Lengths are those of the prelude. */
function withChecksums(chunk: Uint8Array): Uint8Array {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < chunk.length;) {
    const total = at + 12 <= chunk.length ? view.getUint32(at) : 0;
    if (total < 16 || at + total > chunk.length) return chunk;
    messages.push(encodedAgain(chunk.slice(at, at + total), view.getUint32(at + 4)));
    at += total;
  }
  return Buffer.concat(messages);
}

/** A message whose headers have this length, encoded again. */
function encodedAgain(bytes: Uint8Array, headersLength: number): Uint8Array {
  const payload = bytes.slice(12 + headersLength, -4);
  const decoded = eventMessageCodec.decode(bytes);
  if (decoded.ok) return bytes;
  const headers = headersOf(bytes.slice(12, 12 + headersLength));
  return encodeMessage({ headers, payload });
}

/** Headers that are all texts, as Bedrock's are. */
function headersOf(bytes: Uint8Array): { name: string; type: 'string'; value: string }[] {
  const headers: { name: string; type: 'string'; value: string }[] = [];
  const text = (from: number, length: number): string =>
    Buffer.from(bytes.slice(from, from + length)).toString('utf8');
  for (let at = 0; at < bytes.length;) {
    const nameLength = bytes[at] ?? 0;
    const valueAt = at + nameLength + 4;
    const valueLength = ((bytes[valueAt - 2] ?? 0) << 8) | (bytes[valueAt - 1] ?? 0);
    headers.push({ name: text(at + 1, nameLength), type: 'string', value: text(valueAt, valueLength) });
    at = valueAt + valueLength;
  }
  return headers;
}

/** Edits the thoughts that go back; undefined takes one away. */
const inReasoning = (edit: (reasoning: JsonObject) => JsonObject | undefined): ClientParts =>
  inAnswers('messages', (block) => {
    const { reasoningContent } = block;
    if (!isObject(reasoningContent)) return block;
    const edited = edit(reasoningContent);
    return edited === undefined ? undefined : { reasoningContent: edited };
  });

export const bedrockFaults: ClientFaults = {
  'ignores-checksums': changeExchange({
    chunk: (chunk, { request, status }) =>
      request.dialect === 'bedrock' && request.stream && status === 200 ? withChecksums(chunk) : chunk,
  }),
  'drops-reasoning-content': inReasoning(() => undefined),
  'decodes-encrypted-thoughts': inReasoning((reasoning) => {
    const { redactedContent } = reasoning;
    if (typeof redactedContent !== 'string') return reasoning;
    const text = Buffer.from(redactedContent, 'base64').toString('utf8');
    return { redactedContent: Buffer.from(text).toString('base64') };
  }),
  'sends-thoughts-without-signature': inReasoning((reasoning) => {
    const { reasoningText } = reasoning;
    const { text = '' }: JsonObject = isObject(reasoningText) ? reasoningText : {};
    return isObject(reasoningText) ? { reasoningText: { text } } : reasoning;
  }),
  'ends-at-message-stop': changeDecoded((decoded, { request }) => {
    if (request.dialect !== 'bedrock' || !request.stream) return decoded;
    const { usage: _, ...metadata } = decoded.response.metadata;
    return { ...decoded, response: { ...decoded.response, metadata } };
  }),
};
