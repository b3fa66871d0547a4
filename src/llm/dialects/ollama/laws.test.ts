/** The laws of the dialect: decoding undoes rendering, whatever the cuts; nothing throws; requests come back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutated } from '../../../kit/laws/index.ts';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Decoded, Joined, Variants } from '../../messages.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { ollama } from './index.ts';

const generation = anyGeneration('ollama');
const anyJoined: fc.Arbitrary<Joined[]> = fc.subarray(['finish', 'call', 'calls']);

/** "there is no tool reason": a response with calls has the reason `stop`, and `stop` with calls means tool use. */
function expectSaid({ response, error }: Decoded, { transcript, request }: Answered): void {
  expect(error).toBeUndefined();
  expect(response.content).toBe(transcript.text);
  expect(response.toolCalls).toEqual(transcript.toolCalls);
  expect(response.metadata).toEqual({
    usage: { inputTokens: transcript.usage.inputTokens, outputTokens: transcript.usage.outputTokens },
    stopReason: transcript.stop,
    modelInfo: request.model,
  });
  expect(response.thinking ?? []).toEqual(transcript.thinking.map(({ text }) => ({ text })));
  expect(response.open).toBeUndefined();
  expect(response.warnings).toEqual([]);
}

describe('a streamed response', () => {
  test('decodes to its generation without cut calls, with any chunking and any line ends', () => {
    fc.assert(
      fc.property(generation, anyJoined, anySizes, anyLines, (answered, joined, sizes, lines) => {
        const bytes = bytesOf(ollama, { ...answered, variants: { joined } }, lines);
        expectSaid(decodeIn(ollama, bytes, sizes).decoded, answered);
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same joined events with any chunking', () => {
    fc.assert(
      fc.property(generation, anySizes, (answered, sizes) => {
        const bytes = bytesOf(ollama, answered);
        expect(decodeIn(ollama, bytes, sizes)).toEqual(decodeIn(ollama, bytes));
      }),
    );
  });

  test('that is cut off at any byte before the end of its last line is an error', () => {
    fc.assert(
      fc.property(generation, fc.nat(), fc.constantFrom('clean', 'reset'), (answered, at, how) => {
        const bytes = bytesOf(ollama, answered);
        const { decoded } = decodeIn(ollama, bytes.subarray(0, at % (bytes.length - 1)), undefined, how);
        expect(decoded.error?.kind).toBe(how === 'reset' ? 'connection' : 'truncated-stream');
        expect(answered.transcript.text.startsWith(decoded.response.content)).toBe(true);
        expect(answered.transcript.toolCalls).toEqual(
          expect.arrayContaining([...decoded.response.toolCalls]),
        );
      }),
      { numRuns: 300 },
    );
  });

  const variant = fc.constantFrom<Variants['ollama']>(
    'dropped',
    'leaked',
    'flushed',
    'error-line',
    'error-500',
  );

  test('never contains a cut call, in any variant and with any signal', () => {
    const signal = fc.constantFrom('honest', 'lying', 'contradictory', 'missing');
    fc.assert(
      fc.property(generation, variant, signal, (answered, kind, word) => {
        const end = { ...answered.generation.end, signal: word };
        const variants = kind === undefined ? {} : { ollama: kind };
        const changed = { ...answered, variants, generation: { ...answered.generation, end } };
        const { response } = decodeIn(ollama, bytesOf(ollama, changed)).decoded;
        expect(response.toolCalls).toEqual(answered.transcript.toolCalls);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw, and gives the same result with any chunking', () => {
    const bytes = generation.map((answered) => bytesOf(ollama, answered));
    fc.assert(
      fc.property(mutated(bytes), anySizes, (changed, sizes) => {
        expect(decodeIn(ollama, changed, sizes)).toEqual(decodeIn(ollama, changed));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a whole response', () => {
  test('decodes to its generation', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { status, body } = ollama.whole(answered.generation, contextOf(answered));
        expect(status).toBe(200);
        expectSaid(ollama.readWhole(status, {}, Buffer.from(JSON.stringify(body))), answered);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw', () => {
    const bytes = generation.map((answered) =>
      Buffer.from(JSON.stringify(ollama.whole(answered.generation, contextOf(answered)).body)),
    );
    fc.assert(
      fc.property(mutated(bytes), fc.constantFrom(200, 400, 503), (changed, status) => {
        expect(ollama.readWhole(status, {}, changed).response.warnings).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('requests', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(anyRequest('ollama'), (request) => {
        const { body, headers, path } = ollama.writeRequest(request);
        expect(ollama.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  test('of any JSON are accepted, or refused with a message and a status', () => {
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'tool', 'assistant'),
        content: fc.jsonValue(),
        tool_calls: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ model: fc.constant('m'), messages: fc.array(message), options: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const read = ollama.readRequest(JSON.parse(JSON.stringify(value)), {});
        if (!read.ok)
          expect(read.error.error).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
      }),
    );
  });
});
