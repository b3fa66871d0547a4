/** Cases about tool calls: complete, parallel, cut, invalid JSON, and not an object. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import {
  cutArguments,
  listNotes,
  readNote,
  textStep,
  unicode,
  dialectsExcept,
  writeNote,
  writeRaw,
} from './case.ts';
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

/** A complete call, then a call that is cut. The cut call is the second content step after the text. */
const cutAt = (at: JsonObject, more: JsonObject = {}): CaseTurn => ({
  answer: {
    steps: [textStep('Let me see.'), readNote('shopping'), writeNote(cutArguments)],
    cut: { step: 2, at },
    ...more,
  },
});

const cut: Case = {
  name: 'cut-call',
  title: 'the limit cuts a tool call, at every kind of position, after a complete call',
  exercises: ['LLM-C01', 'LLM-C03', 'LLM-C04', 'LLM-C19'],
  turns: () => [...places.map((json) => cutAt({ json })), cutAt({ byte: 0 }), cutAt({ byte: 1 })],
};

const firstCut: Case = {
  name: 'cut-first-call',
  title: 'the limit cuts the only tool call',
  exercises: ['LLM-C01', 'LLM-C04'],
  turns: () =>
    places.map((json) => ({ answer: { steps: [writeNote(cutArguments)], cut: { step: 0, at: { json } } } })),
};

const leak: Case = {
  name: 'cut-call-leaks',
  title: 'the limit cuts a tool call, and its text is sent as content',
  dialects: ['ollama'],
  exercises: ['LLM-C01', 'LLM-C04'],
  turns: () => [cutAt({ json: 'inside-string' }, { variants: { ollama: 'leaked' } })],
};

const lies: Case = {
  name: 'lying-finish',
  title: 'the limit cuts a tool call, and the stop signal says tool use, alone or with the true reason',
  exercises: ['LLM-C05'],
  turns: () =>
    ['lying', 'contradictory'].flatMap((signal) =>
      places
        .filter((json) => json !== 'after-last-brace')
        .map((json) => ({
          answer: {
            steps: [textStep('So.'), writeNote(cutArguments)],
            cut: { step: 1, at: { json } },
            signal,
          },
        })),
    ),
};

/** The arguments of the cut call are an object. That its block stays open shows that it was cut. */
const open: Case = {
  name: 'open-block',
  title:
    'the limit cuts a tool call after its last brace, its block stays open, and the stop signal says tool use',
  dialects: ['anthropic'],
  features: ['streaming'],
  exercises: ['LLM-C29'],
  turns: () => [
    {
      about: { open: true },
      answer: {
        steps: [textStep('So.'), writeNote(cutArguments)],
        cut: { step: 1, at: { json: 'after-last-brace' } },
        signal: 'lying',
        variants: { block_stop: false },
      },
    },
  ],
};

const broken: Case = {
  name: 'broken-arguments',
  title: 'a call is complete, and its arguments are not JSON',
  exercises: ['LLM-C02'],
  turns: () =>
    [
      '{"title":"x","body":"y",}',
      "{'title':'x'}",
      '{"title":"x" "body":"y"}',
      '{"title":"a\nb"}',
      // JSON.parse and Go refuse these; json.loads of Python takes them (RFC 8259, 6: numbers have no such values).
      '{"title":"x","priority":NaN}',
      '{"title":"x","priority":-Infinity}',
    ].map((text) => ({
      answer: { steps: [textStep('So.'), writeRaw(text)] },
    })),
};

const odd: Case = {
  name: 'odd-arguments',
  title: 'the arguments of a call are JSON, but not an object',
  exercises: ['LLM-C16'],
  turns: () =>
    ['[{"title":"x"}]', '"title"', '7', 'true', 'null'].map((text) => ({
      answer: { steps: [writeRaw(text)] },
    })),
};

const huge: Case = {
  name: 'huge-numbers',
  title: 'the arguments of a call contain integers that a double cannot hold',
  exercises: ['LLM-C20'],
  turns: () =>
    ['9007199254740993', '-12345678901234567890'].map((digits) => ({
      answer: { steps: [writeRaw(`{"title":"n","priority":${digits}}`)] },
    })),
};

const one: Case = {
  name: 'one-call',
  title: 'the model calls a tool, and continues when it has the result',
  exercises: ['LLM-C08', 'LLM-C30'],
  turns: () => [
    { answer: { steps: [textStep('Let me write that down.'), writeNote(cutArguments)] } },
    { answer: { steps: [listNotes] } },
    { answer: { steps: [readNote('a')] }, later: [{ steps: [textStep('And more.'), readNote('b')] }] },
  ],
};

/** The dialects whose events name the call by an index. */
const interleaves: readonly DialectName[] = ['anthropic', 'openai-chat'];

const parallel: Case = {
  name: 'parallel-calls',
  title: 'the model calls several tools at once, some of them twice',
  exercises: (dialect) => ['LLM-C08', 'LLM-C17', ...(dialect === 'anthropic' ? ['LLM-C28'] : [])],
  turns: (dialect) => {
    const steps = [
      textStep('Both.'),
      writeNote({ title: 'a', body: unicode }),
      readNote('a'),
      writeNote({ title: 'b' }),
    ];
    const interleaved = { answer: { steps, variants: { interleaved: true }, chunk: { size: 3 } } };
    return [{ answer: { steps } }, ...(interleaves.includes(dialect) ? [interleaved] : [])];
  },
};

/** LM Studio sends parsed objects, so its clients do not see the digits. */
export const callCases: readonly Case[] = [
  cut,
  firstCut,
  leak,
  lies,
  open,
  broken,
  odd,
  { ...huge, dialects: dialectsExcept('lmstudio') },
  one,
  parallel,
];
