/** Executors that read conditions, loops and groups in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { endsLate, inRunsWith } from './extended.ts';
import { emits, emitsEach, isOf, outputsOf, plays, reads, templateOf } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

const condition = inRunsWith('conditions');
const loop = inRunsWith('loops');
const group = inRunsWith('groups');

/** A fault in the conditions. */
const tests = (edit: (test: string) => string): AnswerFault =>
  reads((output) =>
    output.replaceAll(/<if test="([^"]*)"/g, (_, test: string) => `<if test="${edit(test)}"`),
  );

/** Whether a condition of a request names an action. */
const isTested = (id: string, request: JsonObject): boolean =>
  outputsOf(request).some((output) => new RegExp(`<if test="[^"]*\\$${id}\\b`).test(output));

/** The outputs without actions whose id stands earlier in one of them. */
function firstOfEachId(request: JsonObject): JsonObject {
  const ids = new Set<string>();
  const iterations = outputsOf(request).map((output) => [
    output.replaceAll(/<action[^>]*id="([^"]*)".*?<\/action>/gs, (action: string, id: string) => {
      if (ids.has(id)) return '';
      ids.add(id);
      return action;
    }),
  ]);
  return { iterations };
}

const conditionFaults: ExecutorFaults = {
  'always-true': condition(tests((test) => `(${test}) or true`)),
  'always-false': condition(tests((test) => `(${test}) and false`)),
  'both-parts': condition(reads((output) => output.replaceAll('<else/>', '</if><if test="true">'))),
  'tests-at-once': condition(endsLate((id, _, request) => isTested(id, request))),
  'waits-for-successes': condition(
    endsLate((id, event, request) => isOf('failed', event) && isTested(id, request)),
  ),
  'takes-all-ids': condition(plays(firstOfEachId)),
};

/** A fault in the list that the caller gives. */
const lists = (edit: (list: readonly Json[], variables: JsonObject) => readonly Json[]): AnswerFault =>
  plays(({ variables }) => {
    if (!isObject(variables) || !isArray(variables['list'])) return {};
    return { variables: { ...variables, list: [...edit(variables['list'], variables)] } };
  });

/** A value with other texts. */
const withTexts = (value: Json, edit: (text: string) => string): Json =>
  JSON.parse(JSON.stringify(value), (_, one: Json) => (typeof one === 'string' ? edit(one) : one)) as Json;

/** A fault in the parameter of the action behind a loop. */
const behind = (edit: (list: readonly Json[]) => Json): AnswerFault =>
  emitsEach((event) => {
    const { parameters, id } = event;
    if (!isOf('started', event) || id !== 'use' || !isObject(parameters)) return event;
    const { p } = parameters;
    return isArray(p) ? { ...event, parameters: { p: edit(p) } } : event;
  });

/** Whether the parameters of an action name an output. */
const namesOutput = (id: string, request: JsonObject): boolean =>
  ['$a', '$k'].includes(textIn(templateOf(request, id), 'p'));

/** Round 1 has the values of round 0. */
const firstRound = emits((events, request) =>
  events.map((event) => {
    const id = /^(.*)_1$/.exec(textIn(event, 'id'))?.[1];
    if (!isOf('started', event) || id === undefined || !namesOutput(id, request)) return event;
    const first = events.find((one) => isOf('started', one) && one['id'] === `${id}_0`);
    return { ...event, parameters: first?.['parameters'] ?? {} };
  }),
);

const loopFaults: ExecutorFaults = {
  'last-item-first': loop(lists((list) => list.toReversed())),
  'first-item-alone': loop(lists((list) => list.slice(0, 1))),
  'items-as-texts': loop(lists((list) => list.map((item) => (typeof item === 'number' ? `${item}` : item)))),
  'at-least-once': loop(reads((output) => output.replaceAll('in="[]"', 'in="[0]"'))),
  'reads-items': loop(
    lists((list, variables) =>
      list.map((item) => withTexts(item, (text) => text.replaceAll('$secret', textIn(variables, 'secret')))),
    ),
  ),
  'reads-dollars': loop(
    lists((list) => list.map((item) => withTexts(item, (text) => text.replaceAll('$$', () => '$')))),
  ),
  'first-round-alone': loop(firstRound),
  'list-backwards': loop(behind((list) => list.toReversed())),
  'last-round-alone': loop(behind((list) => list.at(-1) ?? null)),
};

/** Groups without an id and without async actions, the inner ones first, without their tags. */
function withoutGroups(output: string): string {
  const made = output.replaceAll(
    /<parallel>((?:(?!<\/?parallel|mode="async").)*)<\/parallel>/gs,
    (_, content: string) => content,
  );
  return made === output ? output : withoutGroups(made);
}

/** Groups whose id no output names, with async actions, without their tags. */
const loose = plays((request) => {
  const outputs = outputsOf(request);
  if (outputs.some((output) => output.includes('$g'))) return {};
  return { iterations: outputs.map((output) => [withoutTags(output)]) };
});

const withoutTags = (output: string): string =>
  output.replaceAll(/<parallel(?: id="g")?>(.*?)<\/parallel>/gs, (_, content: string) =>
    content.replaceAll('mode="sync"', 'mode="async"'),
  );

/** A fault in the object of a group. */
const objects = (edit: (values: readonly Json[]) => Json): AnswerFault =>
  emitsEach((event) => {
    const { parameters, id } = event;
    if (!isOf('started', event) || id !== 'use' || !isObject(parameters)) return event;
    const { p } = parameters;
    return isObject(p) ? { ...event, parameters: { p: edit(Object.values(p)) } } : event;
  });

const groupFaults: ExecutorFaults = {
  'one-by-one': group(reads(withoutGroups)),
  'no-end-of-groups': group(loose),
  'ends-with-successes': group(endsLate((_, event) => isOf('failed', event))),
  'list-of-outputs': group(objects((values) => [...values])),
  'last-output': group(objects((values) => values.at(-1) ?? null)),
};

/** The mutants of blocks. */
export const blockFaults: ExecutorFaults = { ...conditionFaults, ...loopFaults, ...groupFaults };
