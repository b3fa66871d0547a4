/** The laws of the dialect: decoding undoes rendering, reading undoes writing, and nothing throws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGeneration, anyRequest } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { RenderContext, Signal, Unit } from '../../messages.ts';
import { frameUnit } from '../shared/frame.ts';
import { unitsOfGeneration } from '../shared/render.ts';
import { lmstudio } from './index.ts';
import { closeChannel, wrap } from './server-messages.ts';

const contextOf = ({ request, generation, variants }: Answered): RenderContext => ({
  request,
  end: generation.end,
  variants,
  now: 0,
  id: (prefix) => `${prefix}1`,
});

function render(answered: Answered, signal: Signal = 'honest', lmstudioVariant?: 'failed'): readonly Unit[] {
  const context = contextOf(answered);
  const renderer = lmstudio.renderer({
    ...context,
    end: { ...context.end, signal },
    variants: lmstudioVariant === undefined ? context.variants : { lmstudio: lmstudioVariant },
  });
  return unitsOfGeneration(answered.generation.steps, renderer).filter(({ comment }) => comment !== true);
}

const bytesOf = (data: Unit['data']): Uint8Array => frameUnit('message', { data }, 'lf');

function decode(units: readonly Unit[]) {
  const decoder = lmstudio.decoder();
  const events = units.flatMap(({ data }) => decoder.push(bytesOf(data)));
  return { ...decoder.end('clean'), events, done: decoder.done };
}

/**
 * Removes what the dialect cannot express: signatures and thinking tokens. Tokens written to the cache count as input.
 */
function sayable({ transcript }: Answered) {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = transcript.usage;
  return {
    content: transcript.text,
    toolCalls: transcript.toolCalls,
    thinking:
      transcript.thinking.length === 0 ? undefined : transcript.thinking.map(({ text }) => ({ text })),
    open: transcript.open,
    usage: {
      inputTokens: inputTokens + cacheWriteTokens,
      outputTokens,
      ...(cacheReadTokens > 0 && { cacheReadTokens }),
    },
  };
}

const heard = ({ response }: ReturnType<typeof decode>) => ({
  content: response.content,
  toolCalls: response.toolCalls,
  thinking: response.thinking,
  open: response.open,
  usage: response.metadata.usage,
});

/** Stop reasons that LM Studio has a word for. */
const stops = ['stop_sequence', 'context_window', 'cancelled', 'error'] as const;
const answered = anyGeneration('lmstudio', { stops });

describe('a generation', () => {
  it('decodes to its generation, as far as the dialect can express it', () => {
    fc.assert(
      fc.property(answered, fc.constantFrom(undefined, 'failed' as const), (given, variant) => {
        const decoded = decode(render(given, 'honest', variant));
        expect(heard(decoded)).toEqual(sayable(given));
        expect(decoded.response.metadata.stopReason).toBe(given.transcript.stop);
        expect(decoded.response.metadata.modelInfo).toBe(given.request.model);
        expect(decoded.error).toBeUndefined();
      }),
    );
  });

  it('decodes to the same with the envelopes of its connection', () => {
    fc.assert(
      fc.property(answered, fc.nat(9), (given, channelId) => {
        const units = render(given);
        const enveloped = units.map((unit) => ({ data: wrap(channelId, unit) }));
        const { response } = decode([...enveloped, { data: closeChannel(channelId) }]);
        expect(response).toEqual(decode(units).response);
      }),
    );
  });

  it('decodes to the same as an array of its messages', () => {
    fc.assert(
      fc.property(answered, (given) => {
        const { status, body } = lmstudio.whole(given.generation, contextOf(given));
        const whole = lmstudio.readWhole(status, {}, bytesOf(body));
        expect(whole.response).toEqual(decode(render(given)).response);
      }),
    );
  });

  it('gives events that join to the final response', () => {
    fc.assert(
      fc.property(answered, (given) => {
        const { events, response } = decode(render(given));
        const joined = (type: 'text' | 'thinking') =>
          events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
        expect(joined('text')).toBe(response.content);
        expect(joined('thinking')).toBe((response.thinking ?? []).map(({ text }) => text).join(''));
        expect(events.filter(({ type }) => type === 'tool_call')).toEqual(
          response.toolCalls.map((call) => ({ type: 'tool_call', ...call })),
        );
      }),
    );
  });

  it('never gives a cut call, with any stop signal (LLM-C01, C05)', () => {
    const signals = fc.constantFrom('lying', 'contradictory', 'honest', 'missing' as Signal);
    fc.assert(
      fc.property(
        answered,
        signals,
        fc.constantFrom(undefined, 'failed' as const),
        (given, signal, variant) => {
          const decoded = decode(render(given, signal, variant));
          expect(decoded.response.toolCalls).toEqual(given.transcript.toolCalls);
          expect(decoded.response.open).toEqual(given.transcript.open);
          if (signal === 'missing') expect(decoded.error?.kind).toBe('truncated-stream');
        },
      ),
    );
  });

  it('that ends anywhere before success is an error, and keeps the part before (LLM-C06, C07)', () => {
    fc.assert(
      fc.property(answered, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, part) => {
        const units = render(given);
        const decoded = decode(units.slice(0, Math.floor(units.length * part)));
        expect(decoded.error?.kind).toBe('truncated-stream');
        expect(given.transcript.text.startsWith(decoded.response.content)).toBe(true);
      }),
    );
  });
});

