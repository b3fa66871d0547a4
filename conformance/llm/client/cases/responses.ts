/** Cases about whole responses: content, pieces, stop reasons, and streams that break off. */
import type { JsonObject, ScenarioStep } from '../../../../src/kit/base/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { cutArguments, readNote, textStep, unicode, dialectsExcept, writeNote } from './case.ts';
import type { Case, CaseTurn } from './case.ts';
import { noiseOf } from './noise.ts';

const plain: Case = {
  name: 'text',
  title: 'the model answers with text',
  exercises: (dialect) => ['LLM-C18', 'LLM-C30', ...(dialect === 'anthropic' ? ['LLM-C13'] : [])],
  turns: () => [
    { answer: { steps: [textStep(unicode)] } },
    { answer: { steps: [textStep(unicode)], chunk: 'char' } },
    { answer: { steps: [textStep(unicode), { usage: { input: 1000, output: 77 } }] } },
  ],
};

/** Few units, because each unit comes in hundreds of writes. */
const large: JsonObject = { chunk: { size: 1000 } };

/** A WebSocket message is never split, so only the pieces of the text can be small. */
const pieces = (dialect: DialectName): readonly JsonObject[] =>
  dialect === 'lmstudio'
    ? [{ chunk: 'char' }, { chunk: { size: 1 } }]
    : [
        { split: 'byte', ...large },
        { split: 'utf8' },
        { split: 'lines', lines: 'crlf' },
        { split: { size: 7 }, ...large },
        ...(dialect === 'ollama' ? [] : [{ lines: 'cr' }, { split: 'byte', lines: 'crlf', ...large }]),
      ];

const chunks: Case = {
  name: 'chunks',
  features: ['streaming'],
  title: 'the bytes of a response come in very small and odd pieces',
  exercises: ['LLM-C11'],
  turns: (dialect) => {
    const steps = [textStep(unicode), writeNote({ title: unicode, body: '"\\\u2028' })];
    return [
      { about: { pieces: 'plain' }, answer: { steps } },
      ...pieces(dialect).map((how) => ({ about: { pieces: 'odd' }, answer: { steps, ...how } })),
    ];
  },
};

const noise: Case = {
  name: 'noise',
  features: ['streaming'],
  title: 'unknown events, fields, comments and pings come',
  exercises: ['LLM-C12'],
  turns: (dialect) => [
    {
      about: { noise: true },
      answer: {
        steps: [
          { comment: 'a comment' },
          { ping: true },
          textStep('Quite '),
          { barrier: 'noise' },
          textStep('clear.'),
          writeNote({ title: 'a' }),
          { ping: true },
        ],
        pings: 2,
        variants: { obfuscation: true },
      },
      meanwhile: [
        { await: { from: 'kit', kind: 'mark', match: { told: 'request' } } },
        { quiet: { for: '100ms' } },
        ...noiseOf(dialect).map((text): ScenarioStep => ({
          raw: { from: 'provider', hex: Buffer.from(text).toString('hex') },
        })),
        { send: { from: 'provider', message: { release: 'noise' } } },
      ],
    },
  ],
};

/** Stop reasons for which a dialect has a word. `unknown` stands for a word that the dialect does not have. */
const stopWords: { readonly [dialect in DialectName]: readonly string[] } = {
  anthropic: ['stop_sequence', 'pause_turn', 'refusal', 'context_window', 'unknown'],
  'openai-chat': ['content_filter', 'unknown'],
  'openai-responses': ['content_filter'],
  ollama: ['unknown'],
  lmstudio: ['stop_sequence', 'context_window', 'unknown'],
};

const stops: Case = {
  name: 'stop-reasons',
  title: 'responses stop for each reason of their dialect',
  exercises: ['LLM-C18'],
  turns: (dialect) =>
    stopWords[dialect].map((reason) => ({
      answer: {
        steps: [
          textStep('Up to here'),
          { stop: reason === 'stop_sequence' ? { reason, sequence: 'END' } : reason },
        ],
      },
    })),
};

