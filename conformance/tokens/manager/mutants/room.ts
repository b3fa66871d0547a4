/** Testees that go wrong in a turn, by room and failure: what they may send, when they compact and when they try again. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { does, fails, isSend, responds, silentOn } from './turn-mutant.ts';
import { editIncoming, json, listAt, mutant, numberAt, objectAt } from './mutant.ts';

const op = 'tokens.turn';

/** Hears another configuration, where it is a small one. */
const roomier = (more: (config: JsonObject) => JsonObject): AnswerFault =>
  editIncoming(op, (request) => {
    const config = objectAt(request, 'config');
    return numberAt(config, 'maxTokens') < 2000 ? { config: { ...config, ...more(config) } } : undefined;
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

/** Compacts before each send, once it has. */
const noCooldown: AnswerFault = does((actions, request) => {
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

const onceMore: AnswerFault = responds((response) => {
  const usage = objectAt(response, 'usage');
  return { ...response, usage: { ...usage, inputTokens: numberAt(usage, 'inputTokens') + 1 } };
});

/** What the user said early on is gone from what compacting leaves. */
const losesQuestions: AnswerFault = does((actions) =>
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

/** Waits otherwise before it tries again. */
const waits = (edit: (delay: number, retry: number, hint: number | undefined) => number): AnswerFault =>
  does((actions, request) => {
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

/** Sends so many more requests before it stops, after what a test of its kind has. */
const goesOn = (times: number, before: string, test: (request: JsonObject) => boolean): AnswerFault =>
  does((actions, request) => {
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
  fails((error) => (error['status'] === from ? { ...error, status: to } : error));

const kind = (from: string, error: JsonObject): AnswerFault =>
  fails((came) => (came['kind'] === from ? error : came));

const saved = (config: JsonObject): JsonObject => ({ maxTokens: numberAt(config, 'maxTokens') * 100 });

/** Mutants of room and failures. */
export const roomMutants: readonly Mutant[] = [
  mutant(24, 'sends-anyway', 'It sends what does not fit.', roomier(saved)),
  mutant(
    24,
    'no-margin',
    'It leaves no 200 tokens for the answer.',
    roomier((config) => ({ maxTokens: numberAt(config, 'maxTokens') + 200 })),
  ),
  mutant(24, 'stops-in-silence', 'It does not say that the budget is used up.', silentOn('budget')),
  mutant(33, 'never-advised', 'It does not compact when pruning is advised.', neverAdvised),
  mutant(33, 'no-cooldown', 'It compacts before every request once it is near the limit.', noCooldown),
  mutant(33, 'compacts-at-80', 'It compacts at exactly 80 %.', onceMore),
  mutant(34, 'loses-questions', 'It summarizes what the user said.', losesQuestions),
  mutant(
    43,
    'waits-a-second',
    'It waits a second each time.',
    waits((delay, _, hint) => (hint === undefined ? 1000 : delay)),
  ),
  mutant(
    43,
    'waits-ever-longer',
    'It never waits less than twice as long as before.',
    waits((delay, retry, hint) => (hint === undefined ? 1000 * 2 ** (retry - 1) : delay)),
  ),
  mutant(
    43,
    'takes-no-hint',
    'It does not heed when the provider says to come back.',
    waits((delay, retry, hint) => (hint === undefined ? delay : Math.min(30_000, 1000 * 2 ** (retry - 1)))),
  ),
  mutant(
    43,
    'caps-hints',
    'It never waits longer than 30 s, whatever the provider says.',
    waits((delay) => Math.min(delay, 30_000)),
  ),
  mutant(43, 'tries-without-end', 'It tries again without end.', goesOn(4, 'retry', longerThan(12, allFail))),
  mutant(44, 'fears-429', 'It gives up on 429.', status(429, 400)),
  mutant(44, 'fears-5xx', 'It gives up on 503.', status(503, 400)),
  mutant(44, 'fears-529', 'It knows no status beyond 511.', status(529, 400)),
  mutant(44, 'fears-408', 'It takes 408 for a mistake of its own.', status(408, 400)),
  mutant(
    44,
    'fears-the-network',
    'It gives up when the network fails.',
    kind('network', { kind: 'http', status: 400 }),
  ),
  mutant(44, 'repeats-mistakes', 'It tries 400 again.', status(400, 503)),
  mutant(44, 'repeats-401', 'It tries 401 again.', status(401, 503)),
  mutant(
    44,
    'repeats-aborted',
    'It tries again what the user aborted.',
    kind('aborted', { kind: 'network' }),
  ),
  mutant(
    44,
    'repeats-output',
    'It tries a stream again that had begun.',
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
    'overflow-in-vain',
    'It sends again what was too long, as it was.',
    does((actions, request) => {
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
    'It compacts and tries again without end.',
    goesOn(3, 'compact', longerThan(4, overflows)),
  ),
];