describe('bytes', () => {
  it('that are damaged are decoded without an exception', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(answered, damage, (given, changes) => {
        const messages = render(given).map(({ data }) => bytesOf(data));
        for (const [message, at, byte] of changes) {
          const target = messages[message % messages.length] ?? new Uint8Array();
          target[at % target.length] = byte;
        }
        const decoder = lmstudio.decoder();
        for (const message of messages) decoder.push(message);
        expect(decoder.end('clean').response.warnings.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('that are any JSON are decoded without an exception, with or without a known type', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const type = fc.constantFrom(
      'fragment',
      'promptProcessingProgress',
      'toolCallGenerationStart',
      'toolCallGenerationNameReceived',
      'toolCallGenerationArgumentFragmentGenerated',
      'toolCallGenerationEnd',
      'toolCallGenerationFailed',
      'success',
      'channelSend',
      'channelError',
    );
    const key = fc.constantFrom(
      'fragment',
      'name',
      'content',
      'toolCallRequest',
      'error',
      'stats',
      'message',
    );
    const typed = fc.tuple(type, fc.dictionary(key, json)).map(([of, fields]) => ({ ...fields, type: of }));
    fc.assert(
      fc.property(fc.array(fc.oneof(json, typed), { maxLength: 12 }), (messages) => {
        const decoder = lmstudio.decoder();
        for (const message of messages) decoder.push(new TextEncoder().encode(JSON.stringify(message)));
        const { response } = decoder.end('clean');
        for (const { input } of response.toolCalls) expect(typeof input).toBe('object');
      }),
    );
  });
});

describe('a request', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(anyRequest('lmstudio'), (request) => {
        const { body, headers, path } = lmstudio.writeRequest(request);
        const wire = JSON.parse(JSON.stringify(body)) as typeof body;
        expect(lmstudio.readRequest(wire, headers, path)).toEqual({ ok: true, value: request });
      }),
    );
  });

  it('that is any JSON is read or refused with a place, never by an exception', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const some = fc.record({
      modelSpecifier: fc.oneof(json, fc.constant({ type: 'query', query: { identifier: 'm' } })),
      history: fc.oneof(json, fc.record({ messages: fc.array(fc.record({ role: json, content: json })) })),
      predictionConfigStack: fc.oneof(json, fc.record({ layers: fc.array(json) })),
    });
    fc.assert(
      fc.property(fc.oneof(json, some), (body) => {
        const read = lmstudio.readRequest(JSON.parse(JSON.stringify(body)), {});
        expect(read.ok ? read.value.dialect : read.error.error.message).toMatch(
          /lmstudio|^.+: expected .+; came .+/,
        );
      }),
    );
  });
});
