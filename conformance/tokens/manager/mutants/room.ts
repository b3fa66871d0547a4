/** Testees with a fault in a turn: requests that do not fit, compacting, and retries. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editActions, editFailures, isSend, editResponses, removeWarnings } from './turn-mutant.ts';
import { editIncoming, json, listAt, mutant, numberAt, objectAt, textAt } from './mutant.ts';

const op = 'tokens.turn';

/** Replaces a small configuration. */
const enlargeConfig = (more: (config: JsonObject) => JsonObject): AnswerFault =>
  editIncoming(op, (request) => {
    const config = objectAt(request, 'config');
    return numberAt(config, 'maxTokens') < 2000 && !hasUsage(request)
      ? { config: { ...config, ...more(config) } }
      : undefined;
  });

const meets =
  (kind: string) =>
  (request: JsonObject): boolean =>
    listAt(request, 'provider').some(
      (answer) =>
        objectAt(answer, 'error')['kind'] === kind ||
        objectAt(answer, 'response')['stopReason'] === 'context_window',
    );

const overflows = meets('overflow');

const hasUsage = (request: JsonObject): boolean =>
  listAt(request, 'provider').some((answer) => objectAt(answer, 'response')['usage'] !== undefined);

/** Compacts before each send after the first compaction. */
const noCooldown: AnswerFault = editActions((actions, request) => {
  if (!hasUsage(request)) return undefined;
  const first = actions.findIndex((action) => action['do'] === 'compact');
  return first === -1
    ? undefined
    : actions.flatMap((action, i) =>
        i > first + 1 && isSend(action) ? [actions[first] ?? {}, action] : [action],
      );
});

const neverAdvised: AnswerFault = editIncoming(op, (request) =>
  hasUsage(request) ? { config: { ...objectAt(request, 'config'), warningThreshold: 100 } } : undefined,
);

const onceMore: AnswerFault = editResponses((response) => {
  const usage = objectAt(response, 'usage');
  return { ...response, usage: { ...usage, inputTokens: numberAt(usage, 'inputTokens') + 1 } };
});

/** Compacting drops the user's early messages. */
const losesQuestions: AnswerFault = editActions((actions) =>
  actions.map((action) => {
    if (action['do'] !== 'compact') return action;
    const messages = listAt(action, 'messages').map((message, i, all) =>
      message['role'] === 'user' && i < all.length - 10
        ? { ...message, content: 'Something was asked.' }
        : message,
    );
    return { ...action, messages: json(messages) };
  }),
);

/** Replaces the delays before retries. */
const editDelays = (edit: (delay: number, retry: number, hint: number | undefined) => number): AnswerFault =>
  editActions((actions, request) => {
    const errors = listAt(request, 'provider').map((answer) => objectAt(answer, 'error'));
    let n = 0;
    return actions.map((action) => {
      if (action['do'] !== 'retry' || action['code'] === 'dropped') return action;
      const { retryAfter } = errors[n] ?? {};
      n += 1;
      const hint = typeof retryAfter === 'number' ? retryAfter : undefined;
      return { ...action, delay: edit(numberAt(action, 'delay'), n, hint) };
    });
  });

/** Sends this number of additional requests before it stops. */
const repeatSends = (times: number, before: string, test: (request: JsonObject) => boolean): AnswerFault =>
  editActions((actions, request) => {
    const pair = [actions.find((action) => action['do'] === before) ?? {}, actions.findLast(isSend) ?? {}];
    return test(request)
      ? [...actions.slice(0, -1), ...Array.from({ length: times }, () => pair).flat(), ...actions.slice(-1)]
      : undefined;
  });

const longerThan =
  (n: number, test: (request: JsonObject) => boolean) =>
  (request: JsonObject): boolean =>
    listAt(request, 'provider').length > n && test(request);

const allFail = (request: JsonObject): boolean =>
  listAt(request, 'provider').every((answer) => objectAt(answer, 'error')['kind'] === 'http');

const status = (from: number, to: number): AnswerFault =>
  editFailures((error) => (error['status'] === from ? { ...error, status: to } : error));

const kind = (from: string, error: JsonObject): AnswerFault =>
  editFailures((came) => (came['kind'] === from ? error : came));

const saved = (config: JsonObject): JsonObject => ({ maxTokens: numberAt(config, 'maxTokens') * 100 });

/** Replaces compacted conversations, and the sends after them. */
const editCompacted = (edit: (messages: readonly JsonObject[]) => readonly JsonObject[]): AnswerFault =>
  editActions((actions) => {
    const first = actions.findIndex((action) => action['do'] === 'compact');
    return actions.map((action, i) =>
      i >= first && first !== -1 && 'messages' in action
        ? { ...action, messages: json(edit(listAt(action, 'messages'))) }
        : action,
    );
  });

/** Gives up when a prompt is too long after a response. */
const overflowAfterResponse: AnswerFault = editIncoming(op, (request) => {
  const provider = listAt(request, 'provider');
  const refused = { error: { kind: 'http', status: 400 } };
  return {
    provider: provider.map((answer, i) =>
      objectAt(answer, 'error')['kind'] === 'overflow' && 'response' in (provider[i - 1] ?? {})
        ? refused
        : answer,
    ),
  };
});

/** Whether three prompts are too long, with a tool between them. */
const overflowsApart = (request: JsonObject): boolean => {
  const provider = listAt(request, 'provider');
  const long = provider.filter((answer) => objectAt(answer, 'error')['kind'] === 'overflow');
  return long.length > 2 && provider.some((one) => objectAt(one, 'response')['stopReason'] === 'tool_use');
};

