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
  outputsOf,
  plays,
  reads,
  readsBodies,
  startsWith,
} from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';
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

const waitFaults: ExecutorFaults = {
  'thoughts-free-sync': frees(/<thought>[^]*?<\/thought>/g),
  'dependents-free-sync': frees(/<action[^>]*>\{[^}]*"depends_on":\["[^}]*\}/g),
  'retries-free-sync': frees(/<action[^>]*>\{[^}]*"retry":[1-9][^}]*\}/g),
  'last-dependency': depends((ids) => ids.slice(-1)),
  'ids-of-the-iteration': dependsEarlier((id, request) => (alwaysFails(request, id) ? [id] : ['nobody'])),
  'failures-of-the-iteration': dependsEarlier((id, request) => (alwaysFails(request, id) ? [] : [id])),
  'cycles-spread': readsBodies(({ id, body }, request) =>
    actionsOf(request).some((one) => dependsOf(one.body).length > 1 && isInCycle(one.id, request)) &&
    id === 'free'
      ? { ...body, depends_on: [id] }
      : body,
  ),
  'cycles-fail-dependents': emitsEach((event, request) =>
    isOf('skipped', event) && isInCycle(textIn(event, 'because'), request)
      ? { type: 'failed', id: event['id'] ?? '', error: 'a cycle', at: event['at'] ?? 0 }
      : event,
  ),
};

/** Whether a cause names an action that depends on one that depends on it. */
const isInCycle = (because: string, request: JsonObject): boolean =>
  actionsOf(request).some(
    ({ id, body }) =>
      because.includes(id) &&
      actionsOf(request).some(
        (other) => dependsOf(body).includes(other.id) && dependsOf(other.body).includes(id),
      ),
  );

const valueFaults: ExecutorFaults = {
  'keeps-forgotten-outputs': alsoNamed('note', 'log'),
  'ids-before-keys': readsBodies(({ body }, request) => {
    const { output_key: key, ...others } = body;
    return actionsOf(request).some(({ id }) => id === key) ? others : body;
  }),
  'names-are-variables': alsoNamed('web_scraper', 'web_scraper'),
  'trims-templates': startsWith((value, template) =>
    typeof value === 'string' && typeof template === 'string' && /^\s+\$\w+\s+$/.test(template)
      ? value.trim()
      : value,
  ),
  'digits-are-names': startsWith((value) => (value === '$5' ? 'nine' : value)),
  'other-runs': otherRun,
  'tails-move': emits((events, request) =>
    outputsOf(request).some((output) => /\$\w+<\/response><response/.test(output))
      ? events.map((event) => (isOf('response', event) ? { ...event, final: true } : event))
      : events,
  ),
  'unclosed-is-final': reads((output) => output.replace(/<response final="true">[^<]*$/, '$&</response>')),
  'forgets-ids': plays((request) => {
    const outputs = outputsOf(request);
    return {
      iterations: outputs.map((output, i) => [
        output.replaceAll(/\$([A-Za-z_]\w*)/g, (all, name: string) =>
          outputs.slice(0, i).some((one) => one.includes(` id="${name}"`)) ? `$${all}` : all,
        ),
      ]),
    };
  }),
};

/** The mutants of this file. */
export const acrossFaults: ExecutorFaults = { ...waitFaults, ...valueFaults };
