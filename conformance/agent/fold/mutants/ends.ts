/** Mutants that end requests wrongly: AGENT-10 to AGENT-12. */
import { holdUntil } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { tokenUsage } from '../../../../src/agent/index.ts';
import type { AgentFault } from '../target.ts';
import { onResponse } from './mutant.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** The end of a request, without any text. */
const silentEnd = ({ request_id: id = '' }: MessageResponse): MessageResponse => ({
  request_id: id,
  done: {},
});

/** Changes the texts of responses. */
const showsTexts = (change: (text: string) => string): AgentFault =>
  onResponse((response) => {
    const { request_id: id = '', text, done } = response;
    if (done !== undefined) return [silentEnd(response)];
    return text === undefined ? undefined : [{ request_id: id, text: change(text) }];
  });

export const endFaults: WholeAgentFaults = {
  'hides-failures': () => ({
    fault: onResponse((response) => (response.error === undefined ? undefined : [silentEnd(response)])),
  }),
  'counts-twice': () => ({ parts: { usages: (usage) => [tokenUsage(usage), tokenUsage(usage)] } }),
  // The last usage event of a request waits for a call.
  'counts-calls-only': () => ({
    fault: onResponse(
      holdUntil(
        ({ usage }) => usage !== undefined,
        (response, held) => response.tool_use && [...held.slice(-1), response],
        ({ request_id: id = '' }) => id,
      ),
    ),
  }),
  'changes-texts': () => ({ fault: showsTexts((text) => text.replaceAll(/[a-z]/g, 'x')) }),
  'asks-for-ascii': () => ({ fault: showsTexts((text) => text.replaceAll(/[^\0-\x7f]/g, '?')) }),
};
