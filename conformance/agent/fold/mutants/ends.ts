/** Mutants that end requests wrongly: AGENT-10 to AGENT-12. */
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { tokenUsage } from '../../../../src/agent/index.ts';
import { editResponses } from './mutant.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** The end of a request, without any text. */
const silentEnd = ({ request_id: id = '' }: MessageResponse): MessageResponse => ({
  request_id: id,
  done: {},
});

/** The mutants of this theme. */
export const endFaults: WholeAgentFaults = {
  'hides-failures': () => ({
    fault: editResponses((response) => [response.error === undefined ? response : silentEnd(response)]),
  }),
  'counts-twice': () => ({
    parts: { usages: (usage) => [tokenUsage(usage), tokenUsage(usage)] },
  }),
  'counts-calls-only': () => {
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
  },
  'changes-texts': () => ({
    fault: editResponses((response) => {
      const { request_id: id = '', text, done } = response;
      if (done !== undefined) return [silentEnd(response)];
      return [text === undefined ? response : { request_id: id, text: text.replaceAll(/[a-z]/g, 'x') }];
    }),
  }),
  'asks-for-ascii': () => ({
    fault: editResponses((response) => {
      const { request_id: id = '', text, done } = response;
      if (done !== undefined) return [silentEnd(response)];
      return [text === undefined ? response : { request_id: id, text: text.replaceAll(/[^\0-\x7f]/g, '?') }];
    }),
  }),
};
