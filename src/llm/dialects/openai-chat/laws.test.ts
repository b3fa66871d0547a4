/** The inverse law of Chat Completions, and the laws of its decoder for any bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Variants } from '../../messages.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn } from '../shared/laws.test-helper.ts';
import { essence, essenceRead, varied } from '../openai/answers.test-helper.ts';
import { decoderLaws } from '../openai/decoder-laws.test-helper.ts';
import { openaiChat } from './index.ts';

const anyAnswered = anyGeneration('openai-chat', { stops: ['refusal', 'content_filter', 'cancelled'] });

/** Answers in which some calls are of custom tools. A false signal does not show where their text was cut. */
const anyWithCustom = anyGeneration('openai-chat', {
  stops: ['refusal', 'content_filter', 'cancelled'],
  custom: true,
});

const anyVariants: fc.Arbitrary<Variants> = fc.record({
  reasoning: fc.constantFrom('none', 'reasoning_content', 'reasoning'),
  obfuscation: fc.boolean(),
  interleaved: fc.boolean(),
  joined: fc.subarray(['finish', 'arguments', 'call', 'calls']),
  usage: fc.constantFrom('full', 'finish'),
});

/** At the limit, nothing says that the text of a last custom call is whole: such a call must not run (LLM-C01). */
function readable(transcript: Answered['transcript']): Answered['transcript'] {
  const { toolCalls, open, stop } = transcript;
  const last = toolCalls.at(-1);
  if (stop !== 'max_tokens' || open !== undefined || last?.custom !== true) return transcript;
  const { input, ...call } = last;
  return { ...transcript, toolCalls: toolCalls.slice(0, -1), open: { ...call, partial: String(input) } };
}

/** A stream has usage only on request. */
const expected = ({ request, transcript }: Answered): object => ({
  ...essence(readable(transcript)),
  ...(request.includeUsage ? {} : { usage: undefined }),
});

describe('the inverse law', () => {
  it('returns text, complete calls, the cut call, usage and stop reason, with any chunking and any line ends', () => {
    fc.assert(
      fc.property(anyWithCustom, anyVariants, anySizes, anyLines, (answered, variants, sizes, lines) => {
        const bytes = bytesOf(openaiChat, varied(answered, variants), lines);
        const { decoded } = decodeIn(openaiChat, bytes, sizes);
        expect(decoded.error).toBeUndefined();
        expect(decoded.response.warnings).toEqual([]);
        expect(essenceRead(decoded)).toEqual(expected(answered));
      }),
      { numRuns: 250 },
    );
  });

  it('returns thoughts without signature in the variants with thoughts, and none by default', () => {
    fc.assert(
      fc.property(anyAnswered, fc.constantFrom('reasoning_content', 'reasoning'), (answered, reasoning) => {
        const thoughts = (variants: Variants) =>
          decodeIn(openaiChat, bytesOf(openaiChat, varied(answered, variants))).decoded.response.thinking;
        expect(thoughts({ reasoning }) ?? []).toEqual(
          answered.transcript.thinking.map(({ text }) => ({ text })),
        );
        expect(thoughts({})).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  it('holds for answers that are not streamed, which always have usage', () => {
    fc.assert(
      fc.property(anyWithCustom, anyVariants, (answered, variants) => {
        const { status, body } = openaiChat.whole(answered.generation, contextOf(varied(answered, variants)));
        const decoded = openaiChat.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
        expect(decoded.error).toBeUndefined();
        expect(essenceRead(decoded)).toEqual(essence(readable(answered.transcript)));
      }),
      { numRuns: 150 },
    );
  });

  it('holds for requests', () => {
    fc.assert(
      fc.property(anyRequest('openai-chat'), (request) => {
        const { body, headers, path } = openaiChat.writeRequest(request);
        expect(openaiChat.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 250 },
    );
  });
});

describe('the decoder', () => {
  decoderLaws(
    openaiChat,
    anyAnswered,
    (
      'choices delta message index tool_calls function custom type id name arguments input content refusal reasoning ' +
      'finish_reason usage error model prompt_tokens prompt_tokens_details'
    ).split(' '),
    ['stop', 'length', 'tool_calls', 'custom'],
  );
});