/** The mutants of budgets and failures in a turn. */
export const roomMutants: readonly Mutant[] = [
  mutant(
    27,
    'compacts-everything',
    'Compacting leaves only a summary.',
    editCompacted(() => [{ role: 'user', content: 'Summary: there was a conversation.' }]),
  ),
  mutant(
    27,
    'compacts-the-recent',
    'Compacting summarizes the last question, too.',
    editCompacted((messages) =>
      messages.map((message) =>
        textAt(message, 'content').includes('<u25>') ? { ...message, content: 'Go on.' } : message,
      ),
    ),
  ),
  mutant(24, 'sends-anyway', 'It sends requests that do not fit.', enlargeConfig(saved)),
  mutant(
    24,
    'no-margin',
    'It does not keep 200 tokens for the answer.',
    enlargeConfig((config) => ({ maxTokens: numberAt(config, 'maxTokens') + 200 })),
  ),
  mutant(24, 'stops-in-silence', 'It does not warn when the budget is used up.', removeWarnings('budget')),
  mutant(33, 'never-advised', 'It does not compact when pruning is advised.', neverAdvised),
  mutant(33, 'no-cooldown', 'It compacts before every request once it is near the limit.', noCooldown),
  mutant(33, 'compacts-at-80', 'It compacts at exactly 80 %.', onceMore),
  mutant(34, 'loses-questions', "It summarizes the user's messages.", losesQuestions),
  mutant(
    43,
    'waits-a-second',
    'It waits one second before each retry.',
    editDelays((delay, _, hint) => (hint === undefined ? 1000 : delay)),
  ),
  mutant(
    43,
    'waits-ever-longer',
    'It doubles the delay at each retry, without a limit.',
    editDelays((delay, retry, hint) => (hint === undefined ? 1000 * 2 ** (retry - 1) : delay)),
  ),
  mutant(
    43,
    'counts-on',
    'It does not reset the count of attempts after a response.',
    editDelays((delay, retry, hint) =>
      hint === undefined ? Math.min(30_000, 1000 * 2 ** (retry - 1)) : delay,
    ),
  ),
  mutant(
    43,
    'takes-no-hint',
    'It ignores retry-after.',
    editDelays((delay, retry, hint) =>
      hint === undefined ? delay : Math.min(30_000, 1000 * 2 ** (retry - 1)),
    ),
  ),
  mutant(
    43,
    'caps-hints',
    'It never waits longer than 30 s, also when retry-after is longer.',
    editDelays((delay) => Math.min(delay, 30_000)),
  ),
  mutant(
    43,
    'tries-without-end',
    'It retries without end.',
    repeatSends(4, 'retry', longerThan(12, allFail)),
  ),
  mutant(
    43,
    'never-at-once',
    'It takes a retry-after of 0 for none.',
    editDelays((delay, retry) => (delay === 0 ? 1000 * 2 ** (retry - 1) : delay)),
  ),
  mutant(
    43,
    'eleven-attempts',
    'It tries a request eleven times.',
    repeatSends(1, 'retry', longerThan(12, allFail)),
  ),
  mutant(44, 'fears-429', 'It gives up on 429.', status(429, 400)),
  mutant(44, 'fears-5xx', 'It gives up on 503.', status(503, 400)),
  mutant(44, 'fears-529', 'It does not retry statuses above 511.', status(529, 400)),
  mutant(44, 'fears-408', 'It does not retry 408.', status(408, 400)),
  mutant(
    44,
    'fears-the-network',
    'It gives up when the network fails.',
    kind('network', { kind: 'http', status: 400 }),
  ),
  mutant(44, 'repeats-mistakes', 'It retries 400.', status(400, 503)),
  mutant(44, 'repeats-401', 'It retries 401.', status(401, 503)),
  mutant(44, 'repeats-aborted', 'It retries after the user aborted.', kind('aborted', { kind: 'network' })),
  mutant(
    44,
    'repeats-output',
    'It retries after a stream that had begun.',
    kind('stream', { kind: 'network' }),
  ),
  mutant(
    45,
    'overflow-fails',
    'It gives up when the prompt is too long.',
    kind('overflow', { kind: 'http', status: 400 }),
  ),
  mutant(
    45,
    'overflow-fails-late',
    'It gives up when the prompt is too long after a tool.',
    overflowAfterResponse,
  ),
  mutant(
    45,
    'overflows-thrice',
    'It compacts and sends again after a third overflow when a tool ran between them.',
    repeatSends(1, 'compact', overflowsApart),
  ),
  mutant(
    45,
    'overflow-of-one-turn-fails',
    'It gives up when the prompt is too long and has no old turns.',
    editIncoming(op, (request) =>
      overflows(request) && listAt(request, 'history').length < 4
        ? { provider: [{ error: { kind: 'http', status: 400 } }] }
        : undefined,
    ),
  ),
  mutant(
    45,
    'overflow-in-vain',
    'It sends a prompt that was too long again, without change.',
    editActions((actions, request) => {
      const first = actions.find(isSend) ?? {};
      if (!overflows(request)) return undefined;
      return actions.flatMap((action) =>
        action['do'] === 'compact' ? [] : isSend(action) ? [first] : [action],
      );
    }),
  ),
  mutant(
    45,
    'overflows-without-end',
    'It compacts and retries without end.',
    repeatSends(3, 'compact', longerThan(4, overflows)),
  ),
];
