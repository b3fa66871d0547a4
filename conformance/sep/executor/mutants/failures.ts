/** Executors that treat failures, timeouts and retries in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { actionsOf, alwaysFails, depends, dependsOf, emits, emitsEach, isOf, readsBodies } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

/** A fault in a number of actions. */
const numbers = (name: string, edit: (value: number) => number): AnswerFault =>
  readsBodies(({ body }) => {
    const value = body[name];
    return typeof value === 'number' ? { ...body, [name]: edit(value) } : body;
  });

/** A body without a member. */
function without(body: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = body;
  return others;
}

/** The ids whose own dependencies fail. */
const isDependent = (id: string, request: JsonObject): boolean =>
  actionsOf(request).some(
    (action) => action.id === id && dependsOf(action.body).some((one) => alwaysFails(request, one)),
  );

/** The mutants of failures. */
export const failureFaults: ExecutorFaults = {
  'runs-dependents': depends((ids, _, request) => ids.filter((id) => !alwaysFails(request, id))),
  'one-step': depends((ids, _, request) => ids.filter((id) => !isDependent(id, request))),
  'no-cause': emitsEach((event) => (isOf('skipped', event) ? { ...event, because: '' } : event)),
  'no-timeouts': readsBodies(({ body }) => without(body, 'timeout')),
  milliseconds: numbers('timeout', (seconds) => seconds / 1000),
  'ten-times': numbers('timeout', (seconds) => seconds * 10),
  'timeout-of-all': readsBodies(({ body }) =>
    typeof body['timeout'] === 'number' ? without(body, 'retry') : body,
  ),
  'no-retries': readsBodies(({ body }) => without(body, 'retry')),
  'counts-all': numbers('retry', (n) => Math.max(0, n - 1)),
  'one-more': numbers('retry', (n) => n + 1),
  'fail-by-default': readsBodies(({ body }) => ({ on_error: 'fail', ...body })),
  'skip-is-fail': readsBodies(({ body }) =>
    body['on_error'] === 'skip' ? { ...body, on_error: 'fail' } : body,
  ),
  'fail-is-skip': readsBodies(({ body }) =>
    body['on_error'] === 'fail' ? { ...body, on_error: 'skip' } : body,
  ),
  'no-end': emits((events) =>
    events.some((event) => isOf('finished', event) && event['reason'] === 'failed')
      ? events.filter((event) => !isOf('finished', event))
      : events,
  ),
  'retry-is-skip': readsBodies(({ body }) =>
    body['on_error'] === 'retry' ? without(body, 'on_error') : body,
  ),
  'retries-twice': readsBodies(({ body }) => (body['on_error'] === 'retry' ? { retry: 2, ...body } : body)),
};
