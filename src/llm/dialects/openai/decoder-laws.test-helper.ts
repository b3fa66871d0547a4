/** The laws of the decoders of OpenAI's two dialects for any bytes. The tests of each dialect run them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Dialect } from '../shared/dialect.ts';
import { bytesOf, decodeIn } from '../shared/laws.test-helper.ts';
import { ending } from './answers.test-helper.ts';

/** Streams of a few events, each with a call, to be tried at every byte. */
const shortStreams = (
  dialect: Dialect,
  anyAnswered: fc.Arbitrary<Answered>,
): readonly (readonly [Answered, Uint8Array])[] =>
  fc
    .sample(anyAnswered, { numRuns: 400, seed: 5 })
    .map((answered) => [answered, bytesOf(dialect, answered)] as const)
    .filter(
      ([{ transcript }, bytes]) =>
        bytes.length < 6000 && transcript.toolCalls.length + (transcript.open ? 1 : 0) > 0,
    )
    .slice(0, 5);

/** The laws, with the names of the fields that the dialect's events have. */
export function decoderLaws(
  dialect: Dialect,
  anyAnswered: fc.Arbitrary<Answered>,
  fields: readonly string[],
  words: readonly string[],
): void {
  it('gives the same result when split at any byte (LLM-C11)', () => {
    const streams = shortStreams(dialect, anyAnswered);
    expect(streams.length).toBe(5);
    for (const [, bytes] of streams) {
      const whole = decodeIn(dialect, bytes);
      for (let at = 1; at <= bytes.length; at++)
        expect(decodeIn(dialect, bytes, [at, bytes.length])).toEqual(whole);
      expect(decodeIn(dialect, bytes, [1])).toEqual(whole);
    }
  });

  it('never reads a part of a stream as complete, and adds no call (LLM-C01, LLM-C06)', () => {
    for (const [answered, bytes] of shortStreams(dialect, anyAnswered))
      for (let at = 0; at < bytes.length; at++) {
        const { response, error } = decodeIn(dialect, bytes.subarray(0, at)).decoded;
        // Behind the finish reason of Chat nothing is missing but the usage and [DONE].
        const finished = /"finish_reason":"/.test(Buffer.from(bytes.subarray(0, at)).toString('latin1'));
        if (!finished || error !== undefined) {
          expect(error?.kind).toBe('truncated-stream');
          expect(response.metadata.stopReason).toBe('error');
        }
        expect(answered.transcript.toolCalls).toEqual(expect.arrayContaining([...response.toolCalls]));
        const reset = decodeIn(dialect, bytes.subarray(0, at), [4096], 'reset');
        expect(reset.decoded.error?.kind).toBe('connection');
      }
  });

  it('never returns a cut call, with any signal (LLM-C05)', () => {
    fc.assert(
      fc.property(anyAnswered, fc.constantFrom('lying', 'contradictory'), (answered, signal) => {
        const { response } = decodeIn(dialect, bytesOf(dialect, ending(answered, { signal }))).decoded;
        expect(response.toolCalls).toEqual(answered.transcript.toolCalls);
        expect(response.open).toEqual(answered.transcript.open);
      }),
      { numRuns: 300 },
    );
  });

  it('reports a missing signal as an error (LLM-C06)', () => {
    fc.assert(
      fc.property(anyAnswered, (answered) => {
        const bytes = bytesOf(dialect, ending(answered, { signal: 'missing' }));
        const { response, error } = decodeIn(dialect, bytes).decoded;
        expect(error?.kind).toBe('truncated-stream');
        expect(response.content).toBe(answered.transcript.text);
        expect(response.open).toEqual(answered.transcript.open);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws for damaged bytes, and reports every error in an event', () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
    fc.assert(
      fc.property(anyAnswered, fc.array(change, { minLength: 1, maxLength: 8 }), (answered, changes) => {
        const bytes = bytesOf(dialect, answered);
        for (const [at, byte] of changes) bytes[Math.floor(at * (bytes.length - 1))] = byte;
        const { decoded, events } = decodeIn(dialect, bytes, [1000]);
        const told = events.filter(({ type }) => type === 'error');
        if (decoded.error === undefined) expect(told).toEqual([]);
        else if (told.length > 0) expect(told).toEqual([{ type: 'error', error: decoded.error }]);
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws on events of any shape, and returns no call without id, name, and an object or free text', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 0, 1, -1, 1.5, '', 'x', '{}', true, ...words),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (events) => {
        const body = Buffer.from(JSON.stringify(events[0] ?? null));
        const stream = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map(
          (e) => `data: ${e}\n\n`,
        );
        for (const { response } of [
          decodeIn(dialect, Buffer.from(stream.join(''))).decoded,
          dialect.readWhole(200, {}, body),
          dialect.readWhole(500, {}, body),
        ])
          for (const { id, name, input, custom } of response.toolCalls) {
            expect(id).not.toBe('');
            expect(name).not.toBe('');
            expect(input).toBeTypeOf(custom === true ? 'string' : 'object');
          }
      }),
      { numRuns: 3000 },
    );
  });

  it('ends with an error when an event or the response is beyond its limit', () => {
    const line = Buffer.from(`data: {"x":"${'x'.repeat(2000)}"}\n\n`);
    const tooLarge = dialect.decoder({ event: 1000 });
    tooLarge.push(line);
    expect(tooLarge.done).toBe(true);
    expect(tooLarge.end('clean').error?.kind).toBe('protocol');
    const long = fc
      .sample(anyAnswered, { numRuns: 100, seed: 1 })
      .find(({ transcript }) => transcript.text.length > 10);
    if (long === undefined) throw new Error('expected an answer of more than ten characters');
    const small = dialect.decoder({ response: 10 });
    small.push(bytesOf(dialect, long));
    expect(small.end('clean').error?.kind).toBe('protocol');
  });
}
