/** Executors that treat failures, timeouts and retries in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import {
  actionsOf,
  alwaysFails,
  depends,
  dependsOf,
  emits,
  emitsEach,
  isOf,
  mutant,
  readsBodies,
} from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

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
export const failureMutants: readonly ExecutorMutant[] = [
  mutant(
    34,
    'runs-dependents',
    'It starts what depends on a failed action.',
    depends((ids, _, request) => ids.filter((id) => !alwaysFails(request, id))),
  ),
  mutant(
    34,
    'one-step',
    'It starts what depends on a skipped action.',
    depends((ids, _, request) => ids.filter((id) => !isDependent(id, request))),
  ),
  mutant(
    34,
    'no-cause',
    'It names no cause of a skipped action.',
    emitsEach((event) => (isOf('skipped', event) ? { ...event, because: '' } : event)),
  ),
  mutant(
    37,
    'no-timeouts',
    'It knows no timeout.',
    readsBodies(({ body }) => without(body, 'timeout')),
  ),
  mutant(
    37,
    'milliseconds',
    'It takes a timeout for milliseconds.',
    numbers('timeout', (seconds) => seconds / 1000),
  ),
  mutant(
    37,
    'ten-times',
    'Its timeout is ten times as long.',
    numbers('timeout', (seconds) => seconds * 10),
  ),
  mutant(
    37,
    'timeout-of-all',
    'The timeout limits all attempts together.',
    readsBodies(({ body }) => (typeof body['timeout'] === 'number' ? without(body, 'retry') : body)),
  ),
  mutant(
    38,
    'no-retries',
    'It makes one attempt.',
    readsBodies(({ body }) => without(body, 'retry')),
  ),
  mutant(
    38,
    'counts-all',
    'It takes retry for the number of all attempts.',
    numbers('retry', (n) => Math.max(0, n - 1)),
  ),
  mutant(
    38,
    'one-more',
    'It makes one attempt too many.',
    numbers('retry', (n) => n + 1),
  ),
  mutant(
    40,
    'fail-by-default',
    'A failure ends the turn if on_error does not say another thing.',
    readsBodies(({ body }) => ({ on_error: 'fail', ...body })),
  ),
  mutant(
    40,
    'skip-is-fail',
    'on_error skip ends the turn.',
    readsBodies(({ body }) => (body['on_error'] === 'skip' ? { ...body, on_error: 'fail' } : body)),
  ),
  mutant(
    95,
    'fail-is-skip',
    'on_error fail does not end the turn.',
    readsBodies(({ body }) => (body['on_error'] === 'fail' ? { ...body, on_error: 'skip' } : body)),
  ),
  mutant(
    95,
    'no-end',
    'It does not tell that the turn has ended.',
    emits((events) =>
      events.some((event) => isOf('finished', event) && event['reason'] === 'failed')
        ? events.filter((event) => !isOf('finished', event))
        : events,
    ),
  ),
  mutant(
    96,
    'retry-is-skip',
    'on_error retry makes no further attempt.',
    readsBodies(({ body }) => (body['on_error'] === 'retry' ? without(body, 'on_error') : body)),
  ),
  mutant(
    96,
    'retries-twice',
    'on_error retry makes two further attempts.',
    readsBodies(({ body }) => (body['on_error'] === 'retry' ? { retry: 2, ...body } : body)),
  ),
];
