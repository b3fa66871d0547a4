/** Makes mutant executors: the reference testee with one fault in the run that it plays, or in its events. */
import { exactJsonOf, exactText, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, faultyTestee } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, MakeFaulty } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import type { Answer } from '../../../../src/kit/testee/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { textIn } from '../events.ts';

const op = 'sep.run';
const faults = answerFaults(sepManifestTestee);

/** Faults by the ids of their mutants. */
export interface ExecutorFaults {
  readonly [id: string]: AnswerFault;
}

/** The answers of the reference executor with a fault. */
export const answersWith: (fault: AnswerFault) => Answer = faults.faulty;

/** Makes the reference executor with a fault. */
export const executorWith: MakeFaulty<AnswerFault> = faultyTestee(faults.faulty, testeeOf);

/** A fault in the run that it plays. */
export const plays = (edit: (request: JsonObject) => JsonObject): AnswerFault => faults.onRequest(op, edit);

/** The whole outputs of a request, one an iteration. */
export const outputsOf = ({ iterations }: JsonObject): readonly string[] =>
  isArray(iterations)
    ? iterations.map((chunks) =>
        isArray(chunks) ? chunks.filter((chunk) => typeof chunk === 'string').join('') : '',
      )
    : [];

/** A fault in the reading: it reads other outputs. */
export const reads = (edit: (output: string, i: number) => string): AnswerFault =>
  plays((request) => ({ iterations: outputsOf(request).map((output, i) => [edit(output, i)]) }));

const actionForm = /(<action[^>]*?id="([^"]*)"[^>]*>)(\{.*?\})(<\/action>)/gs;

/** An action as it is written in an output. */
export interface WrittenAction {
  readonly id: string;
  readonly body: JsonObject;
}

/** The actions of a request, in order. */
export const actionsOf = (request: JsonObject): readonly WrittenAction[] =>
  outputsOf(request).flatMap((output) =>
    [...output.matchAll(actionForm)].map(([, , id = '', body = '{}']) => ({
      id,
      body: JSON.parse(body) as JsonObject,
    })),
  );

/** A fault in the bodies of actions: it reads others. */
export const readsBodies = (edit: (action: WrittenAction, request: JsonObject) => JsonObject): AnswerFault =>
  plays((request) => ({
    iterations: outputsOf(request).map((output) => [
      output.replaceAll(
        actionForm,
        (_, open: string, id: string, body: string, close: string) =>
          open + exactText(edit({ id, body: exactJsonOf(body) as JsonObject }, request)) + close,
      ),
    ]),
  }));

/** The ids in depends_on. */
export const dependsOf = ({ depends_on: ids }: JsonObject): readonly string[] =>
  isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];

/** A fault in depends_on. */
export const depends = (
  edit: (ids: readonly string[], action: WrittenAction, request: JsonObject) => readonly string[],
): AnswerFault =>
  readsBodies((action, request) => ({
    ...action.body,
    depends_on: [...edit(dependsOf(action.body), action, request)],
  }));

/** An event of an answer. */
export type Event = JsonObject;

/** A fault in the answer. */
export const answers = (edit: (ok: JsonObject, request: JsonObject) => JsonObject): AnswerFault =>
  faults.onAnswer(op, edit);

/** A fault in the events. */
export const emits = (
  edit: (events: readonly Event[], request: JsonObject) => readonly Event[],
): AnswerFault => answers((ok, request) => ({ ...ok, events: [...edit(eventsIn(ok), request)] as Json[] }));

const eventsIn = ({ events }: JsonObject): readonly Event[] =>
  isArray(events) ? events.filter((one): one is Event => isObject(one)) : [];

/** A fault in each event: another one, several, or none. */
export const emitsEach = (
  edit: (event: Event, request: JsonObject) => Event | readonly Event[],
): AnswerFault => emits((events, request) => events.flatMap((event) => edit(event, request)));

/** Whether an event is of a kind. */
export const isOf = (kind: string, { type }: Event): boolean => type === kind;

/** Whether all calls of a provider fail. */
export function alwaysFails({ providers }: JsonObject, name: string): boolean {
  const outcomes = isObject(providers) ? providers[name] : undefined;
  return (
    isArray(outcomes) && outcomes.every((outcome) => isObject(outcome) && outcome['error'] !== undefined)
  );
}

/** The parameters of an action as its body has them. */
export const templateOf = (request: JsonObject, id: string): JsonObject => {
  const parameters = actionsOf(request).find((action) => action.id === id)?.body['parameters'];
  return isObject(parameters) ? parameters : {};
};

/** A fault in the parameters with which actions start: `edit` gives another value of a member. */
export const startsWith = (edit: (value: Json, template: Json, request: JsonObject) => Json): AnswerFault =>
  emitsEach((event, request) => {
    const { parameters } = event;
    if (!isOf('started', event) || !isObject(parameters)) return event;
    const template = templateOf(request, textIn(event, 'id'));
    return {
      ...event,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [
          name,
          Object.hasOwn(template, name) ? edit(value, template[name] ?? null, request) : value,
        ]),
      ),
    };
  });

/** A fault, and another one in the events that come of it. */
export const andThen =
  (
    fault: AnswerFault,
    edit: (events: readonly Event[], request: JsonObject) => readonly Event[],
  ): AnswerFault =>
  (request) => {
    const answer = fault(request);
    const ok = answer?.['ok'];
    if (answer === undefined || !isObject(ok)) return answer;
    return { ...answer, ok: { ...ok, events: [...edit(eventsIn(ok), request)] as Json[] } };
  };