const truncated: Case = {
  name: 'truncated-text',
  title: 'the limit cuts every text that the model writes',
  exercises: ['LLM-C04', 'LLM-C19'],
  turns: () => [
    {
      answer: { steps: [textStep('A long story, which never comes to an end.')], limit: 4, times: 'always' },
      asks: { max_rounds: 3 },
    },
  ],
};

const twoReasons: Case = {
  name: 'two-stop-reasons',
  title: 'the limit cuts a text, and the stream names the limit and another stop reason',
  dialects: ['anthropic', 'openai-chat'],
  features: ['streaming'],
  exercises: ['LLM-C04'],
  turns: () => [
    {
      answer: {
        steps: [textStep('A long story, which never comes to an end.')],
        limit: 4,
        signal: 'contradictory',
      },
    },
  ],
};

/** A reset discards what the client has not read, so it has time to read. */
const read: JsonObject = { wait: '250ms' };

const early: Case = {
  name: 'no-terminal',
  features: ['streaming'],
  title: 'the stream ends before its terminal, cleanly or with a reset',
  exercises: ['LLM-C06', 'LLM-C09'],
  turns: () =>
    ['clean', 'reset'].flatMap((transport): CaseTurn[] => [
      { answer: { steps: [textStep('It was a dark and'), read], signal: 'missing', transport } },
      { answer: { steps: [textStep('So.'), writeNote(cutArguments), read], signal: 'missing', transport } },
      {
        answer: {
          steps: [textStep('So.'), writeNote(cutArguments), read],
          cut: { step: 1, at: { json: 'inside-string' } },
          signal: 'missing',
          transport,
        },
      },
    ]),
};

const doneAlone: Case = {
  name: 'done-alone',
  title: 'the stream ends with [DONE], without a finish reason',
  dialects: ['openai-chat'],
  features: ['streaming'],
  exercises: ['LLM-C06'],
  turns: () => [
    {
      about: { done_alone: true },
      answer: {
        steps: [textStep('It was a dark and'), { barrier: 'done' }],
        signal: 'missing',
      },
      meanwhile: [
        { await: { from: 'kit', kind: 'mark', match: { told: 'request' } } },
        { quiet: { for: '100ms' } },
        { raw: { from: 'provider', hex: Buffer.from('data: [DONE]\n\n').toString('hex') } },
        { send: { from: 'provider', message: { release: 'done' } } },
      ],
    },
  ],
};

const overloaded: JsonObject = { error: { type: 'overloaded', message: 'Overloaded' } };

const midstream: Case = {
  name: 'error-in-stream',
  features: ['streaming'],
  title: 'the provider sends an error during its stream',
  exercises: ['LLM-C07', 'LLM-C09', 'LLM-C21'],
  turns: () => [
    { answer: { steps: [textStep('Once upon a time'), overloaded] } },
    { answer: { steps: [textStep('So.'), readNote('a'), overloaded] } },
  ],
};

const thinking: Case = {
  name: 'thinking',
  title: 'the model thinks before it calls a tool',
  dialects: ['anthropic'],
  features: ['thinking'],
  exercises: ['LLM-C08', 'LLM-C14'],
  turns: () => [
    {
      answer: {
        steps: [
          {
            thinking: { text: 'I should look at the note first.', signature: 'c2lnbmVkIGJ5IHdpcmVwcm9vZg==' },
          },
          readNote('a'),
        ],
      },
    },
  ],
};

/** In OpenAI Chat and Ollama, thoughts have no signature, so a client need not send them back. */
export const responseCases: readonly Case[] = [
  plain,
  chunks,
  noise,
  stops,
  truncated,
  twoReasons,
  early,
  doneAlone,
  { ...midstream, dialects: dialectsExcept() },
  thinking,
];
