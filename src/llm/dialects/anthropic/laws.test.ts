/** The laws of the dialect: decoding undoes rendering, whatever the cuts; nothing throws; requests come back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutated } from '../../../kit/laws/index.ts';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { StopReason, Usage } from '../../../kit/base/index.ts';
import type { Decoded, LlmResponse } from '../../messages.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { anthropic } from './index.ts';

const generation = anyGeneration('anthropic', {
  stops: ['stop_sequence', 'refusal', 'pause_turn', 'context_window'],
});

/** Counts of the cache are always sent, so that one of 0 equals none. */
function withoutZeros({ cacheReadTokens: read = 0, cacheWriteTokens: written = 0, ...usage }: Usage): Usage {
  return {
    ...usage,
    ...(read === 0 ? {} : { cacheReadTokens: read }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
  };
}

/** The expected response: signatures only from the script, because the API signs every thought. */
function expectSaid({ response, error }: Decoded, { transcript, request }: Answered): void {
  expect(error).toBeUndefined();
  expect(response.content).toBe(transcript.text);
  expect(response.toolCalls).toEqual(transcript.toolCalls);
  expect(response.metadata).toEqual({
    usage: withoutZeros(transcript.usage),
    stopReason: transcript.stop,
    modelInfo: request.model,
  });
  expectThoughts(response, transcript.thinking);
}

/**
 * The transcript as the wire shows it. A call without parameters has no text, so that only the stop reason tells whether
 * the last one was cut.
 */
function shown({ transcript, generation }: Answered, stop: StopReason): Answered['transcript'] {
  const last = generation.blocks.at(-1);
  if (last?.kind !== 'tool_call' || !['', '{}'].includes(last.text)) return transcript;
  const { id, name } = last;
  const { open: _, ...rest } = transcript;
  const before = transcript.toolCalls.filter((call) => call.id !== id);
  return stop === 'tool_use'
    ? { ...rest, toolCalls: [...before, { id, name, input: {} }] }
    : { ...rest, toolCalls: before, open: { id, name, partial: '' } };
}

function expectThoughts({ thinking = [] }: LlmResponse, expected: Answered['transcript']['thinking']): void {
  expect(thinking.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  for (const [i, { signature }] of expected.entries()) {
    if (signature !== undefined && thinking[i]?.signature !== undefined) {
      expect(thinking[i].signature).toBe(signature);
    }
  }
}

describe('a streamed response', () => {
  test('decodes to its generation, with any chunking and any line ends', () => {
    fc.assert(
      fc.property(generation, anySizes, anyLines, (answered, sizes, lines) => {
        const { decoded } = decodeIn(anthropic, bytesOf(anthropic, answered, lines), sizes);
        const transcript = shown(answered, answered.transcript.stop);
        expectSaid(decoded, { ...answered, transcript });
        expect(decoded.response.open).toEqual(transcript.open);
        expect(decoded.response.warnings).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same joined events with any chunking', () => {
    const sum = (events: ReturnType<typeof decodeIn>['events']): unknown =>
      events.filter((event) => event.type !== 'warning');
    fc.assert(
      fc.property(generation, anySizes, (answered, sizes) => {
        const bytes = bytesOf(anthropic, answered);
        expect(sum(decodeIn(anthropic, bytes, sizes).events)).toEqual(sum(decodeIn(anthropic, bytes).events));
      }),
    );
  });

  test('that is cut off at any byte before its end is an error without new calls', () => {
    fc.assert(
      fc.property(generation, fc.nat(), fc.constantFrom('clean', 'reset'), (answered, at, how) => {
        const bytes = bytesOf(anthropic, answered);
        const { decoded } = decodeIn(anthropic, bytes.subarray(0, at % bytes.length), undefined, how);
        expect(decoded.error?.kind).toBe(how === 'reset' ? 'connection' : 'truncated-stream');
        expect(answered.transcript.text.startsWith(decoded.response.content.replace(/\uFFFD$/, ''))).toBe(
          true,
        );
        expect(answered.transcript.toolCalls).toEqual(
          expect.arrayContaining([...decoded.response.toolCalls]),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('with a lying or contradictory signal runs no cut call', () => {
    fc.assert(
      fc.property(generation, fc.constantFrom('lying', 'contradictory'), (answered, signal) => {
        const end = { ...answered.generation.end, signal };
        const lied = { ...answered, generation: { ...answered.generation, end } };
        const { response } = decodeIn(anthropic, bytesOf(anthropic, lied)).decoded;
        const stop = response.metadata.stopReason;
        const { toolCalls, open } = shown(answered, stop);
        expect(response.toolCalls).toEqual(toolCalls);
        expect(response.open).toEqual(open);
        if (signal === 'lying' && answered.transcript.open?.partial === '')
          expect(response.emptyCalls).toEqual([answered.transcript.open.id]);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw, and gives the same result with any chunking', () => {
    const bytes = generation.map((answered) => bytesOf(anthropic, answered));
    fc.assert(
      fc.property(mutated(bytes), anySizes, (changed, sizes) => {
        expect(decodeIn(anthropic, changed, sizes)).toEqual(decodeIn(anthropic, changed));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a whole response', () => {
  test('decodes to its generation, except that its last call at a limit is not trusted', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { status, body } = anthropic.whole(answered.generation, contextOf(answered));
        const { response, error } = anthropic.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
        expect(status).toBe(200);
        const { open, toolCalls } = response;
        const { open: cut, toolCalls: whole } = answered.transcript;
        const untrusted = open !== undefined && cut === undefined;
        if (untrusted) expect(['max_tokens', 'context_window']).toContain(answered.transcript.stop);
        else expect(open?.id).toBe(cut?.id);
        const input = (partial: string): unknown => JSON.parse(partial);
        const last = untrusted ? [{ id: open.id, name: open.name, input: input(open.partial) }] : [];
        expect([...toolCalls, ...last]).toEqual(whole);
        expectSaid({ response: { ...response, toolCalls: whole }, ...(error && { error }) }, answered);
      }),
      { numRuns: 1000 },
    );
  });

  test('with any changed byte does not throw', () => {
    const bytes = generation.map((answered) =>
      Buffer.from(JSON.stringify(anthropic.whole(answered.generation, contextOf(answered)).body)),
    );
    fc.assert(
      fc.property(mutated(bytes), fc.constantFrom(200, 400, 529), (changed, status) => {
        expect(anthropic.readWhole(status, {}, changed).response.warnings).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('requests', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(anyRequest('anthropic'), (request) => {
        const { body, headers, path } = anthropic.writeRequest(request);
        expect(anthropic.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  test('of any JSON are accepted, or refused with a message and a status', () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ model: fc.constant('m'), max_tokens: fc.constant(5), messages: fc.jsonValue() }),
      fc.record({
        model: fc.constant('m'),
        max_tokens: fc.constant(5),
        messages: fc.array(
          fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.jsonValue() }),
          { minLength: 1 },
        ),
      }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const read = anthropic.readRequest(JSON.parse(JSON.stringify(value)), {});
        if (!read.ok)
          expect(read.error.error).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
      }),
    );
  });
});
