/** Testees that estimate the tokens of messages wrongly. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editMembers, listAt, numberAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

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
export const estimateFaults: ManagerFaults = {
  'counts-bytes': byLength((text) => Buffer.byteLength(text)),
  'counts-characters': byLength((text) => Array.from(text).length),
  'rounds-down': editEstimate((message) => (textAt(message, 'content').length % 4 === 0 ? 0 : -1)),
  'no-overhead': editEstimate(() => -10),
  'rounds-once': (request) => {
    const messages = listAt(request, 'messages');
    const isPlain = messages.every((one) => !('toolCalls' in one) && !('toolResults' in one));
    if (request['op'] !== 'tokens.estimate' || !isPlain) return undefined;
    const units = messages.reduce((n, message) => n + textAt(message, 'content').length, 0);
    return { id: request['id'] ?? null, ok: { tokens: quarter(units) + 10 * messages.length } };
  },
  'counts-arguments': editEstimate((message) => {
    const calls = listAt(message, 'toolCalls');
    if (calls.length === 0) return 0;
    const inputs = calls.map(({ input = null }) => input);
    return quarter(jsonLength(inputs)) - quarter(jsonLength(message['toolCalls']));
  }),
  'forgets-calls': editEstimate(({ toolCalls }) => -quarter(jsonLength(toolCalls))),
  'forgets-results': editEstimate(({ toolResults }) => -quarter(jsonLength(toolResults))),
};
