/** An answer that is read in one dialect and written in another says the same, by the tables of gateway.md. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../kit/world/index.ts';
import { anyGeneration } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import { dialectOf } from '../../dialects/index.ts';
import { unitsOf } from '../../dialects/shared/laws.test-helper.ts';
import { seededIds } from '../../streamer/ids.ts';
import { AnswerGatherer } from '../answer/answer.ts';
import type { NeutralAnswer } from '../answer/answer.ts';
import { answerReader } from '../answer/index.ts';
import { gatewayDialects } from '../dialects.ts';
import type { GatewayDialect } from '../dialects.ts';
import type { AnswerPiece } from '../answer/piece.ts';
import { AnswerWriter } from './answer-writer.ts';

function gathered(pieces: readonly AnswerPiece[]): NeutralAnswer {
  const gatherer = new AnswerGatherer();
  for (const piece of pieces) gatherer.take(piece);
  return gatherer.answer();
}

function piecesOf(dialect: GatewayDialect, answered: Answered): readonly AnswerPiece[] {
  const reader = answerReader(dialect);
  return unitsOf(dialectOf[dialect], answered).flatMap(({ event, data, json }) =>
    reader.unit({
      ...(event === undefined ? {} : { event }),
      data: json === undefined ? data : JSON.parse(json),
    }),
  );
}

const writerOf = (dialect: GatewayDialect, stream: boolean): AnswerWriter =>
  new AnswerWriter({
    dialect,
    model: 'm',
    stream,
    includeUsage: true,
    now: Date.UTC(2026, 0, 2),
    id: seededIds(seededRandom('writer')),
  });

function streamed(dialect: GatewayDialect, pieces: readonly AnswerPiece[]): NeutralAnswer {
  const writer = writerOf(dialect, true);
  const reader = answerReader(dialect);
  const units = pieces.flatMap((piece) => writer.take(piece));
  return gathered(
    units.flatMap(({ event, data, json }) =>
      reader.unit({
        ...(event === undefined ? {} : { event }),
        data: json === undefined ? data : JSON.parse(json),
      }),
    ),
  );
}

function whole(dialect: GatewayDialect, pieces: readonly AnswerPiece[]): NeutralAnswer {
  const writer = writerOf(dialect, false);
  for (const piece of pieces) writer.take(piece);
  return gathered(answerReader(dialect).whole(writer.whole().body));
}

const calls = (answer: NeutralAnswer): readonly object[] =>
  answer.calls.map(({ name, text }) => ({ name, input: JSON.parse(text === '' ? '{}' : text) as unknown }));

const prompt = ({ usage = {} }: NeutralAnswer): number =>
  (usage.inputTokens ?? 0) + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0);

/** The ends that are a limit in every dialect (the row `limit` of the table of stop words). */
const isLimit = ({ stop }: NeutralAnswer): boolean => stop?.reason === 'max_tokens';

const pairs = gatewayDialects.flatMap((above) => gatewayDialects.map((below) => [above, below] as const));

describe.each(pairs)('%s over %s', (above, below) => {
  it.each([
    ['streamed', streamed],
    ['whole', whole],
  ] as const)('%s, it says what the provider said', (_, write) => {
    fc.assert(
      fc.property(anyGeneration(below, { cuts: false }), (answered) => {
        const pieces = piecesOf(below, answered);
        const said = gathered(pieces);
        const heard = write(above, pieces);
        expect(heard.text).toBe(said.text);
        expect(calls(heard)).toEqual(calls(said));
        expect([heard.starts, heard.terminals, heard.late, heard.error]).toEqual([1, 1, 0, undefined]);
        expect(isLimit(heard)).toBe(isLimit(said));
        if (above !== 'openai-chat')
          expect(heard.thoughts.map(({ text }) => text).join('')).toBe(
            said.thoughts.map(({ text }) => text).join(''),
          );
        if (said.usage === undefined) return;
        expect(heard.usage?.outputTokens ?? 0).toBe(said.usage.outputTokens ?? 0);
        if (above !== 'ollama') expect(prompt(heard)).toBe(prompt(said));
      }),
      { numRuns: 60 },
    );
  });

  it('cut, it says the limit, and completes no call (LLM-G09, G11)', () => {
    fc.assert(
      fc.property(anyGeneration(below), (answered) => {
        const pieces = piecesOf(below, answered);
        const said = gathered(pieces);
        const heard = streamed(above, pieces);
        expect(heard.text).toBe(said.text);
        expect(isLimit(heard)).toBe(isLimit(said));
        for (const [i, { text }] of heard.calls.entries()) {
          const came = said.calls[i]?.text ?? '';
          expect(came === '' ? ['', '{}'].includes(text) : came.startsWith(text)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

// LLM-G16: a provider cites a text behind it, so the limit that ends the answer did not cut what was cited.
it.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
  'in %s, a limit loses no citation',
  (above) => {
    const citation = { url: 'https://example.com/wires' };
    const pieces: readonly AnswerPiece[] = [
      { do: 'start' },
      { do: 'text', text: 'Wires' },
      { do: 'cite', citation },
      { do: 'stop', reason: 'max_tokens', word: 'length' },
      { do: 'terminal' },
    ];
    for (const write of [streamed, whole])
      expect(write(above, pieces).citations.map(({ url }) => url)).toEqual([citation.url]);
  },
);
