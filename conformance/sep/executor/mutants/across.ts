/** Executors that mix up iterations, runs and responses. */
import { isObject } from '../../../../src/kit/base/index.ts';
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
  outputsOf,
  plays,
  reads,
  readsBodies,
  startsWith,
} from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';
import { textIn } from '../events.ts';

/** The ids of the actions before the output with this one. */
function earlierIds(id: string, request: JsonObject): readonly string[] {
  const outputs = outputsOf(request);
  const place = outputs.findIndex((output) => output.includes(` id="${id}"`));
  return actionsOf({ iterations: outputs.slice(0, place).map((output) => [output]) }).map((one) => one.id);
}

/** A fault in the ids of earlier iterations that actions depend on. */
const dependsEarlier = (edit: (id: string, request: JsonObject) => readonly string[]): AnswerFault =>
  depends((ids, action, request) =>
    ids.flatMap((id) => (earlierIds(action.id, request).includes(id) ? edit(id, request) : [id])),
  );

/** A fault in the mode of sync actions of this form: they are async. */
const frees = (form: RegExp): AnswerFault =>
  reads((output) => output.replaceAll(form, (all) => all.replaceAll('mode="sync"', 'mode="async"')));

/** A name that no run gives a value but one with this output key. */
const otherRun: AnswerFault = plays((request) =>
  outputsOf(request).some((output) => output.includes('"output_key":"page"'))
    ? {}
    : { variables: { page: 'of another run', ...variablesOf(request) } },
);

const variablesOf = ({ variables }: JsonObject): JsonObject => (isObject(variables) ? variables : {});

/** The output of each action has a value by this name, where the caller has given none. */
const alsoNamed = (name: string, provider: string): AnswerFault =>
  plays((request) => {
    const { providers } = request;
    const [outcome] = isObject(providers) ? [providers[provider]].flat() : [];
    if (!isObject(outcome) || outcome['output'] === undefined) return {};
    return { variables: { [name]: outcome['output'], ...variablesOf(request) } };
  });

const waitMutants: readonly ExecutorMutant[] = [
  mutant(
    28,
    'thoughts-free-sync',
    'A sync action in a thought delays nothing.',
    frees(/<thought>[^]*?<\/thought>/g),
  ),
  mutant(
    28,
    'dependents-free-sync',
    'A sync action with depends_on delays nothing.',
    frees(/<action[^>]*>\{[^}]*"depends_on":\["[^}]*\}/g),
  ),
  mutant(
    28,
    'retries-free-sync',
    'A sync action with retry delays nothing.',
    frees(/<action[^>]*>\{[^}]*"retry":[1-9][^}]*\}/g),
  ),
  mutant(
    31,
    'last-dependency',
    'It waits for the last of several dependencies.',
    depends((ids) => ids.slice(-1)),
  ),
  mutant(
    31,
    'ids-of-the-iteration',
    'It knows no ids of earlier iterations in depends_on.',
    dependsEarlier((id, request) => (alwaysFails(request, id) ? [id] : ['nobody'])),
  ),
  mutant(
    34,
    'failures-of-the-iteration',
    'It knows no failures of earlier iterations in depends_on.',
    dependsEarlier((id, request) => (alwaysFails(request, id) ? [] : [id])),
  ),
  mutant(
    33,
    'cycles-spread',
    'What one of a cycle waits for fails, too.',
    readsBodies(({ id, body }, request) =>
      actionsOf(request).some((one) => dependsOf(one.body).length > 1 && isInCycle(one.id, request)) &&
      id === 'free'
        ? { ...body, depends_on: [id] }
        : body,
    ),
  ),
  mutant(
    34,
    'cycles-fail-dependents',
    'What depends on one of a cycle fails.',
    emitsEach((event, request) =>
      isOf('skipped', event) && isInCycle(textIn(event, 'because'), request)
        ? { type: 'failed', id: event['id'] ?? '', error: 'a cycle', at: event['at'] ?? 0 }
        : event,
    ),
  ),
];

/** Whether a cause names an action that depends on one that depends on it. */
const isInCycle = (because: string, request: JsonObject): boolean =>
  actionsOf(request).some(
    ({ id, body }) =>
      because.includes(id) &&
      actionsOf(request).some(
        (other) => dependsOf(body).includes(other.id) && dependsOf(other.body).includes(id),
      ),
  );

const valueMutants: readonly ExecutorMutant[] = [
  mutant(
    30,
    'keeps-forgotten-outputs',
    'The output of a fire_and_forget action has a value by its output key.',
    alsoNamed('note', 'log'),
  ),
  mutant(
    41,
    'ids-before-keys',
    'A name means the id of an action before an output key.',
    readsBodies(({ body }, request) => {
      const { output_key: key, ...others } = body;
      return actionsOf(request).some(({ id }) => id === key) ? others : body;
    }),
  ),
  mutant(
    41,
    'names-are-variables',
    'The name of an action is a variable.',
    alsoNamed('web_scraper', 'web_scraper'),
  ),
  mutant(
    43,
    'trims-templates',
    'It drops the blanks around a reference.',
    startsWith((value, template) =>
      typeof value === 'string' && typeof template === 'string' && /^\s+\$\w+\s+$/.test(template)
        ? value.trim()
        : value,
    ),
  ),
  mutant(
    46,
    'digits-are-names',
    'A digit can be a name.',
    startsWith((value) => (value === '$5' ? 'nine' : value)),
  ),
  mutant(47, 'other-runs', 'A name has the value that another run gave it.', otherRun),
  mutant(
    51,
    'tails-move',
    'A reference at the end of a response comes in the next one.',
    emits((events, request) =>
      outputsOf(request).some((output) => /\$\w+<\/response><response/.test(output))
        ? events.map((event) => (isOf('response', event) ? { ...event, final: true } : event))
        : events,
    ),
  ),
  mutant(
    52,
    'unclosed-is-final',
    'A final response without its end is final.',
    reads((output) => output.replace(/<response final="true">[^<]*$/, '$&</response>')),
  ),
  mutant(
    56,
    'forgets-ids',
    'The ids of actions have no values in later iterations.',
    plays((request) => {
      const outputs = outputsOf(request);
      return {
        iterations: outputs.map((output, i) => [
          output.replaceAll(/\$([A-Za-z_]\w*)/g, (all, name: string) =>
            outputs.slice(0, i).some((one) => one.includes(` id="${name}"`)) ? `$${all}` : all,
          ),
        ]),
      };
    }),
  ),
];

/** The mutants of this file. */
export const acrossMutants: readonly ExecutorMutant[] = [...waitMutants, ...valueMutants];
