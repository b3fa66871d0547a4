/** What a dialect's renderer writes, its reader reads back: streamed, and whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGeneration } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import { dialectOf } from '../../dialects/index.ts';
import { contextOf, unitsOf } from '../../dialects/shared/laws.test-helper.ts';
import { AnswerGatherer } from './answer.ts';
import type { NeutralAnswer } from './answer.ts';
import { answerReader } from './index.ts';
import { gatewayDialects } from '../dialects.ts';
import type { GatewayDialect } from '../dialects.ts';

function gathered(pieces: Iterable<Parameters<AnswerGatherer['take']>[0]>): NeutralAnswer {
  const gatherer = new AnswerGatherer();
  for (const piece of pieces) gatherer.take(piece);
  return gatherer.answer();
}

function streamed(dialect: GatewayDialect, answered: Answered): NeutralAnswer {
  const reader = answerReader(dialect);
  const units = unitsOf(dialectOf[dialect], answered);
  return gathered(
    units.flatMap(({ event, data, json }) =>
      reader.unit({
        ...(event === undefined ? {} : { event }),
        data: json === undefined ? data : JSON.parse(json),
      }),
    ),
  );
}

function whole(dialect: GatewayDialect, answered: Answered): NeutralAnswer {
  const request = { ...answered.request, stream: false };
  const { body } = dialectOf[dialect].whole(answered.generation, contextOf({ ...answered, request }));
  return gathered(answerReader(dialect).whole(body));
}

/** A call as a reader must show it: a value where its arguments are JSON. */
const callsOf = ({ calls }: NeutralAnswer): readonly object[] =>
  calls.map(({ id, name, text }) => ({ id, name, input: JSON.parse(text === '' ? '{}' : text) as unknown }));

describe.each(gatewayDialects)('%s', (dialect) => {
  const stops = dialect === 'anthropic' ? (['stop_sequence', 'refusal', 'pause_turn'] as const) : [];
  const uncut = anyGeneration(dialect, { cuts: false, stops });

  it.each([
    ['streamed', streamed],
    ['whole', whole],
  ] as const)('%s answers are read as they were generated', (_, read) => {
    fc.assert(
      fc.property(uncut, (answered) => {
        const { transcript, request } = answered;
        const answer = read(dialect, answered);
        expect(answer.text).toBe(transcript.text);
        expect(callsOf(answer)).toEqual(transcript.toolCalls);
        expect([answer.starts, answer.terminals, answer.late]).toEqual([1, 1, 0]);
        expect(answer.stop?.sequence ?? null).toBe(
          transcript.stop === 'stop_sequence' && dialect === 'anthropic' ? 'END' : null,
        );
        if (dialect !== 'openai-chat' || request.includeUsage || read === whole)
          expect(answer.usage).toMatchObject({ outputTokens: transcript.usage.outputTokens });
        if (dialect === 'anthropic')
          expect(answer.thoughts.map(({ text }) => text)).toEqual(
            transcript.thinking.map(({ text }) => text),
          );
      }),
      { numRuns: 150 },
    );
  });

  it('cut answers keep the text of the cut call, and their limit', () => {
    fc.assert(
      fc.property(anyGeneration(dialect), (answered) => {
        const { transcript } = answered;
        const answer = streamed(dialect, answered);
        expect(answer.text).toBe(transcript.text);
        if (transcript.stop === 'max_tokens') expect(answer.stop?.reason).toBe('max_tokens');
        const { open } = transcript;
        if (open === undefined || dialect === 'ollama') return;
        const last = answer.calls.at(-1);
        expect([last?.id, last?.name]).toEqual([open.id, open.name]);
        expect(open.partial.startsWith(last?.text ?? '?')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('reads any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (data, event) => {
        const reader = answerReader(dialect);
        gathered([
          ...reader.unit({ event, data: data as never }),
          ...answerReader(dialect).whole(data as never),
        ]);
      }),
    );
  });
});
