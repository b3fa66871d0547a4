/** Mutants that meet failures of their model wrongly: AGENT-20, and LLM-C09. */
import type { AgentFault } from '../target.ts';
import { onResponse } from './mutant.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** Keeps texts back until the next event of another kind, and drops them at an error. */
function showsLate(): AgentFault {
  /** By request: its texts that were not shown. */
  const texts = new Map<string, string>();
  return onResponse((response) => {
    const { request_id: id = '', text, error } = response;
    const held = texts.get(id) ?? '';
    if (text !== undefined) {
      texts.set(id, held + text);
      return [];
    }
    texts.delete(id);
    return held === '' || error !== undefined ? undefined : [{ request_id: id, text: held }, response];
  });
}

export const failureFaults: WholeAgentFaults = {
  'hides-beginnings': () => ({ fault: showsLate() }),
  'tries-all-again': () => ({
    parts: {
      failure: ({ kind }, _shown, attempts) =>
        kind === 'aborted' ? { kind } : { kind: attempts <= 3 ? 'network' : 'stream' },
    },
  }),
};
