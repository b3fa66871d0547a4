/** The laws of the dialect: decoding undoes rendering, whatever the cuts; nothing throws; requests come back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../../../kit/base/index.ts';
import { mutated } from '../../../kit/laws/index.ts';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Decoded, Joined } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { geminiInteractions as dialect } from './index.ts';

const generation = anyGeneration('gemini-interactions', { stops: ['pause_turn', 'unknown'] });
const anyJoined: fc.Arbitrary<Joined[]> = fc.subarray(['calls', 'start']);

/** Tokens that are written to a cache are part of the prompt. Counts that are 0 equal none. */
function counted({ inputTokens, outputTokens, ...more }: Usage): Usage {
  const { cacheWriteTokens = 0, cacheReadTokens = 0, thinkingTokens = 0 } = more;
  return {
    inputTokens: inputTokens + cacheWriteTokens,
    outputTokens,
    ...(cacheReadTokens > 0 && { cacheReadTokens }),
    ...(thinkingTokens > 0 && { thinkingTokens }),
  };
}

function expectSaid({ response, error }: Decoded, { transcript, request }: Answered): void {
  expect(error).toBeUndefined();
  expect(response.content).toBe(transcript.text);
  expect(response.toolCalls).toEqual(transcript.toolCalls);
  expect(response.metadata).toEqual({
    usage: counted(transcript.usage),
    stopReason: transcript.stop,
    modelInfo: request.model,
  });
  expect((response.thinking ?? []).map(({ text }) => text)).toEqual(
    transcript.thinking.map(({ text }) => text),
  );
}

describe('a streamed response', () => {
  test('decodes to its generation, with any chunking and any line ends', () => {
    fc.assert(
      fc.property(generation, anyJoined, anySizes, anyLines, (answered, joined, sizes, lines) => {
        const bytes = bytesOf(dialect, { ...answered, variants: { joined } }, lines);
        const { decoded } = decodeIn(dialect, bytes, sizes);
        expectSaid(decoded, answered);
        expect(decoded.response.open).toEqual(answered.transcript.open);
      }),
      { numRuns: 500 },
    );
  });

  test('gives its thoughts with their signatures, as far as they were complete', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { thinking = [] } = decodeIn(dialect, bytesOf(dialect, answered)).decoded.response;
        const { blocks } = answered.generation;
        const complete = blocks.flatMap((block) => (block.kind === 'thinking' ? [block.complete] : []));
        expect(thinking.map(({ signature }) => signature !== undefined)).toEqual(complete);
      }),
    );
  });

  test('gives the same joined events with any chunking', () => {
    fc.assert(
      fc.property(generation, anySizes, (answered, sizes) => {
        const bytes = bytesOf(dialect, answered);
        expect(decodeIn(dialect, bytes, sizes)).toEqual(decodeIn(dialect, bytes));
      }),
    );
  });

  test('that is cut off at any byte before the end of interaction.completed is an error without new calls', () => {
    fc.assert(
      fc.property(generation, fc.nat(), fc.constantFrom('clean', 'reset'), (answered, at, how) => {
        const bytes = bytesOf(dialect, answered);
        const terminal = Buffer.from(bytes).lastIndexOf('event: interaction.completed');
        const end = Buffer.from(bytes).indexOf('\n\n', terminal) + 1;
        const { decoded } = decodeIn(dialect, bytes.subarray(0, at % (end + 1)), undefined, how);
        expect(decoded.error?.kind).toBe(how === 'reset' ? 'connection' : 'truncated-stream');
        expect(answered.transcript.text.startsWith(decoded.response.content)).toBe(true);
        expect(answered.transcript.toolCalls).toEqual(
          expect.arrayContaining([...decoded.response.toolCalls]),
        );
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
        const { response } = decodeIn(dialect, bytesOf(dialect, changed)).decoded;
        const { open } = answered.transcript;
        const kept = response.toolCalls.filter(({ id }) => id !== open?.id || open.partial !== '');
        expect(kept).toEqual(answered.transcript.toolCalls);
        // Nothing tells a call that was cut before its first character from one without parameters.
        if (kept.length !== response.toolCalls.length) expect(response.emptyCalls).toEqual([open?.id]);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw, and gives the same result with any chunking', () => {
    const bytes = generation.map((answered) => bytesOf(dialect, answered));
    fc.assert(
      fc.property(mutated(bytes), anySizes, (changed, sizes) => {
        expect(decodeIn(dialect, changed, sizes)).toEqual(decodeIn(dialect, changed));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a whole response', () => {
  test('decodes to its generation, except that its last call at a limit is not trusted', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { status, body } = dialect.whole(answered.generation, contextOf(answered));
        const decoded = dialect.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
        const { transcript, generation: made } = answered;
        const last = made.blocks.at(-1);
        const isLimit = transcript.stop === 'max_tokens' && last?.kind === 'tool_call';
        const toolCalls = transcript.toolCalls.filter(({ id }) => !isLimit || id !== last.id);
        expectSaid(decoded, { ...answered, transcript: { ...transcript, toolCalls } });
        expect(decoded.response.open?.id).toBe(isLimit ? last.id : undefined);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw', () => {
    const bytes = generation.map((answered) =>
      Buffer.from(JSON.stringify(dialect.whole(answered.generation, contextOf(answered)).body)),
    );
    fc.assert(
      fc.property(mutated(bytes), fc.constantFrom(200, 400, 503), (changed, status) => {
        expect(dialect.readWhole(status, {}, changed).response.warnings).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('requests', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(anyRequest('gemini-interactions'), (request) => {
        const { body, headers, path } = dialect.writeRequest(request);
        expect(dialect.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  test('of any JSON are accepted, or refused with a message and a status', () => {
    const step = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('user_input', 'model_output', 'thought', 'function_call', 'function_result'),
          fc.jsonValue(),
        ),
        id: fc.jsonValue(),
        content: fc.jsonValue(),
        result: fc.jsonValue(),
        arguments: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({
        model: fc.constant('m'),
        input: fc.oneof(fc.array(step), fc.jsonValue()),
        tools: fc.jsonValue(),
        generation_config: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const json = parseJson(JSON.stringify(value));
        const read = dialect.readRequest(isJsonObject(json) ? json : {}, {});
        if (!read.ok)
          expect(read.error.error).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
      }),
    );
  });
});
