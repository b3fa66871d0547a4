/** The inverse law of Responses, and the laws of its decoder for any bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Variants } from '../../messages.ts';
import { anyLines, anySizes, bytesOf, contextOf, decodeIn, unitsOf } from '../shared/laws.test-helper.ts';
import { essence, essenceRead, varied } from '../openai/answers.test-helper.ts';
import { decoderLaws } from '../openai/decoder-laws.test-helper.ts';
import { openaiResponses } from './index.ts';

const anyAnswered = anyGeneration('openai-responses', { stops: ['content_filter', 'cancelled'] });

/** Answers in which some calls are of custom tools. A false signal does not show where their text was cut. */
const anyWithCustom = anyGeneration('openai-responses', {
  stops: ['content_filter', 'cancelled'],
  custom: true,
});

const anyVariants: fc.Arbitrary<Variants> = fc.record(
  {
    argumentsDone: fc.boolean(),
    itemStatus: fc.constantFrom('incomplete', 'in_progress'),
    obfuscation: fc.boolean(),
    joined: fc.subarray(['calls']),
    profile: fc.constant('open-responses'),
  },
  { requiredKeys: ['argumentsDone', 'itemStatus', 'obfuscation', 'joined'] },
);

describe('the inverse law', () => {
  it('returns thoughts with signature, text, complete calls, the cut call, usage and stop reason, with any chunking', () => {
    fc.assert(
      fc.property(anyWithCustom, anyVariants, anySizes, anyLines, (answered, variants, sizes, lines) => {
        const bytes = bytesOf(openaiResponses, varied(answered, variants), lines);
        const { decoded } = decodeIn(openaiResponses, bytes, sizes);
        expect(decoded.error).toBeUndefined();
        expect(decoded.response.warnings).toEqual([]);
        expect(decoded.response.thinking ?? []).toEqual(answered.transcript.thinking);
        expect(essenceRead(decoded)).toEqual(essence(answered.transcript));
      }),
      { numRuns: 250 },
    );
  });

  it('returns a refusal, which is a separate part and only present with text', () => {
    const refusals = anyGeneration('openai-responses', { stops: ['refusal'], cuts: false });
    fc.assert(
      fc.property(refusals, (answered) => {
        const { decoded } = decodeIn(openaiResponses, bytesOf(openaiResponses, answered));
        expect(essenceRead(decoded)).toEqual(essence(answered.transcript));
      }),
      { numRuns: 100 },
    );
  });

  it('holds for answers that are not streamed', () => {
    fc.assert(
      fc.property(anyWithCustom, anyVariants, (answered, variants) => {
        const context = contextOf(varied(answered, variants));
        const { status, body } = openaiResponses.whole(answered.generation, context);
        const decoded = openaiResponses.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
        expect(decoded.error).toBeUndefined();
        expect(decoded.response.thinking ?? []).toEqual(answered.transcript.thinking);
        expect(essenceRead(decoded)).toEqual(essence(answered.transcript));
      }),
      { numRuns: 150 },
    );
  });

  it('holds for requests', () => {
    fc.assert(
      fc.property(anyRequest('openai-responses'), (request) => {
        const { body, headers, path } = openaiResponses.writeRequest(request);
        expect(openaiResponses.readRequest(body, headers, path)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 250 },
    );
  });
});

describe('the renderer', () => {
  it('numbers its events from 0 without a gap, with any content (LLM-S07)', () => {
    fc.assert(
      fc.property(anyWithCustom, anyVariants, (answered, variants) => {
        const units = unitsOf(openaiResponses, varied(answered, variants));
        // The end of a stream of Open Responses is no event.
        const events = units.filter(({ comment, data }) => !comment && data !== '[DONE]');
        expect(events.map(({ data }) => data)).toEqual(
          events.map(({ event }, i): unknown => expect.objectContaining({ type: event, sequence_number: i })),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('the decoder', () => {
  decoderLaws(
    openaiResponses,
    anyAnswered,
    (
      'type delta item item output_index response status arguments input call_id name summary content text ' +
      'encrypted_content incomplete_details reason usage error output input_tokens input_tokens_details'
    ).split(' '),
    (
      'message function_call custom_tool_call reasoning refusal completed incomplete in_progress error ' +
      'response.output_item.added response.custom_tool_call_input.delta response.custom_tool_call_input.done ' +
      'response.output_item.done response.output_text.delta response.function_call_arguments.delta ' +
      'response.function_call_arguments.done response.reasoning_summary_text.delta response.completed ' +
      'response.incomplete response.failed'
    ).split(' '),
  );
});
