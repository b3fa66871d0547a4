/** Faults in runs with an extension. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import type { ExtensionName } from '../../../../src/sep/index.ts';
import { textIn } from '../events.ts';
import { emits } from './mutant.ts';
import type { Event } from './mutant.ts';

/** Whether a request switches an extension on. */
export const isOn = (name: ExtensionName, { extensions }: JsonObject): boolean =>
  isObject(extensions) && extensions[name] === true;

/** A fault in runs with an extension: a run without it is that of the reference. */
export const inRunsWith =
  (name: ExtensionName) =>
  (fault: AnswerFault): AnswerFault =>
  (request) =>
    isOn(name, request) ? fault(request) : undefined;

const isOutcome = ({ type }: Event): boolean => type === 'completed' || type === 'failed';

/** The outcomes of these actions come at the end of the run. */
export const endsLate = (isLate: (id: string, event: Event, request: JsonObject) => boolean): AnswerFault =>
  emits((events, request) => {
    const late = events.filter((event) => isOutcome(event) && isLate(textIn(event, 'id'), event, request));
    const others = events.filter((event) => !late.includes(event));
    return [...others.slice(0, -1), ...late, ...others.slice(-1)];
  });

/** A fault in the outcomes of the calls of each provider. */
export const outcomes =
  (edit: (outcome: JsonObject, request: JsonObject) => JsonObject) =>
  (request: JsonObject): JsonObject => {
    const { providers } = request;
    const edited = Object.entries(isObject(providers) ? providers : {}).map(([name, all]): [string, Json] => [
      name,
      (isArray(all) ? all : []).map((one) => (isObject(one) ? edit(one, request) : one)),
    ]);
    return { providers: Object.fromEntries(edited) };
  };
