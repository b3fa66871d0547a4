/** Testees that estimate the tokens of messages wrongly. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editMembers, listAt, mutant, numberAt, textAt } from './mutant.ts';

/** Replaces the estimate of each message. */
const editEstimate = (of: (message: JsonObject) => number): AnswerFault =>
  editMembers('tokens.estimate', (ok, request) => {
    const more = listAt(request, 'messages').reduce((n, message) => n + of(message), 0);
    return { tokens: numberAt(ok, 'tokens') + more };
  });

const quarter = (length: number): number => Math.ceil(length / 4);
const jsonLength = (value: Json | undefined): number =>
  value === undefined ? 0 : JSON.stringify(value).length;

/** The difference of a message's estimate when its text has another length. */
const byLength = (length: (text: string) => number): AnswerFault =>
  editEstimate(
    (message) => quarter(length(textAt(message, 'content'))) - quarter(textAt(message, 'content').length),
  );

/** The mutants of estimates. */
export const estimateMutants: readonly Mutant[] = [
  mutant(
    25,
    'counts-bytes',
    'It counts UTF-8 bytes.',
    byLength((text) => Buffer.byteLength(text)),
  ),
  mutant(
    25,
    'counts-characters',
    'It counts characters instead of UTF-16 units.',
    byLength((text) => Array.from(text).length),
  ),
  mutant(
    25,
    'rounds-down',
    'It rounds down.',
    editEstimate((message) => (textAt(message, 'content').length % 4 === 0 ? 0 : -1)),
  ),
  mutant(
    25,
    'no-overhead',
    'It omits the 10 tokens of each message.',
    editEstimate(() => -10),
  ),
  mutant(25, 'rounds-once', 'It rounds the sum of all messages.', (request) => {
    const messages = listAt(request, 'messages');
    const isPlain = messages.every((one) => !('toolCalls' in one) && !('toolResults' in one));
    if (request['op'] !== 'tokens.estimate' || !isPlain) return undefined;
    const units = messages.reduce((n, message) => n + textAt(message, 'content').length, 0);
    return { id: request['id'] ?? null, ok: { tokens: quarter(units) + 10 * messages.length } };
  }),
  mutant(
    25,
    'counts-arguments',
    'It counts the arguments of calls, and not their ids and names.',
    editEstimate((message) => {
      const calls = listAt(message, 'toolCalls');
      if (calls.length === 0) return 0;
      const inputs = calls.map(({ input = null }) => input);
      return quarter(jsonLength(inputs)) - quarter(jsonLength(message['toolCalls']));
    }),
  ),
  mutant(
    25,
    'forgets-calls',
    'It does not count calls.',
    editEstimate(({ toolCalls }) => -quarter(jsonLength(toolCalls))),
  ),
  mutant(
    25,
    'forgets-results',
    'It does not count results.',
    editEstimate(({ toolResults }) => -quarter(jsonLength(toolResults))),
  ),
];
