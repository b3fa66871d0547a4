/** Servers with faults in the event streams of Bedrock: LLM-S50, LLM-S51, and usage that never comes. */
import { encodeMessage, eventMessageCodec } from '../../../../src/llm/index.ts';
import type { EventHeader, EventMessage } from '../../../../src/llm/index.ts';
import { inUnits, isStreamedAnswer, valueOf, withUnitValue } from './mutant.ts';
import type { ServerFault, ServerFaults } from './mutant.ts';

/** Changes the bytes of each message. */
const inBytes = (edit: (bytes: Uint8Array) => Uint8Array): ServerFault => ({
  bytes: (bytes, context) =>
    context.dialect === 'bedrock' && isStreamedAnswer(context) ? edit(bytes) : bytes,
});

/** Inverts a byte, counted from the start or from the end. */
const withByte = (at: number): ServerFault =>
  inBytes((bytes) => bytes.with(at < 0 ? bytes.length + at : at, ~(bytes.at(at) ?? 0)));

/** Encodes each message again, with other headers. */
const withHeaders = (edit: (headers: readonly EventHeader[]) => readonly EventHeader[]): ServerFault =>
  inBytes((bytes) => {
    const decoded = eventMessageCodec.decode(bytes);
    if (!decoded.ok) return bytes;
    const { headers, payload }: EventMessage = decoded.value.message;
    return encodeMessage({ headers: edit(headers), payload });
  });

export const bedrockFaults: ServerFaults = {
  'bedrock-prelude-checksum': withByte(11),
  'bedrock-message-checksum': withByte(-1),
  'bedrock-changed-payload': withByte(-6),
  'bedrock-untyped-messages': withHeaders((headers) =>
    headers.filter(({ name }) => name !== ':message-type'),
  ),
  'bedrock-unnamed-events': withHeaders((headers) => headers.filter(({ name }) => name !== ':event-type')),
  'bedrock-no-message-start': inUnits('bedrock', 'messageStart', () => []),
  'bedrock-no-block-stop': inUnits('bedrock', 'contentBlockStop', () => []),
  'bedrock-two-block-stops': inUnits('bedrock', 'contentBlockStop', (unit) => [unit, unit]),
  'bedrock-one-index': inUnits('bedrock', /^contentBlock/, (unit) => [
    withUnitValue(unit, ['contentBlockIndex'], 0),
  ]),
  'bedrock-call-unstarted': inUnits('bedrock', 'contentBlockStart', () => []),
  'bedrock-text-in-a-call': inUnits('bedrock', 'contentBlockStart', (unit) => [
    unit,
    {
      event: 'contentBlockDelta',
      data: { contentBlockIndex: valueOf(unit, 'contentBlockIndex') ?? 0, delta: { text: 'So. ' } },
    },
  ]),
  'bedrock-no-metadata': inUnits('bedrock', 'metadata', () => []),
};
