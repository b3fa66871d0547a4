/** Streams of Ollama that are cut, end early or fail. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { calledCases } from './ends.ts';
import { call, end, says } from './ollama-wire.ts';
import { casesOf } from './table.ts';

const { valid, invalid } = casesOf('ollama');
const called = calledCases(
  'ollama',
  (...pieces) => call('call_1', 0, 'get', pieces.join('')) + end('stop'),
  {},
);

const first = call('call_1', 0, 'get', '{"n":1}');
const whole = ['call_1', 'get', { n: 1 }] as const;

/** "Arguments are objects, so partial JSON never reaches the client": what a cut call becomes, by the model's family. */
const cuts: readonly Vector[] = [
  valid('cut-dropped', 'the cut call is dropped', 'C01 C04', says('Writing.') + end('length'), {
    content: 'Writing.',
    stop: 'max_tokens',
  }),
  valid(
    'cut-leaked',
    'the cut call leaks as content',
    'C01 C02 C04',
    says('{"name": "write", "argu', 'ments": {"path": "a') + end('length'),
    {
      content: '{"name": "write", "arguments": {"path": "a',
      stop: 'max_tokens',
    },
  ),
  valid(
    'cut-leaked-whole',
    'a call that leaks as content is text, though it parses',
    'C01 C04',
    says('{"name": "write", "arguments": {"path": "a"}}') + end('length'),
    {
      content: '{"name": "write", "arguments": {"path": "a"}}',
      stop: 'max_tokens',
    },
  ),
  valid('cut-second', 'the second call is dropped; the first was whole', 'C03 C04', first + end('length'), {
    calls: [whole],
    stop: 'max_tokens',
  }),
  invalid(
    'cut-error-line',
    'the cut call is an error line, and no done follows',
    'C07 C21',
    `${says('Writing.')}{"error":"error parsing tool call: raw='{\\"path\\":\\"a', err=unexpected end of JSON input"}\n`,
    'provider',
    { content: 'Writing.' },
  ),
];

const failures: readonly Vector[] = [
  invalid('early-text', 'the body ends behind a line', 'C06', says('Hel'), 'truncated-stream', {
    content: 'Hel',
  }),
  invalid('early-nothing', 'the body is empty', 'C06', '', 'truncated-stream'),
  invalid('early-tool', 'a whole call came, and no last line', 'C06', first, 'truncated-stream'),
  invalid(
    'early-half-line',
    'the body ends inside a line',
    'C06',
    says('Hel') + says('lo').slice(0, -20),
    'truncated-stream',
    { content: 'Hel' },
  ),
  invalid('reset-text', 'the connection is reset behind a line', 'C06', says('Hel'), 'connection', {
    content: 'Hel',
  }),
  invalid(
    'error-text',
    'an error line behind text',
    'C07 C21',
    `${says('Hel')}{"error":"an error was encountered while running the model"}\n`,
    'provider',
    { content: 'Hel' },
  ),
  invalid(
    'error-first',
    'nothing but an error line',
    'C07',
    '{"error":"model runner has unexpectedly stopped"}\n',
    'provider',
  ),
  invalid(
    'error-tool',
    'an error line behind a whole call',
    'C07',
    `${first}{"error":"unexpected EOF"}\n`,
    'provider',
  ),
];

/** All of them. */
export const ollamaEnds: readonly Vector[] = [
  ...cuts,
  ...called.noObjects('array', 'string', 'string-cut', 'number', 'null'),
  ...failures,
];
