/** Cases about tool calls: whole, parallel, cut, broken, and odd. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { note, read, say, unicode, without, write, writeRaw } from './case.ts';
import type { Case, CaseTurn } from './case.ts';

const places = [
  'inside-key',
  'inside-string',
  'inside-escape',
  'inside-number',
  'inside-literal',
  'between-parameters',
  'after-last-brace',
] as const;

/** A whole call, then one that is cut: the second content step behind the text. */
const cutAt = (at: JsonObject, more: JsonObject = {}): CaseTurn => ({
  answer: { steps: [say('Let me see.'), read('shopping'), write(note)], cut: { step: 2, at }, ...more },
});

const cut: Case = {
  name: 'cut-call',
  title: 'the limit cuts a tool call, at every kind of place, behind one that is whole',
  exercises: ['LLM-C01', 'LLM-C03', 'LLM-C04', 'LLM-C19'],
  turns: () => [...places.map((json) => cutAt({ json })), cutAt({ byte: 0 }), cutAt({ byte: 1 })],
};

const firstCut: Case = {
  name: 'cut-first-call',
  title: 'the limit cuts the only tool call there is',
  exercises: ['LLM-C01', 'LLM-C04'],
  turns: () => places.map((json) => ({ answer: { steps: [write(note)], cut: { step: 0, at: { json } } } })),
};

const leak: Case = {
  name: 'cut-call-leaks',
  title: 'the limit cuts a tool call, and its text comes as content',
  dialects: ['ollama'],
  exercises: ['LLM-C01', 'LLM-C04'],
  turns: () => [cutAt({ json: 'inside-string' }, { variants: { ollama: 'leaked' } })],
};

const lies: Case = {
  name: 'lying-finish',
  title: 'the limit cuts a tool call, and the stop signal says tool use, alone or beside the truth',
  exercises: ['LLM-C05'],
  turns: () =>
    ['lying', 'contradictory'].flatMap((signal) =>
      places
        .filter((json) => json !== 'after-last-brace')
        .map((json) => ({
          answer: { steps: [say('So.'), write(note)], cut: { step: 1, at: { json } }, signal },
        })),
    ),
};

const broken: Case = {
  name: 'broken-arguments',
  title: 'a call is whole, and its arguments are no JSON',
  exercises: ['LLM-C02'],
  turns: () =>
    ['{"title":"x","body":"y",}', "{'title':'x'}", '{"title":"x" "body":"y"}', '{"title":"a\nb"}'].map(
      (text) => ({
        answer: { steps: [say('So.'), writeRaw(text)] },
      }),
    ),
};

const odd: Case = {
  name: 'odd-arguments',
  title: 'the arguments of a call are JSON, but no object',
  exercises: ['LLM-C16'],
  turns: () =>
    ['[{"title":"x"}]', '"title"', '7', 'true', 'null'].map((text) => ({
      answer: { steps: [writeRaw(text)] },
    })),
};

const huge: Case = {
  name: 'huge-numbers',
  title: 'the arguments of a call hold integers that no double can hold',
  exercises: ['LLM-C20'],
  turns: () =>
    ['9007199254740993', '-12345678901234567890'].map((digits) => ({
      answer: { steps: [writeRaw(`{"title":"n","priority":${digits}}`)] },
    })),
};

const one: Case = {
  name: 'one-call',
  title: 'the model calls a tool, and goes on when it has its result',
  exercises: ['LLM-C08', 'LLM-C11'],
  turns: () => [
    { answer: { steps: [say('Let me write that down.'), write(note)] } },
    { answer: { steps: [write({})] } },
    { answer: { steps: [read('a')] }, later: [{ steps: [say('And more.'), read('b')] }] },
  ],
};

const parallel: Case = {
  name: 'parallel-calls',
  title: 'the model calls several tools at once, some of them the same',
  exercises: ['LLM-C08', 'LLM-C17'],
  turns: (dialect) => {
    const steps = [say('Both.'), write({ title: 'a', body: unicode }), read('a'), write({ title: 'b' })];
    const interleaved = { answer: { steps, variants: { interleaved: true }, chunk: { size: 3 } } };
    return [{ answer: { steps } }, ...(dialect === 'openai-chat' ? [interleaved] : [])];
  },
};

/** LM Studio hands out objects that it has parsed: no client of it sees the digits. */
export const callCases: readonly Case[] = [
  cut,
  firstCut,
  leak,
  lies,
  broken,
  odd,
  { ...huge, dialects: without('lmstudio') },
  one,
  parallel,
];
