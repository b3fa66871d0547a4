/** Servers whose answers have a wrong content type, encoding or event name: LLM-S01. */
import { inUnits } from './mutant.ts';
import type { ServerFault, ServerFaults } from './mutant.ts';

const contentType = (from: RegExp, to: string): ServerFault => ({
  headers: (headers, { what, status }) =>
    what === 'answer' && status === 200 && from.test(headers['content-type'] ?? '')
      ? { ...headers, 'content-type': to }
      : headers,
});

function inLatin1(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text.replaceAll(/[\u0100-\uFFFF]/g, '?'), 'latin1');
}

export const framingFaults: ServerFaults = {
  'stream-as-text': contentType(/stream|ndjson/, 'text/plain'),
  'body-as-html': contentType(/^application\/json/, 'text/html'),
  // The texts of an event stream have a checksum.
  'latin-1': {
    bytes: (bytes, { what, dialect, streams }) =>
      what === 'answer' && !(dialect === 'bedrock' && streams) ? inLatin1(bytes) : bytes,
  },
  'ping-in-python': inUnits('anthropic', 'ping', (unit) => [{ ...unit, data: "{'type': 'ping'}" }]),
  'events-unnamed': inUnits('anthropic', /./, ({ data, comment }) =>
    comment === true ? undefined : [{ data }],
  ),
  'events-misnamed': inUnits('openai-responses', /^response/, (unit) => [{ ...unit, event: 'message' }]),
};
