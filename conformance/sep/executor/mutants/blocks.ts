/** Executors that read conditions, loops and groups in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { endsLate, mutantOf } from './extended.ts';
import { emits, emitsEach, isOf, outputsOf, plays, reads, templateOf } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

const condition = mutantOf('conditions');
const loop = mutantOf('loops');
const group = mutantOf('groups');

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

const conditionMutants: readonly ExecutorMutant[] = [
  condition(
    115,
    'always-true',
    'Each condition is true.',
    tests((test) => `(${test}) or true`),
  ),
  condition(
    115,
    'always-false',
    'Each condition is false.',
    tests((test) => `(${test}) and false`),
  ),
  condition(
    115,
    'both-parts',
    'What is behind the else always counts.',
    reads((output) => output.replaceAll('<else/>', '</if><if test="true">')),
  ),
  condition(
    116,
    'tests-at-once',
    'It does not wait for the actions that a condition names.',
    endsLate((id, _, request) => isTested(id, request)),
  ),
  condition(
    116,
    'waits-for-successes',
    'It does not wait for an action that a condition names, if this fails.',
    endsLate((id, event, request) => isOf('failed', event) && isTested(id, request)),
  ),
  condition(117, 'takes-all-ids', 'The ids in both parts are taken.', plays(firstOfEachId)),
];

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

const loopMutants: readonly ExecutorMutant[] = [
  loop(
    118,
    'last-item-first',
    'Its rounds begin at the end of the list.',
    lists((list) => list.toReversed()),
  ),
  loop(
    118,
    'first-item-alone',
    'It has one round.',
    lists((list) => list.slice(0, 1)),
  ),
  loop(
    118,
    'items-as-texts',
    'A number in the list is a text.',
    lists((list) => list.map((item) => (typeof item === 'number' ? `${item}` : item))),
  ),
  loop(
    118,
    'at-least-once',
    'An empty list has one round.',
    reads((output) => output.replaceAll('in="[]"', 'in="[0]"')),
  ),
  loop(
    119,
    'reads-items',
    'It replaces references in items.',
    lists((list, variables) =>
      list.map((item) => withTexts(item, (text) => text.replaceAll('$secret', textIn(variables, 'secret')))),
    ),
  ),
  loop(
    119,
    'reads-dollars',
    'It reads two dollars in an item.',
    lists((list) => list.map((item) => withTexts(item, (text) => text.replaceAll('$$', () => '$')))),
  ),
  loop(120, 'first-round-alone', 'In each round, an id means the action of the first one.', firstRound),
  loop(
    120,
    'list-backwards',
    'The list of outputs begins with the last round.',
    behind((list) => list.toReversed()),
  ),
  loop(
    120,
    'last-round-alone',
    'Behind the loop, an id means the last round.',
    behind((list) => list.at(-1) ?? null),
  ),
];

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

const groupMutants: readonly ExecutorMutant[] = [
  group(121, 'one-by-one', 'The sync actions of a group run one after the other.', reads(withoutGroups)),
  group(122, 'no-end-of-groups', 'Nothing waits for the end of a group.', loose),
  group(
    122,
    'ends-with-successes',
    'Nothing waits for an action of a group that fails.',
    endsLate((_, event) => isOf('failed', event)),
  ),
  group(
    123,
    'list-of-outputs',
    'The id of a group stands for a list.',
    objects((values) => [...values]),
  ),
  group(
    123,
    'last-output',
    'The id of a group stands for the last output.',
    objects((values) => values.at(-1) ?? null),
  ),
];

/** The mutants of blocks. */
export const blockMutants: readonly ExecutorMutant[] = [...conditionMutants, ...loopMutants, ...groupMutants];
