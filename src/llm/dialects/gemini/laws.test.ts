/** The laws of the dialect: decoding undoes rendering, whatever the cuts; nothing throws; requests come back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../kit/base/index.ts';
import { mutated } from '../../../kit/laws/index.ts';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Decoded, Joined } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { gemini } from './index.ts';

const generation = anyGeneration('gemini', {
  stops: ['content_filter', 'pause_turn', 'unknown'],
});
const anyJoined: fc.Arbitrary<Joined[]> = fc.subarray(['finish', 'call', 'calls']);

const unsigned = (signed: ToolCall): ToolCall => {
  const { signature: _, ...call } = signed;
  return call;
};

const isEager = ({ request }: Answered): boolean => request.tools.some(({ eager }) => eager === true);

/** STOP with calls means tool use; the first call of an answer is signed. */
function expectSaid({ response, error }: Decoded, answered: Answered): void {
  const { transcript, request, generation: made } = answered;
  const { usage } = transcript;
  expect(error).toBeUndefined();
  expect(response.content).toBe(transcript.text);
  expect(response.toolCalls.map(unsigned)).toEqual(transcript.toolCalls);
  expect(response.toolCalls.map(({ signature }) => signature)).toEqual(
    made.blocks.flatMap((block) => (block.kind === 'tool_call' && block.complete ? [block.signature] : [])),
  );
  const { cacheWriteTokens = 0, cacheReadTokens = 0, thinkingTokens = 0 } = usage;
  expect(response.metadata).toEqual({
    usage: {
      // Gemini has no word for tokens that are written to a cache: they are part of the prompt.
      inputTokens: usage.inputTokens + cacheWriteTokens,
      outputTokens: usage.outputTokens,
      ...(cacheReadTokens > 0 && { cacheReadTokens }),
      ...(thinkingTokens > 0 && { thinkingTokens }),
    },
    stopReason: transcript.stop,
    modelInfo: request.model,
  });
  // A thought that is cut has no signature yet.
  expect(response.thinking ?? []).toEqual(
    made.blocks.flatMap((block) => {
      if (block.kind !== 'thinking') return [];
      const { text, signature, complete } = block;
      return [{ text, ...(complete && signature !== undefined && { signature }) }];
    }),
  );
}

const isCut = ({ generation: { end } }: Answered): boolean => end.cutCall;

describe('a streamed response', () => {
  test('decodes to its generation, with any chunking and any line ends', () => {
    fc.assert(
      fc.property(generation, anyJoined, anySizes, anyLines, (answered, joined, sizes, lines) => {
        const bytes = bytesOf(gemini, { ...answered, variants: { joined } }, lines);
        const { decoded } = decodeIn(gemini, bytes, sizes);
        expectSaid(decoded, answered);
        // A cut call goes out only where the request asks for its arguments as they are generated.
        const open = isCut(answered) && isEager(answered) ? answered.transcript.open : undefined;
        expect(decoded.response.open?.name).toBe(open?.name);
        expect(decoded.response.open?.id).toBe(open?.id);
      }),
      { numRuns: 500 },
    );
  });

  test('has no whole arguments of a cut call', () => {
    fc.assert(
      fc.property(generation.filter(isCut), (answered) => {
        const { open } = decodeIn(gemini, bytesOf(gemini, answered)).decoded.response;
        if (open !== undefined) expect(parseJson(open.partial)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test('gives the same joined events with any chunking', () => {
    fc.assert(
      fc.property(generation, anySizes, (answered, sizes) => {
        const bytes = bytesOf(gemini, answered);
        expect(decodeIn(gemini, bytes, sizes)).toEqual(decodeIn(gemini, bytes));
      }),
    );
  });

  test('that is cut off at any byte before the end of its last chunk is an error', () => {
    fc.assert(
      fc.property(generation, fc.nat(), fc.constantFrom('clean', 'reset'), (answered, at, how) => {
        const bytes = bytesOf(gemini, answered);
        const { decoded } = decodeIn(gemini, bytes.subarray(0, at % (bytes.length - 1)), undefined, how);
        expect(decoded.error?.kind).toBe(how === 'reset' ? 'connection' : 'truncated-stream');
        expect(answered.transcript.text.startsWith(decoded.response.content)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('never contains a cut call, with any signal', () => {
    const signal = fc.constantFrom('honest', 'lying', 'contradictory', 'missing');
    fc.assert(
      fc.property(generation, signal, (answered, word) => {
        const end = { ...answered.generation.end, signal: word };
        const changed = { ...answered, generation: { ...answered.generation, end } };
        const { response } = decodeIn(gemini, bytesOf(gemini, changed)).decoded;
        expect(response.toolCalls.map(unsigned)).toEqual(answered.transcript.toolCalls);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw, and gives the same result with any chunking', () => {
    const bytes = generation.map((answered) => bytesOf(gemini, answered));
    fc.assert(
      fc.property(mutated(bytes), anySizes, (changed, sizes) => {
        expect(decodeIn(gemini, changed, sizes)).toEqual(decodeIn(gemini, changed));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a whole response', () => {
  test('decodes to its generation', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { status, body } = gemini.whole(answered.generation, contextOf(answered));
        expect(status).toBe(200);
        expectSaid(gemini.readWhole(status, {}, Buffer.from(JSON.stringify(body))), answered);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw', () => {
    const bytes = generation.map((answered) =>
      Buffer.from(JSON.stringify(gemini.whole(answered.generation, contextOf(answered)).body)),
    );
    fc.assert(
      fc.property(mutated(bytes), fc.constantFrom(200, 400, 503), (changed, status) => {
        expect(gemini.readWhole(status, {}, changed).response.warnings).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('requests', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(anyRequest('gemini'), (request) => {
        const { body, headers, path } = gemini.writeRequest(request);
        expect(gemini.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  test('of any JSON are accepted, or refused with a message and a status', () => {
    const part = fc.record(
      {
        text: fc.jsonValue(),
        functionCall: fc.jsonValue(),
        functionResponse: fc.jsonValue(),
        thought: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const content = fc.record(
      { role: fc.constantFrom('user', 'model', 'system'), parts: fc.oneof(fc.array(part), fc.jsonValue()) },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ contents: fc.array(content), tools: fc.jsonValue(), generationConfig: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const json = parseJson(JSON.stringify(value));
        const read = gemini.readRequest(isJsonObject(json) ? json : {}, {});
        if (!read.ok)
          expect(read.error.error).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
      }),
    );
  });
});
