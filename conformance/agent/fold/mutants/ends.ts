/** Mutants that end requests wrongly: AGENT-10 to AGENT-12. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { tokenUsage } from '../../../../src/agent/index.ts';
import { editResponses, mutant } from './mutant.ts';

/** The end of a request, without any text. */
const silentEnd = ({ request_id: id = '' }: MessageResponse): MessageResponse => ({
  request_id: id,
  done: {},
});

/** The mutants of this theme. */
export const endMutants: readonly Mutant[] = [
  mutant(
    'AGENT-10',
    'hides-failures',
    'It ends a request as done, without a text, when the model failed.',
    () => ({
      fault: editResponses((response) => [response.error === undefined ? response : silentEnd(response)]),
    }),
  ),
  mutant('AGENT-11', 'counts-twice', 'It sends the usage of each answer twice.', () => ({
    parts: { usages: (usage) => [tokenUsage(usage), tokenUsage(usage)] },
  })),
  mutant('AGENT-11', 'counts-calls-only', 'It sends no usage of an answer without calls.', () => {
    /** By request: its last usage event, which waits for a call. */
    const held = new Map<string, MessageResponse>();
    return {
      fault: editResponses((response) => {
        const { request_id: id = '', usage, tool_use: call } = response;
        if (usage !== undefined) {
          held.set(id, response);
          return [];
        }
        const counted = held.get(id);
        if (call === undefined || counted === undefined) return [response];
        held.delete(id);
        return [counted, response];
      }),
    };
  }),
  mutant('AGENT-12', 'changes-texts', "It changes the model's texts.", () => ({
    fault: editResponses((response) => {
      const { request_id: id = '', text, done } = response;
      if (done !== undefined) return [silentEnd(response)];
      return [text === undefined ? response : { request_id: id, text: text.replaceAll(/[a-z]/g, 'x') }];
    }),
  })),
  mutant(
    'AGENT-12',
    'asks-for-ascii',
    'It shows a question mark for each character of the model beyond ASCII.',
    () => ({
      fault: editResponses((response) => {
        const { request_id: id = '', text, done } = response;
        if (done !== undefined) return [silentEnd(response)];
        return [
          text === undefined ? response : { request_id: id, text: text.replaceAll(/[^\0-\x7f]/g, '?') },
        ];
      }),
    }),
  ),
];
