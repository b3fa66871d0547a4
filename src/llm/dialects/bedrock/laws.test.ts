/** The laws of the dialect: decoding undoes rendering, whatever the cuts; nothing throws; requests come back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StopReason, Usage } from '../../../kit/base/index.ts';
import { mutated } from '../../../kit/laws/index.ts';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Checksum, Decoded } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { bedrock } from './index.ts';

const generation = anyGeneration('bedrock', {
  stops: ['stop_sequence', 'content_filter', 'context_window', 'unknown'],
});

/** Counts of the cache that are 0 equal none, and thoughts are not counted. */
function counted({ cacheReadTokens: read = 0, cacheWriteTokens: written = 0, ...usage }: Usage): Usage {
  const { thinkingTokens: _, ...counts } = usage;
  return {
    ...counts,
    ...(read === 0 ? {} : { cacheReadTokens: read }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
  };
}

/** The transcript as the wire shows it: a call without parameters has no text, and only the stop reason tells whether it was cut. */
function shown({ transcript, generation: { blocks } }: Answered, stop: StopReason): Answered['transcript'] {
  const last = blocks.at(-1);
  if (last?.kind !== 'tool_call' || !['', '{}'].includes(last.text)) return transcript;
  const { id, name } = last;
  const { open: _, ...rest } = transcript;
  const before = transcript.toolCalls.filter((call) => call.id !== id);
  return stop === 'tool_use'
    ? { ...rest, toolCalls: [...before, { id, name, input: {} }] }
    : { ...rest, toolCalls: before, open: { id, name, partial: '' } };
}

function expectSaid({ response, error }: Decoded, { transcript }: Answered): void {
  expect(error).toBeUndefined();
  expect(response.content).toBe(transcript.text);
  expect(response.toolCalls).toEqual(transcript.toolCalls);
  expect(response.metadata).toEqual({ usage: counted(transcript.usage), stopReason: transcript.stop });
  expect((response.thinking ?? []).map(({ text }) => text)).toEqual(
    transcript.thinking.map(({ text }) => text),
  );
}

describe('a streamed response', () => {
  test('decodes to its generation, with any chunking, with the usage before or after the stop', () => {
    fc.assert(
      fc.property(generation, anySizes, fc.constantFrom('full', 'finish'), (answered, sizes, usage) => {
        const bytes = bytesOf(bedrock, { ...answered, variants: { usage } });
        const { decoded } = decodeIn(bedrock, bytes, sizes);
        const transcript = shown(answered, answered.transcript.stop);
        expectSaid(decoded, { ...answered, transcript });
        expect(decoded.response.open).toEqual(transcript.open);
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same events with any chunking', () => {
    fc.assert(
      fc.property(generation, anySizes, (answered, sizes) => {
        const bytes = bytesOf(bedrock, answered);
        expect(decodeIn(bedrock, bytes, sizes)).toEqual(decodeIn(bedrock, bytes));
      }),
    );
  });

  test('that is cut off at any byte before the end of its messageStop is an error without new calls', () => {
    fc.assert(
      fc.property(generation, fc.nat(), fc.constantFrom('clean', 'reset'), (answered, at, how) => {
        const bytes = bytesOf(bedrock, answered);
        const stop = Buffer.from(bytes).lastIndexOf('"stopReason"');
        const { decoded } = decodeIn(bedrock, bytes.subarray(0, at % stop), undefined, how);
        expect(decoded.error?.kind).toBe(how === 'reset' ? 'connection' : 'truncated-stream');
        expect(answered.transcript.text.startsWith(decoded.response.content)).toBe(true);
        expect(answered.transcript.toolCalls).toEqual(
          expect.arrayContaining([...decoded.response.toolCalls]),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('whose last checksum is wrong is an error', () => {
    const wrong = fc.constantFrom<Checksum>('prelude', 'message');
    fc.assert(
      fc.property(generation, wrong, anySizes, (answered, checksum, sizes) => {
        const bytes = bytesOf(bedrock, { ...answered, variants: { checksum } });
        const { error } = decodeIn(bedrock, bytes, sizes).decoded;
        expect(error).toMatchObject({
          kind: 'protocol',
          message: expect.stringContaining(`${checksum} checksum`),
        });
      }),
    );
  });

  test('with a lying or contradictory signal has no cut call', () => {
    fc.assert(
      fc.property(generation, fc.constantFrom('lying', 'contradictory'), (answered, signal) => {
        const end = { ...answered.generation.end, signal };
        const lied = { ...answered, generation: { ...answered.generation, end } };
        const { response } = decodeIn(bedrock, bytesOf(bedrock, lied)).decoded;
        const { toolCalls, open } = shown(answered, response.metadata.stopReason);
        expect(response.toolCalls).toEqual(toolCalls);
        expect(response.open).toEqual(open);
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw, and gives the same result with any chunking', () => {
    const bytes = generation.map((answered) => bytesOf(bedrock, answered));
    fc.assert(
      fc.property(mutated(bytes), anySizes, (changed, sizes) => {
        expect(decodeIn(bedrock, changed, sizes)).toEqual(decodeIn(bedrock, changed));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a whole response', () => {
  test('decodes to its generation, except that its last call at a limit is not trusted', () => {
    fc.assert(
      fc.property(generation, (answered) => {
        const { status, body } = bedrock.whole(answered.generation, contextOf(answered));
        expect(status).toBe(200);
        const decoded = bedrock.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
        const { transcript, generation: made } = answered;
        const isLimit = ['max_tokens', 'context_window'].includes(transcript.stop);
        const last = made.blocks.at(-1);
        const toolCalls =
          isLimit && last?.kind === 'tool_call'
            ? transcript.toolCalls.filter(({ id }) => id !== last.id)
            : transcript.toolCalls;
        expectSaid(decoded, { ...answered, transcript: { ...transcript, toolCalls } });
      }),
      { numRuns: 300 },
    );
  });

  test('with any changed byte does not throw', () => {
    const bytes = generation.map((answered) =>
      Buffer.from(JSON.stringify(bedrock.whole(answered.generation, contextOf(answered)).body)),
    );
    fc.assert(
      fc.property(mutated(bytes), fc.constantFrom(200, 400, 503), (changed, status) => {
        expect(bedrock.readWhole(status, {}, changed).response.warnings).toBeInstanceOf(Array);
      }),
    );
  });
});

describe('requests', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(anyRequest('bedrock'), (request) => {
        const { body, headers, path } = bedrock.writeRequest(request);
        expect(bedrock.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 300 },
    );
  });

  test('of any JSON are accepted, or refused with a message and a status', () => {
    const block = fc.record(
      {
        text: fc.jsonValue(),
        toolUse: fc.jsonValue(),
        toolResult: fc.jsonValue(),
        reasoningContent: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'system'),
        content: fc.oneof(fc.array(block), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({
        messages: fc.array(message),
        system: fc.jsonValue(),
        toolConfig: fc.jsonValue(),
        inferenceConfig: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const json = parseJson(JSON.stringify(value));
        const read = bedrock.readRequest(isJsonObject(json) ? json : {}, {});
        if (!read.ok)
          expect(read.error.error).toMatchObject({ status: 400, message: expect.stringMatching(/./) });
      }),
    );
  });
});
