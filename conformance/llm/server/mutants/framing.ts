/** Servers whose answers have a wrong content type, encoding or event name: LLM-S01. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant, unitFault } from './mutant.ts';
import type { ServerFault } from './mutant.ts';

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

/** The mutants of framing. */
export const framingMutants: readonly Mutant[] = [
  mutant(
    'LLM-S01',
    'stream-as-text',
    'Its streams have the content type of plain text.',
    contentType(/stream|ndjson/, 'text/plain'),
  ),
  mutant(
    'LLM-S01',
    'body-as-html',
    'Its bodies have the content type of HTML.',
    contentType(/^application\/json/, 'text/html'),
  ),
  mutant('LLM-S01', 'latin-1', 'It sends the text of models as Latin-1.', {
    bytes: (bytes, { what }) => (what === 'answer' ? inLatin1(bytes) : bytes),
  }),
  mutant('LLM-S01', 'ping-in-python', 'Its pings are a Python dictionary as text, not JSON.', {
    unit: unitFault('anthropic', 'ping', (unit) => [{ ...unit, data: "{'type': 'ping'}" }]),
  }),
  mutant('LLM-S01', 'events-unnamed', "Anthropic's events have a type only in their data, and no name.", {
    unit: unitFault('anthropic', /./, ({ data, comment }) => (comment === true ? undefined : [{ data }])),
  }),
  mutant('LLM-S01', 'events-misnamed', 'All events of OpenAI Responses have the name message.', {
    unit: unitFault('openai-responses', /^response/, (unit) => [{ ...unit, event: 'message' }]),
  }),
];
