/** Mutants that meet failures of their model wrongly: AGENT-20, and LLM-C09. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentFault } from '../target.ts';
import { editResponses, mutant } from './mutant.ts';

/** Keeps texts back until the next event of another kind, and drops them at an error. */
function showsLate(): AgentFault {
  /** By request: its texts that were not shown. */
  const texts = new Map<string, string>();
  return editResponses((response) => {
    const { request_id: id = '', text, error } = response;
    const held = texts.get(id) ?? '';
    if (text !== undefined) {
      texts.set(id, held + text);
      return [];
    }
    texts.delete(id);
    return held === '' || error !== undefined ? [response] : [{ request_id: id, text: held }, response];
  });
}

/** The mutants of this theme. */
export const failureMutants: readonly Mutant[] = [
  mutant('AGENT-20', 'hides-beginnings', 'It shows no text of an answer that fails.', () => ({
    fault: showsLate(),
  })),
  mutant(
    'LLM-C09',
    'tries-all-again',
    'It tries each failed model request again, up to three times.',
    () => ({
      parts: {
        failure: ({ kind }, _shown, attempts) =>
          kind === 'aborted' ? { kind } : { kind: attempts <= 3 ? 'network' : 'stream' },
      },
    }),
  ),
];
