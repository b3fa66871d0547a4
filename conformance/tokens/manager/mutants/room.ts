/** Testees with a fault in a turn: requests that do not fit, compacting, and retries. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editActions, editFailures, isSend, editResponses, removeWarnings } from './turn-mutant.ts';
import { onRequest, json, listAt, numberAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

const op = 'tokens.turn';

/** Replaces a small configuration. */
const enlargeConfig = (more: (config: JsonObject) => JsonObject): AnswerFault =>
  onRequest(op, (request) => {
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

const neverAdvised: AnswerFault = onRequest(op, (request) =>
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
const overflowAfterResponse: AnswerFault = onRequest(op, (request) => {
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
export const roomFaults: ManagerFaults = {
  'compacts-everything': editCompacted(() => [
    { role: 'user', content: 'Summary: there was a conversation.' },
  ]),
  'compacts-the-recent': editCompacted((messages) =>
    messages.map((message) =>
      textAt(message, 'content').includes('<u25>') ? { ...message, content: 'Go on.' } : message,
    ),
  ),
  'sends-anyway': enlargeConfig(saved),
  'no-margin': enlargeConfig((config) => ({ maxTokens: numberAt(config, 'maxTokens') + 200 })),
  'stops-in-silence': removeWarnings('budget'),
  'never-advised': neverAdvised,
  'no-cooldown': noCooldown,
  'compacts-at-80': onceMore,
  'loses-questions': losesQuestions,
  'waits-a-second': editDelays((delay, _, hint) => (hint === undefined ? 1000 : delay)),
  'waits-ever-longer': editDelays((delay, retry, hint) =>
    hint === undefined ? 1000 * 2 ** (retry - 1) : delay,
  ),
  'counts-on': editDelays((delay, retry, hint) =>
    hint === undefined ? Math.min(30_000, 1000 * 2 ** (retry - 1)) : delay,
  ),
  'takes-no-hint': editDelays((delay, retry, hint) =>
    hint === undefined ? delay : Math.min(30_000, 1000 * 2 ** (retry - 1)),
  ),
  'caps-hints': editDelays((delay) => Math.min(delay, 30_000)),
  'tries-without-end': repeatSends(4, 'retry', longerThan(12, allFail)),
  'never-at-once': editDelays((delay, retry) => (delay === 0 ? 1000 * 2 ** (retry - 1) : delay)),
  'eleven-attempts': repeatSends(1, 'retry', longerThan(12, allFail)),
  'fears-429': status(429, 400),
  'fears-5xx': status(503, 400),
  'fears-529': status(529, 400),
  'fears-408': status(408, 400),
  'fears-the-network': kind('network', { kind: 'http', status: 400 }),
  'repeats-mistakes': status(400, 503),
  'repeats-401': status(401, 503),
  'repeats-aborted': kind('aborted', { kind: 'network' }),
  'repeats-output': kind('stream', { kind: 'network' }),
  'overflow-fails': kind('overflow', { kind: 'http', status: 400 }),
  'overflow-fails-late': overflowAfterResponse,
  'overflows-thrice': repeatSends(1, 'compact', overflowsApart),
  'overflow-of-one-turn-fails': onRequest(op, (request) =>
    overflows(request) && listAt(request, 'history').length < 4
      ? { provider: [{ error: { kind: 'http', status: 400 } }] }
      : undefined,
  ),
  'overflow-in-vain': editActions((actions, request) => {
    const first = actions.find(isSend) ?? {};
    if (!overflows(request)) return undefined;
    return actions.flatMap((action) =>
      action['do'] === 'compact' ? [] : isSend(action) ? [first] : [action],
    );
  }),
  'overflows-without-end': repeatSends(3, 'compact', longerThan(4, overflows)),
};
