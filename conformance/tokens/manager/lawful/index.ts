/** Token managers with oddities that the requirements allow: the reference testee with other answers. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import { managerWith } from '../mutants/mutant.ts';
import type { ManagerFaults } from '../mutants/mutant.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { onRequest, editMembers, listAt, numberAt, objectAt, textAt } from '../mutants/mutant.ts';
import { editActions, isSend } from '../mutants/turn-mutant.ts';

/** An action without a code of the reference, where the plan names none. */
function inOwnWords(action: JsonObject): JsonObject {
  const { code, ...rest } = action;
  if (action['do'] === 'stop') return rest;
  if (action['do'] !== 'warn') return action;
  if (code === 'budget') return { ...rest, code: 'too-large' };
  return code === 'unknown-stop-reason' ? { ...rest, code: 'strange-end' } : action;
}

const runsNothing = { do: 'run_tools', ids: [] };

const oddities: ManagerFaults = {
  'runs-nothing': editActions((actions) =>
    actions.flatMap((action, i) =>
      isSend(action) && actions[i + 1]?.['do'] !== 'run_tools' ? [action, runsNothing] : [action],
    ),
  ),
  'ends-in-silence': editActions((actions) => actions.filter((action) => action['do'] !== 'stop')),
  'own-words': editActions((actions) => actions.map(inOwnWords)),
  'counts-no-cache': editMembers('tokens.budget', (ok, request) => {
    const cached = listAt(request, 'usages').filter((usage) => !('totalTokens' in usage));
    const tokens = cached.reduce(
      (n, one) => n + numberAt(one, 'cacheReadTokens') + numberAt(one, 'cacheWriteTokens'),
      0,
    );
    return tokens === 0 ? undefined : { used: numberAt(ok, 'used') - tokens };
  }),
  'summary-of-the-assistant': editMembers('tokens.summarize', (ok) => ({
    message: { ...objectAt(ok, 'message'), role: 'assistant' },
  })),
  'knows-no-output': onRequest('tokens.turn', (request) => ({
    tools: listAt(request, 'tools').map((tool) => ({ ...tool, output: `${textAt(tool, 'name')} ran` })),
  })),
  'compacts-without-messages': editActions((actions) =>
    actions.map((action) => (action['do'] === 'compact' ? { do: 'compact' } : action)),
  ),
};

/** Token managers with oddities that the requirements allow. */
export const lawfulManagers: () => readonly LawfulPeer[] = lawfulOf(
  'tokens/manager',
  [oddities],
  managerWith,
);
