/** Token managers with oddities that the requirements allow: the reference testee with other answers. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { exactTesteeOf } from '../../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { editIncoming, editMembers, listAt, numberAt, objectAt, textAt } from '../mutants/mutant.ts';
import { editActions, isSend } from '../mutants/turn-mutant.ts';

const { faulty } = answerFaults(tokensTestee);

const lawful = (id: string, title: string, allowed: string, oddity: AnswerFault): LawfulPeer => ({
  id,
  title,
  allowed,
  make: () => exactTesteeOf(faulty(oddity)),
});

/** An action without a code of the reference, where the plan names none. */
function inOwnWords(action: JsonObject): JsonObject {
  const { code, ...rest } = action;
  if (action['do'] === 'stop') return rest;
  if (action['do'] !== 'warn') return action;
  if (code === 'budget') return { ...rest, code: 'too-large' };
  return code === 'unknown-stop-reason' ? { ...rest, code: 'strange-end' } : action;
}

const runsNothing = { do: 'run_tools', ids: [] };

/** The oddities. */
export const lawfulManagers: readonly LawfulPeer[] = [
  lawful(
    'runs-nothing',
    'After each response without a call that runs, it runs an empty list of calls.',
    'spec/tokens/README.md, Testee: run_tools has ids of the calls that run, and an empty list has none',
    editActions((actions) =>
      actions.flatMap((action, i) =>
        isSend(action) && actions[i + 1]?.['do'] !== 'run_tools' ? [action, runsNothing] : [action],
      ),
    ),
  ),
  lawful(
    'ends-in-silence',
    'Its turns end without stop.',
    'the plan demands no last action',
    editActions((actions) => actions.filter((action) => action['do'] !== 'stop')),
  ),
  lawful(
    'own-words',
    'Its stops have no code, and its warnings about budgets and stop reasons have codes of its own.',
    'the plan names no codes',
    editActions((actions) => actions.map(inOwnWords)),
  ),
  lawful(
    'counts-no-cache',
    'Without a total, it does not count tokens in a cache.',
    'the plan names only input and output',
    editMembers('tokens.budget', (ok, request) => {
      const cached = listAt(request, 'usages').filter((usage) => !('totalTokens' in usage));
      const tokens = cached.reduce(
        (n, one) => n + numberAt(one, 'cacheReadTokens') + numberAt(one, 'cacheWriteTokens'),
        0,
      );
      return tokens === 0 ? undefined : { used: numberAt(ok, 'used') - tokens };
    }),
  ),
  lawful(
    'summary-of-the-assistant',
    "Its summary has the assistant's role.",
    'the plan does not say whose message a summary is',
    editMembers('tokens.summarize', (ok) => ({ message: { ...objectAt(ok, 'message'), role: 'assistant' } })),
  ),
  lawful(
    'knows-no-output',
    'The results of its tools have words of their own.',
    'spec/tokens/README.md, Testee: a manager that does not use output is not judged by it',
    editIncoming('tokens.turn', (request) => ({
      tools: listAt(request, 'tools').map((tool) => ({ ...tool, output: `${textAt(tool, 'name')} ran` })),
    })),
  ),
  lawful(
    'compacts-without-messages',
    'Its compact has no messages.',
    'TOK-34: what stays is seen in the next send',
    editActions((actions) =>
      actions.map((action) => (action['do'] === 'compact' ? { do: 'compact' } : action)),
    ),
  ),
];
